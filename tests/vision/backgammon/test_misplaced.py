"""Boards are not learned with a given position in which one checker is misplaced."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from carried_checkers import with_sixth_in_row
from labelled import scenes
from places import PICTURES
from sweeps import sampled

from companion.core import Side
from vision.backgammon import learning
from vision.board import START, CalibrationError

if TYPE_CHECKING:
    from labelled import Scene

    from vision.backgammon.calibration import Calibration

SCENES = {scene.name: scene for scene in scenes(PICTURES)}
TOLD = [
    ("09-leather", 13, 16, Side.WHITE),
    ("09-leather", 8, 7, Side.WHITE),
    ("09-leather", 17, 15, Side.BLACK),
    ("09-leather", 1, 18, Side.BLACK),
    ("02-leather", 6, 20, Side.WHITE),
    ("02-leather", 24, 7, Side.WHITE),
    ("09-leather", 8, 5, Side.WHITE),
    ("14-green", 6, 2, Side.WHITE),
]
"""Board, the true point of a checker, the given point, and its side."""


def learn_told(scene: Scene, off: int, to: int, side: Side) -> Calibration:
    """Learn the start with one checker given on another point."""
    told = [list(content) for content in START]
    told[off - 1][side is Side.BLACK] -= 1
    told[to - 1][side is Side.BLACK] += 1
    position = [(white, black) for white, black in told]
    return learning.calibrate(scene.start, scene.corners, scene.mirror, position)


@pytest.mark.parametrize(("name", "off", "to", "side"), sampled(TOLD, TOLD[:2]))
def test_a_checker_not_where_the_given_position_has_it_is_reported_with_the_points(name, off, to, side):
    first, second = sorted((off, to))
    with pytest.raises(CalibrationError, match=rf"checkers on {first} and {second} as White counts"):
        learn_told(SCENES[name], off, to, side)


def test_a_sixth_checker_in_a_row_is_reported_with_its_point():
    scene = SCENES["02-leather"]
    told = [*START[:5], (6, 0), *START[6:23], (1, 0)]
    with pytest.raises(CalibrationError, match="on 6 as White counts are seen: lay the sixth on top of the first"):
        learning.calibrate(with_sixth_in_row(scene), scene.corners, scene.mirror, told)


def test_a_misplaced_checker_that_cannot_be_read_is_reported_with_its_point():
    with pytest.raises(CalibrationError, match="cannot be told from its checkers on 15 as White counts"):
        learn_told(SCENES["14-green"], 8, 15, Side.WHITE)


def test_the_picture_does_not_show_the_given_position(monkeypatch):
    monkeypatch.setattr(learning, "misplaced", lambda _: [])
    learned = learn_told(SCENES["09-leather"], 13, 16, Side.WHITE)
    assert (learned.points[12], learned.points[15]) == ((4, 0), (1, 0))
