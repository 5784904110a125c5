"""The button that stops and starts the chess clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, jsonify

from companion.clock import NoClockError
from web.access import seated
from web.refusals import refuse

if TYPE_CHECKING:
    from web.table_view import TableView


def blueprint(table: TableView) -> Blueprint:
    """The route that stops the clock and starts it again; status 400 without a clock."""
    routes = Blueprint("clock", __name__)

    @routes.post("/clock/pause")
    @seated
    def pause() -> tuple[Response, int]:
        try:
            table.pause_clock()
        except NoClockError:
            refuse("clock", option="--clock 14+12")
        return jsonify(ok=True), 202

    return routes
