"""Points that have not changed since an accepted look still hold what they held then."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core import BACKGAMMON_CELLS, Side
from vision import learn_board
from vision.backgammon.reader import FramedBoardReader
from vision.simulation import SimulatedTable
from vision.simulation.boards import STARTING_BOARD, slot
from vision.simulation.projection import SimulatedView

SIX_POINT, BAR_POINT, MIDPOINT, ACE_POINT = 5, 6, 12, 23
FULL = (5, 0)
HELD_NATS = 6.0
"""What an unchanged point's content gains."""


def board_with(**changes: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """The starting board with `p6=(6, 0)`: White's 6 point."""
    board = list(STARTING_BOARD)
    for name, content in changes.items():
        board[int(name[1:]) - 1] = content
    return tuple(board)


@pytest.fixture
def table() -> SimulatedTable:
    return SimulatedTable(seed=11)


@pytest.fixture
def learned(table: SimulatedTable):
    return learn_board(table.render(), "backgammon", corners=np.array(table.corners()))


def lead(observation, cell: int, content: tuple[int, int]) -> float:
    """Lead (nats) of a content of a cell over all others."""
    others = [nats for other, nats in observation.cells[cell].likelihoods if other != content]
    return observation.cells[cell].log_likelihood(content) - max(others, default=-25.0)


def play(table: SimulatedTable, source: int, target: int) -> None:
    """Move White's outermost checker of a point to another point."""
    x, _ = slot(source, 0)
    row = [c for c in table.checkers() if c.side is Side.WHITE and abs(c.x - x) < 0.5 and (c.y > 5) == (source > 11)]
    top = max(row, key=lambda c: (c.layer, abs(c.y - slot(source, 0)[1])))
    table.drag(top.id, *slot(target, 4))


def test_a_full_row_that_nobody_touched_has_no_second_layer(table: SimulatedTable, learned) -> None:
    play(table, ACE_POINT, BAR_POINT)
    seen = learned.look(table.render())
    assert seen.cells[BAR_POINT].best == (1, 0)
    assert lead(seen, SIX_POINT, FULL) > HELD_NATS
    assert lead(seen, MIDPOINT, FULL) > HELD_NATS


def test_a_row_that_gets_a_second_layer_is_not_taken_for_unchanged(table: SimulatedTable, learned) -> None:
    for _ in range(3):
        play(table, ACE_POINT, MIDPOINT)
        seen = learned.look(table.render())
        stands = table.board()
        assert stands[MIDPOINT][0] > FULL[0]
        assert lead(seen, MIDPOINT, FULL) < 0
        table.set_up()


def test_a_row_that_was_touched_hardly_holds_what_it_held(table: SimulatedTable, learned) -> None:
    """Both pictures show the same row; in the second one it looks as if it had been touched."""
    play(table, ACE_POINT, BAR_POINT)
    untouched = table.render()
    x, y = (round(float(one)) for one in SimulatedView().project([(*slot(SIX_POINT, 0), 0.3)])[0])
    touched = untouched.copy()
    touched[y - 12 : y + 12, x - 12 : x + 12] = touched[y - 12 : y + 12, x - 12 : x + 12] // 8 * 7
    before, now = (lead(learned.look(picture), SIX_POINT, FULL) for picture in (untouched, touched))
    assert before > HELD_NATS > 0.5 > now


def test_only_second_layers_follow_from_the_accepted_look(table: SimulatedTable, learned) -> None:
    """A checker in the colours of its point changes a bare place so little that it would pass for unchanged."""
    play(table, ACE_POINT, BAR_POINT)
    picture = table.render()
    compared, alone = learned.look(picture).cells, FramedBoardReader(learned.calibration).look(picture).cells
    full = {cell for cell, content in enumerate(STARTING_BOARD) if sum(content) == sum(FULL)}
    assert {cell for cell in range(28) if compared[cell] != alone[cell]} == full


def test_the_accepted_look_takes_the_place_of_the_known_position(table: SimulatedTable, learned) -> None:
    play(table, ACE_POINT, MIDPOINT)
    picture = table.render()
    before = lead(learned.look(picture), MIDPOINT, (6, 0))
    learned.confirm(picture, table.board())
    assert lead(learned.look(table.render()), MIDPOINT, (6, 0)) > before + HELD_NATS - 1


def test_a_board_that_its_picture_contradicts_confirms_nothing(table: SimulatedTable, learned) -> None:
    learned.confirm(table.render(), board_with(p6=(3, 0), p8=(5, 0)))
    seen = learned.look(table.render())
    assert seen.cells[SIX_POINT].best == FULL
    assert lead(seen, SIX_POINT, FULL) < HELD_NATS


@pytest.mark.parametrize("content", [(0, 0), (3, 2)])
def test_a_board_that_its_picture_contradicts_everywhere_confirms_nothing(learned, table, content) -> None:
    """Its rows have no owner: neither a checker's colour nor a full row can be compared."""
    picture = table.render()
    learned.confirm(picture, (content,) * BACKGAMMON_CELLS)
    alone = FramedBoardReader(learned.calibration).look(picture)
    assert learned.look(picture).cells == alone.cells


def test_the_known_position_does_not_confirm_itself_when_it_is_learned(table: SimulatedTable) -> None:
    """A seventh checker of White that is not on the table is not learned from the picture that lacks it."""
    wrong = board_with(p6=(6, 0), p24=(1, 0))
    with pytest.raises(Exception, match="checkers on"):
        learn_board(table.render(), "backgammon", corners=np.array(table.corners()), position=wrong)
