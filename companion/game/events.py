"""Events as values; the record keeps them, and `companion.game.evolve` applies them to a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from companion.core import Dice, PositionT, Side
from companion.game.agreement import Agreed, Declined, Proposed, Remedy, TakenBack, Taps

if TYPE_CHECKING:
    from companion.game.evidence import DisputeEvidence, RecordedVerdict


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
class DiceSealed:
    """The commitment to a new secret was shown; all rolls from now on follow from it."""

    commitment: str


@dataclass(frozen=True, slots=True)
class DiceRevealed:
    """The secret behind `commitment`, in hexadecimal, is told: no more rolls follow from it. None: it was lost.

    `rolls` is how many followed from it.
    """

    commitment: str
    secret: str | None
    rolls: int


@dataclass(frozen=True, slots=True)
class Proof:
    """What a roll followed from besides the secret: its number under the seal, from 1, and when Roll was tapped.

    `tapped_ms` is in milliseconds on the machine's own clock, which begins anywhere.
    """

    counter: int
    tapped_ms: int


@dataclass(frozen=True, slots=True)
class OpeningRolled:
    """One die each for the start; a tie is rolled again, `kept` says that the starter plays these two numbers.

    `proof` is of sealed dice, White's die being the first.
    """

    white: int
    black: int
    kept: bool = True
    proof: Proof | None = None


AS_BEFORE = "as before"
"""The source of dice that were rolled before a takeback and lie again."""


@dataclass(frozen=True, slots=True)
class Rolled:
    """`side` rolled `dice`; `source` names where they came from ("fair", "by hand", …), `proof` is of sealed dice."""

    side: Side
    dice: Dice
    source: str
    proof: Proof | None = None


@dataclass(frozen=True, slots=True)
class RollVoided:
    """The roll of `side`, not played yet, does not count and is repeated; `why` in words."""

    side: Side
    why: str


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
    """The players say what stands on the board, and who is on roll (None: whoever rolls next).

    `agreed` says who, where both had to agree; `why` it was needed; `dice_stay` that the dice that lie are to be played
    from there.
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
        number: counts the disputes of the record from 1.
        side: who was on roll.
        seen: the position that stood on the board, None where it was not certain.
        verdict: the referee's answer, None where there was none.
        before, after: names of the pictures kept as evidence, None where there is none.
        by: who called the referee, None where that is not known.
        evidence: what else was frozen; None in old records.
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
    """A dispute is settled: `after` stands as played, or None: the play is put right (position and dice stay).

    `ruling` says how (None in old records: "stands" or "corrected"), `agreed` by whom, `play` as what `after` counts,
    where the players named a play.
    """

    number: int
    after: PositionT | None
    ruling: Remedy | None = None
    agreed: Taps = ()
    play: str = ""


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over: `winner` takes `points`; None where it was left unfinished. `kind` is the sheet's word."""

    winner: Side | None
    points: int
    kind: str


Event = (
    MatchBegan
    | Started[PositionT]
    | DiceSealed
    | DiceRevealed
    | OpeningRolled
    | Rolled
    | RollVoided
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
    | Proposed[PositionT]
    | Agreed
    | Declined
    | TakenBack
    | Ended
)
