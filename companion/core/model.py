"""Values that every room shares: sides, dice, steps, plays, verdicts and messages."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import reduce
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from companion.core.outside import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core.reasons import Reason


PositionT = TypeVar("PositionT")


class BoardsideError(Exception):
    """Base of the errors that Boardside raises; the text quotes the faulty value and says what to do."""


class Side(StrEnum):
    """One of the two players. White sits at the bottom of the picture and moves from 24 to 1."""

    WHITE = "white"
    BLACK = "black"

    @property
    def opponent(self) -> Side:
        """The other player."""
        return Side.BLACK if self is Side.WHITE else Side.WHITE


@dataclass(frozen=True, slots=True)
class Dice:
    """A roll: two numbers from 1 to 6 in the order rolled, or one where the sheet rolls a single die."""

    values: tuple[int, ...]

    def __post_init__(self) -> None:
        """Raise ValueError unless `values` are one or two numbers from 1 to 6."""
        if len(self.values) not in (1, 2) or any(type(v) is not int or not 1 <= v <= 6 for v in self.values):
            raise ValueError(
                f"dice {quoted(list(self.values))} are not one or two whole numbers from 1 to 6, such as [6, 1]"
            )

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers to play, larger first; four for a double."""
        if len(self.values) == 2 and self.values[0] == self.values[1]:
            return self.values * 2
        return self.written

    @property
    def written(self) -> tuple[int, ...]:
        """The numbers in the order in which the field writes, draws and says them: the larger first."""
        return tuple(sorted(self.values, reverse=True))

    def __str__(self) -> str:
        return "-".join(map(str, self.written))


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
    """The kind of a verdict; docs/rule-sheets.md defines each."""

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
    """One of nine parts of the board, with White at the bottom."""

    UPPER_LEFT, UPPER, UPPER_RIGHT = "upper left", "upper middle", "upper right"
    LEFT, MIDDLE, RIGHT = "left", "middle", "right"
    LOWER_LEFT, LOWER, LOWER_RIGHT = "lower left", "lower middle", "lower right"


@dataclass(frozen=True, slots=True)
class Verdict(Generic[PositionT]):
    """The judgement of a board against a turn.

    Attributes:
        finding: the kind of verdict.
        message: one or two sentences for the players, with points or squares and dice.
        reason: with ILLEGAL, the first reason that explains the whole difference; else None.
        also: further reasons, where several rules were broken.
        after: the position on the board; None where it is not certain.
        play: with LEGAL, the play made, in standard notation.
        plays: with AMBIGUOUS, the possible readings, else the legal plays; in standard notation.
        cells: the cells that the message is about, for highlighting (see `companion.core.observation`).
        cause: with UNREADABLE, the cause.
        made: with ILLEGAL, the moves of the mover's checkers, where they can be written as a play.
        reply: the opponent's legal play, made before the legal play `made` was accepted; `after` is the position then.
        readings: the readings that fit the picture if there are several, likeliest first; the players choose one.
        moved: with ILLEGAL, where the mover's checkers went by the explanation that `reason` gives.
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
    reply: str | None = None
    readings: tuple[PossibleReading[PositionT], ...] = ()
    moved: tuple[Moved, ...] = ()

    @property
    def unseen(self) -> bool:
        """Whether the picture cannot be read; a board that was read and fits no play is UNREADABLE too."""
        return self.finding is Finding.UNREADABLE and self.cause is not Cause.UNKNOWN

    @property
    def to_set_up(self) -> bool:
        """Whether the board is to be set up first: for a drawn opening, after a takeback, or for an announced play."""
        return self.message.key in ("ballot.drawn", "taken_back", "announced.other")


@dataclass(frozen=True, slots=True)
class Moved:
    """Where one checker went in an illegal play.

    Attributes:
        source, target: cells (see `companion.core.observation`); None where it appeared, or where it is missing.
        reasons: the rules that it broke; empty for a checker that broke none.
        pips: how far it went, negative backwards; None where no distance is counted.
    """

    source: int | None
    target: int | None
    reasons: tuple[Reason, ...] = ()
    pips: int | None = None


@dataclass(frozen=True, slots=True)
class PossibleReading(Generic[PositionT]):
    """One of several readings of a picture: the verdict on it, and its log-likelihood less that of the likeliest."""

    verdict: Verdict[PositionT]
    nats: float


Fact: TypeAlias = "int | float | str | Side | Part | Dice | Message | tuple[Fact, ...]"
"""A value in a message. A str is language-neutral, such as a play in standard notation or a file name."""


WHERE_NAMED = (Cause.HAND, Cause.GLARE)
"""Causes for which the message names the affected part of the board, if that is known."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message to the players; `companion.texts` renders it in a language.

    Attributes:
        key: key of the text.
        facts: the values of the text's placeholders, by name.
    """

    key: str
    facts: Mapping[str, Fact] = field(default_factory=lambda: MappingProxyType({}))

    def __str__(self) -> str:
        """The key and the facts, for logs."""
        return f"{self.key}({', '.join(f'{name}={fact!s}' for name, fact in self.facts.items())})"


def message(key: str, /, **facts: Fact) -> Message:
    """The message with that key and those facts."""
    return Message(key, MappingProxyType(facts))


def both(first: Message, second: Message) -> Message:
    """Two messages, one after the other."""
    return message("both", first=first, second=second)


def joined(sentences: Sequence[Message]) -> Message | None:
    """Sentences one after the other; None where there are none."""
    return reduce(both, sentences) if sentences else None


def verbatim(text: str) -> Message:
    """A text without translations, such as the error of a disk or a camera."""
    return message("verbatim", text=text)


def either(facts: Sequence[Fact]) -> Fact:
    """At least one alternative as a list: `a`, `a or b`, `a, b or c`."""
    *most, last = facts
    return message("either", first=commas(most), last=last) if most else last


def unreadable(cause: Cause, part: Part | None = None) -> Message:
    """Why a picture cannot be read, in which part of the board if known, and what to do."""
    if part is None or cause not in WHERE_NAMED:
        return message("unreadable", cause=message(f"cause.{cause}"), mend=message(f"mend.{cause}"))
    return message(f"unreadable.{cause}", part=part)


def commas(facts: Sequence[Fact]) -> Fact:
    """At least one fact as a list with commas only: `a, b, c`."""
    *most, last = facts
    return message("comma", first=commas(most), last=last) if most else last


class Refusal(BoardsideError):  # not an error: the usual answer to a tap that comes too early
    """Nothing happens; `message` says why, and `companion.texts.render` has its words."""

    def __init__(self, why: Message) -> None:
        super().__init__(str(why))
        self.message = why
