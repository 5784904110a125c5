"""Who may use which route. Every route states it in a decorator; a route that does not is refused to everybody."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from flask import redirect, request, url_for

from companion.settings import Watch
from web.connections import PLAYERS
from web.errors import wants_page
from web.refusals import refuse
from web.seats import COOKIE, find_seat, seat_lasts, seat_now

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from werkzeug.wrappers import Response

    from web.table_view import TableView

    View = TypeVar("View", bound=Callable[..., Any])


class Access(StrEnum):
    """Who may use a route."""

    ANYBODY = "anybody"
    """Everybody who reaches the page, for example to take a seat."""
    WATCHERS = "watchers"
    """The same; only devices with a seat if nobody else may watch."""
    ROOM = "room"
    """Devices that may see into the room: those with a seat; for a film, all."""
    SEATED = "seated"
    """Devices with a seat."""
    SHOWN = "shown"
    """Everybody who watches a film; at a table with players the same as SEATED."""


def anybody(view: View) -> View:
    """A route for everybody who reaches the page."""
    return _marked(view, Access.ANYBODY)


def watchers(view: View) -> View:
    """A route for everybody who may watch."""
    return _marked(view, Access.WATCHERS)


def in_the_room(view: View) -> View:
    """A route that shows the room."""
    return _marked(view, Access.ROOM)


def seated(view: View) -> View:
    """A route for devices with a seat."""
    return _marked(view, Access.SEATED)


def of_a_film(view: View) -> View:
    """A route for everybody who watches a film, and at a table with players for devices with a seat."""
    return _marked(view, Access.SHOWN)


def access_of(view: Callable[..., Any]) -> Access | None:
    """Who may use a route; None: it does not state it."""
    return getattr(view, "access", None)


def may_watch(table: TableView, watch: Watch) -> bool:
    """Whether the device that asks now may watch."""
    return watch is Watch.ALL or sees_the_room(table)


def may_watch_on(table: TableView, watch: Callable[[], Watch]) -> Callable[[], bool]:
    """A function for any thread: whether the device that asks now may go on watching, with its seat or without one."""
    if sees_the_room(table):
        return seat_lasts(table)
    return lambda: watch() is Watch.ALL


def sees_the_room(table: TableView) -> bool:
    """Whether the device that asks now may see into the room."""
    return table.seats is None or seat_now() is not None


def guard_seats(app: Flask, table: TableView, watch: Callable[[], Watch]) -> None:
    """Make `app` enforce what its routes state: 401 without a seat where one is needed."""
    anybody(app.view_functions["static"])

    @app.before_request
    def refuse_without_seat() -> Response | None:
        find_seat(table)
        if seat_now() is not None:
            request.environ.setdefault(PLAYERS, []).append(seat_now())
        if request.endpoint is None:
            return None
        access = access_of(app.view_functions[request.endpoint])
        if _is_allowed(access, table, watch()):
            return None
        pages = (Access.WATCHERS, Access.SEATED) if table.seats is not None else (Access.WATCHERS,)
        if access in pages and request.method == "GET" and wants_page():
            return redirect(url_for("seats.page"))
        _refuse(access, table)


def _is_allowed(access: Access | None, table: TableView, watch: Watch) -> bool:
    """Whether the device that asks now may ask for a route of this access."""
    match access:
        case Access.ANYBODY:
            return True
        case Access.WATCHERS:
            return may_watch(table, watch)
        case Access.ROOM:
            return sees_the_room(table)
        case Access.SHOWN if table.film is not None:
            return True
        case Access.SEATED | Access.SHOWN:
            return seat_now() is not None
        case None:
            return False


def _refuse(access: Access | None, table: TableView) -> NoReturn:
    """Say what is missing."""
    if table.seats is None:
        refuse("seat.nobody", 401)
    without = "seat.watch" if access is Access.WATCHERS else "seat.none"
    refuse("seat.lost" if COOKIE in request.cookies else without, 401, path="/seat")


def _marked(view: View, access: Access) -> View:
    view.__dict__["access"] = access
    return view
