"""Whose time runs: the chess clock follows what the table shows. Pure but for the clock it holds.

The time runs of whoever the table waits for: the player who moves, until a complete legal play stands on the board,
then the other, who accepts it with Roll. Whoever takes the checkers up again has the clock back, without a new delay.
It stands still between games, while the players have to agree on something, while the camera gives no picture, and
while it is paused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.clock import Clock
from companion.model import BoardsideError, Finding, Side
from companion.snapshot import Phase

if TYPE_CHECKING:
    from companion.clock import ClockSetting
    from companion.snapshot import Snapshot

PLAYING = (Phase.TO_ROLL, Phase.TO_MOVE)


class NoClockError(BoardsideError):
    """The clock was asked for something, and none is in play."""


@dataclass(frozen=True, slots=True)
class ClockPaused:
    """The clock is to stop, or to run again; the table takes this, not the session."""

    at_s: float


class Timekeeper:
    """The clock of one table; the caller sees to it that one thread at a time uses it."""

    def __init__(self, setting: ClockSetting | None) -> None:
        """`setting` None: the table has no clock."""
        self._setting = setting
        self._clock: Clock | None = None
        self._over = False
        self._waits_for: Side | None = None

    def see(self, snapshot: Snapshot, at_s: float) -> None:
        """The table shows `snapshot` from `at_s` on."""
        if self._setting is None:
            return
        playing = snapshot.phase in PLAYING
        if self._clock is None or (playing and self._over and _begins_anew(snapshot)):
            self._clock = Clock.fresh(self._setting, at_s)
        self._over = not playing
        self._waits_for = waits_for(snapshot)
        self._clock = self._clock.run(self._waits_for, len(snapshot.history), at_s)

    def pause(self, at_s: float) -> None:
        """Stop the clock, or start it again. Raises NoClockError."""
        if self._clock is None:
            raise NoClockError("There is no clock to pause: start Boardside with --clock 14+12, for example.")
        self._clock = self._clock.pause(at_s, paused=not self._clock.paused)
        self._clock = self._clock.run(self._waits_for, self._clock.turn, at_s)

    def falls_s(self) -> float | None:
        """When the next flag falls if nothing happens before; None where none does."""
        return None if self._clock is None else self._clock.falls_s

    def shown(self, at_s: float) -> dict[str, Any] | None:
        """The clock as a snapshot has it (`companion.snapshot`), read at `at_s`."""
        if self._clock is None:
            return None
        clock = self._clock.at(at_s)
        return {
            "reserve_s": {str(side): round(clock.reserve_s[n], 1) for n, side in enumerate(Side)},
            "delay_s": {str(side): round(clock.delay_s[n], 1) for n, side in enumerate(Side)},
            "running": None if clock.running is None else str(clock.running),
            "paused": clock.paused,
            "fallen": [str(side) for side in clock.fallen],
        }


def waits_for(snapshot: Snapshot) -> Side | None:
    """Whom the table waits for; None where it waits for nobody in particular."""
    in_question = snapshot.dispute is not None or snapshot.proposal is not None
    stopped = in_question or snapshot.camera is not None
    if stopped or snapshot.on_roll is None or snapshot.phase not in PLAYING:
        return None
    on_roll = Side(snapshot.on_roll)
    offered_by = (snapshot.match or {}).get("offered_by")
    if offered_by:
        return Side(offered_by).opponent
    finding = (snapshot.verdict or {}).get("finding")
    return on_roll.opponent if snapshot.phase is Phase.TO_MOVE and finding == Finding.LEGAL else on_roll


def _begins_anew(snapshot: Snapshot) -> bool:
    """Whether the game that begins gets fresh reserves: each game does, but those of one match share theirs."""
    match, score = snapshot.match or {}, snapshot.score or {}
    return not snapshot.history and (not match.get("length") or not any(score.values()))
