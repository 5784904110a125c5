"""What the table shows at one moment: the session publishes it, the page and the lights draw it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from companion.core import WHITE_AND_BLACK

if TYPE_CHECKING:
    from companion.core import Message, Names, Side, Verdict
    from companion.dice import DiceName
    from companion.game import Disputed, DoubtfulCell, Early, Ended, Match, Phase, Remedy, Settled, Taps, Turn
    from companion.hints import Ranking


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
    """What the players may say besides the three buttons."""

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

    `levels`, with RESIGN: what the game can be lost as.
    """

    kind: ActionKind
    player: Side | None = None
    levels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProposalView:
    """A proposal that waits for both players to agree.

    `by` is who proposed it and `agreed` who has agreed (None: not known); `words` say what is proposed and what to do.
    `reading` is what a reading of the board is called, where one is named; `place` is its number among those offered,
    from 1.
    `offer` is a sentence that says how the game is to end, where that is what is proposed.
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
    """A remedy that may be proposed: what happens then, and why it is not possible now (None: it is).

    `words` and `refused` are ends of sentences.
    """

    remedy: Remedy
    words: Message
    refused: Message | None = None


@dataclass(frozen=True, slots=True)
class ReadingView:
    """A reading of the board that the players may name: what it is called, and whether both have named it."""

    reading: str
    words: Message
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class LostBoard:
    """The cells in which the board differs from the game; `where` names them in words."""

    cells: tuple[int, ...]
    where: Message


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
        commitment: the open commitment, None where there is none; `rolls` were made under it.
        revealed: the secret revealed last.
        faces: how often each number from 1 to 6 was rolled.
        chi_square: the statistic over the six counts, and `at_least_as_uneven` the probability that fair dice give
            such a statistic or a larger one.
        words: the same in words.
        lying: the numbers that the camera reads now; None where it is not asked for dice.
        enter: whose dice may be entered by hand; None where none may.
    """

    source: DiceName
    commitment: str | None
    rolls: int
    revealed: RevealedSecret | None
    faces: tuple[int, ...]
    chi_square: float
    at_least_as_uneven: float
    words: Message
    lying: tuple[int, ...] | None = None
    enter: DiceToEnter | None = None


@dataclass(frozen=True, slots=True)
class ClockView:
    """The chess clock as it was read; pairs are (White's, Black's).

    Attributes:
        reserve_s: what is left of each reserve, in seconds, negative after the flag fell.
        delay_s: what is left of each delay in this turn, in seconds.
        running: whose time runs; None while nobody's does.
        paused: stopped by the players.
        fallen: whose flag has fallen.
    """

    reserve_s: tuple[float, float]
    delay_s: tuple[float, float]
    running: Side | None = None
    paused: bool = False
    fallen: tuple[Side, ...] = ()


@dataclass(frozen=True, slots=True)
class PositionCode:
    """The moment on the table in one notation: `notation` is its name, such as "XGID"."""

    notation: str
    code: str


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """A line that was said aloud; `number` rises by one with each line."""

    number: int
    text: str
    language: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything the page, the lights, the clock and the announcer show; plays are in standard notation.

    Attributes:
        version: rises by one with each snapshot.
        phase, light: where the evening stands and what the status light shows.
        game, sheet: which game is refereed by which rule sheet.
        position: position of record at the start of the turn.
        seen: the position last read from the board, None while it cannot be read.
        doubtful: points (White's numbers), "bar" or "off" of `seen` the camera is not certain of.
        on_roll: who rolls or moves; None before the opening roll.
        dice: numbers rolled, in the order shown on the LED dice; the opening roll has White's die first.
        verdict: the referee's answer, None where there is nothing to judge.
        notice: what is said about the table itself (why Roll did nothing, "the game stands where it stood").
        refused: how often a tap was answered, since the start, with why nothing comes of it.
        hints: the best plays and the advice on the cube; None when not asked for.
        dispute: the open dispute, while the Referee view is open.
        proposal: what waits for both players to agree.
        offers: what may be proposed now, or why it may not.
        readings: the readings that the picture leaves, where the players may say which is on the board.
        settled: the settled disputes of this game, oldest first.
        lost: where the board differs, when it fits no reading of the game.
        doubts: the cells that are not certain.
        match: the match or series, with its score and the cube; None before the session's first snapshot.
        early: what a player did before the other's turn was finished, which stands.
        ended: how the last game ended, until the next begins.
        actions: what the players may say besides the three buttons.
        picture: version number of the camera picture; rises when the picture changes.
        simulated: whether the table is a simulated one (the page then shows draggable checkers and a panel).
        camera: what is the matter with the camera, None when nothing is.
        storage: why nothing can be recorded (until it can, nothing happens), None when all is well.
        fairness: the dice of the evening; None in a game without dice.
        clock: the chess clock; None without one.
        ids: the moment on the table in the notations that can express it, to open it in other programs.
        spoken: the last lines said aloud, oldest first.
        false_moves: how many false moves White and Black have made in the match or series.
        history: the turns of the game, oldest first.
        names: what the players are called.
        tiles: whether the board is laid of tiles: players then speak of spaces, counted forward.
    """

    version: int
    phase: Phase
    light: Light
    game: str
    sheet: str
    position: dict[str, Any] | None = None
    seen: dict[str, Any] | None = None
    doubtful: tuple[int | str, ...] = ()
    on_roll: Side | None = None
    dice: tuple[int, ...] | None = None
    verdict: Verdict[Any] | None = None
    notice: Message | None = None
    refused: int = 0
    hints: Ranking | None = None
    dispute: Disputed[Any] | None = None
    proposal: ProposalView | None = None
    offers: tuple[OfferView, ...] = ()
    readings: tuple[ReadingView, ...] = ()
    settled: tuple[Settled[Any], ...] = ()
    lost: LostBoard | None = None
    doubts: tuple[DoubtfulCell, ...] = ()
    match: Match | None = None
    early: Early | None = None
    ended: Ended | None = None
    actions: tuple[PossibleAction, ...] = ()
    picture: int = 0
    simulated: bool = False
    camera: Message | None = None
    storage: Message | None = None
    fairness: FairnessView | None = None
    clock: ClockView | None = None
    ids: tuple[PositionCode, ...] = ()
    spoken: tuple[SpokenLine, ...] = ()
    false_moves: tuple[int, int] = (0, 0)
    history: tuple[Turn, ...] = ()
    names: Names = WHITE_AND_BLACK
    tiles: bool = False

    @property
    def score(self) -> tuple[int, int] | None:
        """Points of the match or series, (White's, Black's); None where no match is known."""
        return None if self.match is None else self.match.score

    @property
    def offered_by(self) -> Side | None:
        """Who has doubled and waits for the answer; None where no double waits."""
        return None if self.match is None else self.match.offered_by
