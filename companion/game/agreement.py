"""Events of what both players must agree to: rulings, takebacks, corrected positions, and what a picture shows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Generic

from companion.core import PositionT, Side

if TYPE_CHECKING:
    from companion.game.evidence import NamedReading

Taps = tuple[Side | None, ...]
"""The players who agreed, in order; None is a tap on a button that both players share."""


class Remedy(StrEnum):
    """What the players can agree to."""

    CORRECTED = "corrected"
    """The play is corrected on the board; position and dice stay as before it."""
    STANDS = "stands"
    """The referee was right, but the play that was seen counts."""
    OVERRULED = "overruled"
    """The referee was wrong: the play that the players name counts, or a play it found legal is corrected."""
    TAKEBACK = "takeback"
    """The last turn is taken back; the dice stay as they were rolled."""
    POSITION = "position"
    """The players state the position on the board; the game goes on from there."""
    READING = "reading"
    """Where the picture leaves several readings, the players say which of them is on the board."""
    BOTH = "both"
    """A legal play and the opponent's reply to it, made before it was accepted, both count."""
    SET_UP = "set_up"
    """The board was set up wrongly: the game is begun again, and nobody scores."""
    RESIGNATION = "resignation"
    """A player offers to resign at a level, which the opponent accepts or refuses."""
    DRAW = "draw"
    """A player offers a draw, which the opponent accepts or refuses."""


RULINGS = frozenset({Remedy.CORRECTED, Remedy.STANDS, Remedy.OVERRULED})
"""Remedies that exist only in a dispute."""
ENDINGS = frozenset({Remedy.RESIGNATION, Remedy.DRAW})
"""Remedies that end the game: one player offers them, the other answers."""


def both_agree(taps: Taps) -> bool:
    """Whether both players have agreed, each by name or by one tap each on a shared button.

    One name and one tap are not enough: the player who proposed on a phone could grant it on the shared button.
    """
    return taps.count(None) > 1 or taps.count(Side.WHITE) * taps.count(Side.BLACK) > 0


@dataclass(frozen=True, slots=True)
class Proposed(Generic[PositionT]):
    """A remedy is proposed; it takes effect once both players agree. It replaces an earlier proposal.

    Attributes:
        number: number of the proposal in the record, from 1.
        remedy: the remedy.
        by: the player who proposes it; None if that is not known.
        agreed: the players who agree by proposing it.
        position: with STANDS, OVERRULED and POSITION, the new position; None if the position stays.
        play: with OVERRULED, the play that was made, if the players named one; with BOTH, the first play.
        reply: with BOTH, the opponent's reply.
        turn_over: with POSITION, whether the turn is over; else dice that were rolled are still to be played.
        why: with POSITION, the cause: "misread" or "lost".
        reading: with READING, the reading named, and what it was seen in.
        level: with RESIGNATION, what the game is lost as.
    """

    number: int
    remedy: Remedy
    by: Side | None
    agreed: Taps = ()
    position: PositionT | None = None
    play: str = ""
    turn_over: bool = False
    why: str = ""
    reading: NamedReading | None = None
    reply: str = ""
    level: str = ""


@dataclass(frozen=True, slots=True)
class Agreed:
    """A player (None: one of the two) agrees to proposal `number`; after the second, the remedy's own event follows."""

    number: int
    by: Side | None


@dataclass(frozen=True, slots=True)
class Declined:
    """A player rejects or withdraws proposal `number`."""

    number: int
    by: Side | None


@dataclass(frozen=True, slots=True)
class TakenBack:
    """By agreement the end of the game (`end`), its last turn (`turn`), or both are undone.

    The rolls are not undone: the same dice are played again.
    """

    agreed: Taps
    turn: bool = True
    end: bool = False


@dataclass(frozen=True, slots=True)
class ReadAs:
    """Both players say which reading is on the board; it holds in this turn while the board looks the same."""

    reading: NamedReading
    agreed: Taps
