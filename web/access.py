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
    """Every device that reaches the page, for example to take a seat."""
    WATCHERS = "watchers"
    """Every device; only those with a seat if the settings let nobody else watch."""
    PICTURES = "pictures"
    """Devices that may see the camera's pictures: those with a seat; for a film, all."""
    SEATED = "seated"
    """Devices with a seat."""
    FILM = "film"
    """Every device if a film is shown; at a table with players the same as SEATED."""


def anybody(view: View) -> View:
    """A route for every device that reaches the page."""
    return _marked(view, Access.ANYBODY)


def watchers(view: View) -> View:
    """A route for every device that may watch."""
    return _marked(view, Access.WATCHERS)


def picture_viewers(view: View) -> View:
    """A route for devices that may see the camera's pictures."""
    return _marked(view, Access.PICTURES)


def seated(view: View) -> View:
    """A route for devices with a seat."""
    return _marked(view, Access.SEATED)


def film_viewers(view: View) -> View:
    """A route that controls a film, for every device; at a table with players for devices with a seat."""
    return _marked(view, Access.FILM)


def access_of(view: Callable[..., Any]) -> Access | None:
    """Who may use a route; None if the route does not state it."""
    return getattr(view, "access", None)


def may_watch(table: TableView, watch: Watch) -> bool:
    """Whether the device that sent this request may watch."""
    return watch is Watch.ALL or may_see_pictures(table)


def may_keep_watching(table: TableView, watch: Callable[[], Watch]) -> Callable[[], bool]:
    """A function, for any thread, that says whether the device that sent this request may still watch."""
    if may_see_pictures(table):
        return seat_lasts(table)
    return lambda: watch() is Watch.ALL


def may_see_pictures(table: TableView) -> bool:
    """Whether the device that sent this request may see the camera's pictures."""
    return table.seats is None or seat_now() is not None


def guard_seats(app: Flask, table: TableView, watch: Callable[[], Watch]) -> None:
    """Make `app` enforce what its routes state: status 401 where a seat is needed and the device has none."""
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
    """Whether the device that sent this request may use a route of this access."""
    match access:
        case Access.ANYBODY:
            return True
        case Access.WATCHERS:
            return may_watch(table, watch)
        case Access.PICTURES:
            return may_see_pictures(table)
        case Access.FILM if table.film is not None:
            return True
        case Access.SEATED | Access.FILM:
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
