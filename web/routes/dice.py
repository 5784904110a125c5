"""What the page posts about dice: those rolled by hand, and the wish to know the secret."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, jsonify

from companion.core import Dice, quoted
from companion.interface import RolledByHand, SecretAsked
from web.access import seated
from web.forms import posted
from web.refusals import refuse
from web.seats import player_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from web.table_view import TableView


def blueprint(table: TableView, clock: Callable[[], float]) -> Blueprint:
    """Routes for the dice; `clock` gives the time of what is posted."""
    routes = Blueprint("dice", __name__)

    @routes.post("/dice")
    @seated
    def rolled() -> tuple[Response, int]:
        """{"player", "dice"}; without a player one die each for the start, which either may enter."""
        fields = posted()
        player = None if fields.get("player") is None else player_of(fields)
        table.post(RolledByHand(player, _dice(fields), clock()))
        return jsonify(ok=True), 202

    @routes.post("/dice/secret")
    @seated
    def secret() -> tuple[Response, int]:
        table.post(SecretAsked(clock()))
        return jsonify(ok=True), 202

    return routes


def _dice(fields: dict[str, Any]) -> Dice:
    """The one or two numbers under "dice"."""
    value = fields.get("dice")
    try:
        return Dice(tuple(value) if isinstance(value, list) else ())
    except ValueError:
        refuse("dice", field='"dice"', value=quoted(value), form="[6, 1]")
