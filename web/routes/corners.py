"""Marks the board's corners on the camera's picture, if the table does not find them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, jsonify

from companion.core import BoardsideError
from web.access import seated
from web.forms import number, posted
from web.refusals import refuse

if TYPE_CHECKING:
    from web.table_view import Marking, TableView

CORNERS = 4
MOST_PX = 20_000.0
"""Largest coordinate: no camera's picture is so wide, and corners may be a little outside it."""


def blueprint(table: TableView) -> Blueprint:
    """Routes that give the likeliest corners and take marked ones; status 404 without a camera."""
    routes = Blueprint("corners", __name__)

    @routes.get("/corners.json")
    @seated
    def guess() -> Response:
        return jsonify(corners=_marking(table).guess())

    @routes.post("/corners")
    @seated
    def mark() -> tuple[Response, int]:
        marking = _marking(table)
        corners = _corners(posted())
        try:
            marking.mark(corners)
        except BoardsideError as error:
            refuse("corners.not_now", 409, why=error)
        return jsonify(ok=True), 202

    return routes


def _marking(table: TableView) -> Marking:
    marking = table.marking
    if marking is None:
        refuse("corners.none", 404)
    return marking


def _corners(fields: dict[str, Any]) -> list[tuple[float, float]]:
    corners = fields.get("corners")
    if not isinstance(corners, list) or len(corners) != CORNERS:
        refuse("corners.four", field='"corners"', form="[[x, y], [x, y], [x, y], [x, y]]")
    found = []
    for corner in corners:
        if not isinstance(corner, list) or len(corner) != len("xy"):
            refuse("corners.one", form="[x, y]")
        fields = dict(zip("xy", corner, strict=True))
        found.append((number(fields, "x", -MOST_PX, MOST_PX), number(fields, "y", -MOST_PX, MOST_PX)))
    return found
