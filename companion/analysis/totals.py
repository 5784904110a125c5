"""Sums of each player's decisions over games, as in gnubg.

Source: GNU Backgammon manual, "Analysing" ("Statistics"), and `updateStatcontext` (analysis.c), `getMWCFromError` and
`formatGS` (formatgs.c) of gnubg 1.07. Each player's result is corrected by the luck of both.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion.analysis.decisions import DecisionKind
from companion.analysis.grades import Grade, Luck, Rating, grade, luck_class, luck_of_match, rating
from companion.core import Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from companion.analysis.decisions import Decision, GameAnalysis

MILLI = 1000.0


@dataclass(frozen=True, slots=True)
class PlayerTotals:
    """The sums of one player over games; losses and luck as in `decisions`.

    Attributes:
        moves, unforced: plays, and those with a choice.
        cubes, close: decisions about the cube, and those that were close or actual (`Decision.counts`).
        play_loss, play_cost, cube_loss, cube_cost: equity given away.
        grades: number of plays and cube decisions of each class except `Grade.NONE`.
        cube_errors: number of wrong decisions about the cube, by what was decided.
        rolls, luck, luck_cost: number of rolls with known luck, and its sum.
        rolls_by_luck: number of rolls of each class except `Luck.NONE`.
        result, adjusted: the player's result in the games, and the same less the luck of both players.
        all_moves: plays of both players.
    """

    moves: int
    unforced: int
    cubes: int
    close: int
    play_loss: float
    play_cost: float
    cube_loss: float
    cube_cost: float
    rolls: int
    luck: float
    luck_cost: float
    result: float
    adjusted: float
    all_moves: int
    grades: Mapping[Grade, int] = field(default_factory=dict)
    cube_errors: Mapping[DecisionKind, int] = field(default_factory=dict)
    rolls_by_luck: Mapping[Luck, int] = field(default_factory=dict)

    @property
    def loss(self) -> float:
        """Equity given away in total."""
        return self.play_loss + self.cube_loss

    @property
    def error_rate(self) -> float | None:
        """Thousandths of equity lost per play with a choice or close cube decision; None without any."""
        counted = self.unforced + self.close
        return MILLI * self.loss / counted if counted else None

    @property
    def snowie_error_rate(self) -> float | None:
        """Thousandths of equity lost per play of either player, as in the program Snowie; None without any."""
        return MILLI * self.loss / self.all_moves if self.all_moves else None

    @property
    def rating(self) -> Rating | None:
        """The rating of the error rate; None without one."""
        rate = self.error_rate
        return None if rate is None else rating(rate / MILLI)

    @property
    def luck_class(self) -> Luck:
        """The class of the player's luck in all games."""
        return luck_of_match(self.luck / self.rolls) if self.rolls else Luck.NONE

    def to_json(self) -> dict[str, Any]:
        """The figures as JSON, with rates and classes."""
        return {
            "moves": self.moves,
            "unforced": self.unforced,
            "cube_decisions": self.cubes,
            "close_cube_decisions": self.close,
            "error_total": self.loss,
            "error_cost": self.play_cost + self.cube_cost,
            "error_rate": self.error_rate,
            "snowie_error_rate": self.snowie_error_rate,
            "rating": self.rating,
            "grades": dict(self.grades),
            "cube_errors": dict(self.cube_errors),
            "luck_total": self.luck if self.rolls else None,
            "luck_cost": self.luck_cost if self.rolls else None,
            "luck": self.luck_class if self.rolls else None,
            "rolls": dict(self.rolls_by_luck),
            "result": self.result,
            "luck_adjusted_result": self.adjusted if self.rolls else None,
        }


def totals(games: Iterable[GameAnalysis], *, men: bool = False) -> dict[Side, PlayerTotals]:
    """The sums of each player, by the colour of the first game; `men`: it is checkers, whose losses are men."""
    games = tuple(games)
    own: dict[Side, list[Decision]] = {side: [] for side in Side}
    for game in games:
        for decision in game.decisions:
            own[decision.side.opponent if game.colours_changed else decision.side].append(decision)
    result = sum(-game.result if game.colours_changed else game.result for game in games)
    luck = {side: sum(decision.luck_cost for decision in own[side]) for side in Side}
    moves = sum(decision.kind is DecisionKind.PLAY for side in Side for decision in own[side])
    found = {}
    for side, sign in ((Side.WHITE, 1), (Side.BLACK, -1)):
        adjusted = sign * result - luck[side] + luck[side.opponent]
        found[side] = _totals(own[side], sign * result, adjusted, moves, men=men)
    return found


def _totals(own: list[Decision], result: float, adjusted: float, moves: int, *, men: bool) -> PlayerTotals:
    plays, cubes = [d for d in own if not d.of_cube], [d for d in own if d.of_cube]
    lucks = [d.luck for d in own if d.luck is not None]
    counted = [d for d in plays if d.counts]
    grades = Counter(grade(d.loss, men=men) for d in own)
    rolls = Counter(map(luck_class, lucks))
    del grades[Grade.NONE], rolls[Luck.NONE]
    return PlayerTotals(
        moves=len(plays),
        unforced=len(counted),
        cubes=len(cubes),
        close=sum(d.counts for d in cubes),
        play_loss=sum(d.loss for d in counted),
        play_cost=sum(d.cost for d in counted),
        cube_loss=sum(d.loss for d in cubes),
        cube_cost=sum(d.cost for d in cubes),
        rolls=len(lucks),
        luck=sum(lucks),
        luck_cost=sum(d.luck_cost for d in own),
        result=result,
        adjusted=adjusted,
        all_moves=moves,
        grades=dict(grades),
        cube_errors=dict(Counter(d.kind for d in cubes if d.loss > 0)),
        rolls_by_luck=dict(rolls),
    )
