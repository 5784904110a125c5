"""Events of the dice: commitments, reveals, rolls, repeated rolls, and openings drawn with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core import Dice, Side


@dataclass(frozen=True, slots=True)
class DiceSealed:
    """The commitment to a new secret was shown; the rolls that follow are derived from this secret."""

    commitment: str


@dataclass(frozen=True, slots=True)
class DiceRevealed:
    """The secret behind `commitment` is revealed, in hexadecimal; None: it was lost.

    `rolls` is the number of rolls derived from it; there will be no more.
    """

    commitment: str
    secret: str | None
    rolls: int


@dataclass(frozen=True, slots=True)
class Proof:
    """Inputs of a roll other than the secret.

    Attributes:
        counter: number of the roll under its commitment, from 1.
        tapped_ms: time of the tap on Roll in milliseconds of a monotonic clock with an arbitrary zero.
    """

    counter: int
    tapped_ms: int


@dataclass(frozen=True, slots=True)
class OpeningRolled:
    """The opening roll, one die each; the higher starts, a tie is rolled again.

    `kept`: the starter plays these two numbers. `proof` is None if the dice were not Boardside's.
    """

    white: int
    black: int
    kept: bool = True
    proof: Proof | None = None


AS_BEFORE = "as before"
"""Source of a roll that is replayed after a takeback."""


@dataclass(frozen=True, slots=True)
class OpeningDrawn:
    """The first moves of the game are drawn by lot; they follow as played.

    Attributes:
        opening: the moves in standard notation.
        number: the number of the opening, from 1, among `of` of them.
        thrown: the numbers of the dice, three to a throw, of which the last three drew it; empty if the opening of
            the game before is played again with changed colours.
        proof: what the dice were derived from; None if they were not Boardside's.
    """

    opening: str
    number: int
    of: int
    thrown: str = ""
    proof: Proof | None = None


@dataclass(frozen=True, slots=True)
class Rolled:
    """`side` rolled `dice`; `source` is "fair", "by hand" and so on, `proof` None unless Boardside rolled them.

    `early`: before the other player's turn was finished; the roll is played AS_BEFORE once that turn is over.
    """

    side: Side
    dice: Dice
    source: str
    proof: Proof | None = None
    early: bool = False


@dataclass(frozen=True, slots=True)
class RollVoided:
    """The roll of `side`, which was not played yet, is repeated; `why` in English."""

    side: Side
    why: str
