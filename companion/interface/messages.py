"""Messages to the session: taps, looks at the board, rulings. Each has its time `at_s`, in seconds.

The times come from one monotonic clock; the session has no clock of its own, so that a replay gives the same game.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from companion.core import Dice, Observation, Side
    from companion.game import Remedy
    from companion.hints import Lesson, PlayerDecision, Ranking


class Button(StrEnum):
    """The three buttons of the panel."""

    ROLL = "roll"
    HINT = "hint"
    REFEREE = "referee"


@dataclass(frozen=True, slots=True)
class Tapped:
    """A button was tapped, on the panel or `on_page`; `player` where each player has a button of their own."""

    button: Button
    at_s: float
    player: Side | None = None
    on_page: bool = False


@dataclass(frozen=True, slots=True)
class Saw:
    """A settled look at the board; `picture` is the JPEG it was read from, kept as evidence in a dispute."""

    observation: Observation
    at_s: float
    picture: bytes | None = None


@dataclass(frozen=True, slots=True)
class Stirred:
    """Something moves over the board: the last look is void."""

    at_s: float


@dataclass(frozen=True, slots=True)
class CameraTrouble:
    """The camera has a fault (None: it works again)."""

    message: str | None
    at_s: float


@dataclass(frozen=True, slots=True)
class RecordRetry:
    """After a failed write: test whether the record can be written again."""

    at_s: float


@dataclass(frozen=True, slots=True)
class Ruling:
    """The players settle dispute `dispute`: the play is CORRECTED, or STANDS as it was seen."""

    dispute: int
    choice: Literal[Remedy.CORRECTED, Remedy.STANDS]
    at_s: float


@dataclass(frozen=True, slots=True)
class Proposes:
    """A player (None: not known which) proposes a remedy.

    `dispute` is the one to settle, None if it does not matter; `play` the legal play that was made and
    `position` (in the interface's form) what is on the board, where the player names them; `turn_over`: in that
    position the turn is over. `reading` is the one of several that is on the board, as the snapshot names them.
    """

    remedy: Remedy
    at_s: float
    player: Side | None = None
    dispute: int | None = None
    play: str = ""
    position: Any = None
    turn_over: bool = False
    reading: str = ""


@dataclass(frozen=True, slots=True)
class Agrees:
    """A player agrees to proposal `proposal`."""

    proposal: int
    at_s: float
    player: Side | None = None


@dataclass(frozen=True, slots=True)
class Declines:
    """A player does not agree to proposal `proposal`, or takes it back."""

    proposal: int
    at_s: float
    player: Side | None = None


@dataclass(frozen=True, slots=True)
class SetUp:
    """The position that now stands on the board is known; `on_roll` None: the opening, or the player who rolls next.

    `position` is the ruleset's own position type.
    """

    position: Any
    on_roll: Side | None
    at_s: float


@dataclass(frozen=True, slots=True)
class RolledByHand:
    """`side` accepts the play on the board and has rolled `dice` itself; None: one die each for the start.

    Then White's die is the first.
    """

    side: Side | None
    dice: Dice
    at_s: float


@dataclass(frozen=True, slots=True)
class SecretAsked:
    """The players want the secret behind the dice revealed; later rolls then come from another."""

    at_s: float


@dataclass(frozen=True, slots=True)
class Done:
    """`side` declares the turn finished."""

    side: Side
    at_s: float


@dataclass(frozen=True, slots=True)
class HintsHidden:
    """The hints are hidden."""

    at_s: float


@dataclass(frozen=True, slots=True)
class Hinted:
    """The engine's hints; `turn` says for which turn they were requested; a late answer is dropped."""

    ranking: Ranking
    turn: int
    at_s: float


@dataclass(frozen=True, slots=True)
class Taught:
    """What a play gave away; `turn` says for which turn this was requested; a late answer is dropped."""

    lesson: Lesson
    turn: int
    at_s: float


@dataclass(frozen=True, slots=True)
class Decided:
    """The decision of the opponent's engine; `turn` says for which turn it was requested; a late answer is dropped."""

    decision: PlayerDecision
    turn: int
    at_s: float


class CubeAction(StrEnum):
    """An action with the doubling cube."""

    DOUBLE = "double"
    BEAVER = "beaver"
    TAKE = "take"
    PASS = "pass"  # noqa: S105 - a double is passed


@dataclass(frozen=True, slots=True)
class CubeActed:
    """The player about to roll doubles, or the other one beavers, takes or passes; `player`: who acts, if known."""

    action: CubeAction
    at_s: float
    player: Side | None = None


@dataclass(frozen=True, slots=True)
class Resigns:
    """`side` (None: the player whose turn it is) offers to resign, as `kind`.

    That is "single", "gammon" or "backgammon", in checkers "win"; empty: the lowest level, or the next above the one
    that is offered.
    """

    side: Side | None
    kind: str
    at_s: float


@dataclass(frozen=True, slots=True)
class Draws:
    """The game is to end as a draw: `claimed` by a player, or offered by `player` (None: not known which)."""

    claimed: bool
    at_s: float
    player: Side | None = None


Item = (
    Tapped
    | Saw
    | Stirred
    | CameraTrouble
    | RecordRetry
    | Ruling
    | Proposes
    | Agrees
    | Declines
    | SetUp
    | RolledByHand
    | SecretAsked
    | Done
    | HintsHidden
    | Hinted
    | Taught
    | Decided
    | CubeActed
    | Resigns
    | Draws
)
