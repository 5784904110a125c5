"""Runs the chess clock by the table's snapshots: decides whose time runs.

The time of the player for whom the table waits runs: the mover's until a complete legal play is on the board, then the
opponent's, who accepts it with Roll. If the mover changes the play again, the mover's time runs again, without a new
delay. If Boardside plays a side, its time runs while it thinks; the person moves its checkers in the person's time. The
clock does not run between games, while the players have to agree, while the camera gives no picture, and
while it is paused.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.clock.chess_clock import ChessClock
from companion.core import BoardsideError, Finding, Side
from companion.game import PLAYING, Phase
from companion.interface import ClockView

if TYPE_CHECKING:
    from companion.clock.chess_clock import ClockSetting
    from companion.interface import Snapshot


class NoClockError(BoardsideError):
    """A clock command arrived, but the table has no clock."""


@dataclass(frozen=True, slots=True)
class ClockPaused:
    """Message to the table (not the session): pause the clock or resume it."""


@dataclass(frozen=True, slots=True)
class SavedClock:
    """State of a clock for storage, with the turn and score to which it belongs.

    Attributes:
        setting: initial reserve and delay.
        reserve_s: (White's, Black's) remaining reserves in seconds.
        turn: number of plays in the game.
        score: (White's, Black's) points; None before the first game.
        running: the player whose time ran; None for nobody's.
        paused: stopped by the players.
    """

    setting: ClockSetting
    reserve_s: tuple[float, float]
    turn: int
    score: tuple[int, int] | None
    running: Side | None = None
    paused: bool = False

    @property
    def moment(self) -> tuple[object, ...]:
        """Everything except the seconds; it changes with every turn and pause."""
        return self.setting, self.turn, self.score, self.running, self.paused

    def belongs_to(self, snapshot: Snapshot) -> bool:
        """Whether this state belongs to the snapshot's game; it may be one play behind after a power cut."""
        plays_since = len(snapshot.history) - self.turn
        return abs(plays_since) <= 1 and self.score == snapshot.score


class ClockController:
    """The clock of one table; use from one thread at a time."""

    def __init__(self, setting: ClockSetting | None, saved: SavedClock | None = None) -> None:
        """`setting` None: the table has no clock. `saved`: the state stored at the last shutdown."""
        self._setting = setting
        self._saved = saved if saved is not None and saved.setting == setting else None
        self._clock: ChessClock | None = None
        self._score: tuple[int, int] | None = None
        self._game_number = 0
        self._colours_changed = False
        self._waits_for: Side | None = None

    def see(self, snapshot: Snapshot, at_s: float) -> None:
        """Process the snapshot that the table shows from `at_s` on."""
        if self._setting is None:
            return
        playing, first = snapshot.phase in PLAYING, self._clock is None
        another = snapshot.number != self._game_number  # not one whose end is taken back
        if self._clock is None or (playing and another and _needs_new_clock(snapshot)):
            self._clock = self._begun(self._setting, snapshot, at_s)
        elif _colours_changed(snapshot) is not self._colours_changed:
            self._clock = self._clock.at(at_s).with_colours_changed()
        self._colours_changed = _colours_changed(snapshot)
        self._score = snapshot.score
        if playing or first:
            self._game_number = snapshot.number
        self._waits_for = waits_for(snapshot)
        self._clock = self._clock.run(self._waits_for, len(snapshot.history), at_s)

    def _begun(self, setting: ClockSetting, snapshot: Snapshot, at_s: float) -> ChessClock:
        """A new clock, or the stored one of the resumed game."""
        saved, self._saved = self._saved, None
        clock = ChessClock.fresh(setting, at_s)
        if saved is None or not saved.belongs_to(snapshot):
            return clock
        return replace(clock, reserve_s=saved.reserve_s, paused=saved.paused)

    @property
    def state(self) -> SavedClock | None:
        """State at the last snapshot, for storage; None without a clock."""
        clock = self._clock
        if clock is None:
            return None
        return SavedClock(clock.setting, clock.reserve_s, clock.turn, self._score, clock.running, clock.paused)

    def pause(self, at_s: float) -> None:
        """Pause the clock, or resume it. Raises NoClockError."""
        if self._clock is None:
            raise NoClockError("There is no clock to pause: start Boardside with --clock 14+12, for example.")
        self._clock = self._clock.pause(at_s, paused=not self._clock.paused)
        self._clock = self._clock.run(self._waits_for, self._clock.turn, at_s)

    def falls_s(self) -> float | None:
        """Time at which the next flag falls if nothing changes before; None if none will."""
        return None if self._clock is None else self._clock.falls_s

    def shown(self, at_s: float) -> ClockView | None:
        """The clock as a snapshot has it, read at `at_s` and rounded to a tenth of a second."""
        if self._clock is None:
            return None
        clock = self._clock.at(at_s)
        return ClockView(
            reserve_s=(round(clock.reserve_s[0], 1), round(clock.reserve_s[1], 1)),
            delay_s=(round(clock.delay_s[0], 1), round(clock.delay_s[1], 1)),
            running=clock.running,
            paused=clock.paused,
            fallen=clock.fallen,
        )


def waits_for(snapshot: Snapshot) -> Side | None:
    """The player for whom the table waits; None if it waits for both or nobody."""
    in_question = snapshot.dispute is not None or snapshot.proposal is not None
    stopped = in_question or snapshot.camera is not None
    if stopped or snapshot.on_roll is None or snapshot.phase not in PLAYING:
        return None
    on_roll = snapshot.on_roll
    if snapshot.offered_by is not None:
        return snapshot.offered_by.opponent
    legal = snapshot.verdict is not None and snapshot.verdict.finding is Finding.LEGAL
    if snapshot.opponent is not None and snapshot.phase is Phase.TO_MOVE:
        thinks = on_roll is snapshot.opponent and snapshot.announced is None and not legal
        return snapshot.opponent if thinks else snapshot.opponent.opponent
    return on_roll.opponent if snapshot.phase is Phase.TO_MOVE and legal else on_roll


def _colours_changed(snapshot: Snapshot) -> bool:
    """Whether each player has the colour that the other had in the first game of the match."""
    return snapshot.match is not None and snapshot.match.colours_changed


def _needs_new_clock(snapshot: Snapshot) -> bool:
    """Whether the clock starts again: with each game of a series, but once per match."""
    match = snapshot.match
    return not snapshot.history and (match is None or not match.length or not any(match.score))
