"""Whether dice lie flat: drawn dice on a real board, whose places and tilts are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from carried_checkers import with_sixth_in_row
from drawn_dice import rotation
from labelled import Scene
from placed_dice import IVORY, die, lying, middle
from places import PICTURES
from sweeps import sampled

from vision.backgammon import reader
from vision.dice import read_dice, resting
from vision.dice.cube import Cube
from vision.dice.resting import RestState, rest_state
from vision.dice.search import Face, face_height

if TYPE_CHECKING:
    from vision.dice.view import BoardScene

LEANING = [(towards, degrees) for degrees in (30, 40) for towards in (0.3, 1.9, 3.5, 5.1)]
"""Direction and angle (degrees) of leaning dice; a quick run has two directions."""


@pytest.fixture(scope="module")
def board() -> Scene:
    return Scene.load(PICTURES / "02-leather")


@pytest.mark.parametrize("value", sampled(range(1, 7), (1, 5, 6)))
def test_a_die_on_the_bed_lies_flat(board: Scene, value: int) -> None:
    seen = lying(board, die(board, 0.25, middle(board), value, rotation(2, 0.4)))
    assert [(one.value, one.flat) for one in seen] == [(value, True)]


def test_dice_in_the_colour_of_checkers_lie_flat_beside_each_other() -> None:
    """Neither is taken for a checker under the other."""
    board = Scene.load(PICTURES / "14-green")
    size, gap = 0.55, 1.15
    x, y = 0.25, middle(board)
    right = x + gap * size * board.eye.calibration.layout.checker
    placed = die(board, x, y, 4, rotation(2, 0.2), size=size), die(board, right, y, 5, rotation(2, 0.9), size=size)
    assert sorted((one.value, one.flat) for one in lying(board, *placed, look=IVORY)) == [(4, True), (5, True)]


@pytest.mark.parametrize(
    ("towards", "degrees", "plain"), [(np.pi / 2, 20, True), (np.pi, 20, False), (np.pi, 28, True)]
)
def test_a_die_that_leans_on_another_one_is_not_flat(board: Scene, towards: float, degrees: float, plain: bool) -> None:
    """It is cocked where that is plain to see. Where it is not, no dice are reported: the players are asked."""
    size, lean = 0.6, np.radians(degrees)
    turn, away = rotation(2, towards) @ rotation(1, lean) @ rotation(2, 0.1 - towards), 1.12 * size
    x, y, diameter = 0.25, middle(board), board.eye.calibration.layout.checker
    flat = die(board, x, y, 5, rotation(2, 0.0), size=size)
    aside, along = (away * diameter * np.array([np.cos(towards), np.sin(towards)])).tolist()
    leaning = die(board, x - aside, y - along, 4, turn, size=size)
    seen = lying(board, flat, leaning, look=IVORY)
    assert sorted((one.value, one.flat) for one in seen) == ([(4, False), (5, True)] if plain else [])


@pytest.mark.parametrize(("towards", "degrees"), sampled(LEANING, ((0.3, 30), (1.9, 40))))
def test_a_leaning_die_is_not_reported_as_flat(board: Scene, towards: float, degrees: float) -> None:
    turn = rotation(2, towards) @ rotation(0, np.radians(degrees)) @ rotation(2, 0.8)
    assert not any(one.flat for one in lying(board, die(board, 0.25, middle(board), 5, turn)))


def test_a_die_on_a_checker_is_not_reported_as_flat(board: Scene) -> None:
    layout = board.eye.calibration.layout
    x, y = layout.slot(5, 4)
    assert not any(one.flat for one in lying(board, die(board, x, y, 4, rotation(2, 0.5), layout.top)))


def test_a_die_on_a_sixth_checker_in_a_row_is_not_reported_as_flat(board: Scene) -> None:
    layout = board.eye.calibration.layout
    x, y = layout.slot(5, 5)
    raised = die(board, x, y, 4, rotation(2, 0.5), layout.top)
    assert not any(one.flat for one in lying(board, raised, picture=with_sixth_in_row(board)))


def test_if_one_die_cannot_be_judged_none_is_reported(board: Scene) -> None:
    """All or none: a flat die beside one that may lean is not a valid throw."""
    turn = rotation(2, 1.9) @ rotation(0, np.radians(40)) @ rotation(2, 0.8)
    flat, leaning = die(board, 0.2, middle(board), 5, rotation(2, 0.4)), die(board, 0.32, middle(board), 5, turn)
    seen = lying(board, flat, leaning)
    assert not seen or not all(one.flat for one in seen)


@pytest.mark.parametrize("value", sampled((5, 6), (6,)))
def test_the_middle_of_a_large_face_is_not_read_as_a_smaller_face(board: Scene, value: int) -> None:
    for turn in (0.1, 0.8, 1.4):
        seen = lying(board, die(board, 0.25, middle(board), value, rotation(2, turn)))
        assert all(one.value == value for one in seen)


def test_a_side_in_front_of_a_missed_upper_face_is_not_taken_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """In noise only the pips of a side may be seen. The network hardly calls it flat, but its shape may look so."""
    board = Scene.load(PICTURES / "14-green")
    placed = die(board, 0.25, middle(board), 5, rotation(2, 0.1))
    scenes: list[BoardScene] = []
    monkeypatch.setattr(reader, "read_dice", lambda scene: scenes.append(scene) or read_dice(scene))
    (seen,) = lying(board, placed)
    (scene,) = scenes
    learned = board.eye.calibration
    plane, side = face_height(learned.layout.checker), placed.side
    faces = []
    for centre in ((seen.x, seen.y, side), (seen.x, seen.y - 0.5 * side, 0.6 * side)):
        eye = learned.pose.centre
        x, y = eye[:2] + (eye[2] - plane) / (eye[2] - centre[2]) * (np.array(centre[:2]) - eye[:2])
        faces.append(Face(5, x, y, side, 0.1, nats=3.0, margin_nats=3.0, flat_nats=0.5))
    monkeypatch.setattr(resting, "shape_flat_nats", lambda *_: 3.0)
    upper, front = (rest_state(Cube.under(face, learned.pose, learned.layout.checker), [], scene) for face in faces)
    assert (upper, front) == (RestState.FLAT, RestState.UNKNOWN)
