"""All turns of one game of the match or evening."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, jsonify

from web.access import watchers
from web.language import page_texts
from web.page_state import game_turns
from web.refusals import refuse

if TYPE_CHECKING:
    from web.table_view import TableView


def blueprint(table: TableView) -> Blueprint:
    """The route of the turns."""
    routes = Blueprint("turns", __name__)

    @routes.get("/turns/<int:number>.json")
    @watchers
    def turns(number: int) -> Response:
        """`{"history": [...]}` of game `number`, from 1; 404 if it is not stored."""
        entries = game_turns(table.snapshot(), number, page_texts())
        if entries is None:
            refuse("turns", 404, number=number)
        return jsonify(history=entries)

    return routes
