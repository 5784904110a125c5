"""What the outcomes of a game count: by the sheet's kinds of win, and in a match by its score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import Side
from companion.hints.cube import longest_match, worth
from companion.rules import Outcome, levels_of

if TYPE_CHECKING:
    from typing import Any

    from companion.game import Match
    from companion.hints.cube import Chances
    from companion.rules import Ruleset

Worths = tuple[float, float, float, float, float, float]
"""Equity of a certain single loss, and what each of the five probabilities adds to it."""
KINDS = ("single", "gammon", "backgammon")


def worths_of(rules: Ruleset[Any], side: Side, match: Match | None) -> Worths:
    """What each probability adds to the equity of `side`.

    Equity is in points under the sheet; in a match it is normalised so that a single win at the present cube is worth 1
    and a single loss -1. `match` None: a game at a stake, so that all kinds of win on the sheet count.
    """
    points = _points(rules, for_stakes=match is None or match.for_stakes)
    cube = 1 if match is None else match.cube
    if match is None or not match.length or match.length > longest_match():
        won, lost = [float(p) for p in points], [-float(p) for p in points]
    else:
        value = worth(match, side)
        won, lost = [value(p * cube) for p in points], [value(-p * cube) for p in points]
        middle, half = (won[0] + lost[0]) / 2, (won[0] - lost[0]) / 2
        won, lost = [(v - middle) / half for v in won], [(v - middle) / half for v in lost]
    return lost[0], won[0] - lost[0], won[1] - won[0], won[2] - won[1], lost[1] - lost[0], lost[2] - lost[1]


def equity_of(chances: Chances, worths: Worths) -> float:
    """The equity of the player with these chances."""
    return worths[0] + sum(chance * each for chance, each in zip(chances, worths[1:], strict=True))


def _points(rules: Ruleset[Any], *, for_stakes: bool) -> list[int]:
    """Points of the three kinds of win; a kind that the sheet does not have counts as the next lower."""
    points: list[int] = []
    for kind in KINDS:
        if kind in levels_of(rules.sheet):
            points.append(rules.score(Outcome(Side.WHITE, kind), cube=1, for_stakes=for_stakes).points)
        else:
            points.append(points[-1])
    return points
