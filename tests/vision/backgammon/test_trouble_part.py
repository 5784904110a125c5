"""The part of the board that is unreadable, and its report to the players."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from gleams import added

from companion.core import Cause, Observation, Part, message, unreadable
from vision.backgammon import FramedBoard
from vision.backgammon.trouble_part import part_of
from vision.board.json_io import describe
from vision.board.overlay import AMBER

if TYPE_CHECKING:
    from labelled import Labelled, Scene

NINTHS = [pytest.param(row, column, part, id=part) for (row, column), part in zip(np.ndindex(3, 3), Part, strict=True)]


@pytest.fixture(scope="module")
def board(oblique: Scene) -> FramedBoard:
    """A board seen from White's side."""
    return FramedBoard(oblique.eye.calibration)


def with_glare(picture: np.ndarray, board: FramedBoard, x: float, y: float) -> np.ndarray:
    """A lamp reflected about a place of the board (shares of its width and depth)."""
    pose = board.calibration.pose
    place = pose.project(np.array([[x, y * pose.depth, 0.0]]))[0]
    lamp = np.zeros(picture.shape[:2], np.float32)
    radius = int(0.24 * np.linalg.norm(board.corners[1] - board.corners[0]))
    cv2.circle(lamp, tuple(np.rint(place).astype(int).tolist()), radius, 600, -1)
    return added(picture, cv2.GaussianBlur(lamp, (0, 0), 8))


@pytest.mark.parametrize(("row", "column", "part"), NINTHS)
def test_trouble_is_located_in_one_of_nine_parts_of_the_board(row, column, part):
    trouble = np.zeros((90, 120), bool)
    trouble[30 * row + 5 : 30 * row + 25, 40 * column + 5 : 40 * column + 35] = True
    assert part_of(trouble) is part


def test_trouble_on_the_whole_board_or_nowhere_has_no_part():
    assert part_of(np.ones((90, 120), bool)) is None
    assert part_of(np.zeros((90, 120), bool)) is None


@pytest.mark.parametrize(
    ("x", "y", "part"), [(0.83, 0.83, Part.UPPER_RIGHT), (0.17, 0.17, Part.LOWER_LEFT), (0.5, 0.5, Part.MIDDLE)]
)
def test_glare_is_reported_with_its_part_of_the_board(oblique: Scene, board: FramedBoard, x, y, part):
    seen = board.look(with_glare(oblique.frames[2].picture, board, x, y))
    assert (seen.unreadable, seen.where) == (Cause.GLARE, part)


def test_a_hand_is_reported_with_its_part_of_the_board(board: FramedBoard, hand: Labelled):
    seen = board.look(hand.picture)
    assert (seen.unreadable, seen.where) == (Cause.HAND, Part.UPPER)
    assert board.answer(seen)["where"] == "upper middle"


def test_a_hand_in_dim_light_and_noise_is_reported_with_its_part(board: FramedBoard, hand: Labelled):
    """It is searched in the picture after noise filtering and levelling: in the raw picture another part was found."""
    noise = np.random.default_rng(1).normal(0, 15, hand.picture.shape)
    seen = board.look(np.clip(hand.picture * 0.5 + noise, 0, 255).astype(np.uint8))
    assert (seen.unreadable, seen.where) == (Cause.HAND, Part.UPPER)


def test_darkness_has_no_part(oblique: Scene, board: FramedBoard):
    seen = board.look((oblique.frames[2].picture * 0.03).astype(np.uint8))
    assert (seen.unreadable, seen.where) == (Cause.DARK, None)
    assert "where" not in board.answer(seen)


def test_the_part_is_marked_on_the_picture(board: FramedBoard, hand: Labelled):
    drawn = board.draw(hand.picture, Observation((), Cause.HAND, where=Part.UPPER))
    plain = board.draw(hand.picture, Observation((), Cause.HAND))
    marked = (drawn != plain).any(axis=2)
    place = board.calibration.pose.project(np.array([[0.5, 0.83 * board.calibration.pose.depth, 0]]))[0]
    rows, columns = np.nonzero(marked & (drawn == AMBER).all(axis=2))
    assert columns.min() < place[0] < columns.max()
    assert rows.min() < place[1] < rows.max()


def test_the_advice_names_the_part_only_if_it_is_known():
    assert unreadable(Cause.GLARE, Part.UPPER_RIGHT) == message("unreadable.glare", part=Part.UPPER_RIGHT)
    assert unreadable(Cause.HAND, Part.LOWER_LEFT) == message("unreadable.hand", part=Part.LOWER_LEFT)
    assert unreadable(Cause.GLARE).key == "unreadable"
    assert unreadable(Cause.BLUR, Part.MIDDLE) == unreadable(Cause.BLUR)


def test_read_prints_the_part():
    assert describe(Observation((), Cause.GLARE, where=Part.RIGHT)) == {
        "position": None,
        "off_seen": None,
        "dice": None,
        "confidence": None,
        "unreadable": "glare",
        "where": "right",
    }
