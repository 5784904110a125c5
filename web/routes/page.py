"""The page itself, its live feed and pictures, and what its buttons do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from flask import Blueprint, Response, abort, jsonify, render_template, request

from companion.core import Side
from companion.interface import Button, CubeActed, CubeAction, Draws, HintsHidden, Resigns, Tapped
from web.forms import choice, posted
from web.routes.procedure import player_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from web.feed import Feed
    from web.table_view import TableView

LEVELS = ("single", "gammon", "backgammon", "win")
"""What a game can be given up as; which of them the sheet knows, the session says."""


def blueprint(table: TableView, feed: Feed, clock: Callable[[], float]) -> Blueprint:
    """Routes of every table; `clock` gives the time of taps."""
    routes = Blueprint("page", __name__)
    _add_pages(routes, table, feed)
    _add_pictures(routes, table)
    _add_actions(routes, table, clock)
    _add_agreements(routes, table, clock)
    return routes


def _add_pages(routes: Blueprint, table: TableView, feed: Feed) -> None:
    @routes.get("/")
    def page() -> str:
        state = feed.state(table.snapshot())
        return render_template(
            "page.html", state=state, state_json=json.dumps(state), marking=table.marking is not None
        )

    @routes.get("/state.json")
    def state() -> Response:
        return jsonify(feed.state(table.snapshot()))

    @routes.get("/events")
    def events() -> Response:
        stream = feed.open(request.headers.get("Last-Event-ID"))
        if stream is None:
            abort(503, "Too many pages are watching this table: close one, or try again in a moment.")
        return Response(stream, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})


def _add_pictures(routes: Blueprint, table: TableView) -> None:
    @routes.get("/picture/<int:version>.jpg")
    def picture(version: int) -> Response:
        newest = table.picture()
        if newest is None:
            abort(404, "The camera has not taken a picture yet.")
        number, jpeg = newest
        caching = "private, max-age=60, immutable" if number == version else "no-store"
        return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": caching, "X-Picture": str(number)})

    @routes.get("/evidence/<name>")
    def evidence(name: str) -> Response:
        jpeg = table.evidence(name)
        if jpeg is None:
            abort(404, f"No picture called {name[:60]!r} is kept.")
        return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})


def _add_actions(routes: Blueprint, table: TableView, clock: Callable[[], float]) -> None:
    @routes.post("/tap/<button>")
    def tap(button: str) -> tuple[Response, int]:
        if button not in list(Button):
            abort(404, f"There is no button {button[:60]!r}: expected one of {', '.join(Button)}.")
        fields = posted()
        table.post(Tapped(Button(button), clock(), player_of(fields)))
        return jsonify(ok=True), 202

    @routes.post("/hints/hide")
    def hide_hints() -> tuple[Response, int]:
        table.post(HintsHidden(clock()))
        return jsonify(ok=True), 202


def _add_agreements(routes: Blueprint, table: TableView, clock: Callable[[], float]) -> None:
    """What the players agree between them: doubles, resignations, draws."""

    @routes.post("/cube")
    def cube() -> tuple[Response, int]:
        fields = posted()
        table.post(CubeActed(CubeAction(choice(fields, "deed", list(CubeAction))), clock(), player_of(fields)))
        return jsonify(ok=True), 202

    @routes.post("/resign")
    def resign() -> tuple[Response, int]:
        fields = posted()
        side = Side(choice(fields, "player", list(Side)))
        table.post(Resigns(side, choice(fields, "kind", LEVELS), clock()))
        return jsonify(ok=True), 202

    @routes.post("/draw")
    def draw() -> tuple[Response, int]:
        table.post(Draws(choice(posted(), "how", ("agreed", "claimed")) == "claimed", clock()))
        return jsonify(ok=True), 202
