"""A match as plain data for text formats: games, rolls, plays, cube actions and results, legal or not.

`companion.transfer` checks an imported match against the rules.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.core import BoardsideError, quoted
from companion.notation.play import format_point

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core import Dice, Play, Side


LARGEST_NUMBER = 10**6
"""Points, games and the cube's number are smaller than this in every format."""
LARGEST_STAKE = 1e12
MOST_NOTE = 200
"""Most letters of a note on why an illegal play stands."""


class ScriptError(BoardsideError):
    """A text cannot be read in its format, or the format cannot express a match; the message quotes the text."""


class CubeWord(StrEnum):
    """An action with the doubling cube."""

    DOUBLES = "doubles"
    BEAVERS = "beavers"
    TAKES = "takes"
    PASSES = "passes"


class WhyItStands(StrEnum):
    """Why an illegal play stands; the note of its turn begins with it, and the rule that was broken may follow."""

    CONDONED = "condoned"
    """The opponent rolled."""
    STANDS = "stands"
    OVERRULED = "overruled"
    AS_AGREED = "as agreed"
    BOTH = "both"

    def note(self, reason: str | None) -> str:
        """The note of a turn that broke the rule `reason`; None: it is not known which."""
        return f"{self}: {reason}" if reason else self.value


def note_in(comment: str) -> str:
    """The note of a turn (`WhyItStands.note`) in its comment; empty for any other comment."""
    return comment[:MOST_NOTE] if comment.partition(": ")[0] in set(WhyItStands) else ""


@dataclass(frozen=True, slots=True)
class ScriptTurn:
    """One turn.

    Attributes:
        side: the mover.
        dice: the roll, larger number first; None in a game without dice.
        play: backgammon: single steps in the mover's numbers (`24/18* 18/13`); checkers: a PDN move. Empty where
            nothing was moved: no play existed, or the game ended on the roll.
        note: why an illegal play stands (`WhyItStands`); empty for a legal play.
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
    """A cube action of `side`; `cube` is its number after the offered double is taken."""

    side: Side
    word: CubeWord
    cube: int

    def __str__(self) -> str:
        to = f" to {self.cube}" if self.word in (CubeWord.DOUBLES, CubeWord.BEAVERS) else ""
        return f"{self.side.value} {self.word}{to}"


Action = ScriptTurn | CubeTurn


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended; a draw has no winner, and `points` are each player's."""

    winner: Side | None
    points: int


@dataclass(frozen=True, slots=True)
class GameScript:
    """One game.

    Attributes:
        actions: turns and cube actions in order.
        result: the result; None where the game was not finished.
        score: (White's, Black's) points before it.
        start: FEN of the starting position where it is not the usual one, else empty.
    """

    actions: tuple[Action, ...] = ()
    result: Result | None = None
    score: tuple[int, int] = (0, 0)
    start: str = ""


@dataclass(frozen=True, slots=True)
class MatchScript:
    """A match of `length` points, or (0) a series of games at `stake` a point; `sheet` is empty for the base sheet.

    `crawford`: whether a match has a Crawford game. `win_points`, `draw_points`: points for winning a single game, and
    of each player for a draw. `change_colours`: the players change colours after every finished game, and their points
    go with them (`white` and `black` are their names in the first game). `cut`: why the script ends before the match
    does; empty if it is complete.
    """

    game: str
    games: tuple[GameScript, ...] = ()
    length: int = 0
    white: str = ""
    black: str = ""
    sheet: str = ""
    stake: float = 0.0
    jacoby: bool = False
    beavers: bool = False
    crawford: bool = True
    win_points: int = 1
    draw_points: int = 0
    change_colours: bool = False
    cut: str = ""


def cut_short(script: MatchScript, lacks: Callable[[Action], str]) -> MatchScript:
    """The match up to the first action that a format cannot express; `lacks` says why not, empty if it can.

    Raises ScriptError where nothing comes before it.
    """
    for number, game in enumerate(script.games):
        for place, action in enumerate(game.actions):
            if not lacks(action):
                continue
            cut = f"game {number + 1}, {action}: {lacks(action)}"
            if not number + place:
                raise ScriptError(cut)
            begun = (replace(game, actions=game.actions[:place], result=None),) if place else ()
            return replace(script, games=(*script.games[:number], *begun), cut=cut)
    return script


NAMELESS = ("White", "Black")
"""Names of White and Black in a text where the players have none."""


def read_names(white: str, black: str) -> tuple[str, str]:
    """(White's, Black's) names in a text; a name from NAMELESS becomes empty."""
    white, black = ("" if name == nameless else name for name, nameless in zip((white, black), NAMELESS, strict=True))
    return white, black


ENDS = "Ends"
"""The field in which a text says why it ends before its match does."""


def single_steps(play: Play) -> str:
    """Write a backgammon play step by step, as gnubg does: `24/18* 18/13 6/5 6/5`."""
    return " ".join(
        f"{format_point(step.source)}/{format_point(step.target)}{'*' * (step.captured is not None)}" for step in play
    )


def whole_number(text: str, what: str) -> int:
    """A number of points or games from a text. Raises ScriptError, which names it by `what`."""
    number = int(text) if text.isdecimal() and len(text) <= len(str(LARGEST_NUMBER)) else LARGEST_NUMBER
    if number >= LARGEST_NUMBER:
        raise ScriptError(f"{what} {quoted(text)} is not a whole number below {LARGEST_NUMBER:,}")
    return number


def stake_in(text: str) -> float:
    """The stake a point from a text. Raises ScriptError."""
    try:
        stake = float(text)
    except ValueError:
        stake = -1.0
    if not 0 <= stake < LARGEST_STAKE:
        raise ScriptError(f"the stake {quoted(text)} is not a number from 0 to {LARGEST_STAKE:g}")
    return stake


def doubled(cube: int) -> int:
    """The cube's number after a double. Raises ScriptError where no cube shows that."""
    if 2 * cube >= LARGEST_NUMBER:
        raise ScriptError(f"a double to {2 * cube}: there is no such cube")
    return 2 * cube
