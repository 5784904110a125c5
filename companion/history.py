"""What a game remembers: the turns played, the disputes settled, and how it stood before it ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from companion.model import BoardsideError, Dice, PositionT, Side

if TYPE_CHECKING:
    from companion.agreement import Remedy, Taps
    from companion.events import Disputed
    from companion.match import Match


class OutOfTurnError(BoardsideError):
    """An event that cannot follow what happened before it."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn as the history tells it; `note` is empty for an ordinary play, `dice` None in a game without dice.

    `before` is the position it began with, and `cube` what the cube then showed.
    """

    side: Side
    dice: Dice | None
    play: str
    note: str = ""
    before: Any = None
    cube: int = 1


@dataclass(frozen=True, slots=True)
class Settled(Generic[PositionT]):
    """A dispute and what the players agreed on."""

    dispute: Disputed[PositionT]
    ruling: Remedy
    agreed: Taps = ()


@dataclass(frozen=True, slots=True)
class BeforeEnd:
    """What the end of a game put away."""

    match: Match
    dice: Dice | None


def owed_roll(owed: tuple[tuple[Side, Dice], ...], side: Side | None, count: int) -> Dice | None:
    """The dice that `side` rolled before a takeback and now rolls again; None where there are none of that number."""
    if owed and owed[0][0] is side and len(owed[0][1].values) == count:
        return owed[0][1]
    return None
