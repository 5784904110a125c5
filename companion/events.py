"""What can happen at the table, each as a value; the record keeps them, and `companion.game` says what they lead to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic

from companion.model import Dice, PositionT, Side


@dataclass(frozen=True, slots=True)
class MatchBegan:
    """The players begin a match of `length` points, or (0) a series of games at `stake` a point; the score is nil.

    `white` and `black` are the players' names, where they are known; `beavers` says that whoever is doubled may
    double back at once and keep the cube.
    """

    length: int
    stake: float = 0.0
    jacoby: bool = False
    beavers: bool = False
    white: str = ""
    black: str = ""


@dataclass(frozen=True, slots=True)
class Started(Generic[PositionT]):
    """A game begins: which one by which sheet, from where; `on_roll` is None until the opening roll decides.

    `cube` and `rolls` say whether it is played with a doubling cube, and with dice.
    """

    game: str
    sheet: str
    position: PositionT
    on_roll: Side | None = None
    cube: bool = True
    rolls: bool = True


@dataclass(frozen=True, slots=True)
class OpeningRolled:
    """One die each for the start; a tie is rolled again, `kept` says that the starter plays these two numbers."""

    white: int
    black: int
    kept: bool = True


@dataclass(frozen=True, slots=True)
class Rolled:
    """`side` rolled `dice`; `source` names where they came from ("fair", "by hand", …)."""

    side: Side
    dice: Dice
    source: str


@dataclass(frozen=True, slots=True)
class Played(Generic[PositionT]):
    """`side` played, and `after` stands. `play` is in standard notation, empty where no play existed.

    `condoned` is the reason why the play was illegal, where the opponent let it stand by rolling.
    """

    side: Side
    play: str
    after: PositionT
    condoned: str | None = None


@dataclass(frozen=True, slots=True)
class Doubled:
    """`side`, about to roll, offers the cube at twice its number."""

    side: Side


@dataclass(frozen=True, slots=True)
class Beavered:
    """`side`, asked to take a double, doubles back at once and keeps the cube."""

    side: Side


@dataclass(frozen=True, slots=True)
class Taken:
    """`side` takes the double and owns the cube."""

    side: Side


@dataclass(frozen=True, slots=True)
class Passed:
    """`side` passes the double: the game is over, and the other wins what the cube showed."""

    side: Side


@dataclass(frozen=True, slots=True)
class Resigned:
    """`side` gives the game up as `kind`, which costs `points`: the game is over."""

    side: Side
    kind: str
    points: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """The game is a draw: `how` is "agreement" or what was claimed."""

    how: str


@dataclass(frozen=True, slots=True)
class Corrected(Generic[PositionT]):
    """The players say what stands on the board, and who is on roll (None: whoever rolls next)."""

    position: PositionT
    on_roll: Side | None


@dataclass(frozen=True, slots=True)
class Disputed(Generic[PositionT]):
    """The Referee button was tapped.

    Attributes:
        number: counts the disputes of the record from 1.
        side: who was on roll.
        seen: the position that stood on the board, None where it was not certain.
        verdict: the referee's answer as JSON ({"finding", "reason", "message", …}), None where there was none.
        before, after: names of the pictures kept as evidence, None where there is none.
    """

    number: int
    side: Side | None
    seen: PositionT | None
    verdict: dict[str, Any] | None
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Ruled(Generic[PositionT]):
    """A dispute is settled: `after` stands as played, or None: the play is put right (position and dice stay)."""

    number: int
    after: PositionT | None


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over: `winner` takes `points`; None where it was left unfinished. `kind` is the sheet's word."""

    winner: Side | None
    points: int
    kind: str


Event = (
    MatchBegan
    | Started[PositionT]
    | OpeningRolled
    | Rolled
    | Played[PositionT]
    | Doubled
    | Beavered
    | Taken
    | Passed
    | Resigned
    | Drawn
    | Corrected[PositionT]
    | Disputed[PositionT]
    | Ruled[PositionT]
    | Ended
)
