"""The state that the page shows: newest snapshot and picture. Passes taps on to the session."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.clock import ClockController
from companion.game import Phase
from companion.interface import Light, Snapshot
from companion.settings import Busy, busy

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from companion.analysis import AnalysedMatches
    from companion.app.board_tracker import CornerMarking
    from companion.app.film_player import FilmPlayer
    from companion.app.light_meter import LightMeter
    from companion.clock import ClockFile, ClockSetting
    from companion.core import Message
    from companion.interface import Item
    from companion.record import Record
    from companion.seats import SeatDesk
    from companion.session import Session
    from companion.settings import SettingsDesk
    from companion.speech import SpeechOutput
    from hardware.panel import Panel
    from vision.simulation import SimulatedTable


@dataclass(frozen=True, slots=True)
class TableClock:
    """The chess clock of a table.

    Attributes:
        timing: the time control; None: there is no clock.
        now_s: returns the time in seconds.
        file: stores its state for a restart; None: not stored.
    """

    timing: ClockSetting | None = None
    now_s: Callable[[], float] = time.monotonic
    file: ClockFile | None = None


WITHOUT_CLOCK = TableClock()


class Table:
    """The newest snapshot and picture (implements `web.TableView`). Thread-safe."""

    def __init__(
        self,
        game: str,
        sheet: str,
        *,
        simulated: SimulatedTable | None = None,
        clock: TableClock = WITHOUT_CLOCK,
        speech: SpeechOutput | None = None,
    ) -> None:
        """A table without a session; see `attach`. `speech` announces events (None: silent)."""
        self.simulated = simulated
        self.marking: CornerMarking | None = None
        self.meter: LightMeter | None = None
        self.seats: SeatDesk | None = None
        self.settings: SettingsDesk | None = None
        self.film: FilmPlayer | None = None
        self._session: Session[Any] | None = None
        self._panel: Panel | None = None
        self._record: Record | None = None
        self._clock_file = clock.file if clock.timing is not None else None
        saved = None if self._clock_file is None else self._clock_file.load()
        self._clock_controller = ClockController(clock.timing, saved)
        self._clock = clock.now_s
        self._speech = speech
        self._changed = threading.Condition()
        self._version = 1
        self._picture: tuple[int, bytes] | None = None
        self.analyses: AnalysedMatches | None = None
        self._analysis: tuple[Message, ...] = ()
        self._latest = Snapshot(1, Phase.WAITING, Light.OFF, game, sheet, simulated=simulated is not None)

    @property
    def panel(self) -> Panel | None:
        """The panel beside the board; None: there is none to check."""
        return self._panel

    def attach(self, session: Session[Any], *, panel: Panel | None = None, record: Record | None = None) -> None:
        """Connect the session that gets taps, the panel that shows snapshots, and the record with evidence."""
        self._session, self._panel, self._record = session, panel, record

    def publish(self, snapshot: Snapshot) -> None:
        """Show a snapshot from the session on the panel and on every page."""
        with self._changed:
            self._clock_controller.see(snapshot, self._clock())
        self._light(snapshot)
        with self._changed:
            if self._speech is not None:
                self._speech.see(replace(snapshot, clock=self._clock_controller.shown(self._clock())))
                snapshot = self._speech.shown(snapshot)
            self._latest = snapshot
            if snapshot.ended is None:
                self._analysis = ()
            self._notify()
        if self.analyses is not None:
            self.analyses.see(snapshot)

    def tick(self) -> None:
        """Call about once a second: publishes a fallen flag and stores the clock for a restart."""
        with self._changed:
            falls_s, latest, state = self._clock_controller.falls_s(), self._latest, self._clock_controller.state
        if self._clock_file is not None:
            self._clock_file.save(state)
        if self._panel is not None:
            self._panel.tick()
        if falls_s is not None and falls_s <= self._clock():
            self.publish(latest)

    def silenced(self) -> AbstractContextManager[object]:
        """A context in which nothing is spoken and no snapshot is published: it holds the table's lock."""
        return self._changed

    def between_games(self) -> bool:
        """Whether no game is on, so that a board may be learned."""
        return self.snapshot().phase in (Phase.WAITING, Phase.OVER)

    def before_first_roll(self) -> bool:
        """Whether no game is on; one begins with the first roll, even if the board was set up before."""
        return busy(self.snapshot()) is not Busy.GAME

    def pause_clock(self) -> None:
        """Stop or restart the chess clock. Raises NoClockError if there is none."""
        with self._changed:
            self._clock_controller.pause(self._clock())
            self._notify()

    def changed(self) -> None:
        """Tell every page that something shown besides the session's state has changed."""
        with self._changed:
            self._notify()

    def show_picture(self, jpeg: bytes) -> None:
        """Show a new camera picture."""
        with self._changed:
            number = 1 if self._picture is None else self._picture[0] + 1
            self._picture = (number, jpeg)
            self._notify()

    def show_analysis(self, lines: tuple[Message, ...]) -> None:
        """Show the analysis of the last game, unless the next has begun."""
        with self._changed:
            if self._latest.ended is not None:
                self._analysis = lines
                self._notify()

    def snapshot(self) -> Snapshot:
        """The current snapshot."""
        with self._changed:
            return self._current()

    def wait(self, version: int, timeout_s: float) -> Snapshot | None:
        """Wait for a snapshot with a version above `version`; None after `timeout_s` seconds."""
        with self._changed:
            if self._changed.wait_for(lambda: self._version > version, timeout_s):
                return self._current()
            return None

    def picture(self) -> tuple[int, bytes] | None:
        """Number and JPEG of the newest camera picture; None: there is none yet."""
        with self._changed:
            return self._picture

    def evidence(self, name: str) -> bytes | None:
        """The JPEG of a picture stored for a dispute; None: unknown name."""
        return None if self._record is None else self._record.picture(name)

    def post(self, item: Item) -> None:
        """Post an item to the session."""
        if self._session is not None:
            self._session.post(item)

    def _light(self, snapshot: Snapshot) -> None:
        """Show a snapshot on the panel."""
        if self._panel is not None:
            self._panel.show(replace(snapshot, clock=self._clock_controller.shown(self._clock())))

    def _notify(self) -> None:
        """Count a change and wake the waiting threads; the caller holds the lock."""
        self._version += 1
        self._changed.notify_all()

    def _current(self) -> Snapshot:
        number = 0 if self._picture is None else self._picture[0]
        clock = self._clock_controller.shown(self._clock())
        return replace(self._latest, version=self._version, picture=number, clock=clock, analysis=self._analysis)
