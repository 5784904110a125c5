"""Turns that were taken back are not in an exported match, those played instead are."""

import pytest

from companion.core import Dice, Side
from companion.game import (
    AS_BEFORE,
    Doubled,
    OpeningRolled,
    Passed,
    Played,
    Resigned,
    Rolled,
    Started,
    Taken,
    TakenBack,
)
from companion.rules import rules_named
from companion.transfer.exporter import transcribe

RULES = rules_named("standard")
WHITE, BLACK = Side.WHITE, Side.BLACK
BOTH = (WHITE, BLACK)
SIX_ONE, FIVE_THREE = Dice((6, 1)), Dice((5, 3))


def after(position, side, dice, play):
    return RULES.find_play(position, side, dice, play).after


FIRST = after(RULES.start(), WHITE, SIX_ONE, "13/7 8/7")
OTHER = after(RULES.start(), WHITE, SIX_ONE, "24/18 6/5")
BEGIN = [Started("backgammon", "standard", RULES.start()), OpeningRolled(6, 1), Played(WHITE, "13/7 8/7", FIRST)]


def test_the_turn_played_instead_is_the_one_that_is_written():
    script = transcribe(
        [
            *BEGIN,
            Rolled(BLACK, FIVE_THREE, "fair"),
            TakenBack(BOTH),
            Played(WHITE, "24/18 6/5", OTHER),
            Rolled(BLACK, FIVE_THREE, AS_BEFORE),
            Resigned(BLACK, "single", 1),
        ],
        RULES,
    )
    (game,) = script.games
    assert [action.play for action in game.actions] == ["24/18 6/5"]
    assert (game.result.winner, game.result.points) == (WHITE, 1)


@pytest.mark.parametrize("end", [Resigned(BLACK, "single", 1), Passed(WHITE)])
def test_an_end_that_was_taken_back_is_no_result(end):
    doubled = [Doubled(BLACK)] if isinstance(end, Passed) else []
    back = [*BEGIN, *doubled, end, TakenBack(BOTH, turn=False, end=True)]
    (game,) = transcribe(back, RULES).games
    assert game.result is None
    assert len(game.actions) == 1 + len(doubled)


def test_a_resignation_during_a_double_that_is_taken_back_leaves_the_double():
    resigned = [*BEGIN, Doubled(BLACK), Resigned(WHITE, "single", 1), TakenBack(BOTH, turn=False, end=True)]
    (game,) = transcribe([*resigned, Taken(WHITE)], RULES).games
    assert [action.word.name for action in game.actions[1:]] == ["DOUBLES", "TAKES"]


def test_a_pass_taken_back_may_become_a_take():
    events = [*BEGIN, Doubled(BLACK), Passed(WHITE), TakenBack(BOTH, turn=False, end=True), Taken(WHITE)]
    (game,) = transcribe(events, RULES).games
    assert [type(action).__name__ for action in game.actions] == ["ScriptTurn", "CubeTurn", "CubeTurn"]
    assert game.actions[-1].word.name == "TAKES"
