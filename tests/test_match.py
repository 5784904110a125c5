"""Match play: the cube, Crawford, Jacoby, resignations; one test a rule."""

from __future__ import annotations

import pytest

from companion.match import Match, MatchError, match_under
from companion.model import Side
from companion.rules.ruleset import Outcome
from companion.rules.rulesets import rules_named
from companion.rules.sheet import load_sheet

STANDARD = rules_named("standard")
WHITE, BLACK = Side.WHITE, Side.BLACK


def test_a_taken_double_belongs_to_the_taker():
    match = Match(7).doubled(WHITE).taken()
    assert (match.cube, match.owner) == (2, BLACK)
    assert match.no_double_because(WHITE) == "black owns the cube"
    assert match.doubled(BLACK).taken().cube == 4


def test_a_passed_double_loses_what_the_cube_showed():
    match = Match(7).doubled(WHITE).taken().doubled(BLACK).passed()
    assert (match.score, match.cube, match.owner) == ((0, 2), 1, None)


def test_a_win_counts_its_level_times_the_cube():
    match = Match(7).doubled(WHITE).taken().won(STANDARD, Outcome(WHITE, "gammon"))
    assert match.score == (4, 0)


def test_a_resignation_counts_what_was_given_up():
    assert Match(7).resigned(STANDARD, WHITE, "gammon").score == (0, 2)
    with pytest.raises(MatchError, match="'half'"):
        Match(7).resigned(STANDARD, WHITE, "half")


def test_nobody_doubles_in_the_crawford_game_and_everybody_after_it():
    match = Match(5, score=(2, 0)).won(STANDARD, Outcome(WHITE, "gammon"))
    assert match.is_crawford_game
    with pytest.raises(MatchError, match="black may not double: this is the Crawford game"):
        match.doubled(BLACK)
    after = match.won(STANDARD, Outcome(BLACK, "single"))
    assert not after.is_crawford_game
    assert after.doubled(BLACK).offered_by is BLACK


def test_a_match_of_one_point_has_no_crawford_game():
    assert not Match(1).is_crawford_game


def test_the_match_is_won_by_who_has_its_points():
    match = Match(3).won(STANDARD, Outcome(BLACK, "backgammon"))
    assert match.winner is BLACK
    assert match.no_double_because(WHITE) == "the match is over"
    assert Match(0, score=(99, 0)).winner is None


def test_under_jacobys_rule_a_gammon_counts_only_once_the_cube_was_turned():
    money = match_under(load_sheet("standard"), 0, jacoby=True)
    assert money.won(STANDARD, Outcome(WHITE, "gammon")).score == (1, 0)
    assert money.doubled(WHITE).taken().won(STANDARD, Outcome(WHITE, "gammon")).score == (4, 0)


def test_jacobys_rule_is_for_money_play_and_sheets_that_allow_it():
    with pytest.raises(MatchError, match="money play"):
        match_under(load_sheet("standard"), 5, jacoby=True)
    with pytest.raises(MatchError, match="'no-doubling'"):
        match_under(load_sheet("no-doubling"), 0, jacoby=True)


def test_a_sheet_without_a_cube_has_no_doubles():
    match = match_under(load_sheet("travel-set"), 5)
    assert match.no_double_because(WHITE) == "the sheet has no cube"


def test_a_double_is_answered_before_the_next_and_only_where_there_is_one():
    with pytest.raises(MatchError, match="white's double is not answered"):
        Match(7).doubled(WHITE).doubled(BLACK)
    with pytest.raises(MatchError, match="no double to take"):
        Match(7).taken()


def test_a_match_has_a_length():
    with pytest.raises(MatchError, match="-1 points"):
        match_under(load_sheet("standard"), -1)
