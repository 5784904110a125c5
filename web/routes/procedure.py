"""Proposals to both players: making them, agreeing and declining."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, jsonify

from companion.game import Remedy
from companion.interface import Agrees, Declines, Proposes
from web.access import seated
from web.forms import POSITION_FORM, choice, posted, truth, whole_number
from web.refusals import refuse
from web.seats import player_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from web.table_view import TableView

MOST_LETTERS = 80
"""Most letters of a play; the longest play of a double has some forty."""
MOST_OF_A_READING = 160
"""Most letters of a reading's id: a finding, a play and a reason."""


def blueprint(table: TableView, clock: Callable[[], float]) -> Blueprint:
    """Routes of every table; `clock` gives the time of each request."""
    routes = Blueprint("procedure", __name__)

    @routes.post("/propose")
    @seated
    def propose() -> tuple[Response, int]:
        """{"remedy", "player", "dispute", "play", "position", "turn_over", "reading"}: the first is needed."""
        fields = posted()
        remedy = Remedy(choice(fields, "remedy", list(Remedy)))
        dispute = None if fields.get("dispute") is None else whole_number(fields, "dispute", 0)
        position = fields.get("position")
        if position is not None and not isinstance(position, dict):
            refuse("no_position", field='"position"', form=POSITION_FORM)
        over = truth(fields, "turn_over")
        play, reading = _text(fields, "play", MOST_LETTERS), _text(fields, "reading", MOST_OF_A_READING)
        table.post(Proposes(remedy, clock(), player_of(fields), dispute, play, position, over, reading))
        return jsonify(ok=True), 202

    @routes.post("/agree")
    @seated
    def agree() -> tuple[Response, int]:
        """{"proposal": its number, "player"}."""
        fields = posted()
        table.post(Agrees(whole_number(fields, "proposal", 0), clock(), player_of(fields)))
        return jsonify(ok=True), 202

    @routes.post("/decline")
    @seated
    def decline() -> tuple[Response, int]:
        """{"proposal": its number, "player"}."""
        fields = posted()
        table.post(Declines(whole_number(fields, "proposal", 0), clock(), player_of(fields)))
        return jsonify(ok=True), 202

    return routes


def _text(fields: dict[str, Any], key: str, most: int) -> str:
    """The text under `key`, at most `most` letters long; empty if it is absent."""
    text = fields.get(key, "")
    if not isinstance(text, str) or len(text) > most:
        refuse("no_play", field=f'"{key}"', form='"13/7 8/7"')
    return text
