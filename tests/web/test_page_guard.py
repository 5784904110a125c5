"""Only this device's own page may change anything, and only under a name that is this device's."""

from __future__ import annotations

import socket

import pytest

from companion.interface import Button, Tapped
from web.guard import is_own_host, own_names

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
def test_the_device_answers_to_its_names_and_addresses(host: str) -> None:
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


def test_a_page_rebound_to_this_device_reads_nothing(client) -> None:
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
def test_the_own_page_and_scripts_without_a_browser_may(client, evening, headers) -> None:
    assert client.post("/tap/roll", headers=headers).status_code == 202
    assert evening.items == [Tapped(Button.ROLL, 12.5)]


@pytest.mark.parametrize("path", ["/", "/state.json", "/static/page.js", "/nowhere"])
def test_every_answer_forbids_the_browser_what_the_page_does_not_need(client, path: str) -> None:
    headers = client.get(path, buffered=True).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"


def test_what_changes_is_never_kept_by_the_browser(client) -> None:
    assert client.get("/state.json").headers["Cache-Control"] == "no-store"
