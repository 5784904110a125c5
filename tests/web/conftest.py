"""A real table whose snapshots the test publishes; what is posted is collected in a list."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from scripted_table import WHITE_TO_MOVE, ScriptedTable
from verdicts import verdict

from companion.interface import Light
from vision.simulation import SimulatedTable
from web import create_app

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient


ILLEGAL = verdict(
    "illegal",
    "13/9 with the 4 is blocked: Black holds White's 9 point.",
    reason="blocked_point",
    also=("wrong_distance",),
    plays=("24/20 13/10", "8/4 6/3"),
    cells=(12, 8),
)
EVENING = replace(WHITE_TO_MOVE, light=Light.RED, dice=(4, 3), verdict=ILLEGAL)


@pytest.fixture(scope="session")
def drawn_table() -> SimulatedTable:
    return SimulatedTable(seed=11)


@pytest.fixture
def simulated(drawn_table: SimulatedTable) -> SimulatedTable:
    drawn_table.set_up()
    return drawn_table


@pytest.fixture
def evening(simulated: SimulatedTable) -> ScriptedTable:
    """A scripted simulated table."""
    return ScriptedTable(simulated, EVENING)


@pytest.fixture
def real_evening(tmp_path: Path) -> ScriptedTable:
    """A scripted real table."""
    return ScriptedTable(None, EVENING, seats=tmp_path / "seats.json")


@pytest.fixture
def app(evening: ScriptedTable) -> Flask:
    return create_app(evening.table, clock=lambda: 12.5)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()
