"""A coin on a point is not taken for the checker that is missing."""

from __future__ import annotations

import numpy as np
import pytest
from carried_checkers import mask_of, outline
from labelled import Scene
from places import PICTURES

from vision.backgammon.slot_reading import doubt_foreign
from vision.board import EMPTY, WHITE, Slot, discs
from vision.board.json_io import describe


def painted(scene: Scene, number: int, point: int, colour: tuple[int, int, int]) -> np.ndarray:
    """A later picture of a board, without its lone checker on the 2 point, and with a disc on another one."""
    frame, calibration = scene.frames[number], scene.eye.calibration
    assert abs(frame.points[1]) == 1
    assert frame.points[point] == scene.frames[0].points[1] == 0
    made = frame.picture.copy()
    for place, wider in ((1, 1.25), (point, 1.0)):
        there = mask_of(made, outline(calibration, np.array(calibration.layout.slot(place, 0)), wider))
        made[there] = scene.start[there] if place == 1 else colour
    return made


@pytest.mark.parametrize(("number", "point"), [(1, 0), (1, 6), (2, 4), (2, 6), (3, 6), (3, 8)])
def test_the_sum_of_fifteen_does_not_turn_a_disc_of_another_colour_into_a_checker(number: int, point: int) -> None:
    scene = Scene.load(PICTURES / "00-travel")
    told = describe(scene.eye.look(painted(scene, number, point, (40, 40, 160))))
    assert told["unreadable"] == "unknown"
    assert point + 1 in told["doubtful"]


def test_an_uncertain_foreign_object_is_more_likely_no_checker() -> None:
    (row,) = doubt_foreign([[Slot(0, 0, (0.0, -2.0, -2.0), foreign=True)]])
    assert row[0].holder == EMPTY
    assert 3 < row[0].margin_nats < 4


def test_certain_and_non_foreign_checkers_are_kept() -> None:
    row = [Slot(0, 0, (0.0, -6.0, -5.0), foreign=True), Slot(0, 0, (0.0, -2.0, -2.0), foreign=False)]
    assert doubt_foreign([row]) == [row]
    assert [slot.holder for slot in row] == [WHITE, WHITE]


def test_checkers_in_other_colours_count_as_checkers_where_asked_for() -> None:
    odd = Slot(1, 0, (0.0, -6.0, -5.0), foreign=True)
    usual = Slot(2, 0, (-9.0, 0.0, -7.0), foreign=False)
    none = Slot(3, 0, (-5.0, -5.0, 0.0), foreign=True)
    assert discs([[usual, odd], [none]]) == [(2, 0)]
    assert discs([[usual, odd], [none]], foreign=True) == [(2, 0), (1, 0)]
