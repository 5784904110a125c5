"""A table for a page, without a session: the test publishes its snapshots and collects what is posted."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.effective_settings import DEFAULTS
from companion.app.table import WITHOUT_CLOCK, Table
from companion.core import Side, verbatim
from companion.game import Phase
from companion.interface import FairnessView, Light, Snapshot
from companion.seats import Seat, SeatDesk, SeatRegister
from companion.settings import DeskPorts, Settings, SettingsDesk, SettingsFile, Terms

if TYPE_CHECKING:
    from companion.app.table import TableClock
    from companion.interface import Item
    from companion.seats import Code
    from vision.simulation import SimulatedTable

START = {
    "points": [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2],
    "bar": [0, 0],
    "off": [0, 0],
}
"""The starting position as a snapshot has it."""
FAIR = FairnessView(
    source="fair",
    commitment="ab" * 32,
    rolls=0,
    revealed=None,
    faces=(0, 0, 0, 0, 0, 0),
    chi_square=0.0,
    words=verbatim("Too few dice to compare yet: 0 of the 30 needed."),
)
"""Fair dice before the first roll."""
NO_FILE = Path("no such folder", "seats.json")
NOTHING_CHOSEN = Settings()
WHITE_TO_MOVE = Snapshot(
    version=1,
    phase=Phase.TO_MOVE,
    light=Light.AMBER,
    game="backgammon",
    sheet="standard",
    position=START,
    seen=START,
    on_roll=Side.WHITE,
    dice=(3, 1),
)


class ScriptedTable:
    """A table whose snapshots `show` publishes, and which collects what the page posts.

    Attributes:
        table: what the page is made for.
        items: what the page has posted.
        codes: pairing codes that were shown at the table, and None for each that became invalid.
        posted: set once the page has posted something.
        applied: changes of settings that took effect at once.
        opened: has one entry for each time the table is reopened for its settings.
    """

    def __init__(
        self,
        simulated: SimulatedTable | None,
        first: Snapshot = WHITE_TO_MOVE,
        clock: TableClock = WITHOUT_CLOCK,
        seats: Path = NO_FILE,
    ) -> None:
        """Seats that are given are kept in the file `seats`."""
        self.table = Table(first.game, first.sheet, simulated=simulated, clock=clock)
        self.table.attach(self)  # type: ignore[arg-type]
        self.codes: list[Code | None] = []
        self.table.seats = SeatDesk(SeatRegister(seats), show=self.codes.append)
        self.items: list[Item] = []
        self.posted = threading.Event()
        self.applied: list[Settings] = []
        self.opened: list[SettingsDesk | None] = []
        self._latest = replace(first, simulated=simulated is not None)

    def post(self, item: Item) -> None:
        self.items.append(item)
        self.posted.set()

    def seat(self, seat: Seat = Seat.BOTH) -> str:
        """Give a device a seat; its token."""
        desk = self.table.seats
        assert desk is not None
        return desk.accept(desk.invite(), seat, "a test")

    def set_up(
        self, file: Path, *, panel: Any = None, chosen: Settings = NOTHING_CHOSEN, **options: Any
    ) -> SettingsDesk:
        """Let settings be changed, which are stored in `file`, and the panel be tested; returns the desk.

        `chosen` are in force.
        """
        self.table.attach(self, panel=panel)  # type: ignore[arg-type]
        self.table.publish(self._latest)
        now = Settings(sheet=self._latest.sheet, terms=Terms(), names=("", "")).over(DEFAULTS)
        now = chosen.over(replace(now, language=None, watch=None))  # as in the application
        ports = DeskPorts(self.table.snapshot, self.applied.append, lambda: self.opened.append(self.table.settings))
        self.table.settings = SettingsDesk(SettingsFile(file), now, ports, own=file.parent / "sheets", **options)
        return self.table.settings

    def show(self, **changes: Any) -> int:
        """Publish the last snapshot with `changes`; returns its version."""
        self._latest = replace(self._latest, **changes)
        self.table.publish(self._latest)
        return self.table.snapshot().version
