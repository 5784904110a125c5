"""A table in front of a page, without a session: the test publishes its snapshots and sees what the page posts."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.app.table import WITHOUT_CLOCK, Table
from companion.core import Side
from companion.game import Phase
from companion.interface import Light, Snapshot

if TYPE_CHECKING:
    from companion.app.table import TableClock
    from companion.interface import Item
    from vision.simulation import SimulatedTable

START = {
    "points": [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2],
    "bar": [0, 0],
    "off": [0, 0],
}
"""The starting position as a snapshot has it."""
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
    """A table whose snapshots `show` publishes; it takes what the page posts in place of a session.

    Attributes:
        table: what the page is made for.
        items: what the page has posted.
        posted: set as soon as it posts something.
    """

    def __init__(
        self, simulated: SimulatedTable | None, first: Snapshot = WHITE_TO_MOVE, clock: TableClock = WITHOUT_CLOCK
    ) -> None:
        self.table = Table(first.game, first.sheet, simulated=simulated, clock=clock)
        self.table.attach(self)  # type: ignore[arg-type]
        self.items: list[Item] = []
        self.posted = threading.Event()
        self._latest = replace(first, simulated=simulated is not None)

    def post(self, item: Item) -> None:
        self.items.append(item)
        self.posted.set()

    def show(self, **changes: Any) -> int:
        """Publish a snapshot with `changes` to the one before; its version."""
        self._latest = replace(self._latest, **changes)
        self.table.publish(self._latest)
        return self.table.snapshot().version
