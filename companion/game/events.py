"""The events of a record; `companion.game.evolve` applies them to a game. A class's name is its name in the record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from companion.core import PositionT, Side
from companion.game.agreement import Agreed, Declined, Proposed, ReadAs, Remedy, TakenBack, Taps
from companion.game.dice_events import DiceRevealed, DiceSealed, OpeningDrawn, OpeningRolled, Rolled, RollVoided

if TYPE_CHECKING:
    from companion.game.evidence import DisputeEvidence, RecordedVerdict


@dataclass(frozen=True, slots=True)
class MatchBegan:
    """A match of `length` points begins, or (0) a series of games at `stake` a point; the score is 0-0.

    `jacoby`, `beavers`, `crawford`, `automatic_doubles`, `win_points`, `draw_points` and `change_colours` are as in
    `Match`; `white` and `black` are the players' names in the first game, empty if not known.
    """

    length: int
    stake: float = 0.0
    jacoby: bool = False
    beavers: bool = False
    white: str = ""
    black: str = ""
    crawford: bool = True
    automatic_doubles: int = 0
    win_points: int = 1
    draw_points: int = 0
    change_colours: bool = False


@dataclass(frozen=True, slots=True)
class Started(Generic[PositionT]):
    """A game begins.

    Attributes:
        game: the game's name.
        sheet: the name of its rule sheet.
        position: the starting position.
        on_roll: the player who starts; None if the opening roll decides.
        cube: whether it is played with a doubling cube.
        rolls: whether it is played with dice.
    """

    game: str
    sheet: str
    position: PositionT
    on_roll: Side | None = None
    cube: bool = True
    rolls: bool = True


@dataclass(frozen=True, slots=True)
class Played(Generic[PositionT]):
    """`side` played, which led to `after`; `play` is in standard notation, empty if no play existed.

    `condoned` is the reason code of an illegal play that stands because the opponent rolled. `picture` is the name of
    the picture that it was judged by; None if none was kept.
    """

    side: Side
    play: str
    after: PositionT
    condoned: str | None = None
    picture: str | None = None


@dataclass(frozen=True, slots=True)
class Announced:
    """Boardside, which plays `side`, announces its play; people then make it on the board."""

    side: Side
    play: str


@dataclass(frozen=True, slots=True)
class FalseMove:
    """`side` ended the turn with an illegal `play` on the board, which has to be corrected.

    `reason` is its reason code. Counted once per turn; an illegal play that stands is counted by its own event.
    `picture` is as in `Played`.
    """

    side: Side
    reason: str
    play: str = ""
    picture: str | None = None


@dataclass(frozen=True, slots=True)
class Doubled:
    """`side` doubles; `early`: before the other player's turn was finished, after which the double itself follows."""

    side: Side
    early: bool = False


@dataclass(frozen=True, slots=True)
class Beavered:
    """`side` answers a double by redoubling at once and keeps the cube."""

    side: Side


@dataclass(frozen=True, slots=True)
class Taken:
    """`side` takes the double and owns the cube."""

    side: Side


@dataclass(frozen=True, slots=True)
class Passed:
    """`side` passes the double and loses the game at the cube's value before it."""

    side: Side


@dataclass(frozen=True, slots=True)
class Resigned:
    """`side` resigns a game of that kind and loses `points`."""

    side: Side
    kind: str
    points: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """The game is drawn; `how` is "agreement" or the ground of the claim."""

    how: str


@dataclass(frozen=True, slots=True)
class Corrected(Generic[PositionT]):
    """The players state the position on the board.

    Attributes:
        position: that position.
        on_roll: the player on roll; None before the opening roll.
        agreed: the players who agreed; empty if a script set up the board.
        why: the cause: "misread" or "lost"; empty if none was given.
        dice_stay: whether dice that were rolled are still to be played.
    """

    position: PositionT
    on_roll: Side | None
    agreed: Taps = ()
    why: str = ""
    dice_stay: bool = False


@dataclass(frozen=True, slots=True)
class Disputed(Generic[PositionT]):
    """The Referee button was tapped.

    Attributes:
        number: number of the dispute in the record, from 1.
        side: the player on roll.
        seen: the position on the board; None if it was not certain.
        verdict: the verdict on it; None if there was none.
        before, after: names of the pictures kept as evidence; None if there is none.
        by: the player who called the referee; None if that is not known.
        evidence: further evidence; None in old records.
    """

    number: int
    side: Side | None
    seen: PositionT | None
    verdict: RecordedVerdict | None
    before: str | None
    after: str | None
    by: Side | None = None
    evidence: DisputeEvidence | None = None


@dataclass(frozen=True, slots=True)
class Ruled(Generic[PositionT]):
    """A dispute is settled.

    Attributes:
        number: number of the dispute.
        after: the position that counts as played; None if the play is to be corrected on the board.
        ruling: the remedy; None in old records, where it follows from `after`.
        agreed: the players who agreed.
        play: the play that led to `after`, if the players named it.
    """

    number: int
    after: PositionT | None
    ruling: Remedy | None = None
    agreed: Taps = ()
    play: str = ""


SET_UP_WRONG = "set_up"
"""Kind of the end of a game that the players begin again, as its board was set up wrongly."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over: `winner` gets `points`, or each player if it was drawn. `kind` is the kind of win or end."""

    winner: Side | None
    points: int
    kind: str


Event = (
    MatchBegan
    | Started[PositionT]
    | DiceSealed
    | DiceRevealed
    | OpeningRolled
    | OpeningDrawn
    | Rolled
    | RollVoided
    | Announced
    | Played[PositionT]
    | FalseMove
    | Doubled
    | Beavered
    | Taken
    | Passed
    | Resigned
    | Drawn
    | Corrected[PositionT]
    | Disputed[PositionT]
    | Ruled[PositionT]
    | Proposed[PositionT]
    | Agreed
    | Declined
    | TakenBack
    | ReadAs
    | Ended
)
