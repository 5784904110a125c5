"""A match as text formats tell it: games, rolls, plays, what was done with the cube, results; nothing is checked here.

Between a file and the record stands a `MatchScript`: `companion.notation.formats` reads and writes it, and
`companion.reenact` plays it through by the rules before any of it counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.model import BoardsideError
from companion.notation.play import format_point

if TYPE_CHECKING:
    from companion.model import Dice, Play, Side


class ScriptError(BoardsideError):
    """A text is no match in its format, or the format cannot tell a match; quotes the offending text."""


class CubeWord(StrEnum):
    """What a player does with the doubling cube."""

    DOUBLES = "doubles"
    BEAVERS = "beavers"
    TAKES = "takes"
    PASSES = "passes"


@dataclass(frozen=True, slots=True)
class ScriptTurn:
    """One turn.

    Attributes:
        side: whose.
        dice: what was rolled, the larger number first; None in a game without dice.
        play: backgammon: single steps in the mover's numbers (`24/18* 18/13`); checkers: a PDN move. Empty where
            nothing was moved: no play existed, or the game ended on the roll.
        note: why the play stands although it was illegal; empty for a legal one.
    """

    side: Side
    dice: Dice | None
    play: str
    note: str = ""

    def __str__(self) -> str:
        dice = "" if self.dice is None else "".join(map(str, self.dice.values)) + ": "
        return f"{self.side.value} {dice}{self.play}".rstrip()


@dataclass(frozen=True, slots=True)
class CubeTurn:
    """`side` does something with the cube; `cube` is the number that it would show, or shows, after a take."""

    side: Side
    word: CubeWord
    cube: int

    def __str__(self) -> str:
        to = f" to {self.cube}" if self.word in (CubeWord.DOUBLES, CubeWord.BEAVERS) else ""
        return f"{self.side.value} {self.word}{to}"


Action = ScriptTurn | CubeTurn


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: `winner` takes `points`; a draw has no winner and no points."""

    winner: Side | None
    points: int


@dataclass(frozen=True, slots=True)
class GameScript:
    """One game; `score` is (White's, Black's) before it, `start` a FEN where it begins elsewhere than usual.

    `result` is None where the game was not played out.
    """

    actions: tuple[Action, ...] = ()
    result: Result | None = None
    score: tuple[int, int] = (0, 0)
    start: str = ""


@dataclass(frozen=True, slots=True)
class MatchScript:
    """A match of `length` points, or (0) a series of games at `stake` a point; `sheet` is empty for the base sheet."""

    game: str
    games: tuple[GameScript, ...] = ()
    length: int = 0
    white: str = ""
    black: str = ""
    sheet: str = ""
    stake: float = 0.0
    jacoby: bool = False
    beavers: bool = False


def single_steps(play: Play) -> str:
    """A backgammon play step by step, as gnubg writes it: `24/18* 18/13 6/5 6/5`."""
    return " ".join(
        f"{format_point(step.source)}/{format_point(step.target)}{'*' * (step.captured is not None)}" for step in play
    )
