"""Ranking plays: engines behind one Protocol."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from companion.model import BoardsideError

if TYPE_CHECKING:
    from companion.hints.cube import CubeAdvice, CubeQuestion
    from companion.model import Dice, Side


class EngineError(BoardsideError):
    """An engine that cannot answer: not installed, died, or too slow; the text says which and why."""


@dataclass(frozen=True, slots=True)
class RankedPlay:
    """One play and what an engine thinks of it.

    Attributes:
        play: standard notation.
        after: the position after it (the ruleset's own type).
        equity: points the mover wins on average in a game without a cube, by the engine's estimate; checkers: how many
            men the mover is ahead.
        win, gammon, backgammon: how likely the mover wins at all, wins at least double, wins triple; None where
            the engine does not say.
        lose_gammon, lose_backgammon: the same for the opponent's wins.
    """

    play: str
    after: Any
    equity: float
    win: float | None = None
    gammon: float | None = None
    backgammon: float | None = None
    lose_gammon: float | None = None
    lose_backgammon: float | None = None


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best plays, best first, and what to do with the cube where that was asked.

    `engine` names who says so, `note` what went wrong with a better one.
    """

    plays: tuple[RankedPlay, ...] = field(default=())
    engine: str = ""
    note: str | None = None
    cube: CubeAdvice | None = None


@dataclass(frozen=True, slots=True)
class HintRequest:
    """A turn whose plays are to be ranked; `dice` is None in a game without, `turn` comes back with the answer.

    `plays` is False where the cube alone is asked about.
    """

    position: Any
    side: Side
    dice: Dice | None
    turn: int
    plays: bool = True
    cube: CubeQuestion | None = None


class Engine(Protocol):
    """Ranks the plays of a roll."""

    @property
    def name(self) -> str:
        """What the page calls the engine."""

    def rank(self, position: Any, side: Side, dice: Dice | None, n: int) -> Ranking:
        """The `n` best plays, fewer where there are fewer. Raises EngineError."""

    def cube(self, question: CubeQuestion) -> CubeAdvice | None:
        """What to do with the cube; None where the engine does not know the chances. Raises EngineError."""

    def close(self) -> None:
        """Release what the engine holds."""
