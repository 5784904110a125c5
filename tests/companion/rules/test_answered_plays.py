"""The opponent has answered a play before the look: no reason is given that was not true of the play.

What the board then shows may look like a play against the rules: a player who was hit stands on the bar as if never
come in, or as if gone back there, and one who was hit and came in is not on the bar.
"""

from __future__ import annotations

import random
from operator import ge

import pytest
from backgammon_positions import position_by_white as position
from sweeps import sampled

from companion.core import Dice, Side
from companion.notation import parse_play
from companion.rules import load_sheet, rules_named, shipped_sheets
from companion.rules.backgammon.position import OPPONENT
from companion.rules.backgammon.rules import move_checkers
from companion.texts import render

BACKGAMMON = [name for name in shipped_sheets() if load_sheet(name).game == "backgammon"]
THEY_MOVED = "It is White's turn, but Black's checkers were moved."


def answered(where, dice, play, reply, *, sheet="standard"):
    """The verdict where White has made `play`, and Black has answered it before the look."""
    rules = rules_named(sheet)
    played = rules.from_json(rules.board_to_json(move_checkers(where, Side.WHITE, parse_play(play))), Side.BLACK)
    board = move_checkers(played, Side.BLACK, parse_play(reply))
    return rules.explain(where, Side.WHITE, Dice(dice), board, done=True)


def reasons(verdict):
    return (verdict.reason, *verdict.also)


def test_a_checker_that_was_hit_and_came_in_is_not_said_to_be_missing_from_the_bar():
    where = position({8: 2, 6: 2, 24: 2}, {4: 1, 12: 5, 17: 3, 19: 5})
    verdict = answered(where, (4, 2), "8/4* 6/4", "bar/20 13/8")
    assert reasons(verdict) == ("wrong_player_moved",)
    assert verdict.made == "8/4* 6/4"


def test_a_checker_that_was_hit_by_one_that_had_come_in_did_not_go_backwards():
    where = position({2: 2, 4: 1, 18: 3, 21: 3, 24: 2}, {1: 2, 7: 4, 11: 1, 13: 3, 14: 3}, bar=(1, 0))
    assert reasons(answered(where, (3, 2), "bar/23 18/15", "14/10*/9")) == ("wrong_player_moved",)


def test_among_several_checkers_on_the_bar_two_may_have_entered_and_two_others_may_have_been_hit():
    white, black = {3: 2, 5: 1, 7: 1, 16: 4, 19: 1, 21: 3}, {2: 2, 9: 1, 10: 3, 12: 2, 17: 1, 20: 5, 24: 1}
    verdict = answered(position(white, black, bar=(3, 0)), (1, 3), "bar/24* bar/22", "bar/20*/18*")
    assert reasons(verdict) == ("wrong_player_moved",)
    assert THEY_MOVED in render(verdict.message)
    assert verdict.made is None


def test_a_point_that_was_full_had_room_when_another_checker_had_left_it():
    where = position({1: 5, 2: 5, 3: 3}, {4: 1, 5: 2, 10: 2, 17: 1, 18: 2, 19: 3, 21: 2, 22: 1, 23: 1}, off=(2, 0))
    verdict = answered(where, (1, 2), "1/off 3/1", "15/12 8/5 20/17 17/14", sheet="encyclopedia")
    assert reasons(verdict) == ("wrong_player_moved",)


def test_a_checker_may_come_in_where_it_was_hit():
    where = position({13: 3, 8: 2, 6: 3}, {5: 1, 12: 4, 17: 3, 19: 5}, off=(7, 2))
    verdict = answered(where, (5, 3), "8/5* 13/8", "bar/20* 13/8")
    assert reasons(verdict) == ("wrong_player_moved",)


def test_a_play_that_leaves_numbers_unplayed_may_have_been_answered_too():
    where = position({8: 2, 6: 2, 24: 2}, {4: 1, 12: 5, 17: 3, 19: 5})
    assert reasons(answered(where, (4, 2), "8/4*", "bar/20 13/8")) == ("wrong_player_moved",)


def test_a_checker_that_went_too_far_and_was_hit_did_not_go_backwards():
    where = position({13: 3, 8: 2, 6: 3}, {12: 5, 1: 2, 19: 5}, off=(7, 3))
    assert "moved_backwards" not in reasons(answered(where, (2, 1), "13/7", "24/18*/17"))


def test_a_checker_that_the_opponent_cannot_have_put_on_the_bar_is_reported_in_words_that_are_true_in_any_case():
    """White put it there, or Black came in where the hit was, and hit back."""
    where = position({13: 3, 8: 1, 6: 3}, {5: 1, 12: 4, 17: 3, 19: 5}, off=(8, 2))
    verdict = answered(where, (2, 1), "8/5*", "bar/20*")
    assert reasons(verdict) == ("moved_backwards",)
    assert "The checker from the 8 point stands on the bar: only a hit puts one there." in render(verdict.message)


def test_a_checker_that_went_as_far_as_two_numbers_is_not_said_to_have_gone_as_far_as_one():
    """White enters with the 3, plays 17/9 with 8, and a third checker besides; Black hits that one."""
    where = position(
        {6: 1, 9: 1, 13: 4, 14: 4, 17: 1, 19: 3}, {2: 2, 3: 2, 7: 2, 10: 2, 16: 1, 20: 3, 24: 2}, bar=(1, 0)
    )
    verdict = answered(where, (3, 5), "bar/22 17/9 6/5", "23/20*")
    assert "that is 3" not in render(verdict.message)


# --- random games ---


def untrue(rules, chance):
    """A random play answered by a random reply: what was said that is not true, if the board is not a legal one."""
    position, side = reached(rules, chance)
    dice = rolled(rules, chance, position, side)
    middle = chance.choice(rules.successors(position, side, dice) or [None])
    if middle is None or rules.outcome(middle.after) is not None:
        return None
    replies = rules.successors(middle.after, side.opponent, rolled(rules, chance, middle.after, side.opponent))
    if not replies:
        return None
    after = chance.choice(replies).after
    verdict = rules.explain(position, side, dice, after.board(), done=True)
    before, now = position.view(side)[OPPONENT:], after.view(side)[OPPONENT:]
    if before == now:
        return None  # nothing shows that there was an answer
    either_way = [("wrong_player_moved",), ("hit_checker_not_on_bar",)]
    either_way += [("moved_backwards",)] if all(map(ge, before[:-1], now)) else []
    true = reasons(verdict) in either_way
    legal = after.board() in {successor.after.board() for successor in rules.successors(position, side, dice)}
    return None if true or legal else (reasons(verdict), position, side, str(dice), after)


def reached(rules, chance):
    """A position of a random game, and who is to move; often with a checker of the mover's on the bar."""
    position, side = rules.start(), Side.WHITE
    for _ in range(chance.randint(4, 50)):
        after = chance.choice(rules.successors(position, side, rolled(rules, chance, position, side)) or [None])
        if after is not None and rules.outcome(after.after) is None:
            position = after.after
        side = side.opponent
    return position, side


def rolled(rules, chance, position, side):
    return Dice(tuple(chance.randint(1, 6) for _ in range(rules.dice_count(position, side))))


@pytest.mark.parametrize(
    ("name", "seeds"),
    sampled(
        [(name, range(150)) for name in ("standard", "encyclopedia")]
        + [(name, range(1000, 2000)) for name in BACKGAMMON],
        (("standard", range(150)), ("encyclopedia", range(150))),
    ),
)
def test_no_untrue_reason_is_given_for_a_play_that_was_answered(name, seeds):
    rules = rules_named(name)
    assert [said for said in (untrue(rules, random.Random(seed)) for seed in seeds) if said] == []
