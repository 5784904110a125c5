"""The style sheets of a page are sent as one, and files are compressed for clients that accept it."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import web

STATIC = Path(web.__file__).parent / "static"
TOGETHER = "/styles/tokens+base.css"
GZIP = {"Accept-Encoding": "gzip, br"}


def test_style_sheets_come_as_one_in_the_order_named(client) -> None:
    answer = client.get(TOGETHER)
    assert answer.mimetype == "text/css"
    assert answer.text == (STATIC / "tokens.css").read_text() + "\n" + (STATIC / "base.css").read_text()


@pytest.mark.parametrize("names", ["nothing", "tokens+nothing", "tokens+tokens", "", "..%2Fbase", "tokens+"])
def test_there_is_no_other_style_sheet(client, names) -> None:
    assert client.get(f"/styles/{names}.css").status_code == 404


@pytest.mark.parametrize("path", [TOGETHER, "/static/page.js"])
def test_a_file_is_compressed_for_clients_that_accept_it(client, path) -> None:
    plain, packed = client.get(path, buffered=True), client.get(path, headers=GZIP, buffered=True)
    assert packed.content_encoding == "gzip"
    assert plain.content_encoding is None
    assert gzip.decompress(packed.data) == plain.data
    assert packed.content_length == len(packed.data) < len(plain.data)
    assert all("Accept-Encoding" in answer.vary for answer in (plain, packed))


@pytest.mark.parametrize("path", [TOGETHER, "/static/page.js"])
def test_a_cached_file_is_not_sent_again(client, path) -> None:
    packed = client.get(path, headers=GZIP, buffered=True)
    again = client.get(path, headers={**GZIP, "If-None-Match": packed.headers["ETag"]}, buffered=True)
    assert (again.status_code, again.data) == (304, b"")


def test_pages_with_private_content_are_not_compressed(client) -> None:
    for path in ("/", "/state.json", "/seat"):
        assert client.get(path, headers=GZIP).content_encoding is None


def test_a_head_request_for_a_file_has_the_same_headers(client) -> None:
    assert client.head(TOGETHER, headers=GZIP).status_code == 200
