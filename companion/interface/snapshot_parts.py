"""The parts of a snapshot: light, actions, proposals, offers, readings, dice, clock and spoken lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core import Message, Side
    from companion.dice import DiceName
    from companion.game import CommittedRoll, Remedy, Taps


class Light(StrEnum):
    """The status light."""

    OFF = "off"
    AMBER = "amber"
    """A turn is unfinished, or something is over the board."""
    GREEN = "green"
    """The board shows a complete legal play."""
    RED = "red"
    """The board shows an illegal play, or the camera cannot read it."""
    BLUE = "blue"
    """Ready: waiting for Roll."""


class ActionKind(StrEnum):
    """An action that the players may take besides the three buttons."""

    DOUBLE = "double"
    TAKE = "take"
    BEAVER = "beaver"
    PASS = "pass"  # noqa: S105 - a double is passed
    RESIGN = "resign"
    OFFER_DRAW = "offer_draw"
    CLAIM_DRAW = "claim_draw"
    BEGIN = "begin"


@dataclass(frozen=True, slots=True)
class PossibleAction:
    """An action that is possible now; `player` None: it belongs to no player in particular.

    `levels`, with RESIGN: the possible levels of the resignation.
    """

    kind: ActionKind
    player: Side | None = None
    levels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProposalView:
    """A proposal that waits for both players to agree.

    `by` is who proposed it and `agreed` who has agreed (None: not known); `words` say what is proposed and what to do.
    `reading` is the name of a reading of the board, if one is proposed; `place` is its number among those offered, from
    1. `offer` is a sentence on how the game is to end, if that is proposed.
    """

    number: int
    remedy: Remedy
    by: Side | None = None
    agreed: Taps = ()
    words: Message = field(kw_only=True)
    reading: Message | None = None
    place: int = 0
    offer: Message | None = None


@dataclass(frozen=True, slots=True)
class OfferView:
    """A remedy that may be proposed: its effect, and why it is not possible now (None: it is).

    `words` and `refused` are ends of sentences.
    """

    remedy: Remedy
    words: Message
    refused: Message | None = None


@dataclass(frozen=True, slots=True)
class ReadingView:
    """A reading of the board that the players may choose: its id and name, and whether both have chosen it."""

    reading: str
    words: Message
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class RevealedSecret:
    """The secret behind a commitment, in hexadecimal; None where it was lost."""

    commitment: str
    secret: str | None


@dataclass(frozen=True, slots=True)
class DiceToEnter:
    """Dice that may be entered by hand: those of `player`, None for one die each at the start of a game."""

    player: Side | None


@dataclass(frozen=True, slots=True)
class FairnessView:
    """The dice of the evening.

    Attributes:
        source: where they come from.
        commitment: the open commitment, None without one; `rolls` were made under it.
        revealed: the last revealed secret; `revealed_rolls`: the rolls derived from it.
        faces: how often each number from 1 to 6 was rolled.
        chi_square: the statistic over the six counts.
        words: a sentence on how often fair dice give such a statistic or a larger one.
        lying: the dice on the board as the camera reads them; None if the dice have another source.
        enter: whose dice may be entered by hand; None if none may.
    """

    source: DiceName
    commitment: str | None
    rolls: int
    revealed: RevealedSecret | None
    faces: tuple[int, ...]
    chi_square: float
    words: Message
    lying: tuple[int, ...] | None = None
    enter: DiceToEnter | None = None
    revealed_rolls: tuple[CommittedRoll, ...] = ()


@dataclass(frozen=True, slots=True)
class ClockView:
    """The chess clock at one moment; pairs are (White's, Black's).

    Attributes:
        reserve_s: remaining reserves in seconds, negative after the flag fell.
        delay_s: remaining delays of this turn in seconds.
        running: the player whose time runs; None while the clock is stopped.
        paused: whether the players stopped it.
        fallen: whose flag has fallen.
    """

    reserve_s: tuple[float, float]
    delay_s: tuple[float, float]
    running: Side | None = None
    paused: bool = False
    fallen: tuple[Side, ...] = ()


@dataclass(frozen=True, slots=True)
class PositionCode:
    """The present position in one notation, whose name is `notation`, such as "XGID"."""

    notation: str
    code: str


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """A line that was spoken; `number` rises by one with each line."""

    number: int
    text: str
    language: str
