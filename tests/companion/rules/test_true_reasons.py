"""Plays that go wrong at a real table: the reason that is named is true, and so is every word about it."""

from __future__ import annotations

import json

import pytest
from backgammon_positions import position_by_white as position

from companion.commands.json_lines import answer
from companion.core import Dice, Side, verbatim
from companion.notation import parse_play
from companion.rules import rules_named
from companion.rules.backgammon.position import START
from companion.rules.backgammon.rules import move_checkers
from companion.rules.reasons import legal_plays
from companion.texts import render


def judge(where, dice, play, *, sheet="standard", side=Side.WHITE, unhit=()):
    """Judge what stands after `play` was made by hand; the hit blots of `unhit` (cells) were left where they stood."""
    board = [list(cell) for cell in move_checkers(where, side, parse_play(play))]
    theirs, bar = (1, 25) if side is Side.WHITE else (0, 24)
    for cell in unhit:
        board[cell][theirs] += 1
        board[bar][theirs] -= 1
    return rules_named(sheet).explain(where, side, Dice(dice), tuple(map(tuple, board)), done=True)


def reasons(verdict):
    return (verdict.reason, *verdict.also)


# --- which explanation ---


def test_two_checkers_that_went_forward_are_not_said_to_have_gone_backwards():
    verdict = judge(START, (3, 1), "24/18 6/5")
    assert reasons(verdict) == ("wrong_distance",)
    assert "The checker from the 24 point landed on the 18 point: that is 6, which does not fit the dice." in render(
        verdict.message
    )


def test_a_wrong_number_is_not_reported_as_a_checker_moved_backwards():
    verdict = judge(START, (3, 1), "8/7 6/5")
    assert reasons(verdict) == ("wrong_distance",)
    assert verdict.made == "8/7 6/5"
    assert "The checker from the 6 point landed on the 5 point: that is 1, which was played already." in render(
        verdict.message
    )


def test_with_one_way_blocked_the_checker_went_the_other_and_hit():
    where = position({8: 2, 24: 2}, {7: 2, 5: 1, 12: 5}, off=(11, 7))
    verdict = judge(where, (3, 1), "8/4")
    assert reasons(verdict) == ("hit_checker_not_on_bar",)
    assert verdict.made == "8/5*/4"
    assert "Black's checker on the 5 point was hit, but it is not on the bar" in render(verdict.message)


def test_of_two_possibly_hit_blots_the_one_that_was_certainly_hit_is_named():
    where = position({5: 1, 7: 2}, {1: 1, 2: 1, 12: 5}, off=(12, 8))
    verdict = judge(where, (3, 1), "5/1*", unhit=[0])
    assert verdict.reason == "hit_checker_not_on_bar"
    assert "Black's checker on the 1 point was hit" in render(verdict.message)


def test_the_way_is_blocked_only_if_every_way_is():
    where = position({8: 2, 24: 2}, {7: 2, 5: 2, 12: 5}, off=(11, 6))
    verdict = judge(where, (3, 1), "8/4")
    assert reasons(verdict) == ("blocked_on_the_way",)
    assert "every way there is blocked: Black holds the 7 point and the 5 point." in render(verdict.message)


def test_a_blocked_way_is_named_before_numbers_that_another_checker_used():
    where = position({8: 2, 13: 2}, {7: 2, 5: 2, 12: 5}, off=(11, 6))
    assert reasons(judge(where, (3, 1), "8/4 13/12")) == ("blocked_point", "blocked_on_the_way", "too_many_moves")
    assert reasons(judge(where, (3, 1), "8/4 13/10")) == ("blocked_on_the_way", "too_many_moves")


def test_a_number_that_is_too_small_is_not_reported_as_a_checker_left_on_a_higher_point():
    where = position({5: 1, 2: 1}, {20: 2}, off=(13, 13))
    verdict = judge(where, (4, 2), "5/off 2/off")
    assert reasons(verdict) == ("wrong_distance",)
    assert "The checker from the 5 point was borne off: that takes 5 or more." in render(verdict.message)


@pytest.mark.parametrize("sheet", ["standard", "encyclopedia"])
def test_a_larger_number_from_a_lower_point_is_reported_by_the_rule_of_the_sheet_on_larger_numbers(sheet):
    where = position({6: 1, 3: 2}, {20: 2}, off=(12, 13))
    verdict = judge(where, (5, 1), "3/off", sheet=sheet)
    larger = {"standard": "bear_off_higher_first", "encyclopedia": "wrong_distance"}
    assert reasons(verdict) == (larger[sheet],)
    words = {"standard": "but a checker stood on the 6 point", "encyclopedia": "that takes 3, no more and no less"}
    assert words[sheet] in render(verdict.message)


def test_a_longer_distance_is_never_explained_by_numbers_used_again():
    assert reasons(judge(START, (2, 1), "8/4")) == ("wrong_distance",)
    assert reasons(judge(START, (5, 2), "24/15")) == ("wrong_distance",)


def test_one_number_played_twice_is_reported_as_such():
    verdict = judge(START, (5, 2), "13/8(2)")
    assert reasons(verdict) == ("wrong_distance",)
    assert "that is 5, which was played already" in render(verdict.message)


def test_three_numbers_for_two_dice_are_too_many():
    verdict = judge(START, (5, 2), "13/8 13/11 24/22")
    assert reasons(verdict) == ("too_many_moves",)
    assert "24/22 13/11 13/8 takes 2, 2 and 5: more numbers than were rolled." in render(verdict.message)


@pytest.mark.parametrize(
    ("white", "dice", "play"),
    [
        ({1: 1, 2: 1, 6: 1}, (6, 2), "6/off 2/off 1/off"),
        ({2: 1, 4: 2, 5: 3}, (5, 1), "5/off(3)"),
        ({3: 2, 5: 2}, (3, 1), "5/1 3/off"),
        ({3: 3, 4: 3}, (4, 3), "4/off 3/off(2)"),
        ({3: 3, 4: 3}, (4, 3), "4/off(2) 3/off"),
    ],
)
def test_a_bear_off_without_a_number_left_is_one_move_too_many(white, dice, play):
    where = position(white, {24: 2}, off=(15 - sum(white.values()), 13))
    assert reasons(judge(where, dice, play)) == ("too_many_moves",)


def test_the_checker_that_no_number_bears_off_is_the_one_that_is_named():
    verdict = judge(position({2: 2, 5: 2}, {24: 2}, off=(11, 13)), (3, 1), "5/off 2/1")
    assert reasons(verdict) == ("wrong_distance",)
    assert "The checker from the 5 point was borne off: that takes 5 or more." in render(verdict.message)


def test_a_checker_that_was_hit_where_it_landed_did_not_go_backwards():
    """White plays 24/18 13/11, and Black answers before the roll with 13/7* 24/23."""
    rules, dice = rules_named("standard"), Dice((6, 2))
    played = rules.find_play(START, Side.WHITE, dice, "24/18 13/11").after
    replied = move_checkers(played, Side.BLACK, parse_play("13/7* 24/23"))
    verdict = rules.explain(START, Side.WHITE, dice, replied, done=True)
    assert reasons(verdict) == ("wrong_player_moved",)


def test_a_blot_that_no_rolled_number_reaches_was_not_hit_in_passing():
    where = position({24: 2, 13: 5, 8: 3, 6: 5}, {10: 1, 12: 5, 1: 2, 17: 3, 19: 4})
    board = [list(cell) for cell in move_checkers(where, Side.WHITE, parse_play("13/8 6/5"))]
    board[9][1], board[25][1] = 0, 1
    verdict = rules_named("standard").explain(where, Side.WHITE, Dice((5, 1)), tuple(map(tuple, board)), done=True)
    assert reasons(verdict) == ("wrong_player_moved",)


def test_a_blot_hit_in_passing_by_a_wrong_number_is_not_a_checker_moved_by_the_other_player():
    where = position({24: 2, 8: 3}, {20: 1, 12: 4}, off=(10, 10))
    verdict = judge(where, (6, 1), "24/20*/14")
    assert (reasons(verdict), verdict.made) == (("wrong_distance",), "24/20*/14")


def test_a_full_point_in_passing_is_not_said_to_hold_too_many():
    where = position({20: 5, 24: 1}, {12: 5}, bar=(1, 0), off=(8, 10))
    verdict = judge(where, (5, 2), "bar/18", sheet="encyclopedia")
    assert "stack_limit" not in reasons(verdict) or "by way of the 20 point, which was full" in render(verdict.message)


def test_a_full_point_closes_the_way_in():
    where = position({20: 5, 24: 1}, {12: 5, 23: 2}, bar=(1, 0), off=(8, 8))
    verdict = judge(where, (5, 2), "bar/18", sheet="encyclopedia")
    assert verdict.reason == "stack_limit"
    assert "by way of the 20 point, which was full" in render(verdict.message)
    assert "White can come in on no point that was rolled." in render(verdict.message)


def test_a_checker_that_no_number_bears_off_is_not_reported_as_one_move_too_many():
    where = position({6: 2, 3: 2}, {24: 2, 22: 2}, off=(11, 11))
    verdict = judge(where, (3, 2), "6/off(2) 3/off(2)")
    assert reasons(verdict) == ("wrong_distance",)
    assert "The checker from the 6 point was borne off: that takes 6 or more." in render(verdict.message)


def test_borne_off_by_two_numbers_the_larger_number_is_named_with_the_point_it_was_played_from():
    where = position({6: 2, 1: 1}, {24: 2}, off=(12, 13))
    verdict = judge(where, (5, 3), "6/off")
    assert verdict.reason == "bear_off_higher_first"
    said = "was borne off by way of the 1 point, from there with a larger number, but the 6 point was occupied"
    assert said in render(verdict.message)


def test_a_blot_hit_in_passing_by_one_number_played_twice_is_not_a_checker_moved_by_the_other_player():
    verdict = judge(position({13: 2, 8: 3}, {11: 1, 24: 4}, off=(10, 10)), (4, 2), "13/11*/9")
    assert (reasons(verdict), verdict.made) == (("wrong_distance",), "13/11*/9")
    said = "The checker from the 13 point landed on the 9 point by way of the 11 point: the dice do not allow that way."
    assert said in render(verdict.message)


def test_a_blot_hit_by_the_opponent_in_passing_did_not_go_backwards():
    where = position({14: 1, 6: 5}, {10: 1, 24: 4}, off=(9, 10))
    board = [list(cell) for cell in where.board()]
    board[9][1], board[14][1] = 0, 1  # Black went from 10 past 14 to 15
    board[13][0], board[24][0] = 0, 1
    verdict = rules_named("standard").explain(where, Side.WHITE, Dice((6, 6)), tuple(map(tuple, board)), done=True)
    assert reasons(verdict) == ("wrong_player_moved",)


def test_a_point_takes_no_more_than_its_limit_by_whatever_distance_the_checker_came():
    where = position({13: 1, 8: 5}, {24: 4}, off=(9, 11))
    assert reasons(judge(where, (6, 4), "13/8", sheet="encyclopedia")) == ("stack_limit", "wrong_distance")


# --- the opponent has answered before the look ---


def answered(where, dice, play, reply):
    """The verdict where White has made `play`, and Black has answered it before the look."""
    rules = rules_named("standard")
    played = rules.from_json(rules.board_to_json(move_checkers(where, Side.WHITE, parse_play(play))), Side.BLACK)
    board = move_checkers(played, Side.BLACK, parse_play(reply))
    return rules.explain(where, Side.WHITE, Dice(dice), board, done=True)


ON_THE_BAR = position({13: 5, 8: 3, 6: 5, 24: 1}, {1: 2, 12: 5, 17: 3, 19: 5}, bar=(1, 0))


@pytest.mark.parametrize("reply", ["8/5*", "8/5*/3", "13/5*"])
def test_a_checker_that_came_in_and_was_hit_there_is_not_said_to_have_waited(reply):
    verdict = answered(ON_THE_BAR, (5, 4), "bar/20 13/9", reply)
    assert reasons(verdict) == ("wrong_player_moved",)
    assert verdict.made == "13/9"
    assert [(one.source, one.target) for one in verdict.moved] == [(12, 8)]


def test_one_of_two_checkers_that_came_in_and_was_hit_is_not_said_to_have_waited():
    where = position({13: 5, 8: 3, 6: 5}, {1: 2, 12: 5, 17: 3, 19: 5}, bar=(2, 0))
    assert reasons(answered(where, (5, 4), "bar/20 bar/21", "8/5*")) == ("wrong_player_moved",)
    where = position({13: 4, 8: 3, 6: 5, 5: 1}, {1: 2, 12: 5, 17: 3, 19: 5}, bar=(2, 0))
    assert reasons(answered(where, (5, 4), "bar/20 bar/21", "24/20*")) == ("wrong_player_moved",)


def test_a_checker_waits_on_the_bar_if_the_opponents_move_cannot_have_hit_it():
    verdict = answered(ON_THE_BAR, (5, 4), "13/9", "24/23")
    assert reasons(verdict) == ("bar_first", "wrong_player_moved")


def test_without_a_move_of_the_opponents_a_checker_waits_on_the_bar():
    assert reasons(judge(ON_THE_BAR, (5, 4), "13/9")) == ("bar_first",)


@pytest.mark.parametrize("play", ["6/off 3/2", "6/5 6/off"])
def test_a_checker_hit_after_others_were_borne_off_was_at_home_before(play):
    where = position({6: 2, 3: 1}, {1: 2, 19: 5}, off=(12, 8))
    reply = "24/22*" if play.startswith("6/5") else "24/23*"
    assert reasons(answered(where, (6, 1), play, reply)) == ("wrong_player_moved",)


def test_a_checker_that_was_hit_in_passing_where_it_landed_did_not_go_backwards():
    where = position({24: 2, 13: 5, 8: 3, 6: 5}, {1: 2, 12: 5, 17: 3, 19: 5})
    assert reasons(answered(where, (6, 1), "8/2 6/5", "24/23*/20*/18")) == ("wrong_player_moved",)


# --- what is said and recorded ---


@pytest.mark.parametrize("side", list(Side))
def test_the_reported_play_is_the_one_on_the_board(side):
    assert judge(START, (3, 1), "24/18 6/5", sheet="encyclopedia", side=side).made == "24/18 6/5"


def test_a_hit_in_an_illegal_play_keeps_its_star():
    where = position({24: 2, 8: 3}, {18: 1, 12: 4}, off=(10, 10))
    assert judge(where, (3, 1), "24/18* 8/7").made == "24/18* 8/7"
    assert judge(where, (3, 1), "24/18* 8/7", unhit=[17]).made == "24/18* 8/7"


def test_a_wrong_entry_is_reported_with_the_legal_points():
    where = position({6: 5, 8: 3}, {22: 2, 12: 5}, bar=(1, 0), off=(6, 8))
    assert "White may come in on the 20 point." in render(judge(where, (5, 3), "bar/22").message)
    assert "White may come in on the 22 point or the 20 point." in render(
        judge(position({6: 5}, {12: 5}, bar=(1, 0), off=(9, 10)), (5, 3), "bar/21").message
    )


def test_the_legal_plays_nearest_to_what_was_made_come_first():
    verdict = judge(START, (3, 1), "24/18 6/5")
    assert verdict.plays[0] == "24/21 6/5"
    assert sorted(verdict.plays) == sorted(judge(START, (3, 1), "").plays)
    assert "Legal plays: 24/21 6/5, " in render(verdict.message)


def test_a_single_further_play_is_named_and_not_counted():
    assert render(legal_plays(("a", "b", "c"), 2, none=verbatim("none"))) == "Legal plays: a, b, c."
    assert render(legal_plays(("a", "b", "c", "d"), 2, none=verbatim("none"))) == "Legal plays: a, b and 2 more."


def test_the_play_with_a_correct_hit_is_the_nearest():
    where = position({8: 2, 24: 2}, {7: 2, 5: 1, 12: 5}, off=(11, 7))
    assert judge(where, (3, 1), "8/4").plays[0] == "8/5*/4"


# --- on tiles ---


def test_on_tiles_the_message_speaks_of_spaces_and_cubes_and_files_keep_standard_notation():
    points = [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 1]
    position_of = {"points": points, "bar": [1, 0], "off": [0, 0]}
    after = {"points": [*points[:19], 0, 1, *points[21:]], "bar": [0, 0], "off": [0, 0]}
    line = {"game": "backgammon", "sheet": "green-box", "position": position_of, "player": "white", "dice": [5, 2]}
    verdict = answer("judge", json.dumps({**line, "after": after}))
    assert verdict["message"] == (
        "Rolled: 5-2. The cube that waited outside landed on space 4: that is 4, which does not fit the dice. "
        "White may come in on space 2 or space 5. Legal plays: in/7, in/5 1/3, in/5 12/14, in/5 17/19 and 3 more."
    )
    assert verdict["plays"][0] == "bar/18"


def test_a_board_that_was_cleared_in_the_middle_of_a_turn_is_judged_without_weighing_millions_of_readings():
    white, black = {1: 3, 2: 3, 3: 3, 4: 2, 5: 2, 6: 2}, {19: 15}
    cleared = ((0, 0),) * 26 + ((15, 0), (0, 15))
    verdict = rules_named("standard").explain(position(white, black), Side.WHITE, Dice((3, 1)), cleared, done=True)
    assert verdict.finding == "illegal"
    assert verdict.made == "6/off(2) 5/off(2) 4/off(2) 3/off(3) 2/off(3) 1/off(3)"
