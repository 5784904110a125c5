"""The facts of plays in either game, for one play and for all plays of a ranking."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from companion.core import message
from companion.hints.why.backgammon import backgammon_facts
from companion.hints.why.checkers import checkers_facts
from companion.rules import BackgammonPosition

if TYPE_CHECKING:
    from companion.core import Message, Side
    from companion.hints.engine import Ranking
    from companion.rules import Ruleset

FACTS = 4
"""Most facts given for a play."""
SHOTS = ("why.shots", "why.shots.one", "why.shots.none")
DRAWBACKS = ("why.gives_up", "why.loses", "why.back_row", "why.race.behind")
"""Facts that are disadvantages of a play."""


def facts_of(rules: Ruleset[Any], before: Any, after: Any, side: Side) -> tuple[Message, ...]:
    """What a play of `side` does, what matters most first; each is the end of a sentence about the play."""
    facts = backgammon_facts if isinstance(before, BackgammonPosition) else checkers_facts
    return tuple(islice(facts(rules, before, after, side), FACTS))


def better_because(rules: Ruleset[Any], before: Any, better: Any, made: Any, side: Side) -> tuple[Message, ...]:
    """The advantages of the play of `side` to `better` that the play to `made` does not have."""
    said = facts_of(rules, before, made, side)
    facts = (_compared(fact, said) for fact in facts_of(rules, before, better, side) if fact not in said)
    return tuple(fact for fact in facts if fact is not None)


def _compared(fact: Message, others: tuple[Message, ...]) -> Message | None:
    """`fact` as an advantage over a play with the facts `others`; None if it is none."""
    if fact.key.startswith(DRAWBACKS):
        return None
    if fact.key not in SHOTS or "rolls" not in fact.facts:
        return fact
    more = next((other.facts.get("rolls", 0) for other in others if other.key in SHOTS), 0)
    rolls, of = fact.facts["rolls"], fact.facts["of"]
    if not isinstance(more, int) or not isinstance(rolls, int) or rolls >= more:
        return None
    return message("why.shots.fewer", rolls=rolls, of=of, others=more)


def explained(ranking: Ranking, rules: Ruleset[Any], before: Any, side: Side) -> Ranking:
    """`ranking` with the facts of each of its plays by `side` from `before`."""
    plays = tuple(replace(play, why=facts_of(rules, before, play.after, side)) for play in ranking.plays)
    return replace(ranking, plays=plays)
