"""Seats: taking one by the code that the table shows or by an invitation; inviting, leaving, removing."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, jsonify, render_template, request

from companion.core import Side, quoted
from companion.seats import FACES, NUMBERS, PairingRefusal, PairingRefusedError, Seat, SeatsError
from web.access import anybody, may_watch, seated
from web.device_name import device_name
from web.forms import choice, posted, whole_number
from web.invitation import qr_code, reachable_host
from web.language import page_texts
from web.refusals import REFUSALS, refuse
from web.seats import converted_seat, delete_seat_cookie, device_now, seat_now, set_seat_cookie
from web.texts import browser_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.seats import Code, SeatDesk, SeatedDevice
    from companion.settings import Watch
    from web.table_view import TableView


def blueprint(table: TableView, watch: Callable[[], Watch]) -> Blueprint:
    """Routes for taking and leaving a seat; status 404 at a table without seats."""
    routes = Blueprint("seats", __name__)
    _add_pages(routes, table, watch)
    _add_taking(routes, table)
    _add_leaving(routes, table)
    return routes


def _add_pages(routes: Blueprint, table: TableView, watch: Callable[[], Watch]) -> None:
    @routes.get("/seat")
    @anybody
    def page() -> str:
        words, opponent, seat = page_texts(), table.snapshot().opponent, seat_now()
        may_ask = seat is not None or _desk(table).visitors_may_ask
        return render_template(
            "seat.html",
            texts=browser_texts(words),
            words=words,
            seat=seat or "none",
            sides=[side for side in Side if side is not opponent],
            elsewhere=None if may_ask else words.translated(REFUSALS["pairing.hold_roll"]),
        )

    @routes.get("/seat.json")
    @anybody
    def state() -> Response:
        """{"seat", "film", "may_watch", "devices"}: the last lists all devices with a seat, if this one has a seat."""
        seat = seat_now()
        listed = None if seat is None else _listed(table, device_now(table))
        return jsonify(seat=seat, film=table.seats is None, may_watch=may_watch(table, watch()), devices=listed)


def _add_taking(routes: Blueprint, table: TableView) -> None:
    @routes.post("/seat/ask")
    @anybody
    def ask() -> tuple[Response, int]:
        """Make the table show a code: for the first visitor, and for devices with a seat."""
        desk = _desk(table)
        with _answering_errors():
            desk.ask_for_code() if seat_now() is None else desk.show_code()
        return jsonify(ok=True), 202

    @routes.post("/seat/take")
    @anybody
    def take() -> Response:
        """{"code": [3, 1, 6, 2], "seat": "white", "black" or "both"}."""
        desk, fields = _desk(table), posted()
        code, seat = _code(fields), _seat(fields, table)
        with _answering_errors():
            token = desk.take(code, seat, _name(), request.remote_addr or "")
        return _given(table, token)

    @routes.post("/seat/accept")
    @anybody
    def accept() -> Response:
        """{"invitation": what the QR code has behind "#", "seat": "white", "black" or "both"}."""
        desk, fields = _desk(table), posted()
        seat = _seat(fields, table)
        with _answering_errors():
            token = desk.accept(str(fields.get("invitation")), seat, _name())
        return _given(table, token)

    @routes.post("/seat/invite")
    @seated
    def invite() -> Response:
        """{"qr", "address"}: a QR code (SVG) that gives one more device a seat, and the address in it."""
        address = f"{request.scheme}://{reachable_host(request.host)}/seat"
        invitation = _desk(table).invite(converted_seat(seat_now() or Seat.BOTH, table), device_now(table))
        return jsonify(qr=qr_code(f"{address}#{invitation}"), address=address)


def _add_leaving(routes: Blueprint, table: TableView) -> None:
    @routes.post("/seat/leave")
    @anybody
    def leave() -> Response:
        """Give this device's seat up."""
        _give_up(table)
        response = jsonify(ok=True)
        delete_seat_cookie(response)
        return response

    @routes.post("/seat/remove")
    @seated
    def remove() -> tuple[Response, int]:
        """{"device": its number}: take its seat away."""
        desk, number = _desk(table), whole_number(posted(), "device", 0)
        if any(device.number == number and not _may_remove(device, table) for device in desk.devices()):
            refuse("seat.not_yours", 403)
        with _answering_errors():
            desk.remove(number)
        return jsonify(ok=True), 202


def _desk(table: TableView) -> SeatDesk:
    if table.seats is None:
        refuse("seat.nobody", 404)
    return table.seats


def _seat(fields: dict[str, Any], table: TableView) -> Seat:
    """The seat under "seat", as it is stored. Answers 403 for the side that Boardside plays."""
    seat = Seat(choice(fields, "seat", list(Seat)))
    if seat.only is not None and seat.only is table.snapshot().opponent:
        refuse("seat.boardside", 403, colour=page_texts().colour(seat.only))
    return converted_seat(seat, table)


def _code(fields: dict[str, Any]) -> Code:
    """The four numbers under "code"."""
    value = fields.get("code")
    if not isinstance(value, list) or len(value) != NUMBERS or any(type(n) is not int or n not in FACES for n in value):
        refuse("code", field='"code"', value=quoted(value), form="[3, 1, 6, 2]")
    return tuple(value)


def _name() -> str:
    return device_name(request.headers.get("User-Agent", ""))


def _given(table: TableView, token: str) -> Response:
    """The answer that gives a device its new seat; an earlier one is removed."""
    _give_up(table)
    response = jsonify(ok=True)
    set_seat_cookie(response, token)
    return response


def _give_up(table: TableView) -> None:
    """Remove the seat of the device that sent this request."""
    device = device_now(table)
    if device is not None:
        with _answering_errors():
            _desk(table).remove(device.number)


@contextmanager
def _answering_errors() -> Iterator[None]:
    """Answer errors of the desk: 403, 429 if waiting helps, 503 if the seat cannot be stored."""
    try:
        yield
    except PairingRefusedError as refused:
        refuse(f"pairing.{refused.refusal}", 429 if refused.refusal is PairingRefusal.WAIT else 403)
    except SeatsError as error:
        refuse("seat.not_kept", 503, why=error)


def _may_remove(device: SeatedDevice, table: TableView) -> bool:
    """The screen of both players may remove any seat, a player's device only seats of that player."""
    return seat_now() in (Seat.BOTH, converted_seat(device.seat, table))


def _listed(table: TableView, own: SeatedDevice | None) -> list[dict[str, Any]]:
    """Every device with a seat as the page lists it, `own` marked."""
    return [
        {
            "number": device.number,
            "seat": converted_seat(device.seat, table),
            "name": device.name,
            "since_s": device.since_s,
            "own": device == own,
            "removable": _may_remove(device, table),
        }
        for device in _desk(table).devices()
    ]
