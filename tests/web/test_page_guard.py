"""Only the page of this device may change anything, and only under a name of this device."""

from __future__ import annotations

import socket
from types import SimpleNamespace

import pytest

from companion.interface import Button, Tapped
from web.guard import is_own_host, own_names
from web.post_limits import MOST_ADDRESSES, PostLimits

NAMES = own_names(["table.example.org"])


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8000",
        "LOCALHOST:8000",
        "127.0.0.1:8000",
        "192.168.1.20",
        "[::1]:8000",
        "[fe80::1]",
        f"{socket.gethostname().split('.')[0]}.local:8000",
        f"{socket.gethostname().split('.')[0]}.local.:8000",
        "table.example.org",
    ],
)
def test_the_device_accepts_its_names_and_addresses(host: str) -> None:
    assert is_own_host(host, NAMES)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "a@localhost",
        "localhost:x",
        "localhost/",
        "[::1",
        "local host",
    ],
)
def test_a_foreign_name_is_refused(host: str) -> None:
    assert not is_own_host(host, NAMES)


def test_a_page_by_dns_rebinding_reads_nothing(client) -> None:
    for path in ("/", "/state.json", "/events", "/static/page.js"):
        answer = client.get(path, headers={"Host": "evil.example"})
        assert answer.status_code == 400
        assert "'evil.example'" in answer.json["error"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost"},
    ],
)
def test_another_page_may_change_nothing(client, evening, headers) -> None:
    answer = client.post("/tap/roll", headers=headers)
    assert answer.status_code == 403
    assert "may not change anything" in answer.json["error"]
    assert evening.items == []


@pytest.mark.parametrize("headers", [{}, {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}])
def test_the_own_page_and_scripts_without_a_browser_are_accepted(client, evening, headers) -> None:
    assert client.post("/tap/roll", headers=headers).status_code == 202
    assert evening.items == [Tapped(Button.ROLL, 12.5, on_page=True)]


@pytest.mark.parametrize("path", ["/", "/state.json", "/static/page.js", "/nowhere"])
def test_every_answer_forbids_the_browser_what_the_page_does_not_need(client, path: str) -> None:
    headers = client.get(path, buffered=True).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"


def test_changing_answers_are_not_cached_by_the_browser(client) -> None:
    assert client.get("/state.json").headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"},
        {"Origin": "http://evil.example"},
        {"Referer": "http://evil.example/page"},
    ],
)
@pytest.mark.parametrize("path", ["/events", "/picture/1.jpg", "/state.json", "/corners.json", "/static/page.js"])
def test_another_page_can_embed_and_read_nothing(client, path: str, headers) -> None:
    answer = client.get(path, headers=headers)
    assert answer.status_code == 403
    assert "may show nothing" in answer.json["error"]


@pytest.mark.parametrize(
    ("path", "destination", "status"),
    [("/", "document", 200), ("/sheets", "document", 200), ("/", "iframe", 403), ("/events", "document", 403)],
)
def test_another_page_may_link_to_a_page_and_to_nothing_else(client, path: str, destination: str, status: int) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": destination}
    assert client.get(path, headers={**headers, "Referer": "http://evil.example/"}).status_code == status


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "[", "http://localhost:x", "\x00", "http://a\u0131"])
def test_an_invalid_origin_counts_as_foreign(client, evening, origin: str) -> None:
    answer = client.post("/tap/roll", headers={"Origin": origin.encode().decode("latin-1")})
    assert answer.status_code == 403
    assert evening.items == []


@pytest.mark.parametrize(
    "host", ["[", "[::1", "a b", "localhost:99999", "localhost:x", "a@b", "[::1]x", "\u00b2", "//", "?"]
)
def test_an_invalid_host_is_refused(client, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 400


def test_too_many_taps_are_refused_but_not_the_posts_of_a_dragged_checker() -> None:
    now = SimpleNamespace(s=0.0)
    limits = PostLimits(lambda: now.s)
    assert [limits.allowed("192.168.1.7", "page") for _ in range(90)].count(True) == 60
    assert limits.allowed("192.168.1.8", "page")
    now.s = 1.0
    assert [limits.allowed("192.168.1.7", "procedure") for _ in range(60)].count(True) == 5
    for n in range(3000):
        now.s = 1.0 + n / 30
        assert limits.allowed("192.168.1.7", "simulated")


def test_an_address_that_posts_too_often_is_refused_with_a_reason(client, evening) -> None:
    answers = [client.post("/hints/hide") for _ in range(90)]
    refused = [answer for answer in answers if answer.status_code == 429]  # others pass meanwhile: tokens are refilled
    assert refused
    assert "wait a moment" in refused[0].json["error"]
    assert len(evening.items) == [answer.status_code for answer in answers].count(202) < 90


def test_the_memory_of_addresses_is_bounded() -> None:
    limits = PostLimits(lambda: 0.0)
    assert [limits.allowed("greedy", "page") for _ in range(61)][-2:] == [True, False]
    for n in range(MOST_ADDRESSES - 1):
        limits.allowed(str(n), "page")
    assert not limits.allowed("greedy", "page")
    for n in range(MOST_ADDRESSES):
        limits.allowed(str(n), "page")
    assert limits.allowed("greedy", "page")
