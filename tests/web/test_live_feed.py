"""The live feed over a real server: every page gets every change, and none can block the server."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from contextlib import ExitStack, closing
from itertools import repeat

import pytest
from real_server import served

from web import create_app, make_server
from web.feed import Feed
from web.serve import THREADS, PageNotServedError
from web.texts import ENGLISH_TEXTS

PATIENCE_S = 10.0


class Watcher:
    """A page's stream, read line by line."""

    def __init__(self, port: int, last_event_id: str | None = None, address: str = "127.0.0.1") -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, PATIENCE_S, (address, 0))
        self.connection.request("GET", "/events", headers={"Last-Event-ID": last_event_id} if last_event_id else {})
        self.response = self.connection.getresponse()

    def block(self) -> list[str]:
        """The next block of lines up to an empty one."""
        lines = []
        while line := self.response.readline().decode().rstrip("\n"):
            lines.append(line)
        return lines

    def state(self) -> tuple[str, dict]:
        """The next event's id and state; comments are skipped."""
        while True:
            fields = dict(line.split(": ", 1) for line in self.block() if not line.startswith(":"))
            if "data" in fields:
                return fields["id"], json.loads(fields["data"])

    def close(self) -> None:
        self.response.close()
        self.connection.close()


@pytest.fixture
def serve():
    """Serves an app on a free port; returns the port."""
    with ExitStack() as stack:
        yield lambda app, host="127.0.0.1": stack.enter_context(served(app, host))


@pytest.fixture
def port(serve, evening) -> int:
    evening.show()
    return serve(create_app(evening.table, heartbeat_s=0.05, most_streams=3))


def get(port: int, path: str) -> tuple[int, bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)) as connection:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read()


def test_a_stream_sends_a_greeting_then_the_state_then_every_change(port: int, evening) -> None:
    with closing(Watcher(port)) as watcher:
        assert watcher.response.headers["Content-Type"].startswith("text/event-stream")
        assert watcher.block() == [": Boardside", "retry: 2000"]
        first, state = watcher.state()
        assert state["headline"] == "White to play 4-3"
        version = evening.show(dice=(6, 6))
        second, state = watcher.state()
        assert (state["version"], state["headline"]) == (version, "White to play 6-6")
        assert first != second


def test_an_idle_stream_sends_heartbeats(port: int) -> None:
    with closing(Watcher(port)) as watcher:
        watcher.state()
        assert watcher.block() == [": still here"]


def test_a_page_that_reconnects_gets_only_new_states(port: int, evening) -> None:
    with closing(Watcher(port)) as watcher:
        seen, _ = watcher.state()
    with closing(Watcher(port, last_event_id=seen)) as watcher:
        watcher.block()
        assert watcher.block() == [": still here"]
        evening.show(dice=(5, 5))
        assert watcher.state()[1]["headline"] == "White to play 5-5"


@pytest.mark.parametrize("last_event_id", ["0badc0de-999999", "x", "-", "1-²"])
def test_an_event_id_of_another_run_is_ignored(port: int, last_event_id: str) -> None:
    with closing(Watcher(port, last_event_id=last_event_id.encode().decode("latin-1"))) as watcher:
        assert watcher.state()[1]["headline"] == "White to play 4-3"


def test_one_page_too_many_is_refused_and_the_others_are_still_served(port: int) -> None:
    watchers = [Watcher(port) for _ in range(3)]
    for watcher in watchers:
        watcher.state()
    status, body = get(port, "/events")
    assert status == 503
    assert "Too many pages" in json.loads(body)["error"]
    assert get(port, "/state.json")[0] == 200
    for watcher in watchers:
        watcher.close()


def test_a_page_that_disconnects_makes_room_for_another(port: int) -> None:
    watchers = [Watcher(port) for _ in range(3)]
    for watcher in watchers:
        watcher.state()
        watcher.close()
    answers = (Watcher(port) for _ in range(2000))  # the server notices at a heartbeat that nobody listens any more
    newcomer = next(watcher for watcher in answers if watcher.response.status == 200 or watcher.close())
    assert newcomer.state()[1]["headline"] == "White to play 4-3"
    newcomer.close()


def test_a_stream_that_was_closed_before_it_was_read_makes_room_once(evening) -> None:
    feed = Feed(evening.table, most_streams=1)
    for _ in range(3):
        stream = feed.open(None, ENGLISH_TEXTS)
        assert stream is not None
        assert feed.open(None, ENGLISH_TEXTS) is None
        stream.close()
        stream.close()


def test_an_overlong_event_id_is_ignored(evening) -> None:
    feed = Feed(evening.table, most_streams=1)
    stream = feed.open(f"{feed.run_id}-{'9' * 5000}", ENGLISH_TEXTS)
    assert stream is not None
    stream.close()
    assert feed.open(None, ENGLISH_TEXTS) is not None


def test_a_head_request_for_a_stream_takes_no_room(evening) -> None:
    client = create_app(evening.table, most_streams=1).test_client()
    for _ in range(3):
        assert client.head("/events", buffered=True).status_code == 200


def test_a_polling_page_gets_the_state_only_if_it_has_changed(evening) -> None:
    evening.show()
    client = create_app(evening.table).test_client()
    tag = client.get("/state.json").headers["ETag"]
    same = client.get("/state.json", headers={"If-None-Match": tag})
    assert (same.status_code, same.data, same.headers["ETag"]) == (304, b"", tag)
    assert client.get("/state.json?language=de", headers={"If-None-Match": tag}).json["language"] == "de"
    assert create_app(evening.table).test_client().get("/state.json", headers={"If-None-Match": tag}).status_code == 200
    evening.show(dice=(5, 5))
    assert client.get("/state.json", headers={"If-None-Match": tag}).json["headline"] == "White to play 5-5"


def test_pages_that_only_watch_share_three_quarters_of_the_streams(evening) -> None:
    feed = Feed(evening.table, most_streams=40)
    watching = [feed.open(None, ENGLISH_TEXTS, f"10.0.0.{n}") for n in range(40)]
    assert watching.count(None) == 10
    players = [feed.open(None, ENGLISH_TEXTS, "10.0.0.99", seated=True) for _ in range(12)]
    assert players.count(None) == 2


def test_the_streams_of_an_address_are_limited_but_not_those_of_players(evening) -> None:
    feed = Feed(evening.table)
    watching = [feed.open(None, ENGLISH_TEXTS, "10.0.0.1") for _ in range(12)]
    assert watching.count(None) == 4
    assert feed.open(None, ENGLISH_TEXTS, "10.0.0.1", seated=True) is not None
    assert feed.open(None, ENGLISH_TEXTS, "10.0.0.2") is not None


def test_thirty_pages_watch_while_the_server_answers_others(serve, evening) -> None:
    evening.show()
    port = serve(create_app(evening.table, heartbeat_s=0.2))
    watchers = [Watcher(port, address=f"127.0.0.{n}") for n in range(1, 31)]
    for watcher in watchers:
        watcher.state()
    assert get(port, "/state.json")[0] == 200
    evening.show(dice=(2, 2))
    assert {watcher.state()[1]["headline"] for watcher in watchers} == {"White to play 2-2"}
    for watcher in watchers:
        watcher.close()


def test_a_server_that_is_closed_during_a_write_logs_no_error() -> None:
    def without_end(_environ, start_response):
        start_response("200 OK", [("Content-Type", "text/plain")])
        return repeat(b"x" * 2000)

    before = set(threading.enumerate())
    with ExitStack() as stack:
        with served(without_end) as port:
            for _ in range(THREADS):  # each writes without end, and one page more would wait for its answer
                page = stack.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE_S))
                page.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                page.recv(1000)
        for thread in set(threading.enumerate()) - before:
            thread.join(PATIENCE_S)
            assert not thread.is_alive()


def test_a_port_in_use_is_named_with_what_to_do(evening) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PageNotServedError, match=f"port {port} is in use.*--port"):
            make_server(create_app(evening.table), "127.0.0.1", port)


@pytest.mark.parametrize(
    ("host", "port", "words"),
    [
        ("no.such.host.invalid", 0, "no host 'no.such.host.invalid'"),
        ("192.0.2.1", 0, "no address"),
        ("127.0.0.1", 70_000, "70000"),
    ],
)
def test_an_address_that_cannot_be_used_is_named(evening, host: str, port: int, words: str) -> None:
    with pytest.raises(PageNotServedError, match=words):
        make_server(create_app(evening.table), host, port)


def test_a_server_on_localhost_answers_on_each_of_its_addresses(serve, evening) -> None:
    evening.show()
    port = serve(create_app(evening.table), "localhost")
    for address in {info[4][0] for info in socket.getaddrinfo("localhost", port, type=socket.SOCK_STREAM)}:
        with closing(http.client.HTTPConnection(address, port, timeout=PATIENCE_S)) as connection:
            connection.request("GET", "/state.json")
            assert connection.getresponse().status == 200
