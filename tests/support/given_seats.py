"""Seats for tests, without a code, and clients that have one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.seats import Seat, SeatDesk, SeatRegister
from web import create_app

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from flask.testing import FlaskClient

    from companion.app.table import Table

COOKIE = "boardside_seat"


def seat_at(table: Table, file: Path) -> str:
    """Give a device the seat of both players, the first with a new desk that stores seats in `file`; its token."""
    if table.seats is None:
        table.seats = SeatDesk(SeatRegister(file))
    return table.seats.accept(table.seats.invite(), Seat.BOTH, "a test")


def client_at(table: Table, token: str | None = None, **options: Any) -> FlaskClient:
    """A client of the table's page with the seat of `token`; None: without one."""
    client = create_app(table, **options).test_client()
    if token is not None:
        client.set_cookie(COOKIE, token)
    return client
