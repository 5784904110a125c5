"""What the referee says of a backgammon turn, one test a reason."""

from __future__ import annotations

import pytest
from backgammon_positions import position

from companion.core import Dice, Finding, Side
from companion.notation import parse_play
from companion.rules import BackgammonPosition, rules_named
from companion.rules.backgammon.position import START
from companion.rules.backgammon.rules import move_checkers
from companion.texts import render

STANDARD = rules_named("standard")


def judge(where: BackgammonPosition, dice: tuple[int, int], play: str, *, side=Side.WHITE, done=True, changed=None):
    """Judge what stands after `play` was made by hand, with cells `changed` afterwards."""
    board = list(move_checkers(where, side, parse_play(play)))
    for cell, content in (changed or {}).items():
        board[cell] = content
    return STANDARD.explain(where, side, Dice(dice), tuple(board), done=done)


@pytest.mark.parametrize(
    ("reason", "where", "dice", "play"),
    [
        ("bar_first", position({13: 2}, {6: 2}, bar=(1, 0)), (5, 4), "13/8 13/9"),
        ("bar_first", position({13: 2}, {6: 2}, bar=(2, 0)), (5, 4), "bar/16"),
        ("bar_first", position({13: 2}, {6: 2}, bar=(2, 0)), (5, 5), "bar/10"),
        ("moved_backwards", START, (5, 2), "8/13"),
        ("moved_backwards", START, (5, 2), "8/13 24/22"),
        ("not_all_home", position({13: 1, 2: 2}, {6: 2}), (2, 1), "2/off"),
        ("not_all_home", position({2: 2}, {6: 2}, bar=(1, 0)), (2, 1), "bar/24 2/off"),
        ("bear_off_higher_first", position({6: 1, 2: 2}, {6: 2}), (5, 1), "2/off"),
        ("blocked_point", START, (5, 2), "24/19"),
        ("blocked_point", START, (5, 5), "13/8 24/19"),
        ("blocked_on_the_way", position({24: 1}, {25 - 22: 2, 25 - 19: 2}, off=(14, 11)), (5, 2), "24/17"),
        ("must_play_larger_die", position({24: 1}, {25 - 14: 2}, off=(14, 13)), (6, 4), "24/20"),
        ("could_play_more", START, (5, 2), "13/8"),
        ("too_many_moves", START, (5, 2), "13/8 13/11 24/22"),
        ("wrong_distance", START, (5, 2), "13/9"),
        ("wrong_distance", START, (5, 2), "13/9 8/6"),
    ],
)
def test_an_illegal_play_has_its_reason(reason, where, dice, play):
    verdict = judge(where, dice, play)
    assert (verdict.finding, verdict.reason) == (Finding.ILLEGAL, reason), verdict.message


def test_the_message_names_the_dice_the_points_and_what_is_legal():
    said = judge(START, (5, 2), "13/9").message
    fault, legal = said.facts["then"].facts["first"], said.facts["then"].facts["second"]
    assert said.facts["dice"] == Dice((5, 2))
    assert (fault.key, fault.facts["distance"]) == ("backgammon.wrong_distance.by", 4)
    assert (fault.facts["went"].facts["target"], legal.facts["plays"][:12]) == (9, "13/6, 24/22 ")


def test_a_play_of_the_opponents_is_the_wrong_player_moving():
    board = move_checkers(START, Side.BLACK, parse_play("8/5 6/5"))
    assert STANDARD.explain(START, Side.WHITE, Dice((3, 1)), board, done=True).reason == "wrong_player_moved"


def test_the_opponents_blot_left_beside_its_hitter_is_not_on_the_bar():
    where = position({8: 2, 6: 2}, {25 - 4: 1, 6: 2})
    assert judge(where, (4, 2), "8/4* 6/4", changed={3: (2, 1), 25: (0, 0)}).reason == "hit_checker_not_on_bar"


def test_a_hit_checker_taken_off_the_board_is_not_on_the_bar():
    where = position({8: 2, 6: 2}, {25 - 4: 1, 6: 2})
    assert judge(where, (4, 2), "8/4* 6/4", changed={25: (0, 0)}).reason == "hit_checker_not_on_bar"


def test_a_hit_checker_put_elsewhere_is_not_on_the_bar():
    where = position({8: 2, 6: 2}, {25 - 4: 1, 6: 2})
    verdict = judge(where, (4, 2), "8/4* 6/4", changed={25: (0, 0), 10: (0, 1)})
    assert (verdict.reason, verdict.also) == ("hit_checker_not_on_bar", ())


def test_a_checker_that_vanished_elsewhere_is_missing():
    assert judge(START, (3, 1), "8/5 6/5", changed={12: (4, 0)}).reason == "checker_missing"
    assert judge(START, (3, 1), "8/5 6/5", changed={11: (0, 4)}).reason == "checker_missing"


def test_a_checker_without_a_source_is_extra():
    assert judge(START, (3, 1), "8/5 6/5", changed={2: (1, 0)}).reason == "checker_extra"
    assert judge(START, (3, 1), "8/5 6/5", changed={2: (0, 1)}).reason == "checker_extra"


def test_a_wrong_move_comes_before_the_missing_checker():
    verdict = judge(START, (5, 2), "13/8 24/23", changed={11: (0, 4)})
    assert (verdict.reason, verdict.also) == ("wrong_distance", ("checker_missing",))


def test_among_equal_explanations_the_first_reason_is_named():
    where = position({6: 1, 5: 2, 4: 2}, {6: 2}, off=(10, 13))
    verdict = judge(where, (6, 3), "6/off 4/3")  # or 6/3 and 4/off with the 6, past the checkers on 5
    assert (verdict.reason, verdict.also, verdict.made) == ("bear_off_higher_first", (), "6/3 4/off")


def test_the_explanation_that_breaks_fewer_rules_comes_first():
    black = dict.fromkeys((25 - 12, 25 - 15, 5, 4, 3, 2), 1)
    where = position({6: 2, 5: 2, 4: 3, 3: 1, 2: 1, 1: 3}, black, off=(3, 9))
    verdict = judge(where, (4, 5), "6/off 6/1")  # 6/off as 6/2/off would be past higher points, and one number too many
    assert (verdict.reason, verdict.also) == ("wrong_distance", ())


def test_nothing_moved_is_not_moved_when_there_is_a_play():
    assert judge(START, (3, 1), "", done=False).finding is Finding.NOT_MOVED


def test_a_turn_declared_done_with_nothing_moved_could_play_more():
    verdict = judge(START, (3, 1), "")
    assert (verdict.finding, verdict.reason) == (Finding.ILLEGAL, "could_play_more")


def test_nothing_moved_is_legal_when_there_is_no_play():
    where = position({}, dict.fromkeys(range(1, 7), 2), bar=(1, 0))
    assert judge(where, (3, 1), "").finding is Finding.LEGAL


def test_half_a_play_is_unfinished_until_it_is_declared_done():
    assert judge(START, (5, 2), "13/8", done=False).finding is Finding.UNFINISHED
    assert judge(START, (5, 2), "13/8").reason == "could_play_more"


def test_a_step_that_closes_every_legal_play_is_illegal_at_once():
    where = position({24: 1, 8: 1}, {25 - 18: 2, 25 - 13: 2}, off=(13, 11))
    assert judge(where, (6, 5), "8/3", done=False).reason == "could_play_more"


def test_a_checker_in_the_hand_is_unfinished():
    lifted = {12: (4, 0)}
    assert judge(START, (5, 2), "", changed=lifted, done=False).finding is Finding.UNFINISHED
    assert judge(START, (5, 2), "24/22", changed=lifted, done=False).finding is Finding.UNFINISHED
    assert judge(START, (5, 2), "", changed=lifted).reason == "checker_missing"


def test_as_many_checkers_may_be_in_the_hand_as_the_roll_moves():
    assert judge(START, (5, 2), "", changed={12: (3, 0)}, done=False).finding is Finding.UNFINISHED
    assert judge(START, (5, 2), "", changed={12: (2, 0)}, done=False).reason == "checker_missing"
    assert judge(START, (2, 2), "", changed={12: (1, 0)}, done=False).finding is Finding.UNFINISHED


def test_a_missing_checker_of_the_opponent_is_never_unfinished():
    assert judge(START, (5, 2), "", changed={11: (0, 4)}, done=False).reason == "checker_missing"


def test_a_blot_lifted_before_the_hitter_arrives_is_unfinished():
    where = position({8: 2, 6: 2}, {25 - 4: 1, 6: 2})
    assert judge(where, (4, 2), "", changed={3: (0, 0)}, done=False).finding is Finding.UNFINISHED
    assert judge(where, (4, 2), "", changed={3: (0, 0), 25: (0, 1)}, done=False).finding is Finding.UNFINISHED


def test_a_blot_that_cannot_be_hit_is_not_lifted():
    where = position({8: 2, 6: 2}, {25 - 4: 1, 6: 2})
    assert judge(where, (6, 5), "", changed={3: (0, 0)}, done=False).reason == "checker_missing"


def test_a_hitter_beside_the_blot_is_unfinished():
    where = position({8: 2, 6: 2}, {25 - 4: 1, 6: 2})
    assert judge(where, (4, 2), "8/4* 6/4", changed={3: (2, 1), 25: (0, 0)}, done=False).finding is Finding.UNFINISHED


@pytest.mark.parametrize("changed", [{3: (2, 1), 25: (0, 0)}, {25: (0, 0)}])
def test_a_hit_checker_that_is_not_on_the_bar_is_what_the_turn_waits_for(changed):
    where = position({8: 2, 6: 2}, {25 - 4: 1, 6: 2})
    verdict = judge(where, (4, 2), "8/4* 6/4", changed=changed, done=False)
    assert (verdict.finding, verdict.message.key) == (Finding.UNFINISHED, "backgammon.hit_checker_not_on_bar")
    assert render(verdict.message) == "Black's checker on the 4 point was hit, but it is not on the bar: put it there."


def test_a_checker_in_the_hand_is_on_its_way_also_if_a_blot_was_lifted():
    where = position({8: 2, 6: 2}, {25 - 4: 1, 6: 2})
    lifted = judge(where, (4, 2), "", changed={3: (0, 0)}, done=False)
    in_hand = judge(where, (4, 2), "", changed={7: (1, 0), 3: (0, 0)}, done=False)
    assert [lifted.message.key, in_hand.message.key] == ["backgammon.on_the_way"] * 2


def test_borne_off_checkers_out_of_view_are_inferred_where_bearing_off_is_possible():
    where = position({6: 1, 2: 2}, {6: 2}, off=(12, 13))
    unseen = {26: None, 27: None}
    assert judge(where, (6, 2), "6/off 2/off", changed=unseen).finding is Finding.LEGAL
    assert judge(where, (5, 1), "2/off", changed=unseen).reason == "bear_off_higher_first"


def test_a_checker_that_cannot_have_been_borne_off_is_missing():
    unseen = {26: None, 27: None, 12: (4, 0)}
    assert judge(START, (5, 2), "24/22", changed=unseen).reason == "checker_missing"


def test_a_verdict_marks_the_cells_that_changed():
    assert judge(START, (3, 1), "8/5 6/5").cells == (4, 5, 7)


def test_an_illegal_play_has_sources_and_targets_and_the_checker_that_broke_the_rule():
    moved = judge(START, (5, 2), "13/9 8/6").moved
    assert [(one.source, one.target, one.pips, one.reasons) for one in moved] == [
        (12, 8, 4, ("wrong_distance",)),
        (7, 5, 2, ()),
    ]


def test_moves_of_black_are_in_the_same_cells_of_the_camera():
    moved = judge(START, (5, 2), "13/9", side=Side.BLACK).moved
    assert [(one.source, one.target, one.pips) for one in moved] == [(11, 15, 4)]


def test_on_a_board_set_up_again_no_moves_are_named():
    swept = {5: (0, 0), 7: (0, 0), 12: (0, 0), 0: (13, 2)}
    assert judge(START, (3, 1), "", changed=swept).moved == ()
