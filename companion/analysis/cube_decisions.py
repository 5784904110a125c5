"""Makes decisions about plays and about the cube from equities.

Cube equities are per unit of the cube and for the doubler, so that a pass is worth 1. Source: `FindCubeDecision`,
`isCloseCubedecision` (eval.c) and `updateStatcontext` (analysis.c) of gnubg 1.07. Beavers are not judged, as there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.analysis.decisions import Decision, DecisionKind
from companion.analysis.grades import VERY_BAD
from companion.core import Side
from companion.game import Doubled, Passed, Taken
from companion.hints import worth

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.analysis.decisions import Option
    from companion.analysis.finished_games import CubeTurned, TurnTaken
    from companion.game import Match

PASS_EQUITY = 1.0


@dataclass(frozen=True, slots=True)
class Stakes:
    """Converts equities of one player at the present cube to match-winning probability or points, and back."""

    middle: float
    half: float

    @classmethod
    def of(cls, match: Match, side: Side) -> Stakes:
        """The stakes of `side` in the present match. Raises MatchEquityError if the match is too long."""
        value = worth(match, side)
        won, lost = value(match.cube), value(-match.cube)
        return cls((won + lost) / 2, (won - lost) / 2)

    def cost(self, equity: float) -> float:
        """The match-winning probability, or points, that a difference of equity is worth."""
        return equity * self.half

    def value(self, equity: float) -> float:
        """The match-winning probability, or points, at that equity."""
        return self.middle + equity * self.half

    def for_white(self, equity: float, side: Side, *, matched: bool) -> float:
        """White's match-winning probability (`matched`) or expected points at that equity of `side`."""
        value = self.value(equity)
        if side is Side.WHITE:
            return value
        return 1.0 - value if matched else -value

    def equity(self, value: float) -> float:
        """The equity that is worth `value`."""
        return (value - self.middle) / self.half


@dataclass(frozen=True, slots=True)
class CubeEquities:
    """Equities of a possible double."""

    no_double: float
    double_take: float

    @property
    def doubled(self) -> float:
        """The equity of a double after the opponent's better answer."""
        return min(self.double_take, PASS_EQUITY)

    @property
    def best(self) -> float:
        """The equity of the better choice, to double or not."""
        return max(self.no_double, self.doubled)

    def loss(self, kind: DecisionKind) -> float:
        """The equity that a decision of that kind gives away."""
        return {
            DecisionKind.NO_DOUBLE: self.best - self.no_double,
            DecisionKind.DOUBLE: self.best - self.doubled,
            DecisionKind.TAKE: max(0.0, self.double_take - PASS_EQUITY),
            DecisionKind.PASS: max(0.0, PASS_EQUITY - self.double_take),
        }[kind]

    def best_kind(self, kind: DecisionKind) -> DecisionKind:
        """The best decision in place of `kind`."""
        if kind in (DecisionKind.TAKE, DecisionKind.PASS):
            return DecisionKind.TAKE if self.double_take <= PASS_EQUITY else DecisionKind.PASS
        return DecisionKind.DOUBLE if self.doubled > self.no_double else DecisionKind.NO_DOUBLE

    def is_close(self) -> bool:
        """Whether doubling loses less than a very bad decision."""
        return self.best - self.doubled < VERY_BAD


KINDS = {Doubled: DecisionKind.DOUBLE, Taken: DecisionKind.TAKE, Passed: DecisionKind.PASS}


def cube_decision(
    turn: int, side: Side, kind: DecisionKind, position: Any, found: tuple[CubeEquities, Stakes]
) -> Decision:
    """The cube decision of `side`; `found` are the equities of the double and the doubler's stakes.

    `position` is in JSON.
    """
    equities, stakes = found
    loss = equities.loss(kind)
    return Decision(
        turn,
        side,
        kind,
        position,
        best=equities.best_kind(kind),
        loss=loss,
        cost=stakes.cost(loss),
        counts=kind is not DecisionKind.NO_DOUBLE or equities.is_close(),
    )


def cube_turned(
    turn: int, action: CubeTurned, position: Any, double: tuple[CubeEquities, Stakes] | None
) -> list[Decision]:
    """The decision of `action` about the cube; none if the equities of `double` are unknown, and none for beavers."""
    kind = None if action.match.beavered else KINDS.get(action.kind)
    return [] if kind is None or double is None else [cube_decision(turn, action.side, kind, position, double)]


def play_decision(
    turn: int,
    action: TurnTaken,
    position: Any,
    best: Option | None,
    made: Option | None,
    *,
    stakes: Stakes,
    counts: bool,
    luck: float | None,
    value: float | None,
    options: Sequence[Option],
) -> Decision:
    """The decision for a play: `made` compared with `best`; either is None if unknown."""
    loss = 0.0 if best is None or made is None else best.equity - made.equity
    return Decision(
        turn,
        action.side,
        DecisionKind.PLAY,
        position,
        dice=() if action.dice is None else action.dice.values,
        made=action.play,
        best="" if best is None else best.play,
        loss=loss,
        cost=stakes.cost(loss),
        counts=counts,
        luck=luck,
        luck_cost=stakes.cost(luck or 0.0),
        value=value,
        options=tuple(options),
    )
