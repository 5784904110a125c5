"""Path-traced boards become samples of slots, labelled by the places of their checkers."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from labelled import Scene
from places import PICTURES

from companion.core import FULL_ROW
from training.traced_slots import board_samples
from vision.board import BLACK, EMPTY, OTHER, START, WHITE
from vision.geometry import project

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def scene() -> Scene:
    return Scene.load(PICTURES / "02-leather")


def written(scene: Scene, folder: Path, dice: list[tuple[float, float]]) -> None:
    """The start as a path-traced board with one later picture, which shows the start too."""
    labelled = scene.eye.calibration.fine_labelled
    pixel = labelled.top.to_picture
    places: list[Any] = []
    for point, (white, black) in enumerate(START):
        for index in range(white + black):
            x, y = project(pixel, np.array([labelled.rows.place(point, index)]))[0]
            places.append((point, index, int(black > 0), 1, x, y, x, y))
    look = {"rows": {}, "places": places, "bar": [], "dice": dice}
    for name in ("start", "0"):
        shutil.copy(PICTURES / "02-leather" / "00.jpg", folder / f"{name}.jpg")
    corners = json.loads((PICTURES / "02-leather" / "scene.json").read_text())["corners"]
    (folder / "board.json").write_text(json.dumps({"corners": corners, "looks": [look]}))


def test_places_are_labelled_by_their_content(scene: Scene, tmp_path: Path) -> None:
    written(scene, tmp_path, [])
    made = board_samples(tmp_path)
    assert made is not None
    counts = np.bincount(made["label"], minlength=OTHER + 1)
    assert counts[WHITE] == counts[BLACK] == 15
    assert counts[EMPTY] > 15 * FULL_ROW
    assert counts[OTHER] == 0
    assert len({len(made[name]) for name in ("seen", "bare", "place", "lift", "label")}) == 1
    assert set(made["known_side"]) == {WHITE, BLACK}


def test_a_place_under_a_die_has_the_class_of_foreign_things(scene: Scene, tmp_path: Path) -> None:
    labelled = scene.eye.calibration.fine_labelled
    x, y = project(labelled.top.to_picture, np.array([labelled.rows.place(2, 0)]))[0]
    written(scene, tmp_path, [(x, y)])
    made = board_samples(tmp_path)
    assert made is not None
    assert OTHER in made["label"]


def test_a_board_that_cannot_be_fitted_gives_none(scene: Scene, tmp_path: Path) -> None:
    written(scene, tmp_path, [])
    told = json.loads((tmp_path / "board.json").read_text())
    told["corners"] = [[9, 400], [600, 400], [600, 9], [9, 9]]
    (tmp_path / "board.json").write_text(json.dumps(told))
    assert board_samples(tmp_path) is None
