"""Moving the checkers of a simulated table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, jsonify

from companion.core import BoardsideError, quoted
from companion.game import PLAYING
from web.access import seated
from web.forms import POSITION_FORM, SQUARES_FORM, board_of, choice, number, posted, truth, whole_number
from web.page_state import draggable_checkers
from web.refusals import refuse

if TYPE_CHECKING:
    from companion.core import Board
    from web.table_view import DraggableTable, TableView

REACH = (-5.0, 20.0)
"""Range of a checker's coordinates from the board's lower left corner, in column widths."""


def blueprint(table: TableView) -> Blueprint:
    """Routes that answer 404 if the table is a real one."""
    routes = Blueprint("simulated", __name__, url_prefix="/simulated")

    @routes.post("/drag")
    @seated
    def drag() -> Response:
        """Move a checker to (x, y): {"id", "x", "y", "held": whether it is still in the hand}."""
        simulated = _simulated(table)
        fields = posted()
        checker = whole_number(fields, "id", 0, 10**6)
        if checker not in {c.id for c in simulated.checkers()}:
            refuse("no_checker", field='"id"', value=checker)
        x, y = number(fields, "x", *REACH), number(fields, "y", *REACH)
        held = truth(fields, "held")
        (simulated.hold if held else simulated.drag)(checker, x, y)
        return _checkers(simulated)

    @routes.post("/set-up")
    @seated
    def set_up() -> Response:
        """Set up the starting position, the one before this turn ({"to": "turn"}), or {"position": ...}."""
        simulated = _simulated(table)
        fields = posted()
        board = board_of(fields["position"]) if "position" in fields else _standing(table, fields)
        try:
            simulated.set_up(board)
        except BoardsideError:  # the other game's board
            form = SQUARES_FORM if table.snapshot().game == "checkers" else POSITION_FORM
            refuse("form", field='"position"', value=quoted(fields["position"]), form=form)
        return _checkers(simulated)

    return routes


def _simulated(table: TableView) -> DraggableTable:
    if table.simulated is None:
        refuse("real", 404)
    return table.simulated


def _standing(table: TableView, fields: dict[str, object]) -> Board | None:
    if choice(fields, "to", ("start", "turn"), "start") == "start":
        return None
    shown = table.snapshot()
    if shown.position is None or shown.phase not in PLAYING:
        refuse("no_game")
    return board_of(shown.position)


def _checkers(simulated: DraggableTable) -> Response:
    return jsonify(checkers=draggable_checkers(simulated.checkers()))
