"""Connections over a real server: slow clients, and clients with many connections, do not harm others."""

from __future__ import annotations

import http.client
import select
import socket
import threading
import time
from contextlib import ExitStack, closing, suppress
from itertools import repeat

import pytest
from real_server import served
from waitress.adjustments import Adjustments

from companion.core import verbatim
from web import create_app
from web.connection_limits import Limits
from web.connections import PLAYERS, PageRequest

PATIENCE_S = 10.0
HEAD = b"GET /state.json HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
def serve():
    """Serves an app within limits; returns the port."""
    with ExitStack() as stack:

        def start(app, proxy: str | None = None, **limits) -> int:
            return stack.enter_context(served(app, proxy=proxy, limits=Limits(**limits)))

        yield start


@pytest.fixture
def page(evening):
    evening.show()
    return create_app(evening.table, heartbeat_s=0.05)


@pytest.fixture
def connect():
    """Connects to a port, from an address of the loopback."""
    with ExitStack() as stack:

        def connected(port: int, address: str = "127.0.0.1", receive_bytes: int | None = None) -> socket.socket:
            one = stack.enter_context(socket.socket())
            if receive_bytes is not None:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
            one.settimeout(PATIENCE_S)
            one.bind((address, 0))
            one.connect(("127.0.0.1", port))
            return one

        yield connected


def get(port: int, path: str, address: str = "127.0.0.1", **headers: str) -> tuple[int, bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, PATIENCE_S, (address, 0))) as connection:
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        return response.status, response.read()


def asked(one: socket.socket, head: bytes = HEAD) -> int:
    """Send a request over an open connection and read the answer; returns its status."""
    one.sendall(head)
    response = http.client.HTTPResponse(one)
    response.begin()
    response.read()
    return response.status


def is_closed(one: socket.socket) -> bool:
    """Whether the server has closed the connection by now."""
    if not select.select([one], [], [], 0)[0]:
        return False
    try:
        return one.recv(1 << 16) == b""
    except ConnectionResetError:
        return True


def bytes_until_closed(one: socket.socket) -> int:
    """The number of bytes received until the server closes the connection."""
    count = 0
    try:
        while piece := one.recv(1 << 20):
            count += len(piece)
    except ConnectionResetError:
        pass
    return count


def until_closed(one: socket.socket, said: bytes) -> None:
    """Send a byte at a time until the server closes the connection, PATIENCE_S at most."""
    for byte in [*said[:-1], *repeat(said[-1], int(PATIENCE_S / 0.05))]:
        if select.select([one], [], [], 0.05)[0]:
            return
        one.sendall(bytes([byte]))
    pytest.fail("the connection stays open")


@pytest.mark.parametrize(
    ("limit", "head"),
    [
        ("head_s", HEAD[:5]),
        ("head_s", HEAD[:-4]),
        ("body_s", b"POST /tap/roll HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n"),
    ],
)
def test_a_request_sent_byte_by_byte_is_cut_off_at_a_deadline(serve, page, connect, limit: str, head: bytes) -> None:
    port = serve(page, **{limit: 0.3})
    slow = connect(port)
    slow.sendall(head)
    until_closed(slow, b"X-a: ")
    assert is_closed(slow)


def test_an_idle_connection_is_closed_after_its_time_limit_and_not_before(serve, page, connect) -> None:
    kept = connect(serve(page, head_s=0.3, idle_s=1.2))
    assert asked(kept) == 200
    assert not select.select([kept], [], [], 0.6)[0]
    assert asked(kept) == 200
    assert kept.recv(1 << 16) == b""


def test_an_unused_connection_has_the_time_limit_of_an_idle_one(serve, page, connect) -> None:
    port = serve(page, head_s=0.3, idle_s=1.2)
    unused, in_advance = connect(port), connect(port)
    assert not select.select([unused], [], [], 0.8)[0]
    assert asked(in_advance) == 200
    assert unused.recv(1 << 16) == b""


def test_two_hundred_slow_sockets_do_not_block_the_page(serve, page, connect) -> None:
    port = serve(page)
    for n in range(200):
        connect(port, f"127.1.0.{1 + n % 10}").sendall(HEAD[: 5 + n % 20])
    assert get(port, "/")[0] == 200


def test_one_address_has_so_many_connections_and_a_new_one_takes_the_place_of_its_oldest(serve, page, connect) -> None:
    port = serve(page, of_one_address=3)
    first, *others = [connect(port) for _ in range(3)]
    for one in (first, *others):
        assert asked(one) == 200
    assert get(port, "/state.json")[0] == 200
    assert is_closed(first)
    assert not any(map(is_closed, others))


def test_if_all_connections_are_used_one_of_the_largest_user_is_closed(serve, page, connect) -> None:
    port = serve(page, connections=6)
    neighbour = [connect(port, "127.1.0.1") for _ in range(5)]
    own = connect(port, "127.2.0.1")
    assert asked(own) == 200
    assert get(port, "/state.json", "127.3.0.1")[0] == 200
    assert [is_closed(one) for one in neighbour].count(True) == 1
    assert not is_closed(own)


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (b"POST /tap/roll HTTP/1.1\r\nHost: localhost\r\nContent-Length: 300000000\r\n\r\n", b"413"),
        (
            b"POST /tap/roll HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n11170\r\n"
            + b"0" * 70_000,
            b"413",
        ),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"0" * 20_000, b"431"),
    ],
    ids=["a long body", "a long body in chunks", "a long head"],
)
def test_a_body_that_is_too_long_is_refused_before_it_arrives(serve, page, connect, said: bytes, status: bytes) -> None:
    one = connect(serve(page))
    one.sendall(said)
    assert one.recv(1 << 16).split()[1] == status


def test_an_unread_answer_does_not_hold_a_thread(serve, connect) -> None:
    def large(environ, start_response):
        body = [b"x" * 4_000_000] if environ["PATH_INFO"] == "/large" else [b"small"]
        start_response("200 OK", [("Content-Length", str(len(body[0])))])
        return body

    port = serve(large, answer_s=0.2, idle_s=0.8)
    readers = [connect(port, receive_bytes=2048) for _ in range(9)]
    for one in readers:
        one.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        with suppress(ConnectionResetError):  # on a busy machine its time may be over already
            assert one.recv(1)
    idle = connect(port)
    assert asked(idle, b"GET /small HTTP/1.1\r\nHost: localhost\r\n\r\n") == 200
    assert idle.recv(1) == b""  # by then the others' time was over as well
    assert all(bytes_until_closed(one) < 4_000_000 for one in readers)


def test_if_too_much_is_unread_the_connection_with_the_most_is_closed(serve, connect) -> None:
    def large(environ, start_response):
        body = [b"x" * int(environ["PATH_INFO"][1:])]
        start_response("200 OK", [("Content-Length", str(len(body[0])))])
        return body

    port = serve(large, unread_bytes=3_000_000, idle_s=0.5)
    small, large_one = (connect(port, receive_bytes=2048) for _ in range(2))
    for one, size in ((small, b"2000000"), (large_one, b"4000000")):
        one.sendall(b"GET /" + size + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert one.recv(1)
    idle = connect(port)
    assert asked(idle, b"GET /1 HTTP/1.1\r\nHost: localhost\r\n\r\n") == 200
    assert idle.recv(1) == b""  # by then the server has looked
    assert bytes_until_closed(large_one) < 4_000_000
    assert bytes_until_closed(small) > 2_000_000


def test_a_client_that_pipelines_requests_is_disconnected(serve, page, connect) -> None:
    one = connect(serve(page))
    one.sendall(HEAD * 40)
    got = b""
    while piece := one.recv(1 << 16):
        got += piece
    assert got.count(b"HTTP/1.1 200") < 3


def streams_soon(port: int, address: str) -> bool:
    """Whether a stream can be opened within PATIENCE_S: a server needs a moment to notice a closed one."""
    until_s = time.monotonic() + PATIENCE_S
    return any(get_stream(port, address) for _ in iter(lambda: time.monotonic() < until_s, False))


def get_stream(port: int, address: str) -> bool:
    with closing(http.client.HTTPConnection("127.0.0.1", port, PATIENCE_S, (address, 0))) as connection:
        connection.request("GET", "/events")
        return connection.getresponse().status == 200


def test_a_stream_that_nobody_reads_is_closed(serve, evening, connect) -> None:
    port = serve(create_app(evening.table, most_streams=1), stalled_s=0.3)
    stalled = connect(port, receive_bytes=2048)
    stalled.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert stalled.recv(10)
    for _ in range(4):
        evening.show(notice=verbatim("word " * 100_000))
    assert streams_soon(port, "127.0.0.2")


def test_a_closed_stream_makes_room_at_once(serve, evening) -> None:
    evening.show()
    port = serve(create_app(evening.table, most_streams=1, heartbeat_s=1000))
    assert all(streams_soon(port, "127.0.0.1") for _ in range(5))


def test_a_player_never_waits(serve, page, connect) -> None:
    port = serve(page, reserve_s=0.0)  # who asks from the simulated table's own machine has the seat of both players
    player = connect(port)
    for _ in range(3):
        assert asked(player) == 200


def test_if_all_connections_are_used_those_of_players_are_not_closed(serve, page, connect) -> None:
    """Also if the player has the most, as browsers do, and every other connection has another address."""
    port = serve(page, connections=6)
    player = [connect(port) for _ in range(3)]
    assert [asked(one) for one in player] == [200, 200, 200]
    others = [connect(port, f"127.1.0.{n}") for n in range(1, 9)]
    assert asked(player[0]) == 200
    assert not any(map(is_closed, player))
    assert [is_closed(one) for one in others].count(True) == 5


HALF_SENT = b"POST /seat/take HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n"


def test_a_connection_that_waits_for_a_body_is_closed_to_admit_another(serve, page, connect) -> None:
    port = serve(page, connections=3)
    half = [connect(port, f"127.1.0.{n}") for n in range(1, 4)]
    for one in half:
        one.sendall(HALF_SENT)
        assert b"100 Continue" in one.recv(100)
    asking = [connect(port, f"127.2.0.{n}") for n in range(1, 3)]
    assert [asked(one) for one in asking] == [200, 200]
    assert [is_closed(one) for one in half] == [True, True, False]


def test_an_unreadable_request_has_a_path_for_the_log() -> None:
    """Waitress logs the path of a request whose sender has disconnected; without one it logged a traceback."""
    request = PageRequest(Adjustments())
    request.received(b"\0\xff\r\n\r\n")
    assert (request.error is not None, request.path) == (True, "")


def test_a_proxy_may_have_any_number_of_connections_and_ask_without_end(serve, page, connect) -> None:
    port = serve(page, proxy="127.0.0.1", of_one_address=1, connections=4, reserve_s=0.0)
    through = [connect(port) for _ in range(3)]
    for one in through:
        assert asked(one) == 200
    assert not any(map(is_closed, through))


def test_many_simultaneous_slow_requests_do_not_delay_a_player(serve, connect) -> None:
    go_on, begun = threading.Event(), threading.Semaphore(0)

    def slow_for_strangers(environ, start_response):
        if environ["PATH_INFO"] == "/player":
            environ[PLAYERS].append("white")
        else:
            begun.release()
            go_on.wait(2 * PATIENCE_S)
        start_response("200 OK", [("Content-Length", "2")])
        return [b"ok"]

    port = serve(slow_for_strangers)
    player = connect(port)
    assert asked(player, b"GET /player HTTP/1.1\r\nHost: localhost\r\n\r\n") == 200
    strangers = [connect(port, f"127.1.0.{n}") for n in range(1, 9)]
    try:
        for one in strangers:
            one.sendall(b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert begun.acquire(timeout=PATIENCE_S)
        assert begun.acquire(timeout=PATIENCE_S)
        assert not begun.acquire(timeout=0.3), "a third is answered"
        assert asked(player, b"GET /player HTTP/1.1\r\nHost: localhost\r\n\r\n") == 200
    finally:
        go_on.set()
    assert all(one.recv(100).startswith(b"HTTP/1.1 200") for one in strangers)


def test_an_answer_that_is_unfinished_when_the_server_closes_arrives_whole(connect) -> None:
    """Settings open the table again while the page still waits for the answer to its change."""
    begun = threading.Event()

    def slow(_environ, start_response):
        begun.set()
        time.sleep(0.3)
        start_response("200 OK", [("Content-Length", "2")])
        return [b"ok"]

    with served(slow) as port:
        one = connect(port)
        one.sendall(HEAD)
        assert begun.wait(PATIENCE_S)
    assert one.recv(1000).endswith(b"\r\n\r\nok")


def test_a_reader_that_stops_does_not_keep_the_server_from_closing(connect) -> None:
    def large(_environ, start_response):
        start_response("200 OK", [("Content-Length", "9000000")])
        return [b"x" * 9_000_000]

    with served(large) as port:  # it waits for the end of the server
        one = connect(port, receive_bytes=2048)
        one.sendall(HEAD)
        assert one.recv(1)
    assert bytes_until_closed(one) < 9_000_000
