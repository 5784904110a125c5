"""A real table with a scripted evening: snapshots are published by the test, and what is posted lands in a list."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from verdicts import verdict

from companion.model import Side
from companion.phase import Phase
from companion.snapshot import Light, Snapshot
from companion.table import Table
from vision.simulated import SimulatedTable
from web import create_app

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

    from companion.inbox import Item

START = {
    "points": [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2],
    "bar": [0, 0],
    "off": [0, 0],
}
ILLEGAL = verdict(
    "illegal",
    "13/9 with the 4 is blocked: Black holds White's 9 point.",
    reason="blocked_point",
    also=("wrong_distance",),
    plays=("24/20 13/10", "8/4 6/3"),
    cells=(12, 8),
)
EVENING = Snapshot(
    version=1,
    phase=Phase.TO_MOVE,
    light=Light.RED,
    game="backgammon",
    sheet="standard",
    position=START,
    seen=START,
    on_roll=Side.WHITE,
    dice=(4, 3),
    verdict=ILLEGAL,
)


class Inbox:
    """Takes what the page posts in place of a session."""

    def __init__(self) -> None:
        self.items: list[Item] = []

    def post(self, item: Item) -> None:
        self.items.append(item)


class ScriptedEvening:
    """A table without a session: `show` publishes the next snapshot."""

    def __init__(self, simulated: SimulatedTable | None) -> None:
        self.table = Table("backgammon", "standard", simulated=simulated)
        self.inbox = Inbox()
        self.table.attach(self.inbox)  # type: ignore[arg-type]
        self._latest = replace(EVENING, simulated=simulated is not None)

    def show(self, **changes: Any) -> int:
        """Publish a snapshot with `changes` to the one before; its version."""
        self._latest = replace(self._latest, **changes)
        self.table.publish(self._latest)
        return self.table.snapshot().version


@pytest.fixture(scope="session")
def drawn_table() -> SimulatedTable:
    return SimulatedTable(seed=11)


@pytest.fixture
def simulated(drawn_table: SimulatedTable) -> SimulatedTable:
    drawn_table.set_up()
    return drawn_table


@pytest.fixture
def evening(simulated: SimulatedTable) -> ScriptedEvening:
    """An evening at the simulated table."""
    return ScriptedEvening(simulated)


@pytest.fixture
def real_evening() -> ScriptedEvening:
    """An evening at a real table."""
    return ScriptedEvening(None)


@pytest.fixture
def app(evening: ScriptedEvening) -> Flask:
    return create_app(evening.table, clock=lambda: 12.5)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()
