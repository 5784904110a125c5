"""The rules of checkers, one test a rule."""

from __future__ import annotations

from functools import cache

import pytest

from companion.core import Dice, Side
from companion.notation import NotationError
from companion.notation.fen import FenError
from companion.rules import CheckersPosition, load_sheet, rules_named
from companion.rules.registry import ruleset_for
from companion.rules.ruleset import PositionError, RulesError

ACF = rules_named("acf")
TRAVEL = rules_named("travel-set-checkers")


def moves(fen: str, rules=ACF) -> set[str]:
    position = CheckersPosition.from_fen(fen)
    return {rules.write_play(s.play) for s in rules.successors(position, position.to_move)}


def variant(tmp_path, line: str):
    path = tmp_path / "variant.toml"
    path.write_text(f'base = "acf"\n{line}\n', encoding="utf-8")
    return ruleset_for(load_sheet(str(path)))


@cache
def count(position: CheckersPosition, depth: int) -> int:
    """How many lines of that many moves there are; a position that several lines reach is counted on from once."""
    successors = ACF.successors(position, position.to_move)
    return len(successors) if depth == 1 else sum(count(s.after, depth - 1) for s in successors)


@pytest.mark.parametrize(("depth", "lines"), [(1, 7), (2, 49), (3, 302), (4, 1469), (5, 7361)])
def test_the_game_opens_into_as_many_lines_as_known(depth, lines):
    assert count(ACF.start(), depth) == lines


@pytest.mark.parametrize(("depth", "lines"), [(6, 36768), pytest.param(7, 179740, marks=pytest.mark.slow)])
def test_the_game_opens_into_as_many_lines_as_known_further_on(depth, lines):
    assert count(ACF.start(), depth) == lines


def test_black_moves_first():
    assert ACF.start().to_move is Side.BLACK


def test_men_move_one_step_diagonally_forward():
    assert moves("W:W22:B1") == {"22-17", "22-18"}
    assert moves("B:W32:B10") == {"10-14", "10-15"}


def test_kings_move_either_way():
    assert moves("W:WK18:B1") == {"18-14", "18-15", "18-22", "18-23"}


def test_a_capture_is_compulsory_and_any_of_them_will_do():
    assert moves("B:B11,1:W15,16,24") == {"11x18", "11x20x27"}


def test_a_jump_sequence_must_be_completed():
    assert moves("B:B11,1:W15,22") == {"11x18x25"}


def test_crowning_ends_the_turn():
    assert moves("W:W11:B7,6") == {"11x2"}


def test_a_king_may_return_to_where_it_started_and_both_ways_round_are_one_move():
    (move,) = moves("W:WK18:B15,7,6,14")
    assert move in {"18x11x2x9x18", "18x9x2x11x18"}


def test_a_man_that_reaches_the_far_row_is_a_king():
    (successor,) = ACF.successors(CheckersPosition.from_fen("W:W5:B32"), Side.WHITE)
    assert successor.after.fen() == "B:WK1:B32"


def test_a_captured_king_is_removed_with_its_crown():
    (successor,) = ACF.successors(CheckersPosition.from_fen("W:W22:BK18,1"), Side.WHITE)
    assert successor.after.fen() == "B:W15:B1"


def test_a_player_without_a_move_loses():
    outcome = ACF.outcome(CheckersPosition.from_fen("W:W28:B24,19"))
    assert (outcome.winner, outcome.kind) == (Side.BLACK, "win")
    assert ACF.outcome(ACF.start()) is None


def test_with_optional_captures_quiet_moves_are_legal_and_a_jumper_may_stop():
    assert moves("B:B11,1:W15,22", TRAVEL) == {"11x18", "11x18x25", "11-16", "1-5", "1-6"}


def test_a_sheet_may_let_a_new_king_jump_on(tmp_path):
    assert moves("W:W11:B7,6", variant(tmp_path, "crowning_ends_turn = false")) == {"11x2x9"}


def test_a_sheet_may_allow_jumps_over_own_pieces_without_capture(tmp_path):
    rules = variant(tmp_path, "jump_own = true")
    assert "26-17" in moves("W:W26,22:B1", rules)
    (jumped,) = (
        s
        for s in rules.successors(CheckersPosition.from_fen("W:W26,22:B1"), Side.WHITE)
        if len(s.play) == 1 and (s.play[0].source, s.play[0].target) == (26, 17)
    )
    assert jumped.after.fen() == "B:W17,22:B1"


def test_a_game_without_dice_takes_none():
    with pytest.raises(RulesError, match=r"dice \[3, 1\].*without dice"):
        ACF.successors(ACF.start(), Side.BLACK, Dice((3, 1)))


@pytest.mark.parametrize(
    ("fen", "quoted"),
    [
        ("W21:B1", "'W21:B1'"),
        ("W:W33:B1", "33"),
        ("W:W0:B1", "0"),
        ("W:W1,1:B2", "square 1"),
        ("W:W1:B1", "square 1"),
        ("W:Wx:B1", "'x'"),
        ("X:W1:B2", "X:W1:B2"),
        ("W:W1:W2", "W:W1:W2"),
    ],
)
def test_a_faulty_fen_is_quoted(fen, quoted):
    with pytest.raises(FenError, match=quoted):
        CheckersPosition.from_fen(fen)


def test_thirteen_pieces_are_too_many():
    with pytest.raises(PositionError, match="13 white pieces"):
        CheckersPosition.from_fen("W:W1-13:B32")


@pytest.mark.parametrize("fen", ["W:W21,22,K3:B1,5,K32", "B:WK1:B", "W:W:BK25,K30"])
def test_a_fen_reads_back(fen):
    assert CheckersPosition.from_fen(CheckersPosition.from_fen(fen).fen()).fen() == CheckersPosition.from_fen(fen).fen()


@pytest.mark.parametrize("written", ["11x18x25", "11-25", "11x25", "11-18-25"])
def test_a_move_is_found_however_it_is_written(written):
    position = CheckersPosition.from_fen("B:B11,1:W15,22")
    assert ACF.write_play(ACF.find_play(position, Side.BLACK, None, written).play) == "11x18x25"


def test_a_move_that_is_not_legal_or_could_mean_two_is_not_found():
    assert ACF.find_play(CheckersPosition.from_fen("B:B11,1:W15,22"), Side.BLACK, None, "11x18") is None
    both_ways = CheckersPosition.from_fen("W:W22,32:B17,18,9,10,1")
    with pytest.raises(NotationError, match=r"'22x6' may be 22x1\dx6 and 22x1\dx6"):
        ACF.find_play(both_ways, Side.WHITE, None, "22x6")
    assert ACF.find_play(both_ways, Side.WHITE, None, "22x15x6") is not None


@pytest.mark.parametrize("square", ["8,0", "0", "a,1", "-1,0", "9" * 5000 + ",1"])
def test_an_invalid_square_is_quoted(square):
    with pytest.raises(PositionError, match='is not "row,col"'):
        ACF.board_from_json({"squares": {square: "w"}})
