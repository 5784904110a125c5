"""Hint engines: rankings of plays, and the protocol of an engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from companion.core import BoardsideError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Dice, Message, Side
    from companion.game import Match
    from companion.hints.cube import CubeAdvice, CubeQuestion


class EngineError(BoardsideError):
    """An engine cannot answer: not installed, ended, or too slow; the message names the engine and the cause."""


FAULTS = (
    BoardsideError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""Exceptions of an engine that cannot answer or has a bug: they cost an answer, and its thread goes on."""


def fault_text(error: Exception) -> str:
    """What to say of one of FAULTS: its message, or its kind where it has none."""
    return str(error) or type(error).__name__


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
        why: facts of the position after it (`companion.hints.why`), ends of sentences about the play.
    """

    play: str
    after: Any
    equity: float
    win: float | None = None
    gammon: float | None = None
    backgammon: float | None = None
    lose_gammon: float | None = None
    lose_backgammon: float | None = None
    why: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best plays, best first, and advice on the cube where requested.

    `engine` names the engine that answered, and `loss` its mean loss for each decision, in the unit of
    equities, if measured; `note` is the error of a preferred engine that failed. `at_a_glance`: a first ranking,
    shown until the engine's answer replaces it.
    """

    plays: tuple[RankedPlay, ...] = field(default=())
    engine: str = ""
    note: str | None = None
    cube: CubeAdvice | None = None
    loss: float | None = None
    at_a_glance: bool = False


@dataclass(frozen=True, slots=True)
class HintRequest:
    """A request to rank the plays of a turn; `dice` is None in a game without dice.

    `turn` is returned with the answer. `plays` is False for advice on the cube alone. `match` says what counts.
    """

    position: Any
    side: Side
    dice: Dice | None
    turn: int
    plays: bool = True
    cube: CubeQuestion | None = None
    match: Match | None = None


class Engine(Protocol):
    """Ranks the plays of a roll."""

    @property
    def name(self) -> str:
        """Name shown on the page."""

    def rank(self, position: Any, side: Side, dice: Dice | None, n: int, match: Match | None = None) -> Ranking:
        """The `n` best plays, fewer where there are fewer, by what counts under the sheet and in `match`.

        `match` None: a game at a stake, in which every kind of win on the sheet counts. Raises EngineError.
        """

    def weigh(self, positions: Sequence[Any], side: Side, match: Match | None = None) -> list[RankedPlay]:
        """Evaluations of `positions` after a play of `side`, in order; their `play` is empty, `match` as for `rank`.

        Raises EngineError.
        """

    def cube(self, question: CubeQuestion) -> CubeAdvice | None:
        """Advice on the cube; None from an engine that does not estimate probabilities. Raises EngineError."""

    def stop(self) -> None:
        """End searches until `ready`, from any thread: they answer at once with what they have found."""

    def ready(self) -> None:
        """Allow full searches again after `stop`."""

    def close(self) -> None:
        """Release processes and files."""
