"""The simulated table with a chequered board: where checkers lie, and that its picture can be learned and read."""

import pytest

from companion.core import CHECKERS_CELLS, Side
from companion.rules.checkers.position import START
from vision.registry import learn_board
from vision.simulation import SimulatedTable
from vision.simulation.boards import (
    BLACK_BESIDE,
    SQUARE,
    STARTING_BOARD,
    WHITE_BESIDE,
    UnknownSimulatedBoardError,
    is_dark,
    square_at,
    square_slot,
)
from vision.simulation.table import SimulatedTableError


@pytest.fixture
def table():
    return SimulatedTable(seed=3, game="checkers")


def test_each_side_has_twelve_checkers_on_the_dark_squares_of_three_rows(table):
    assert table.board() == START.board()
    assert all(is_dark(cell) for cell, content in enumerate(table.board()) if any(content))


def test_a_checker_dropped_over_a_square_is_centred_on_it(table):
    checker = next(c for c in table.checkers() if square_at(c.side, c.x, c.y) == 16)
    x, y = square_slot(25, 0)
    table.drag(checker.id, x + 0.3, y - 0.2)
    assert table.board()[25] == (1, 0)
    assert table.board()[16] == (0, 0)
    dropped = next(c for c in table.checkers() if c.id == checker.id)
    assert abs(dropped.x - x) < SQUARE / 4
    assert dropped.layer == 0


def test_a_captured_checker_lies_beside_the_board_on_no_square(table):
    checker = next(c for c in table.checkers() if c.side is Side.BLACK)
    table.drag(checker.id, 13.0, 5.0)
    assert sum(black for _, black in table.board()) == 11
    assert [square_at(side, 13.0, 5.0) for side in Side] == [WHITE_BESIDE, BLACK_BESIDE]


def test_a_checker_dropped_on_another_lies_on_top_as_a_crown(table):
    below, above = (c for c in table.checkers() if square_at(c.side, c.x, c.y) in (0, 2))
    table.drag(above.id, below.x, below.y)
    assert {c.layer for c in table.checkers() if c.id in (below.id, above.id)} == {0, 1}


def test_a_backgammon_position_cannot_be_set_up_on_squares(table):
    with pytest.raises(SimulatedTableError, match=f"expected {CHECKERS_CELLS}"):
        table.set_up(STARTING_BOARD)
    with pytest.raises(UnknownSimulatedBoardError, match="'chess'"):
        SimulatedTable(game="chess")


def test_a_board_is_learned_from_the_picture_and_reads_the_table_s_position(table):
    learned = learn_board(table.render(), "checkers")
    seen = learned.look(table.render())
    assert tuple(reading.best for reading in seen.cells) == table.board()
