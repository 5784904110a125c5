"""The page's Flask application: `create_app` assembles routes, guards and the live feed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from flask import Flask

from companion.settings import Watch
from web.access import guard_seats
from web.errors import answer_errors
from web.feed import HEARTBEAT_S, MOST_STREAMS, Feed
from web.forms import MOST_BYTES
from web.guard import guard, own_names
from web.language import answer_in_language
from web.post_limits import PostLimits
from web.routes import (
    analysis,
    checkup,
    corners,
    dice,
    files,
    film,
    install,
    page,
    procedure,
    seats,
    settings,
    sheets,
    simulated,
    turns,
)
from web.routes import clock as clock_routes
from web.routes import history as history_routes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from companion.analysis import AnalysedMatches
    from companion.history import History
    from web.table_view import TableView


def create_app(
    table: TableView,
    *,
    names: Iterable[str] = (),
    clock: Callable[[], float] = time.monotonic,
    heartbeat_s: float = HEARTBEAT_S,
    most_streams: int = MOST_STREAMS,
    own_sheets: Path | None = None,
    language: str | None = None,
    watch: str = Watch.ALL,
    history: History | None = None,
    analyses: AnalysedMatches | None = None,
) -> Flask:
    """The Flask application that shows `table`.

    Args:
        table: what is shown, and where taps go.
        names: names under which this device is known besides its own host name (see `web.guard`).
        clock: the session's clock, for the times of taps and rulings.
        heartbeat_s: seconds between heartbeats of an idle live feed.
        most_streams: how many pages may watch at a time; further ones get status 503.
        own_sheets: the folder of the players' own rule sheets.
        language: the language of every page, one of `companion.texts.LANGUAGES`; None: the one each browser asks for.
        watch: who may watch, one of `companion.settings.Watch`.
        history: the recorded matches; None: there are none.
        analyses: the analyses of recorded matches; None: there are none.

    If the table has settings, they decide language and watch.
    """

    def language_now() -> str | None:
        return language if table.settings is None else table.settings.now.language or None

    def watch_now() -> Watch:
        return Watch(watch if table.settings is None else table.settings.now.watch or watch)

    app = Flask("web")
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True  # pages weigh less
    app.jinja_env.globals["only_shown"] = lambda: table.seats is None
    feed = Feed(table, heartbeat_s=heartbeat_s, most_streams=most_streams)
    answer_in_language(app, language_now, table)
    guard(app, own_names(names), PostLimits())
    guard_seats(app, table, watch_now)
    answer_errors(app)
    for blueprint in (
        page.blueprint(table, feed, clock, watch_now),
        seats.blueprint(table, watch_now),
        procedure.blueprint(table, clock),
        dice.blueprint(table, clock),
        sheets.blueprint(own_sheets),
        history_routes.blueprint(table, history, analysed=analyses is not None),
        analysis.blueprint(analyses),
        files.blueprint(),
        install.blueprint(),
        *(part.blueprint(table) for part in (simulated, clock_routes, corners, turns, film, settings, checkup)),
    ):
        app.register_blueprint(blueprint)
    return app
