"""Hint engines: rankings of plays, and the protocol of an engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from companion.core import BoardsideError

if TYPE_CHECKING:
    from companion.core import Dice, Side
    from companion.hints.cube import CubeAdvice, CubeQuestion


class EngineError(BoardsideError):
    """An engine cannot answer: not installed, ended, or too slow; the message names the engine and the cause."""


@dataclass(frozen=True, slots=True)
class RankedPlay:
    """One play with an engine's evaluation.

    Attributes:
        play: standard notation.
        after: the position after it, in the ruleset's type.
        equity: the mover's expected points in a game without a cube; checkers: the mover's lead in men.
        win, gammon, backgammon: probabilities (0 to 1) that the mover wins at all, at least a gammon, a backgammon;
            None where the engine does not estimate them.
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
    """The best plays, best first, and advice on the cube where requested.

    `engine` names the engine that answered; `note` is the error of a preferred engine that failed.
    """

    plays: tuple[RankedPlay, ...] = field(default=())
    engine: str = ""
    note: str | None = None
    cube: CubeAdvice | None = None


@dataclass(frozen=True, slots=True)
class HintRequest:
    """A request to rank the plays of a turn; `dice` is None in a game without dice.

    `turn` is returned with the answer. `plays` is False for advice on the cube alone.
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
        """Name shown on the page."""

    def rank(self, position: Any, side: Side, dice: Dice | None, n: int) -> Ranking:
        """The `n` best plays, fewer where there are fewer. Raises EngineError."""

    def cube(self, question: CubeQuestion) -> CubeAdvice | None:
        """Advice on the cube; None from an engine that does not estimate probabilities. Raises EngineError."""

    def close(self) -> None:
        """Release processes and files."""
