"""Plain backgammon evaluation without gnubg: race, blots, points made. It is weak, and labelled so.

The counts of one side are the first half of a `companion.rules.backgammon.position.View`: 0 off, its own points 1 to
24, 25 the bar. Every weight is in points of equity and was set by hand from common advice (a point of one's own home
board is worth about a tenth, a checker on the bar against a strong board two to three times that), not fitted to
anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.hints.engine import RankedPlay, Ranking
from companion.notation import BAR, OFF

if TYPE_CHECKING:
    from companion.core import Dice, Side
    from companion.hints.cube import CubeAdvice, CubeQuestion
    from companion.rules import BackgammonPosition, Ruleset

PER_PIP = 0.006
"""Points a pip: a lead of ten pips in an even race is worth about 0.06 to 0.1 points without a cube."""
PER_CHECKER_OFF = 0.03
"""Points a checker borne off."""
POINT_MADE = (0.02, 0.04, 0.08, 0.11, 0.13, 0.09, 0.09, 0.04)
"""Points for holding one's own 1 to 8 point with two or more checkers."""
ANCHOR = (0.04, 0.05, 0.08, 0.12, 0.13, 0.07)
"""Points for holding the opponent's 1 to 6 point with two or more checkers."""
BLOT = 0.0011
"""Points lost per pip the blot has travelled and per shot (of 36) that hits it."""
ON_BAR = 0.10
"""Points lost by a checker on the bar, beside the pips, against an open home board; each closed point adds as much."""
DIRECT, INDIRECT = 11, 3
"""Shots of 36 that hit a blot 1 to 6 pips away, and 7 to 11 pips away."""


class PlainEngine:
    """Ranks plays by a weighted sum of features of the position after them."""

    name = "plain evaluation (weak)"

    def __init__(self, rules: Ruleset[BackgammonPosition]) -> None:
        """`rules` gives the plays."""
        self._rules = rules

    def rank(self, position: Any, side: Side, dice: Dice | None, n: int) -> Ranking:
        """The `n` best plays."""
        successors = self._rules.successors(position, side, dice)
        plays = [RankedPlay(self._rules.write_play(s.play), s.after, evaluate(s.after, side)) for s in successors]
        plays.sort(key=lambda play: -play.equity)
        return Ranking(tuple(plays[:n]), self.name)

    def cube(self, question: CubeQuestion) -> CubeAdvice | None:
        """None: this evaluation estimates no probabilities."""

    def close(self) -> None:
        """Nothing to release."""


def evaluate(position: BackgammonPosition, side: Side) -> float:
    """Rough equity of `position` for `side` after their play, in points, about -1 to 1."""
    own, other = position.view(side)[:26], position.view(side.opponent)[:26]
    race = PER_PIP * (_pips(other) - _pips(own))
    off = PER_CHECKER_OFF * (own[OFF] - other[OFF])
    if not _contact(own, other):
        return race + off
    return race + off + _structure(own, other) - _structure(other, own) - _risk(own, other)


def _pips(men: bytes) -> int:
    return sum(point * count for point, count in enumerate(men))


def _contact(own: bytes, other: bytes) -> bool:
    """Whether the two sides still have to pass each other."""
    own_last = max((point for point, count in enumerate(own) if count), default=0)
    other_last = max((point for point, count in enumerate(other) if count), default=0)
    return own_last + other_last > 25


def _structure(own: bytes, other: bytes) -> float:
    """Points for points made, anchors, and opposing checkers on the bar."""
    made = sum(worth for point, worth in enumerate(POINT_MADE, start=1) if own[point] >= 2)
    anchors = sum(worth for point, worth in enumerate(ANCHOR, start=1) if own[25 - point] >= 2)
    closed = sum(own[point] >= 2 for point in range(1, 7))
    return made + anchors + other[BAR] * ON_BAR * (1 + closed)


def _risk(own: bytes, other: bytes) -> float:
    """Expected loss of the blots: pips travelled times shots, summed."""
    risk = 0.0
    for point in range(1, 25):
        if own[point] != 1:
            continue
        shots = 0
        for enemy in range(1, 26):
            distance = enemy - (25 - point)
            if other[enemy] and 1 <= distance <= 11:
                shots += DIRECT if distance <= 6 else INDIRECT
        risk += BLOT * (25 - point) * min(shots, 30)
    return risk
