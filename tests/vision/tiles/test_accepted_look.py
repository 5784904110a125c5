"""Spaces and hit cubes that have not changed since an accepted look still hold what they held then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.core import BACKGAMMON_CELLS, WHITE_BAR, BoardLayout, Side
from vision.simulation import SimulatedTable
from vision.simulation.boards import STARTING_BOARD, simulated_board_for
from vision.simulation.projection import SimulatedView
from vision.tiles import TileBoard
from vision.tiles.reader import TileBoardReader

if TYPE_CHECKING:
    from companion.core import CellReading
    from vision.arrays import Picture

SIX_POINT, BAR_POINT, EIGHT_POINT, MIDPOINT = 5, 6, 7, 12
HELD_NATS = 6.0
"""What an unchanged cell's content gains."""
TILES = BoardLayout(tiles=True)
PLACES = simulated_board_for("backgammon", TILES)
LOW = SimulatedView(640, 480, 35.0, distance=28.5, scale=30.7, target=(6.6, 5.1))
"""A low camera, in which the fourth cube of a file is in doubt."""


def board_with(**changes: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """The starting board but for `c5=(6, 0)`: the content of cell 5."""
    board = list(STARTING_BOARD)
    for name, content in changes.items():
        board[int(name[1:])] = content
    return tuple(board)


CROWDED = board_with(c5=(7, 0), c7=(1, 0), c12=(3, 0), c23=(2, 0), c24=(2, 0), c11=(0, 4), c25=(0, 1))


@pytest.fixture
def table() -> SimulatedTable:
    return SimulatedTable(140, layout=BoardLayout(tiles=True), view=LOW)


@pytest.fixture
def learned(table: SimulatedTable) -> TileBoard:
    return TileBoard.learn(table.render(), np.array(table.corners()), False, None)


def play(table: SimulatedTable, source: int, target: int) -> None:
    """Move White's outermost cube of a cell to another cell."""
    row = [c for c in table.checkers() if c.side is Side.WHITE and PLACES.cell_at(c.side, c.x, c.y) == source]
    outermost = max(row, key=lambda c: PLACES.place_at(source, c.x, c.y, c.layer))
    table.drag(outermost.id, *PLACES.slot(target, 0))


def alone(learned: TileBoard, picture: Picture) -> tuple[CellReading, ...]:
    """The cells read without an accepted look."""
    return TileBoardReader(learned.calibration).look(picture).cells


def test_spaces_and_hit_cubes_that_nobody_touched_hold_what_they_held(table, learned) -> None:
    table.set_up(CROWDED)
    learned.confirm(table.render(), CROWDED)
    play(table, EIGHT_POINT, BAR_POINT)
    picture = table.render()
    seen, before = learned.look(picture), alone(learned, picture)
    for cell in (SIX_POINT, MIDPOINT, WHITE_BAR):
        gained = seen.cells[cell].margin_nats - before[cell].margin_nats
        assert seen.cells[cell].best == CROWDED[cell]
        assert gained == pytest.approx(HELD_NATS, abs=0.1)


@pytest.mark.parametrize("cell", [SIX_POINT, MIDPOINT, WHITE_BAR])
@pytest.mark.parametrize("taken", [False, True])
def test_what_got_a_cube_or_lost_one_is_not_taken_for_unchanged(table, learned, cell: int, taken: bool) -> None:
    table.set_up(CROWDED)
    learned.confirm(table.render(), CROWDED)
    play(table, *((cell, BAR_POINT) if taken else (EIGHT_POINT, cell)))
    picture = table.render()
    assert learned.look(picture).cells[cell] == alone(learned, picture)[cell]


def test_bare_spaces_gain_nothing(table, learned) -> None:
    """A cube in the colours of the table would change them too little."""
    table.set_up(CROWDED)
    learned.confirm(table.render(), CROWDED)
    picture = table.render()
    bare = [cell for cell, content in enumerate(CROWDED[:WHITE_BAR]) if not any(content)]
    seen, before = learned.look(picture).cells, alone(learned, picture)
    assert [seen[cell] for cell in bare] == [before[cell] for cell in bare]


def test_a_board_that_was_set_up_anew_is_read_alone(table, learned) -> None:
    table.set_up(
        board_with(c5=(0, 2), c7=(0, 3), c12=(0, 5), c23=(1, 0), c0=(5, 0), c11=(4, 0), c16=(3, 0), c18=(0, 0))
    )
    picture = table.render()
    assert learned.look(picture).cells == alone(learned, picture)


def test_a_board_that_its_picture_contradicts_everywhere_confirms_nothing(table, learned) -> None:
    picture = table.render()
    learned.confirm(picture, ((3, 2),) * BACKGAMMON_CELLS)
    assert learned.look(picture).cells == alone(learned, picture)


def test_the_known_position_is_the_first_accepted_look(table, learned) -> None:
    play(table, EIGHT_POINT, BAR_POINT)
    picture = table.render()
    assert learned.look(picture).cells[SIX_POINT].margin_nats > alone(learned, picture)[SIX_POINT].margin_nats + 5
