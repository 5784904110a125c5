"""The camera's judge over a checkers board."""

from __future__ import annotations

import pytest

from companion.core import Cause, CellReading, Finding, Observation, Side
from companion.notation import cell_of
from companion.referee.judge import judge
from companion.rules import CheckersPosition, rules_named

ACF = rules_named("acf")
WHITE, BLACK, EMPTY = (1, 0), (0, 1), (0, 0)


def verdict(fen: str, move: str = "", *, done=False, doubts=None, changed=None):
    """Judge a look at what stands after `move`; `doubts` (square: {content: nats}), `changed` (square: content)."""
    position = CheckersPosition.from_fen(fen)
    board = list(ACF.board_after(position, position.to_move, move))
    for square, content in (changed or {}).items():
        board[cell_of(square)] = content
    cells = [CellReading(((content, 0.0),)) for content in board]
    for square, contents in (doubts or {}).items():
        cells[cell_of(square)] = CellReading(tuple(sorted(contents.items(), key=lambda item: -item[1])))
    return judge(ACF, position, position.to_move, None, Observation(tuple(cells)), done=done)


def test_a_certain_move_is_legal_and_kings_follow_from_the_record():
    got = verdict("W:WK18,22,32:BK1,2", "18-14")
    assert (got.finding, got.play) == (Finding.LEGAL, "18-14")
    assert got.after == CheckersPosition.from_fen("B:WK14,22,32:BK1,2")


def test_a_doubtful_square_is_settled_by_the_number_of_pieces():
    got = verdict("W:W22,32:B1,2", "22-18", doubts={18: {EMPTY: 0.0, WHITE: -2.0}})
    assert (got.finding, got.play) == (Finding.LEGAL, "22-18")


def test_two_squares_that_could_both_hold_the_piece_are_ambiguous():
    either = {WHITE: 0.0, EMPTY: -1.0}
    got = verdict("W:W22,32:B1,2", "22-18", doubts={18: either, 17: {EMPTY: 0.0, WHITE: -1.0}})
    assert got.finding is Finding.AMBIGUOUS
    assert got.plays == ("22-18", "22-17")
    assert {place.facts["square"] for place in got.message.facts["look"].facts["places"]} == {17, 18}


def test_a_doubtful_capture_is_ambiguous():
    got = verdict("B:B11,1:W15,25", "11x18", done=True, doubts={15: {EMPTY: 0.0, WHITE: -1.0}})
    assert got.finding is Finding.AMBIGUOUS
    assert got.cells == (cell_of(15),)


@pytest.mark.parametrize("done", [True, False])
def test_a_capture_that_was_not_made_is_illegal(done):
    got = verdict("W:W22,26,32:B18,1", "32-27", done=done)
    assert (got.finding, got.reason) == (Finding.ILLEGAL, "must_capture")


def test_a_piece_in_the_hand_is_unfinished():
    assert verdict("W:W22,32:B1,2", changed={22: EMPTY}).finding is Finding.UNFINISHED


def test_many_pieces_gone_at_once_is_a_failed_reading():
    gone = dict.fromkeys((1, 2, 3, 4, 5), EMPTY)
    got = judge_start(changed=gone)
    assert (got.finding, got.cause) == (Finding.UNREADABLE, Cause.UNKNOWN)


def judge_start(changed):
    return verdict(ACF.start().fen(), changed=changed)


def test_either_side_may_be_asked_to_move():
    board = ACF.board_after(ACF.start(), Side.WHITE, "22-18")
    cells = tuple(CellReading(((content, 0.0),)) for content in board)
    got = judge(ACF, ACF.start(), Side.WHITE, None, Observation(cells), done=True)
    assert (got.finding, got.play, got.after.to_move) == (Finding.LEGAL, "22-18", Side.BLACK)
