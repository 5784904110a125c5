"""Path-traced boards become samples of stacks, in the form in which the product reads boards."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from labelled import Scene
from places import PICTURES

from training import traced_layers
from training.samples import BARE, LONGEST
from training.stacks import LOOKS, PLACES
from training.traced_stacks import board_samples, rows_of, samples
from vision.backgammon.stacking.features import ANGLES, MAPS, RADII

if TYPE_CHECKING:
    from pathlib import Path

FULL = 5


@pytest.fixture(scope="module")
def scene() -> Scene:
    return Scene.load(PICTURES / "02-leather")


def told(points: list[int]) -> dict[str, Any]:
    """Owner and heights of each row."""
    counts = {point: abs(count) for point, count in enumerate(points) if count}
    heights = {
        point: [1 + (slot < count - FULL) for slot in range(min(count, FULL))] for point, count in counts.items()
    }
    return {str(point): (int(points[point] < 0), high) for point, high in heights.items()}


def test_rows_that_are_read_rightly_are_labelled(scene: Scene) -> None:
    calibration = scene.eye.calibration
    for frame in scene.frames:
        if frame.hand or frame.drift:
            continue
        rows = told(frame.points)
        full = [key for key, (_, high) in rows.items() if len(high) == FULL]
        found = [high.tolist() for row, high in rows_of(calibration, frame.picture, rows) if len(high) == FULL]
        assert found == [[each > 1 for each in rows[key][1]] for key in full]


def test_samples_have_the_form_of_drawn_ones(scene: Scene) -> None:
    start = scene.frames[0]
    rows = list(rows_of(scene.eye.calibration, start.picture, told(start.points)))
    made = samples(rows, np.float32(1))
    assert {len(one) for one in made.values()} == {PLACES}
    assert made["ends"][:10].tolist() == [4] * 5 + [9] * 5
    assert not made["high"].any()


@pytest.fixture
def folder(scene: Scene, tmp_path: Path) -> Path:
    """A folder of pictures that all show the starting position."""
    looks = [{"rows": told(scene.frames[0].points)}] * 8
    for name in ("start", *range(len(looks))):
        shutil.copy(PICTURES / "02-leather" / "00.jpg", tmp_path / f"{name}.jpg")
    corners = json.loads((PICTURES / "02-leather" / "scene.json").read_text())["corners"]
    (tmp_path / "board.json").write_text(json.dumps({"corners": corners, "looks": looks}))
    return tmp_path


def test_a_folder_of_pictures_becomes_samples(folder: Path) -> None:
    made = board_samples(folder)
    assert made is not None
    assert made["seen"].shape[1:3] == (LOOKS, PLACES)
    assert len({len(one) for one in made.values()}) == 1


def test_a_folder_of_pictures_becomes_rows_of_the_other_network(folder: Path) -> None:
    made = traced_layers.board_samples(folder)
    assert made is not None
    count, bearing, owner = made["labels"][0].T
    assert set(count) == {FULL}
    assert not bearing.any()
    assert set(owner) == {0, 1}
    assert made["spokes"].shape == (1, traced_layers.ROWS, LONGEST, MAPS, ANGLES, RADII)
    assert np.abs(made["spokes"][0, :, :FULL]).reshape(traced_layers.ROWS, FULL, -1).any(axis=2).all()
    assert np.isfinite(made["places"][0, :, : FULL + 1]).all()
    assert made["bare"].shape[:3] == (1, 2, BARE)


def test_a_board_that_is_not_learned_gives_none(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "start.jpg"), np.zeros((480, 640, 3), np.uint8))
    (tmp_path / "board.json").write_text(json.dumps({"corners": [[9, 400], [600, 400], [600, 9], [9, 9]], "looks": []}))
    assert board_samples(tmp_path) is None
