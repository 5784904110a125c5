"""The simulated table in each layout: White's home on either side, points or tiles."""

from __future__ import annotations

import pytest

from companion.core import BACKGAMMON_CELLS, BLACK_BAR, BLACK_OFF, WHITE_BAR, WHITE_OFF, BoardLayout, Side
from vision.board import Layout
from vision.simulation.boards import STARTING_BOARD, simulated_board_for
from vision.simulation.table import SimulatedTable
from vision.tiles.layout import TileLayout

LAYOUTS = [BoardLayout(tiles=tiles, mirrored=mirrored) for tiles in (False, True) for mirrored in (False, True)]
POINTS = range(24)


@pytest.fixture(params=LAYOUTS, ids=lambda each: f"{each.kind('backgammon')}{'-mirrored' * each.mirrored}")
def layout(request: pytest.FixtureRequest) -> BoardLayout:
    return request.param


def test_a_position_that_is_set_up_is_on_the_table(layout: BoardLayout) -> None:
    table = SimulatedTable(seed=2, layout=layout)
    assert table.board() == STARTING_BOARD
    every_cell = tuple((2, 0) if cell % 2 == 0 else (0, 1) for cell in range(BACKGAMMON_CELLS))
    table.set_up(every_cell)
    assert table.board() == every_cell


def test_points_are_in_the_columns_expected_by_the_eye(layout: BoardLayout) -> None:
    board = simulated_board_for("backgammon", layout)
    eye = TileLayout(5 / 12, mirror=layout.mirrored) if layout.tiles else Layout(0.8, mirror=layout.mirrored)
    left, bottom, right, top = board.area
    for point in POINTS:
        x, y = board.slot(point, 0)
        expected_x, expected_y = eye.slot(point, 0)
        assert abs((x - left) / (right - left) - expected_x) < 0.03, point
        assert (y > (bottom + top) / 2) is (expected_y > eye.depth / 2), point


def test_borne_off_checkers_lie_beside_white_s_home_in_a_framed_board() -> None:
    for mirrored in (False, True):
        board = simulated_board_for("backgammon", BoardLayout(mirrored=mirrored))
        middle = board.area[2] / 2
        for cell in (0, WHITE_OFF, BLACK_OFF):
            assert (board.slot(cell, 0)[0] < middle) is mirrored, cell


def test_hit_cubes_wait_beyond_the_end_as_expected_by_the_eye() -> None:
    for mirrored in (False, True):
        board = simulated_board_for("backgammon", BoardLayout(tiles=True, mirrored=mirrored))
        eye = TileLayout(5 / 12, mirror=mirrored)
        _, bottom, right, top = board.area
        for side, cell in ((0, WHITE_BAR), (1, BLACK_BAR)):
            x, y = board.slot(cell, 0)
            _, on_white_s_side = eye.hit_place(side)
            assert x > right
            assert (y < (bottom + top) / 2) is on_white_s_side


def test_a_piece_stays_where_it_was_dropped(layout: BoardLayout) -> None:
    table, board = SimulatedTable(seed=2, layout=layout), simulated_board_for("backgammon", layout)
    for target in (0, 9, 14, 21, WHITE_BAR, WHITE_OFF):
        table.set_up()
        x, y = board.slot(23, 1)
        mover = min((c for c in table.checkers() if c.side is Side.WHITE), key=lambda c: abs(c.x - x) + abs(c.y - y))
        table.drag(mover.id, *board.slot(target, 0))
        assert table.board()[23] == (1, 0)
        assert table.board()[target][0] == STARTING_BOARD[target][0] + 1
