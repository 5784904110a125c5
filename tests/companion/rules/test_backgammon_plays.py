"""The rules of movement, one test a rule, under the standard sheet."""

from __future__ import annotations

import pytest
from backgammon_positions import position

from companion.core import Dice, Side
from companion.rules import BackgammonPosition, rules_named
from companion.rules.backgammon.position import START
from companion.rules.ruleset import RulesError

STANDARD = rules_named("standard")


def plays(where: BackgammonPosition, *dice: int, side: Side = Side.WHITE, rules=STANDARD) -> set[str]:
    return {rules.write_play(s.play) for s in rules.successors(where, side, Dice(dice))}


def test_a_die_moves_one_checker_to_a_point_with_fewer_than_two_opposing_checkers():
    assert plays(position({10: 1}, {25 - 9: 2}), 1, 2) == {"10/7"}, "the 9 point is held, so the 2 comes first"


def test_a_checker_on_the_bar_comes_in_on_the_rolled_number():
    assert plays(position({}, {}, bar=(1, 0), off=(14, 15)), 4, 4) == {"bar/9"}


def test_no_other_checker_moves_while_one_is_on_the_bar():
    where = position({13: 2}, {6: 2, 3: 1}, bar=(1, 0))
    assert all(play.startswith("bar/") for play in plays(where, 6, 5))


def test_as_many_as_can_be_enter():
    where = position({13: 2}, {6: 2}, bar=(2, 0))
    assert plays(where, 6, 5) == {"bar/20"}


def test_nothing_is_played_when_no_checker_enters():
    assert plays(position({13: 2}, {6: 2, 5: 2}, bar=(1, 0)), 6, 5) == set()


def test_a_double_is_played_four_times():
    assert plays(position({24: 1}, {}, off=(14, 15)), 1, 1) == {"24/20"}


def test_both_numbers_must_be_played_if_they_can_be():
    where = position({24: 1, 8: 1}, {25 - 18: 2, 25 - 13: 2}, off=(13, 11))
    assert plays(where, 6, 5) == {"24/19 8/2"}, "8/3 first would leave no six"


def test_the_larger_number_must_be_played_if_only_one_can_be():
    where = position({24: 1}, {25 - 14: 2}, off=(14, 13))
    assert plays(where, 6, 4) == {"24/18"}


def test_the_smaller_number_is_played_if_the_larger_cannot_be():
    where = position({24: 1}, {25 - 18: 2, 25 - 14: 2}, off=(14, 11))
    assert plays(where, 6, 4) == {"24/20"}


def test_a_checker_landing_on_a_blot_sends_it_to_the_bar():
    (hit,) = STANDARD.successors(position({5: 1}, {25 - 2: 1}, off=(14, 14)), Side.WHITE, Dice((2, 1)))[:1]
    assert hit.after.bar == (0, 1)


def test_a_blot_is_hit_in_passing():
    assert plays(position({10: 1}, {25 - 8: 1, 25 - 9: 2}), 2, 1) == {"10/8*/7"}


def test_passing_a_blot_either_way_round_gives_two_results():
    assert plays(position({10: 1}, {25 - 8: 1}), 2, 1) == {"10/8*/7", "10/7"}


def test_bearing_off_needs_all_checkers_at_home():
    assert plays(position({24: 1, 1: 1}, {}), 1, 2) == {"24/21"}


def test_a_checker_that_comes_home_first_allows_bearing_off():
    assert "7/6 4/off" in plays(position({7: 1, 4: 2}, {}), 1, 4)


def test_an_exact_number_may_bear_off_or_move_another_checker():
    assert plays(position({6: 1, 2: 1}, {}), 2, 1) == {"6/5 2/off", "6/4 2/1", "6/3"}


def test_a_number_without_a_checker_moves_one_from_a_higher_point():
    assert plays(position({6: 1, 2: 3}, {}), 4, 4) == {"6/off 2/off(2)"}


def test_a_number_higher_than_every_occupied_point_bears_off_from_the_highest():
    assert plays(position({3: 1, 2: 2}, {}), 6, 5) == {"3/off 2/off"}


def test_a_double_stops_when_nothing_is_left():
    assert plays(position({1: 1}, {6: 1}, off=(14, 14)), 6, 6) == {"1/off"}


def test_black_moves_the_other_way():
    after = {s.after for s in STANDARD.successors(START, Side.BLACK, Dice((3, 1)))}
    made_five_point = [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -2, 0, -4, -2, 0, 0, 0, 2]
    assert BackgammonPosition(tuple(made_five_point)) in after


def test_dice_that_the_sheet_does_not_roll_are_refused():
    with pytest.raises(RulesError, match=r"dice \[3\].*rolled with 2"):
        STANDARD.successors(START, Side.WHITE, Dice((3,)))


@pytest.mark.parametrize("written", ["24/13", "24/18/13", "24/18 18/13"])
def test_a_play_is_found_however_it_is_written(written):
    where = position({24: 1}, {}, off=(14, 15))
    assert STANDARD.find_play(where, Side.WHITE, Dice((6, 5)), written).after.points[12] == 1


def test_a_play_that_is_not_legal_is_not_found():
    assert STANDARD.find_play(START, Side.WHITE, Dice((6, 5)), "24/14") is None
