"""Marking the board's corners on the camera's picture, where the table does not find them by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, abort, jsonify

from companion.core import BoardsideError
from web.forms import number, posted, refuse

if TYPE_CHECKING:
    from web.table_view import Marking, TableView

CORNERS = 4
MOST_PX = 20_000.0
"""No camera's picture is so wide; corners may lie a little outside it."""


def blueprint(table: TableView) -> Blueprint:
    """Routes that tell where the board may lie, and that take corners; status 404 where nothing can be marked."""
    routes = Blueprint("corners", __name__)

    @routes.get("/corners.json")
    def guess() -> Response:
        return jsonify(corners=_marking(table).guess())

    @routes.post("/corners")
    def mark() -> tuple[Response, int]:
        marking = _marking(table)
        corners = _corners(posted())
        try:
            marking.mark(corners)
        except BoardsideError as error:
            abort(409, f"The corners cannot be marked: {error}.")
        return jsonify(ok=True), 202

    return routes


def _marking(table: TableView) -> Marking:
    marking = table.marking
    if marking is None:
        abort(404, "No camera looks at this table: there are no corners to mark.")
    return marking


def _corners(fields: dict[str, Any]) -> list[tuple[float, float]]:
    corners = fields.get("corners")
    if not isinstance(corners, list) or len(corners) != CORNERS:
        refuse('"corners" is not [[x, y], [x, y], [x, y], [x, y]]: bottom left, bottom right, top right, top left.')
    found = []
    for corner in corners:
        if not isinstance(corner, list) or len(corner) != len("xy"):
            refuse("A corner is not [x, y]: two numbers, pixels of the picture from its upper left.")
        x, y = (number({name: value}, name, -MOST_PX, MOST_PX) for name, value in zip("xy", corner, strict=True))
        found.append((x, y))
    return found
