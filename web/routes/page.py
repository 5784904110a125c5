"""The page of the table, its live feed and pictures, and its buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, jsonify, render_template, request

from companion.core import Side, quoted
from companion.interface import Button, CubeActed, CubeAction, Draws, HintsHidden, Resigns, Tapped
from web.access import may_keep_watching, picture_viewers, seated, watchers
from web.connections import PUSHED
from web.feed import GREETING
from web.forms import choice, posted
from web.language import page_texts
from web.refusals import refuse
from web.seats import player_of, seat_now
from web.texts import browser_texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.settings import Watch
    from web.feed import Feed
    from web.table_view import TableView

LEVELS = ("single", "gammon", "backgammon", "win")
"""Levels of a resignation; the session checks which of them the sheet has."""
LATER = "set_up_later"
"""Cookie of a device on which the offer to set the table up was closed."""


def blueprint(table: TableView, feed: Feed, clock: Callable[[], float], watch: Callable[[], Watch]) -> Blueprint:
    """Routes of every table; `clock` gives the time of taps, `watch` who may watch."""
    routes = Blueprint("page", __name__)
    _add_page(routes, table, feed)
    _add_feed(routes, table, feed, watch)
    _add_pictures(routes, table)
    _add_actions(routes, table, clock)
    _add_agreements(routes, table, clock)
    return routes


def _add_page(routes: Blueprint, table: TableView, feed: Feed) -> None:
    @routes.get("/")
    @watchers
    def page() -> str:
        snapshot = table.snapshot()
        words = page_texts().on(tiles=snapshot.tiles)
        state = feed.state(snapshot, words)
        return render_template(
            "page.html",
            state=state,
            texts=browser_texts(words),
            words=words,
            marking=table.marking is not None,
            first=table.settings is not None and table.settings.is_first and LATER not in request.cookies,
            seat="film" if table.seats is None else seat_now() or "none",
            opponent=snapshot.opponent,
        )

    @routes.get("/state.json")
    @watchers
    def state() -> Response:
        """The state; 304 without a body for a page that already has it (If-None-Match)."""
        snapshot, words = table.snapshot(), page_texts()
        tag = f"{feed.run_id}-{snapshot.version}-{words.language}"
        if tag in request.if_none_match:
            answer = Response(status=304)
        else:
            answer = Response(feed.json(snapshot, words) + "\n", mimetype="application/json")
        answer.set_etag(tag)
        return answer


def _add_feed(routes: Blueprint, table: TableView, feed: Feed, watch: Callable[[], Watch]) -> None:
    @routes.get("/events")
    @watchers
    def events() -> Response:
        stream = feed.open(
            request.headers.get("Last-Event-ID"),
            page_texts(),
            request.remote_addr or "",
            seated=seat_now() is not None,
            may_continue=may_keep_watching(table, watch),
        )
        if stream is None:
            refuse("streams", 503)
        if request.method == "GET":
            request.environ.setdefault(PUSHED, []).append(stream)
        else:
            stream.close()
        return Response(iter([GREETING]), mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})


def _add_pictures(routes: Blueprint, table: TableView) -> None:
    @routes.get("/picture/<int:version>.jpg")
    @picture_viewers
    def picture(version: int) -> Response:
        newest = table.picture()
        if newest is None:
            refuse("picture", 404)
        number, jpeg = newest
        caching = "private, max-age=60, immutable" if number == version else "no-store"
        return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": caching, "X-Picture": str(number)})

    @routes.get("/evidence/<name>")
    @picture_viewers
    def evidence(name: str) -> Response:
        jpeg = table.evidence(name)
        if jpeg is None:
            refuse("evidence", 404, name=quoted(name))
        return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})


def _add_actions(routes: Blueprint, table: TableView, clock: Callable[[], float]) -> None:
    @routes.post("/tap/<button>")
    @seated
    def tap(button: str) -> tuple[Response, int]:
        if button not in list(Button):
            refuse("button", 404, button=quoted(button), known=", ".join(Button))
        fields = posted()
        table.post(Tapped(Button(button), clock(), player_of(fields), on_page=True))
        return jsonify(ok=True), 202

    @routes.post("/hints/hide")
    @seated
    def hide_hints() -> tuple[Response, int]:
        table.post(HintsHidden(clock()))
        return jsonify(ok=True), 202


def _add_agreements(routes: Blueprint, table: TableView, clock: Callable[[], float]) -> None:
    """Add what the players agree on: doubles, resignations, draws."""

    @routes.post("/cube")
    @seated
    def cube() -> tuple[Response, int]:
        fields = posted()
        table.post(CubeActed(CubeAction(choice(fields, "deed", list(CubeAction))), clock(), player_of(fields)))
        return jsonify(ok=True), 202

    @routes.post("/resign")
    @seated
    def resign() -> tuple[Response, int]:
        fields = posted()
        side = player_of(fields) or Side(choice(fields, "player", list(Side)))
        table.post(Resigns(side, choice(fields, "kind", LEVELS), clock()))
        return jsonify(ok=True), 202

    @routes.post("/draw")
    @seated
    def draw() -> tuple[Response, int]:
        fields = posted()
        claimed = choice(fields, "how", ("offered", "claimed")) == "claimed"
        table.post(Draws(claimed, clock(), player_of(fields)))
        return jsonify(ok=True), 202
