"""Values that every part of Boardside shares: sides, dice, steps, plays and verdicts."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core.reasons import Reason


PositionT = TypeVar("PositionT")


class BoardsideError(Exception):
    """Base of every error Boardside raises on purpose; its text quotes the bad value and says what to do."""


class Side(StrEnum):
    """One of the two players. White sits at the bottom of the picture and moves from 24 to 1."""

    WHITE = "white"
    BLACK = "black"

    @property
    def opponent(self) -> Side:
        """The other player."""
        return Side.BLACK if self is Side.WHITE else Side.WHITE


def name(side: Side) -> str:
    """The player's name at the head of a sentence: "White" or "Black"."""
    return side.capitalize()


@dataclass(frozen=True, slots=True)
class Dice:
    """What was rolled: one or two numbers from 1 to 6, in the order rolled (one where a sheet rolls a single die)."""

    values: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse anything but one or two numbers from 1 to 6."""
        if len(self.values) not in (1, 2) or any(type(v) is not int or not 1 <= v <= 6 for v in self.values):
            raise ValueError(f"dice {list(self.values)!r} are not one or two whole numbers from 1 to 6, such as [6, 1]")

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers to play, larger first; a double is played four times."""
        if len(self.values) == 2 and self.values[0] == self.values[1]:
            return self.values * 2
        return tuple(sorted(self.values, reverse=True))

    def __str__(self) -> str:
        return "-".join(map(str, sorted(self.values, reverse=True)))


@dataclass(frozen=True, slots=True)
class Step:
    """One checker moved once.

    Backgammon: `source` and `target` in the mover's own numbers, 25 the bar and 0 off; `captured` is the target where
    a blot was hit there. Checkers: squares 1 to 32; `captured` is the square of the piece jumped over.
    """

    source: int
    target: int
    captured: int | None = None


Play = tuple[Step, ...]


class Finding(StrEnum):
    """What the referee found; see the rule sheets' documentation for the reasons that go with ILLEGAL."""

    LEGAL = "legal"
    NOT_MOVED = "not_moved"
    UNFINISHED = "unfinished"
    ILLEGAL = "illegal"
    AMBIGUOUS = "ambiguous"
    UNREADABLE = "unreadable"


class Cause(StrEnum):
    """Why a picture cannot be read."""

    HAND = "hand"
    DARK = "dark"
    GLARE = "glare"
    BLUR = "blur"
    MOVED_CAMERA = "moved_camera"
    UNKNOWN = "unknown"


class Part(StrEnum):
    """A ninth of the board as it is drawn, White at the bottom."""

    UPPER_LEFT, UPPER, UPPER_RIGHT = "upper left", "upper middle", "upper right"
    LEFT, MIDDLE, RIGHT = "left", "middle", "right"
    LOWER_LEFT, LOWER, LOWER_RIGHT = "lower left", "lower middle", "lower right"


@dataclass(frozen=True, slots=True)
class Verdict(Generic[PositionT]):
    """The referee's answer.

    Attributes:
        finding: what was found.
        reason: with ILLEGAL, the first reason code that explains the whole difference; else None.
        also: further reason codes, where several faults were made.
        message: one or two sentences for the players; they name points (or squares) and dice.
        after: the position that stands on the board, where it is certain.
        play: with LEGAL, the play that was made, in standard notation.
        made: with ILLEGAL, what the mover's checkers did, as far as it can be written as a play.
        plays: the readings offered with AMBIGUOUS, else the legal plays; standard notation.
        cells: the cells (see `companion.core.observation`) that the finding speaks of, for highlighting.
        cause: with UNREADABLE, why.
    """

    finding: Finding
    message: Message
    reason: Reason | None = None
    also: tuple[Reason, ...] = ()
    after: PositionT | None = None
    play: str | None = None
    plays: tuple[str, ...] = ()
    cells: tuple[int, ...] = ()
    cause: Cause | None = None
    made: str | None = None


Fact: TypeAlias = "int | float | str | Side | Part | Dice | Message | tuple[Fact, ...]"
"""What a message can name. A str is language-neutral (a play in standard notation, a file's name)."""


WHERE_NAMED = (Cause.HAND, Cause.GLARE)
"""Causes of which the part of the board is named where it is known."""


@dataclass(frozen=True, slots=True)
class Message:
    """One thing to say; `companion.texts` has its words in every language.

    Attributes:
        key: which text.
        facts: the value of each brace in it, by name.
    """

    key: str
    facts: Mapping[str, Fact] = field(default_factory=lambda: MappingProxyType({}))


def message(key: str, /, **facts: Fact) -> Message:
    """The message `key` about `facts`."""
    return Message(key, MappingProxyType(facts))


def both(first: Message, second: Message) -> Message:
    """One sentence after the other."""
    return message("both", first=first, second=second)


def verbatim(text: str) -> Message:
    """A text that no table has, such as the error of a disk or a camera: the same in every language."""
    return message("verbatim", text=text)


def either(facts: Sequence[Fact]) -> Fact:
    """Alternatives as a list: `a`, `a or b`, `a, b or c`. At least one."""
    *most, last = facts
    return message("either", first=_commas(most), last=last) if most else last


def unreadable(cause: Cause, part: Part | None = None) -> Message:
    """Why a picture cannot be read, over which part of the board if that is known, and what to do."""
    if part is None or cause not in WHERE_NAMED:
        return message("unreadable", cause=message(f"cause.{cause}"), mend=message(f"mend.{cause}"))
    return message(f"unreadable.{cause}", part=part)


def _commas(facts: Sequence[Fact]) -> Fact:
    """A list of facts with commas only."""
    *most, last = facts
    return message("comma", first=_commas(most), last=last) if most else last


class Refusal(BoardsideError):  # no mistake, but the ordinary answer to a tap that comes too early
    """Nothing happens; the text tells the players why."""
