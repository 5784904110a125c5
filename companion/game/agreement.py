"""What needs both players: rulings, takebacks and agreed positions, from the proposal to the last tap, as events."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic

from companion.core import PositionT, Side

Taps = tuple[Side | None, ...]
"""Who has agreed, in order; None is a tap on a button that both players share."""


class Remedy(StrEnum):
    """What the players may agree on."""

    CORRECTED = "corrected"
    """The play is put right: position and dice stay as they were."""
    STANDS = "stands"
    """The referee was right, and yet what was seen counts as the play."""
    OVERRULED = "overruled"
    """The referee was wrong: what the players say was played counts, or a play it found legal is put right."""
    TAKEBACK = "takeback"
    """The last turn is taken back; the dice stay as they were rolled."""
    POSITION = "position"
    """The players say what stands on the board; the game goes on from there."""


RULINGS = frozenset({Remedy.CORRECTED, Remedy.STANDS, Remedy.OVERRULED})
"""What settles a dispute and nothing else."""


def both_agree(taps: Taps) -> bool:
    """Whether both players have agreed: each by name, or by one tap each on a button they share."""
    return len({side for side in taps if side is not None}) + taps.count(None) > 1


@dataclass(frozen=True, slots=True)
class Proposed(Generic[PositionT]):
    """A remedy is proposed; it counts once both agree, and a new proposal takes its place.

    Attributes:
        number: counts the proposals of the record from 1.
        remedy: which one.
        by: who proposes it, None where that is not known.
        agreed: who agrees by proposing it.
        position: what is to stand, with STANDS, OVERRULED and POSITION; None where nothing new is.
        play: with OVERRULED, the play that was made, where the players named one.
        turn_over: with POSITION, whether the turn is over in it; else the dice, where they lie, are still to be played.
        why: with POSITION, why it was needed: "misread" or "lost".
    """

    number: int
    remedy: Remedy
    by: Side | None
    agreed: Taps = ()
    position: PositionT | None = None
    play: str = ""
    turn_over: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class Agreed:
    """One player (None: one of them) agrees to proposal `number`; the second to do so makes the remedy's own event."""

    number: int
    by: Side | None


@dataclass(frozen=True, slots=True)
class Declined:
    """A player does not agree to proposal `number`, or takes it back: it falls."""

    number: int
    by: Side | None


@dataclass(frozen=True, slots=True)
class TakenBack:
    """By agreement the game stands again as before its end (`end`), as before its last turn (`turn`), or both.

    What was rolled stays rolled, in this turn and in those that follow.
    """

    agreed: Taps
    turn: bool = True
    end: bool = False
