"""What is drawn over a picture of a chequered board."""

from __future__ import annotations

import numpy as np
import pytest
from labelled_checkers import scenes

from companion.core import Cause, CellReading, Observation
from companion.notation import square_of
from vision.checkers.layout import CELLS, LIGHT, MIDDLES
from vision.checkers.overlay import draw, number, side_colours


@pytest.fixture(scope="module")
def club():
    return next(scene for scene in scenes() if scene.name == "checkers-club")


@pytest.fixture(scope="module")
def look(club):
    return club.board.look(club.start)


def tops(board):
    learned = board.calibration
    return learned.pose.project(np.column_stack([MIDDLES, np.full(CELLS, learned.squares.top)]))


def changed(before, after, places):
    x, y = np.rint(places).astype(int).T
    return (before[y, x] != after[y, x]).any(axis=1)


def test_squares_have_the_standard_numbers():
    assert [number(cell) for cell in range(CELLS)] == [str(square_of(cell) or "") for cell in range(CELLS)]


def test_every_dark_square_is_marked_and_no_light_one(club, look):
    drawn = draw(club.start, club.board.calibration, look)
    centres = tops(club.board)
    around = np.array(
        [changed(club.start, drawn, centres + step) for step in np.mgrid[-6:7:3, -6:7:3].reshape(2, -1).T]
    )
    assert (around.any(axis=0) == ~LIGHT).all()
    assert drawn is not club.start


def test_badges_have_the_colours_of_the_checkers(club, look):
    white, black = side_colours(club.start, tops(club.board), look)
    assert white[2] > 2 * white[0]  # red, in B, G, R
    assert min(black) > 100  # pale


def test_a_doubtful_square_is_marked_whatever_its_content(club, look):
    cells = list(look.cells)
    cells[27] = CellReading((((0, 0), 0.0), ((1, 0), -1.0)))
    plain, doubtful = (draw(club.start, club.board.calibration, one) for one in (look, Observation(tuple(cells))))
    x, y = np.rint(tops(club.board)[27]).astype(int)
    assert (plain[y - 12 : y + 13, x - 12 : x + 13] != doubtful[y - 12 : y + 13, x - 12 : x + 13]).any()


def test_an_unreadable_picture_has_the_cause_across_its_top(club):
    drawn = draw(club.start, club.board.calibration, Observation((), Cause.HAND))
    assert (drawn[:40] != club.start[:40]).any(axis=2).mean() > 0.9
