"""Two checkers side by side on one point are not read as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from carried_checkers import carried
from labelled import Scene, scenes
from places import PICTURES

from vision.board.json_io import describe

if TYPE_CHECKING:
    from vision.cameras import Picture

BOARDS = "00-travel", "02-leather", "03-magnetic"


@pytest.fixture(scope="module", params=BOARDS)
def board(request: pytest.FixtureRequest) -> Scene:
    return next(scene for scene in scenes(PICTURES) if scene.name == request.param)


def pairs(scene: Scene) -> list[tuple[Picture, int]]:
    """For every picture, a copy with two single checkers of a side moved to both sides of a free point's first slot.

    That point and the two beside it had no checkers.
    """
    start, calibration = scene.frames[0].points, scene.eye.calibration
    layout = calibration.layout
    found = []
    for frame in scene.frames[1:]:
        points = frame.points
        free = [p for p in range(1, 23) if p % 6 not in (0, 5) and points[p - 1] == points[p] == points[p + 1] == 0]
        for side in (1, -1):
            lone = [p for p in range(24) if points[p] == side and start[p] == 0][:2]
            if frame.hand or frame.drift or len(lone) < 2 or not free:
                continue
            made, middle = frame.picture, np.array(layout.slot(free[0], 0))
            for source, away in zip(lone, (-0.5, 0.5), strict=True):
                target = middle + np.array([away * layout.checker, 0.0])
                made = carried(made, scene.start, calibration, np.array(layout.slot(source, 0)), target)
            found.append((made, free[0]))
    return found


def test_each_place_is_between_a_point_and_a_neighbour(board: Scene) -> None:
    made = pairs(board)
    assert made
    for picture, point in made:
        told = describe(board.eye.look(picture))
        assert told["unreadable"] == "unknown"
        assert sorted(told["between"]) == [[point, point + 1], [point + 1, point + 2]]
