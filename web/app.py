"""The page's application: `create_app` puts views, guards and the live feed together."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from flask import Flask

from web.access import Watch, guard_seats
from web.errors import answer_errors
from web.feed import HEARTBEAT_S, MOST_STREAMS, Feed
from web.forms import MOST_BYTES
from web.guard import guard, own_names
from web.language import answer_in_language
from web.post_limits import PostLimits
from web.routes import clock as clock_routes
from web.routes import corners, dice, page, procedure, seats, sheets, simulated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

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
) -> Flask:
    """The Flask application that shows `table`.

    Args:
        table: what is shown, and where taps go.
        names: names under which this device is known besides its own host name (see `web.guard`).
        clock: the session's clock, for the times of taps and rulings.
        heartbeat_s: how often an idle live feed says that it is still there.
        most_streams: how many pages may watch at a time; further ones are told to try again.
        own_sheets: the folder of the players' own rule sheets.
        language: the language of every page, one of `companion.texts.LANGUAGES`; None: the one each browser asks for.
        watch: who may watch, one of `web.access.Watch`: everybody, or only devices with a seat.
    """
    app = Flask("web")
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    app.json.sort_keys = False  # type: ignore[attr-defined]
    feed = Feed(table, heartbeat_s=heartbeat_s, most_streams=most_streams)
    answer_in_language(app, language, table)
    guard(app, own_names(names), PostLimits())
    guard_seats(app, table, Watch(watch))
    answer_errors(app)
    app.register_blueprint(page.blueprint(table, feed, clock))
    app.register_blueprint(seats.blueprint(table, Watch(watch)))
    app.register_blueprint(procedure.blueprint(table, clock))
    app.register_blueprint(simulated.blueprint(table))
    app.register_blueprint(clock_routes.blueprint(table))
    app.register_blueprint(corners.blueprint(table))
    app.register_blueprint(dice.blueprint(table, clock))
    app.register_blueprint(sheets.blueprint(own_sheets))
    return app
