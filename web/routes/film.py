"""Pausing a filmed game, letting it go on, the next turn, from the beginning, and how fast it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, jsonify

from companion.interface import SPEEDS, FilmDeed
from web.access import of_a_film
from web.forms import choice, number, posted
from web.refusals import refuse

if TYPE_CHECKING:
    from web.table_view import TableView


def blueprint(table: TableView) -> Blueprint:
    """Routes that answer 404 where the table is no film."""
    routes = Blueprint("film", __name__)

    @routes.post("/film")
    @of_a_film
    def film() -> tuple[Response, int]:
        """{"deed": "play", "pause", "step" or "restart"}, or {"speed": how many times as fast}."""
        shown = table.film
        if shown is None:
            refuse("film", 404)
        fields = posted()
        if "speed" in fields:
            shown.at_speed(number(fields, "speed", SPEEDS[0], SPEEDS[-1]))
        else:
            shown.do(FilmDeed(choice(fields, "deed", list(FilmDeed))))
        return jsonify(ok=True), 202

    return routes
