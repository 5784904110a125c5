"""What the table shows at one moment: the session publishes it, the page and the lights draw it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.events import Ended
    from companion.history import Turn
    from companion.match import Match
    from companion.model import Side
    from companion.phase import Phase


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


class DeedKind(StrEnum):
    """What the players may say besides the three buttons."""

    DOUBLE = "double"
    TAKE = "take"
    BEAVER = "beaver"
    PASS = "pass"  # noqa: S105 - a double is passed
    RESIGN = "resign"
    AGREE_DRAW = "agree_draw"
    CLAIM_DRAW = "claim_draw"
    BEGIN = "begin"


@dataclass(frozen=True, slots=True)
class PossibleDeed:
    """A deed that is possible now; `player` None: it belongs to no player in particular.

    `levels`, with RESIGN: what the game can be lost as.
    """

    kind: DeedKind
    player: Side | None = None
    levels: tuple[str, ...] = ()


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
        verdict: {"finding", "reason", "also", "message", "play", "made", "plays", "cells", "cause"} or None.
        notice: one line about the table itself (why Roll did nothing, "the game stands where it stood", camera lost).
        refused: how often a tap was answered, since the start, with why nothing comes of it.
        hints: [{"play", "equity", "gives_away"}], best first; None when not asked for. `hint_engine` names who says so.
        hint_cube: {"player" (about to roll), "no_double", "double_take" (equities a cube), "doubles", "takes"} or None.
        dispute: {"id", "by", "at_s", "before", "after", "dice", "player", "plays", "doubts", "unsure", "verdict"} while
            the Referee view is open; `before` and `after` are names under which the page finds the pictures, `by` who
            called the referee (None: not known), `at_s` when, `doubts` as below, `unsure` why what was seen
            cannot stand (None: it can).
        proposal: {"id", "remedy", "by", "agreed", "words", "position"}: what waits for both players to agree.
        offers: [{"remedy", "words", "refused"}]: what may be proposed now, or why it may not.
        settled: the disputes of this game that are settled: as `dispute`, with "ruling", "words" and "agreed".
        lost: {"cells", "where"} where the board fits no reading of the game: the cells that differ.
        doubts: of the cells that are not certain {"cell", "label", "contents": [[[white, black], percent, nats], …]}.
        match: the match or series, with its score and the cube; None before the session's first snapshot.
        ended: how the last game ended, until the next begins.
        deeds: what the players may say besides the three buttons.
        picture: version number of the camera picture; rises when the picture changes.
        simulated: whether the table is a simulated one (the page then shows draggable checkers and a panel).
        camera: what is the matter with the camera, None when nothing is.
        storage: why nothing can be recorded (until it can, nothing happens), None when all is well.
        fairness: {"source", "commitment" (None: no seal stands open), "rolls" (under it), "told": {"commitment",
            "secret"} or None, "faces" (six counts), "chi_square", "at_least_as_uneven" (the probability), "words",
            "lying" (the numbers that a camera asked for dice reads now, else None), "enter": {"player"} where dice may
            be entered by hand, else None}; None in a game without dice.
        clock: the chess clock; None without one.
        spoken: the last lines said aloud, oldest first.
        history: the turns of the game, oldest first.
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
    verdict: dict[str, Any] | None = None
    notice: str | None = None
    refused: int = 0
    hints: tuple[dict[str, Any], ...] | None = None
    hint_engine: str | None = None
    hint_cube: dict[str, Any] | None = None
    dispute: dict[str, Any] | None = None
    proposal: dict[str, Any] | None = None
    offers: tuple[dict[str, Any], ...] = ()
    settled: tuple[dict[str, Any], ...] = ()
    lost: dict[str, Any] | None = None
    doubts: tuple[dict[str, Any], ...] = ()
    match: Match | None = None
    ended: Ended | None = None
    deeds: tuple[PossibleDeed, ...] = ()
    picture: int = 0
    simulated: bool = False
    camera: str | None = None
    storage: str | None = None
    fairness: dict[str, Any] | None = None
    clock: ClockView | None = None
    spoken: tuple[SpokenLine, ...] = ()
    history: tuple[Turn, ...] = ()

    @property
    def score(self) -> tuple[int, int] | None:
        """Points of the match or series, (White's, Black's); None where no match is known."""
        return None if self.match is None else self.match.score

    @property
    def offered_by(self) -> Side | None:
        """Who has doubled and waits for the answer; None where no double waits."""
        return None if self.match is None else self.match.offered_by
