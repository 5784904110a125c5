"""Entering dice rolled by hand, revealing the secret, and checking rolls."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, jsonify, render_template
from markupsafe import Markup

from companion.core import Dice, quoted
from companion.interface import RolledByHand, SecretAsked
from web.access import seated, watchers
from web.forms import posted
from web.language import page_texts
from web.page_state import rolls_to_check
from web.refusals import refuse
from web.seats import player_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from web.table_view import TableView


DOCUMENT = Path(__file__).parents[1] / "documents" / "fair-dice.md"
"""How rolls are derived and checked."""


def blueprint(table: TableView, clock: Callable[[], float]) -> Blueprint:
    """Routes for the dice; `clock` gives the time of what is posted."""
    routes = Blueprint("dice", __name__)

    @routes.post("/dice")
    @seated
    def rolled() -> tuple[Response, int]:
        """{"player", "dice"}; without a player one die each for the start, which either player may enter.

        Either may also enter the dice of the side that Boardside plays, which a person rolls.
        """
        fields = posted()
        player, opponent = fields.get("player"), table.snapshot().opponent
        if player is not None:
            player = opponent if opponent is not None and player == str(opponent) else player_of(fields)
        table.post(RolledByHand(player, _dice(fields), clock()))
        return jsonify(ok=True), 202

    @routes.get("/dice/rolls.json")
    @watchers
    def rolls() -> Response:
        """The rolls derived from the last revealed secret."""
        return jsonify(rolls_to_check(table.snapshot().fairness))

    @routes.get("/fair-dice")
    @watchers
    def document() -> str:
        """The document on fair dice."""
        from markdown_it import MarkdownIt  # imported on use: few ask for it

        _, _, text = DOCUMENT.read_text(encoding="utf-8").partition("\n")  # the page has the heading already
        shown = MarkdownIt().render(text).replace("<pre>", '<pre tabindex="0">')  # wide code scrolls by keys too
        return render_template("document.html", words=page_texts(), text=Markup(shown))  # noqa: S704 - our own text

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
