"""A page without a live feed says so, or polls the state until it gets one."""

from __future__ import annotations

import socket
from contextlib import closing
from urllib.parse import urlsplit

import pytest
from page_player import unanswered
from playwright.sync_api import expect

from web import create_app

HURRY = "() => { const later = window.setTimeout; window.setTimeout = (call, ms) => later(call, ms / 20); }"
"""The page waits a twentieth of its times."""


HIDE = """() => {
  Object.defineProperty(document, "hidden", {value: true});
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_stream_that_does_not_begin_counts_as_a_lost_connection(open_page, address) -> None:
    page = open_page(address)
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    page.evaluate(HURRY)
    with unanswered(page, "**/events*"):
        page.evaluate("window.dispatchEvent(new Event('online'))")
        expect(page.locator("#lost")).to_contain_text("No connection to Boardside")
    expect(page.locator("#lost")).to_be_hidden()


def test_a_hidden_page_opens_no_stream_when_the_network_returns(open_page, address) -> None:
    page = open_page(address)
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    streams = []
    page.on("request", lambda request: streams.append(request.url) if "/events" in request.url else None)
    page.evaluate(HIDE)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    page.evaluate("fetch('/seat.json')")
    assert streams == []


@pytest.mark.slow
def test_a_page_without_a_stream_polls_until_there_is_one(evening, served, open_page, address) -> None:
    served.serve(create_app(evening.table, heartbeat_s=0.5, most_streams=1))
    where = urlsplit(address)
    with closing(socket.create_connection((where.hostname, where.port))) as other:
        other.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert other.recv(10)
        page = open_page(address)
        page.evaluate(HURRY)
        with page.expect_response(lambda answer: "/state.json" in answer.url and answer.status == 304):
            expect(page.locator("body")).to_have_attribute("data-link", "live")
        evening.show(dice=(6, 6))
        expect(page.locator("#headline")).to_have_text("White to play 6\u20116")
    with page.expect_response(lambda answer: "/events" in answer.url and answer.status == 200):
        pass
    evening.show(dice=(2, 1))
    expect(page.locator("#headline")).to_have_text("White to play 2\u20111")
    open_page.complaints[:] = [text for text in open_page.complaints if "503" not in text]
