"""Checkers laid beside the middle of their points are learned and read where they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from carried_checkers import carried
from labelled import Scene, scenes
from places import PICTURES

from vision.backgammon.calibration import Calibration
from vision.board import SavedCalibration, open_calibration
from vision.board.json_io import describe
from vision.board.layout import Placed

if TYPE_CHECKING:
    from pathlib import Path

TIDY = "00-travel", "08-classic", "09-leather"


@pytest.fixture(scope="module")
def careless() -> Scene:
    (scene,) = scenes(PICTURES / "careless")
    return scene


@pytest.fixture(scope="module", params=TIDY)
def tidy(request: pytest.FixtureRequest) -> Scene:
    return Scene.load(PICTURES / request.param)


def test_a_board_whose_start_was_laid_carelessly_is_read(careless: Scene) -> None:
    read = [describe(look)["position"] for look in careless.looks]
    assert [one and one["points"] for one in read] == [frame.points for frame in careless.frames]


def test_the_empty_board_shows_no_edges_of_checkers_that_lay_aside(careless: Scene) -> None:
    """Nothing on that board is purple but the checkers."""
    learned = careless.eye.calibration
    blue, green, red = np.moveaxis(learned.rectified.ground.astype(int), 2, 0)
    assert ((blue > green + 30) & (red > green)).sum() <= 5


def test_how_far_aside_checkers_lie_is_learned_where_they_were_laid_carelessly(careless: Scene, tidy: Scene) -> None:
    learned = careless.eye.calibration
    measured = {(one.point, one.index): one.aside / learned.layout.checker for one in learned.placed}
    first, second = measured[23, 0], measured[23, 1]
    assert second - first > 0.1, "the second checker of the 24 point lies right of the first"
    assert set(tidy.eye.calibration.asides) == {0.0}


def test_how_far_aside_checkers_lie_is_saved(careless: Scene, tmp_path: Path) -> None:
    learned, path = careless.eye.calibration, tmp_path / "board.npz"
    learned.save(path)
    assert Calibration.load(path).placed == learned.placed


def test_a_board_saved_without_it_is_loaded_and_saved_again(careless: Scene, tmp_path: Path) -> None:
    path = tmp_path / "board.npz"
    careless.eye.calibration.save(path)
    with open_calibration(path) as kept:
        arrays = {name: kept.arrays[name] for name in kept.arrays if name != "asides"}
        earlier = Calibration.restored(SavedCalibration(kept.kind, kept.meta, arrays))
        arrays["asides"] = np.zeros(3)
        with pytest.raises(ValueError, match="asides has 3 values"):
            Calibration.restored(SavedCalibration(kept.kind, kept.meta, arrays))
    earlier.save(path)
    assert not any(one.aside for one in Calibration.load(path).placed)


@pytest.mark.parametrize("aside", [-0.3, 0.3])
def test_a_checker_lies_on_the_point_that_most_of_it_covers(tidy: Scene, aside: float) -> None:
    start, layout, tried = tidy.frames[0].points, tidy.eye.calibration.layout, 0
    for frame in tidy.frames[1:]:
        lone = [p for p in range(24) if abs(frame.points[p]) == 1 and start[p] == 0]
        free = [p for p in range(1, 23) if not any(frame.points[p - 1 : p + 2]) and p % 6 not in (0, 5)]
        if frame.hand or frame.drift or not lone or not free:
            continue
        tried += 1
        there = Placed(free[0], 0, 0, aside * layout.column)
        made = carried(
            frame.picture,
            tidy.start,
            tidy.eye.calibration,
            np.array(layout.slot(lone[0], 0)),
            layout.centres([there])[0],
        )
        points = list(frame.points)
        points[free[0]], points[lone[0]] = points[lone[0]], 0
        assert describe(tidy.eye.look(made))["position"]["points"] == points
    assert tried
