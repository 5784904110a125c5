"""The seat of the device that sent a request: by its cookie, or because it is this machine's own screen."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from flask import g, request

from companion.core import Side
from companion.seats import Seat
from web.connections import PROXIED
from web.forms import choice
from web.language import page_texts
from web.refusals import refuse

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Response

    from companion.seats import SeatedDevice
    from web.table_view import TableView

COOKIE = "boardside_seat"
COOKIE_S = 400 * 24 * 3600
"""The longest that browsers keep a cookie, in seconds."""
PROXY_HEADERS = ("forwarded", "via", "x-forwarded-", "x-real-ip")
"""Prefixes of headers that a proxy adds: a request with one is not from this machine."""


def device_now(table: TableView) -> SeatedDevice | None:
    """The device that sent this request, by its cookie; None if it has no seat."""
    token = request.cookies.get(COOKIE)
    return None if table.seats is None or token is None else table.seats.device_of(token)


def find_seat(table: TableView) -> None:
    """Determine the seat of this request, for `seat_now`."""
    device = device_now(table)
    if device is not None:
        g.seat = converted_seat(device.seat, table)
    else:
        own_screen = table.seats is not None and table.simulated is not None and is_from_this_machine()
        g.seat = Seat.BOTH if own_screen else None


def seat_now() -> Seat | None:
    """The seat of the device that sent this request; None if it has none."""
    return cast("Seat | None", g.seat)


def converted_seat(seat: Seat, table: TableView) -> Seat:
    """A seat converted as by `converted_side`."""
    return seat if seat.only is None else Seat(converted_side(seat.only, table))


def converted_side(side: Side, table: TableView) -> Side:
    """A side of the first game converted to the one that this player has now, or back.

    Players who change colours keep their seats, which are stored by the sides of the first game.
    """
    match = table.snapshot().match
    return side.opponent if match is not None and match.colours_changed else side


def seat_lasts(table: TableView) -> Callable[[], bool]:
    """A function, for any thread, that says whether the seat of this request still exists."""
    desk, token = table.seats, request.cookies.get(COOKIE)
    if desk is None or token is None or desk.device_of(token) is None:
        return lambda: True
    return lambda: desk.device_of(token) is not None


def player_of(fields: dict[str, Any]) -> Side | None:
    """The player who acts: the one of the device's seat; on the screen of both players the posted "player".

    A posted "screen" says which player uses that screen now. Answers 403 if "player" is another than either allows.
    """
    named, screen = _side(fields, "player"), _side(fields, "screen")
    seat = seat_now()
    own = screen if seat is None or seat.only is None else seat.only
    if own is not None and named not in (None, own):
        words = page_texts()
        refusal = "seat.screen" if own is screen else "seat.other"
        refuse(refusal, 403, player=words.player(own), other=words.player(own.opponent))
    return named if own is None else own


def _side(fields: dict[str, Any], key: str) -> Side | None:
    return None if fields.get(key) is None else Side(choice(fields, key, list(Side)))


def is_from_this_machine() -> bool:
    """Whether this request was sent on this machine, to a loopback address and not through a proxy."""
    through = any(name.lower().startswith(PROXY_HEADERS) for name, _ in request.headers)
    if through or request.environ.get(PROXIED, False):
        return False
    return _is_loopback(request.remote_addr or "") and is_loopback_host(request.host)


def is_loopback_host(host: str) -> bool:
    """Whether a Host header names a loopback address."""
    name = urlsplit(f"//{host}").hostname or ""
    return name == "localhost" or _is_loopback(name)


def set_seat_cookie(response: Response, token: str) -> None:
    """Store the token of a seat in the browser, where scripts cannot read it."""
    response.set_cookie(
        COOKIE, token, max_age=COOKIE_S, secure=request.is_secure, httponly=True, samesite="Strict", path="/"
    )


def delete_seat_cookie(response: Response) -> None:
    """Delete the token of a seat from the browser."""
    response.delete_cookie(COOKIE, secure=request.is_secure, httponly=True, samesite="Strict", path="/")


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
