"""A device gets its seat on the page, by the code at the table or by an invitation; and seats are removed there."""

from __future__ import annotations

import http.client
import json
import re
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import pytest
from given_seats import COOKIE, client_at
from real_server import served

from companion.core import Side
from companion.seats import Seat, SeatDesk, SeatRegister, local_address
from companion.seats.pairing import Pairing
from companion.settings import Settings, Watch
from web import create_app
from web.device_name import device_name
from web.invitation import reachable_host

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from flask.testing import FlaskClient

CODE = [3, 1, 6, 2]
PHONE = "Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0"


class Told:
    """The code shown at the table, always 3-1-6-2, and the time."""

    def __init__(self) -> None:
        self.at_s = 0.0
        self.code: tuple[int, ...] | None = None
        self._next = 0

    def number(self, _: int) -> int:
        self._next += 1
        return CODE[(self._next - 1) % len(CODE)] - 1

    def show(self, code: tuple[int, ...] | None) -> None:
        self.code = code


@pytest.fixture
def told(real_evening, tmp_path) -> Told:
    """The desk of the evening's real table, with a clock of the test's own."""
    found = Told()
    pairing = Pairing(lambda: found.at_s, found.number)
    real_evening.table.seats = SeatDesk(SeatRegister(tmp_path / "seats.json"), pairing, show=found.show)
    return found


@pytest.fixture
def phone(real_evening, told) -> FlaskClient:  # noqa: ARG001
    """A phone without a seat."""
    return client_at(real_evening.table)


def error(answer) -> tuple[int, str]:
    return answer.status_code, answer.json["error"]


def seat_of(client: FlaskClient) -> str | None:
    return client.get("/seat.json").json["seat"]


def test_the_first_visitor_requests_the_code_and_takes_a_seat_with_it(phone, told) -> None:
    assert seat_of(phone) is None
    assert phone.post("/seat/ask").status_code == 202
    assert told.code == tuple(CODE), "at the table"
    assert phone.post("/seat/take", json={"code": CODE, "seat": "white"}).status_code == 200
    assert seat_of(phone) == "white"
    assert phone.post("/tap/roll").status_code == 202


def test_no_answer_tells_the_code_or_a_token(phone, told) -> None:
    asked = phone.post("/seat/ask")
    taken = phone.post("/seat/take", json={"code": CODE, "seat": "both"})
    token = phone.get_cookie(COOKIE).value
    assert len(token) > 40
    for answer in (asked, taken, phone.get("/seat.json"), phone.get("/seat"), phone.get("/"), phone.get("/state.json")):
        assert token not in answer.text
    assert asked.json == taken.json == {"ok": True}
    assert told.code is None


@pytest.mark.parametrize(("scheme", "secure"), [("http", False), ("https", True)])
def test_the_cookie_is_for_this_page_alone(phone, scheme: str, secure: bool) -> None:
    phone.post("/seat/ask")
    taken = phone.post("/seat/take", json={"code": CODE, "seat": "both"}, base_url=f"{scheme}://localhost")
    cookie = taken.headers["Set-Cookie"]
    for part in ("HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=34560000"):
        assert part in cookie
    assert ("Secure" in cookie) is secure


def test_wrong_codes_are_refused_with_a_reason_and_a_delay(phone, told) -> None:
    def tries(code: list[int]) -> tuple[int, str]:
        return error(phone.post("/seat/take", json={"code": code, "seat": "white"}))

    assert tries(CODE) == (403, "No code is valid now: show a new one.")
    phone.post("/seat/ask")
    assert tries([1, 1, 1, 1]) == (403, "These are not the numbers that the table shows.")
    assert tries(CODE) == (429, "One moment: wait two seconds, then try again.")
    told.at_s += 2
    assert phone.post("/seat/take", json={"code": CODE, "seat": "white"}).status_code == 200


@pytest.mark.parametrize(
    "code", [None, "3162", [3, 1, 6], [3, 1, 6, 2, 2], [0, 1, 6, 2], [3, 1, 6, 7], [3.0, 1, 6, 2], [True] * 4, [[]] * 4]
)
def test_an_invalid_code_does_not_count_as_a_try(phone, told, code: object) -> None:
    phone.post("/seat/ask")
    for _ in range(5):
        status, words = error(phone.post("/seat/take", json={"code": code, "seat": "white"}))
        assert status == 400
        assert "four numbers from 1 to 6" in words
    assert told.code == tuple(CODE)


def test_a_seat_is_whites_blacks_or_both(phone) -> None:
    phone.post("/seat/ask")
    assert phone.post("/seat/take", json={"code": CODE, "seat": "all"}).status_code == 400


def test_once_a_device_has_a_seat_visitors_cannot_request_a_code(phone, real_evening, told) -> None:
    real_evening.seat(Seat.WHITE)
    status, words = error(phone.post("/seat/ask"))
    assert (status, told.code) == (403, None)
    assert "Hold Roll at the table" in words


def test_once_a_device_has_a_seat_the_page_explains_where_the_code_is_instead_of_the_button(
    phone, real_evening
) -> None:
    first = phone.get("/seat").text
    token = real_evening.seat(Seat.WHITE)
    second, seated = phone.get("/seat").text, client_at(real_evening.table, token).get("/seat").text
    assert [('id="ask"' in page, 'id="elsewhere"' in page) for page in (first, second, seated)] == [
        (True, False),
        (False, True),
        (True, False),
    ]
    assert "Hold Roll at the table until the dice show a code, or ask somebody who has a seat" in second


def test_a_device_with_a_seat_can_show_the_code_again(real_evening, told) -> None:
    assert client_at(real_evening.table, real_evening.seat(Seat.WHITE)).post("/seat/ask").status_code == 202
    assert told.code == tuple(CODE)


def test_a_device_that_takes_another_seat_loses_the_first(phone, real_evening, told) -> None:
    real_evening.table.seats.show_code()
    phone.post("/seat/take", json={"code": CODE, "seat": "white"})
    phone.post("/seat/ask")
    assert phone.post("/seat/take", json={"code": list(told.code), "seat": "both"}).status_code == 200
    assert [device.seat for device in real_evening.table.seats.devices()] == [Seat.BOTH]


# --- invitations -----------------------------------------------------------------------------------------------------


def test_a_qr_code_gives_one_device_a_seat(phone, real_evening) -> None:
    host = client_at(real_evening.table)
    host.set_cookie(COOKIE, real_evening.seat(Seat.WHITE), domain="192.168.1.20")
    answer = host.post("/seat/invite", base_url="http://192.168.1.20:8000")
    assert answer.json["address"] == "http://192.168.1.20:8000/seat"
    assert re.fullmatch(r"<svg .*</svg>", answer.json["qr"])
    assert answer.headers["Cache-Control"] == "no-store"
    invitation = real_evening.table.seats.invite()
    assert phone.post("/seat/accept", json={"invitation": invitation, "seat": "black"}).status_code == 200
    assert seat_of(phone) == "black"
    again = client_at(real_evening.table).post("/seat/accept", json={"invitation": invitation, "seat": "black"})
    assert error(again) == (403, "This invitation is used or too old: ask for a new one.")


@pytest.mark.parametrize("invitation", [None, 7, "", "x" * 10_000, "never given"])
def test_no_other_invitation_is_accepted(phone, invitation: object) -> None:
    assert phone.post("/seat/accept", json={"invitation": invitation, "seat": "black"}).status_code == 403
    assert seat_of(phone) is None


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
def test_another_device_gets_the_network_address_of_this_machine(host: str) -> None:
    assert reachable_host(host) == f"{local_address()}:8000"
    assert reachable_host("board.local") == "board.local"


# --- Boardside's seat ------------------------------------------------------------------------------------------------


def offered(page: str) -> set[str]:
    return set(re.findall(r'data-take="(\w+)"', page))


def test_the_seat_of_the_side_that_boardside_plays_is_neither_offered_nor_given(phone, real_evening, told) -> None:
    assert offered(phone.get("/seat").text) == {"white", "black", "both"}
    real_evening.show(opponent=Side.BLACK)
    assert offered(phone.get("/seat").text) == {"white", "both"}
    refused = (403, "Boardside plays Black: take the other player’s seat, or the screen of both players.")
    invitation = real_evening.table.seats.invite()
    phone.post("/seat/ask")
    assert error(phone.post("/seat/take", json={"code": CODE, "seat": "black"})) == refused
    assert error(phone.post("/seat/accept", json={"invitation": invitation, "seat": "black"})) == refused
    assert told.code == tuple(CODE), "neither is used up"
    assert phone.post("/seat/accept", json={"invitation": invitation, "seat": "white"}).status_code == 200


def test_against_boardside_the_screen_belongs_to_no_particular_player(real_evening) -> None:
    client = client_at(real_evening.table, real_evening.seat(Seat.BOTH))
    assert '<option value="black">' in client.get("/").text
    real_evening.show(opponent=Side.BLACK)
    page = client.get("/").text
    assert '<option value="white">' not in page
    assert '<option value="black">' not in page


# --- who has a seat --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (PHONE, "Firefox, Android"),
        (
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/128.0.0.0 Mobile Safari/537.36",
            "Chrome, Android",
        ),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/128.0 Safari/537.36 Edg/128.0", "Edge, Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile Safari/604.1", "Safari, iPhone"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/17.5 Safari/605.1.15", "Safari, Mac"),
        ("curl/8.9.1", "curl"),
        ("\x1b[31m", "?"),
        ("", "?"),
    ],
)
def test_a_device_is_named_after_browser_and_system(user_agent: str, name: str) -> None:
    assert device_name(user_agent) == name


def test_a_device_with_a_seat_sees_the_devices_with_seats(phone, real_evening) -> None:
    assert phone.get("/seat.json").json["devices"] is None
    real_evening.seat(Seat.WHITE)
    invitation = real_evening.table.seats.invite()
    phone.post("/seat/accept", json={"invitation": invitation, "seat": "black"}, headers={"User-Agent": PHONE})
    other, own = phone.get("/seat.json").json["devices"]
    assert (other["name"], other["seat"], other["own"], other["removable"]) == ("a test", "white", False, False)
    assert (own["name"], own["seat"], own["own"], own["removable"]) == ("Firefox, Android", "black", True, True)


@pytest.mark.parametrize(
    ("seat", "taken_away"),
    [(Seat.WHITE, {Seat.WHITE}), (Seat.BLACK, {Seat.BLACK}), (Seat.BOTH, {Seat.WHITE, Seat.BLACK, Seat.BOTH})],
)
def test_a_player_removes_own_seats_and_the_screen_of_both_removes_all(real_evening, seat, taken_away) -> None:
    client = client_at(real_evening.table, real_evening.seat(seat))
    for other in Seat:
        token = real_evening.seat(other)
        number = real_evening.table.seats.device_of(token).number
        status = client.post("/seat/remove", json={"device": number}).status_code
        assert status == (202 if other in taken_away else 403)
        assert (client_at(real_evening.table, token).post("/tap/hint").status_code == 401) is (other in taken_away)


def test_a_device_whose_seat_was_removed_cannot_use_its_own_invitation(real_evening, monkeypatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr("web.routes.seats.qr_code", shown.append)
    seats = real_evening.table.seats
    kept, gone = real_evening.seat(Seat.WHITE), real_evening.seat(Seat.WHITE)
    for token in (kept, gone):
        client_at(real_evening.table, token).post("/seat/invite")
    seats.remove(seats.device_of(gone).number)
    visitor = client_at(real_evening.table)
    statuses = [
        visitor.post("/seat/accept", json={"invitation": address.partition("#")[2], "seat": "white"}).status_code
        for address in reversed(shown)
    ]
    assert statuses == [403, 200]


def test_a_removed_seat_is_reported(real_evening) -> None:
    token = real_evening.seat(Seat.WHITE)
    real_evening.table.seats.remove(real_evening.table.seats.device_of(token).number)
    status, words = error(client_at(real_evening.table, token).post("/tap/roll"))
    assert status == 401
    assert "no longer has a seat" in words


def test_a_seat_is_given_up(real_evening) -> None:
    client = client_at(real_evening.table, real_evening.seat(Seat.WHITE))
    assert client.post("/seat/leave").status_code == 200
    assert client.get_cookie(COOKIE) is None
    assert real_evening.table.seats.devices() == ()


def test_seats_that_cannot_be_kept_are_not_given(real_evening, tmp_path) -> None:
    real_evening.table.seats = SeatDesk(SeatRegister(tmp_path / "no folder" / "seats.json"))
    invitation = real_evening.table.seats.invite()
    answer = client_at(real_evening.table).post("/seat/accept", json={"invitation": invitation, "seat": "black"})
    status, words = error(answer)
    assert status == 503
    assert "cannot be written" in words
    assert "Set-Cookie" not in answer.headers


@contextmanager
def connected(app: Flask) -> Iterator[http.client.HTTPConnection]:
    """A connection to the real server of `app`."""
    with served(app) as port, closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        yield connection


def test_through_a_proxy_on_this_machine_the_real_server_takes_no_visitor_for_a_player(evening) -> None:
    with connected(create_app(evening.table)) as connection:
        for headers, status in (({}, 202), ({"X-Forwarded-For": "192.168.1.7"}, 401), ({"Via": "1.1 proxy"}, 401)):
            connection.request("POST", "/tap/roll", json.dumps({}), headers)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == status


def test_the_live_feed_of_a_device_ends_with_its_seat(real_evening) -> None:
    token = real_evening.seat(Seat.WHITE)
    seats = real_evening.table.seats
    with connected(create_app(real_evening.table, watch="seats", heartbeat_s=0.05)) as connection:
        connection.request("GET", "/events", headers={"Cookie": f"{COOKIE}={token}"})
        stream = connection.getresponse()
        assert stream.readline() == b": Boardside\n"
        seats.remove(seats.device_of(token).number)
        real_evening.show(sheet="told to nobody else")
        assert b"told to nobody else" not in stream.read()


def test_the_live_feed_of_a_visitor_ends_once_only_devices_with_a_seat_may_watch(real_evening, tmp_path) -> None:
    settings = real_evening.set_up(tmp_path / "settings.json")
    with connected(create_app(real_evening.table, heartbeat_s=0.05)) as connection:
        connection.request("GET", "/events")
        stream = connection.getresponse()
        assert stream.readline() == b": Boardside\n"
        settings.change(Settings(watch=Watch.SEATS))
        real_evening.show(sheet="told to nobody else")
        assert not any(b"told to nobody else" in line for line in stream)
