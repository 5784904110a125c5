"""Controls of a filmed game: pause, play, next turn, restart and speed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, jsonify

from companion.interface import SPEEDS, FilmDeed
from web.access import film_viewers
from web.forms import choice, number, posted
from web.refusals import refuse

if TYPE_CHECKING:
    from web.table_view import TableView


def blueprint(table: TableView) -> Blueprint:
    """The route that controls a film; status 404 if none is shown."""
    routes = Blueprint("film", __name__)

    @routes.post("/film")
    @film_viewers
    def film() -> tuple[Response, int]:
        """{"deed": "play", "pause", "step" or "restart"}, or {"speed": a multiple of the filmed speed}."""
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
