"""Reading a chequered board by contours, and by brightness compared with neighbouring squares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from drawn_squares import CORNERS, MARGIN_PX, SIZE, SQUARE_PX, drawn
from labelled_checkers import SquaresScene, answer, scenes

from companion.app.board_tracker import BoardTracker
from companion.core import Cause
from vision.board import CERTAIN_NATS, CalibrationError
from vision.checkers.contour_model import Cells, read_densities
from vision.checkers.layout import CELLS, START
from vision.registry import learn_board

if TYPE_CHECKING:
    from vision.board import LearnedBoard

LATER = [START[cell] for cell in range(CELLS)]
for source, target in ((16, 25), (45, 36), (20, 27), (47, 29)):
    LATER[target], LATER[source] = LATER[source], (0, 0)
LATER[57] = LATER[2] = (0, 0)
Y, X = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32)


@pytest.fixture(scope="module")
def board() -> LearnedBoard:
    return learn_board(drawn(START), "checkers", corners=CORNERS)


@pytest.fixture(scope="module")
def club() -> SquaresScene:
    return next(one for one in scenes() if one.name == "checkers-club")


def squares(contents) -> dict[str, str]:
    return {f"{k // 8},{k % 8}": "w" if one[0] else "b" for k, one in enumerate(contents) if one and any(one)}


def shadow(share: float, edge_px: float):
    """A shadow with an edge right across the board."""
    return 1 - share * (1 - np.tanh((X + 0.4 * Y - 0.75 * SIZE) / (2 * edge_px))) / 2


def lamp(strength: float, px: float, edge_px: float):
    """A lamp mirrored in the board, in a patch with an edge."""
    away = np.hypot(X - 0.62 * SIZE, Y - 0.6 * SIZE)
    return 1 + strength * (1 - np.tanh((away - px) / (2 * edge_px))) / 2


@pytest.mark.parametrize("seed", [2, 3])
def test_black_checkers_on_black_squares_are_read(board, seed):
    assert answer(board, drawn(LATER, seed))["squares"] == squares(LATER)


@pytest.mark.parametrize("light", [shadow(0.5, 3), shadow(0.35, 25), lamp(0.35, 90, 6), lamp(0.5, 60, 25)])
def test_the_edge_of_a_shadow_and_a_patch_of_lamplight_are_no_hand_and_hide_nothing(board, light):
    assert answer(board, drawn(LATER, 4, light))["squares"] == squares(LATER)


def test_the_colour_of_another_lamp_changes_no_reading(board):
    warm = (drawn(LATER, 5).astype(np.float32) * [0.6, 0.9, 1.1]).clip(0, 255).astype(np.uint8)
    assert answer(board, warm)["squares"] == squares(LATER)


def test_a_board_learned_in_a_patch_of_lamplight_is_read_without_it():
    board = learn_board(drawn(START, 6, lamp(0.35, 90, 6)), "checkers", corners=CORNERS)
    assert answer(board, drawn(LATER, 7))["squares"] == squares(LATER)


PALE_HAND, BROWN_HAND, BLACK_HAND = (120, 150, 200), (60, 80, 120), (35, 40, 60)
HANDS = [(1, PALE_HAND), (3, PALE_HAND), (3, BROWN_HAND), (1, BLACK_HAND)]
HANDS += [pytest.param(*hand, marks=pytest.mark.slow) for hand in ((1, BROWN_HAND), (3, BLACK_HAND))]


@pytest.mark.parametrize(("fingers", "colour"), HANDS)
def test_squares_under_a_hand_are_not_read(board, fingers, colour):
    picture = drawn(LATER, 8)
    for finger in range(fingers):
        tip = MARGIN_PX + round((4.2 + 0.6 * finger) * SQUARE_PX), MARGIN_PX + 2 * SQUARE_PX
        cv2.line(picture, (tip[0], 0), tip, colour, 34, cv2.LINE_AA)
    observed = BoardTracker.of(board).look(picture)
    read = board.answer(observed)["squares"]
    assert read is None
    if fingers > 1:
        assert observed.unreadable is Cause.HAND


def test_an_object_on_a_square_that_is_no_checker_is_doubtful(board):
    picture = drawn(LATER, 9)
    corner = MARGIN_PX + 3 * SQUARE_PX + 14, MARGIN_PX + 4 * SQUARE_PX + 14
    cv2.rectangle(picture, corner, (corner[0] + 36, corner[1] + 36), (60, 160, 60), -1)
    assert answer(board, picture)["squares"] is None


def margins(told: Cells) -> np.ndarray:
    """Margin (nats) of each cell's most likely content."""
    return -np.sort(told.nats, axis=1)[:, -2]


@pytest.mark.parametrize("shift", [(14, 0), (0, -16), (20, 20)])
def test_a_displaced_board_is_not_taken_for_a_hand(board, shift):
    assert board.look(np.roll(drawn(LATER, 11), shift, axis=(0, 1))).unreadable is Cause.MOVED_CAMERA


def test_a_board_one_square_off_is_not_read(board):
    shifted = np.roll(drawn(LATER, 10), (SQUARE_PX, SQUARE_PX), axis=(0, 1))
    assert answer(board, shifted)["squares"] is None


def test_contours_give_weak_evidence_beside_a_hidden_edge():
    density, none = np.tile([0.0, 0.0, 20.0], (64, 1)), np.zeros(64, bool)
    beside = none.copy()
    beside[4] = True
    lead = margins(read_densities(density, none, beside))
    assert lead[4] < CERTAIN_NATS < np.delete(lead, 4).min()


def test_a_position_other_than_the_given_one_is_not_learned():
    with pytest.raises(CalibrationError, match="not visible inside these corners"):
        learn_board(drawn(LATER), "checkers", corners=CORNERS)


def test_rendered_boards_with_kings_are_read_by_contours_alone(club):
    learned = club.board.calibration
    for frame in club.frames:
        told = learned.outlines.read(frame.picture, learned.outlined)
        if frame.hand:
            assert not isinstance(told, Cells) or (margins(told) < CERTAIN_NATS).any()
            continue
        read = {f"{k // 8},{k % 8}": "wb"[cell] for k, cell in enumerate(told.nats.argmax(axis=1)) if cell < 2}
        assert read == frame.squares
        assert (margins(told) >= CERTAIN_NATS).all()
