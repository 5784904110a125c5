"""Behind a reverse proxy: its headers are trusted from its address, and from no other."""

from __future__ import annotations

import http.client
import json
from contextlib import closing

import pytest
from flask import Flask, jsonify, request
from real_server import served

from companion.cli import main
from web.seats import is_from_this_machine

PATIENCE_S = 10.0
PROXY = "127.0.0.9"
FORWARDED = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "table.example.org"}
TOLD = {"address": "192.0.2.7", "scheme": "https", "host": "table.example.org", "own": False}


@pytest.fixture(scope="module")
def port():
    """A server behind a proxy that answers with what it knows of the client."""
    app = Flask(__name__)

    @app.get("/")
    def told():
        own = is_from_this_machine()
        return jsonify(address=request.remote_addr, scheme=request.scheme, host=request.host, own=own)

    with served(app, proxy=PROXY) as port:
        yield port


def told(port: int, address: str, headers: dict[str, str]) -> dict[str, object]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, PATIENCE_S, (address, 0))) as connection:
        connection.request("GET", "/", headers={"Host": "localhost", **headers})
        return json.loads(connection.getresponse().read())


def test_the_headers_of_the_proxy_give_address_scheme_and_host(port: int) -> None:
    assert told(port, PROXY, FORWARDED) == TOLD


def test_headers_of_visitors_before_the_proxy_are_ignored(port: int) -> None:
    forged = {**FORWARDED, "X-Forwarded-For": "127.0.0.1, 198.51.100.1, 192.0.2.7"}
    assert told(port, PROXY, forged) == TOLD


def test_a_visitor_through_a_local_proxy_is_not_at_the_screen_of_this_machine(port: int) -> None:
    headers = {**FORWARDED, "X-Forwarded-For": "127.0.0.1", "X-Forwarded-Host": "localhost"}
    assert told(port, PROXY, headers)["own"] is False


def test_a_proxy_without_headers_is_not_taken_for_the_screen_of_this_machine(port: int) -> None:
    """As nginx does with nothing but `proxy_pass`: everybody would have the seat of both players."""
    assert told(port, PROXY, {})["own"] is False


@pytest.mark.parametrize("header", [*FORWARDED, "Forwarded"])
def test_other_addresses_are_neither_trusted_nor_taken_for_the_screen_of_this_machine(port: int, header: str) -> None:
    stranger = {"address": "127.0.0.1", "scheme": "http", "host": "localhost", "own": False}
    assert told(port, "127.0.0.1", {header: FORWARDED.get(header, "for=192.0.2.7;proto=https")}) == stranger
    assert told(port, "127.0.0.1", {}) == {**stranger, "own": True}


@pytest.mark.parametrize("address", ["table.example.org", "127.0.0.256", "127.0.0.1:80", "*", ""])
def test_a_proxy_is_named_by_its_address(address: str, capsys) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["run", "--proxy", address])
    assert "expected one such as 127.0.0.1" in capsys.readouterr().err
