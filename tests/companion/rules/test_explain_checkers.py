"""What the referee says of a checkers turn, one test a reason."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core import Finding, Side
from companion.notation import cell_of
from companion.rules import CheckersPosition, load_sheet, rules_named, ruleset_for
from companion.texts import render

ACF = rules_named("acf")
TRAVEL = rules_named("travel-set-checkers")
WHITE, BLACK, EMPTY = (1, 0), (0, 1), (0, 0)
LIGHT = 1
"""A light cell at White's edge."""


def judge(fen: str, play: str = "", *, done=True, changed=None, rules=ACF, by=None):
    """Judge what stands after `play` was made by hand, with squares `changed` afterwards (cells below zero: light)."""
    position = CheckersPosition.from_fen(fen)
    board = list(rules.board_after(position, by or position.to_move, play))
    for square, content in (changed or {}).items():
        board[cell_of(square) if square > 0 else LIGHT] = content
    return rules.explain(position, position.to_move, None, tuple(board), done=done)


@pytest.mark.parametrize(
    ("reason", "fen", "play", "changed"),
    [
        ("light_square", "W:W22,32:B1", "", {22: EMPTY, -1: WHITE}),
        ("not_diagonal", "W:W22,32:B1", "22-23", {}),
        ("not_diagonal", "W:W22,32:B1", "22-14", {}),
        ("man_moved_backwards", "W:W18,32:B1", "18-23", {}),
        ("man_moved_backwards", "W:W18,32:B1,22", "18x25", {}),
        ("jumped_own", "W:W26,22:B1", "26-17", {}),
        ("nothing_to_jump", "W:W26,32:B1", "26-17", {}),
        ("too_far", "W:W29,32:B1", "29-15", {}),
        ("must_capture", "W:W22,26,32:B18,1", "32-27", {}),
        ("must_finish_jump", "B:B11,1:W15,22", "11x18", {}),
        ("turn_ended_on_crowning", "W:W11,31:B7,6", "11x2x9", {}),
        ("captured_not_removed", "W:W22,32:B18,1", "22x15", {18: BLACK}),
        ("captured_not_removed", "W:WK23:B18,10,11,19,1", "", {10: EMPTY, 11: EMPTY, 18: EMPTY}),  # 23x16x7x14x23
        ("removed_wrongly", "W:W22,32:B18,1,2", "22x15", {1: EMPTY}),
        ("two_pieces_moved", "W:W22,32:B1", "22-18", {32: EMPTY, 27: WHITE}),
        ("piece_missing", "W:W22,31,32:B1", "22-18", {32: EMPTY}),
        ("piece_missing", "W:W22,31,32:B1", "", {1: EMPTY}),
        ("piece_extra", "W:W22,32:B1", "22-18", {10: BLACK}),
        ("piece_extra", "W:W22,32:B1", "22-18", {10: WHITE}),
        ("wrong_player_moved", "W:W22,32:B1", "", {1: EMPTY, 6: BLACK}),
    ],
)
def test_an_illegal_move_has_its_reason(reason, fen, play, changed):
    verdict = judge(fen, play, changed=changed)
    assert (verdict.finding, verdict.reason) == (Finding.ILLEGAL, reason), verdict.message


def test_a_man_that_went_forward_is_not_said_to_have_jumped_back_over_its_own(tmp_path):
    sheet = tmp_path / "own.toml"
    sheet.write_text('base = "acf"\njump_own = true\n', encoding="utf-8")
    fen = "W:W21,22,23,24,25,26,28,29,30,31,32:B1,2,3,4,6,7,8,10,11,12,14"
    assert judge(fen, "25-20", rules=ruleset_for(load_sheet(str(sheet)))).reason == "too_far"


def test_a_capture_by_the_opponent_is_the_wrong_player_moving():
    assert judge("W:W22,32:B18,1", "18x25", by=Side.BLACK).reason == "wrong_player_moved"


def test_two_faults_are_both_named():
    verdict = judge("W:W22,32:B18,1,2", "22x15", changed={18: BLACK, 1: EMPTY})
    assert (verdict.reason, verdict.also) == ("captured_not_removed", ("removed_wrongly",))


def test_the_message_names_the_capture_that_must_be_made():
    said = judge("W:W22,26,32:B18,1", "32-27").message.facts["first"]
    assert (said.key, said.facts["captures"]) == ("checkers.must_capture", "22x15")


def test_the_message_names_the_continuation_of_a_jump():
    said = judge("B:B11,1:W15,22", "11x18").message.facts["first"]
    assert said.key == "checkers.must_finish_jump"
    assert (said.facts["target"], said.facts["captures"]) == (18, "11x18x25")


def test_kings_are_kept_through_a_legal_move():
    verdict = judge("W:WK18,5,32:BK1", "18-23")
    assert (verdict.finding, verdict.play) == (Finding.LEGAL, "18-23")
    assert verdict.after.fen() == "B:W5,K23,32:BK1"


def test_a_man_on_the_far_row_is_crowned():
    verdict = judge("W:W5,32:B28", "5-1")
    assert verdict.after.fen() == "B:WK1,32:B28"
    assert verdict.message.key == "checkers.plays_crowned"


def test_nothing_moved_is_not_moved_while_there_is_a_move():
    assert judge("W:W22,32:B1").finding is Finding.NOT_MOVED


def test_a_turn_declared_done_with_nothing_moved_is_illegal_where_a_capture_must_be_made():
    verdict = judge("W:W22,26,32:B18,1")
    assert (verdict.finding, verdict.reason) == (Finding.ILLEGAL, "must_capture")
    assert judge("W:W22,26,32:B18,1", done=False).finding is Finding.NOT_MOVED


def test_nothing_moved_is_legal_when_there_is_no_move():
    verdict = judge("W:W28:B24,19")
    assert (verdict.finding, verdict.play) == (Finding.LEGAL, "")
    assert verdict.message.key == "checkers.loses"


@pytest.mark.parametrize(
    ("fen", "play", "changed"),
    [
        ("W:W22,32:B1", "", {22: EMPTY}),
        ("B:B11,1:W15,22", "11x18", {}),
        ("B:B11,1:W15,22", "11x18", {15: WHITE}),
        ("B:B11,1:W15,22", "11x18x25", {22: WHITE}),
        ("B:B11,1:W15,22", "11x18x25", {22: WHITE, 25: EMPTY}),
        ("B:B11,1:W15,22", "", {15: EMPTY}),
    ],
)
def test_a_move_under_way_is_unfinished_until_declared_done(fen, play, changed):
    assert judge(fen, play, changed=changed, done=False).finding is Finding.UNFINISHED
    assert judge(fen, play, changed=changed, done=True).finding is Finding.ILLEGAL


@pytest.mark.parametrize(
    ("fen", "play", "changed", "left"),
    [
        ("W:W22,32:B18,1", "22x15", {18: BLACK}, "18"),
        ("B:B11,1:W15,22", "11x18x25", {22: WHITE}, "22"),
        ("B:B11,1:W15,22", "11x18x25", {15: WHITE, 22: WHITE}, "22 and 15"),
    ],
)
def test_captured_pieces_that_still_stand_are_what_the_turn_waits_for(fen, play, changed, left):
    verdict = judge(fen, play, changed=changed, done=False)
    assert verdict.finding is Finding.UNFINISHED
    assert render(verdict.message) == f"A captured piece still stands on {left}: take it away."


@pytest.mark.parametrize(
    ("fen", "play", "changed"),
    [
        ("B:B11,1:W15,22", "11x18", {}),
        ("B:B11,1:W15,22", "11x18", {15: WHITE}),
        ("W:W22,32:B18,1", "", {22: EMPTY}),
        ("B:B11,1:W15,22", "", {15: EMPTY}),
    ],
)
def test_a_piece_that_has_not_arrived_is_on_its_way(fen, play, changed):
    assert judge(fen, play, changed=changed, done=False).message.key == "checkers.on_the_way"


def test_a_quiet_move_that_should_have_been_a_capture_is_illegal_at_once():
    assert judge("W:W22,26,32:B18,1", "32-27", done=False).reason == "must_capture"


def test_if_a_jumper_may_stop_each_part_of_the_jump_is_legal():
    assert judge("B:B11,1:W15,22", "11x18", rules=TRAVEL).play == "11x18"


@given(st.lists(st.integers(0, 30), max_size=60), st.booleans())
@settings(max_examples=40, deadline=None)
def test_every_successor_is_judged_legal_and_reads_back(choices, done):
    position = ACF.start()
    for choice in choices:
        successors = ACF.successors(position, position.to_move)
        if not successors:
            return
        successor = successors[choice % len(successors)]
        verdict = ACF.explain(position, position.to_move, None, successor.after.board(), done=done)
        assert (verdict.finding, verdict.after) == (Finding.LEGAL, successor.after)
        assert CheckersPosition.from_fen(successor.after.fen()) == successor.after
        position = successor.after


@pytest.mark.parametrize(("fen", "play"), [("W:W22,32:B1", "22-23"), ("B:W32:B11,1", "11-10")])
def test_an_illegal_move_has_source_and_target_in_cells_of_the_camera(fen, play):
    source, target = map(int, play.split("-"))
    (moved,) = judge(fen, play).moved
    assert (moved.source, moved.target, moved.reasons) == (cell_of(source), cell_of(target), ("not_diagonal",))
