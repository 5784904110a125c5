"""Recorded matches in a browser: found in the list, stepped through with buttons, keys and slider, saved as a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import real_server
from kept_matches import kept_evening
from playwright.sync_api import expect
from scripted_table import ScriptedTable

from web import create_app

if TYPE_CHECKING:
    from collections.abc import Iterator

PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def kept(tmp_path_factory) -> Iterator[tuple[str, str]]:
    """The address of a page with a match of two games, and the token of a seat."""
    folder = tmp_path_factory.mktemp("state")
    table = ScriptedTable(None, seats=folder / "seats.json")
    with real_server.served(create_app(table.table, history=kept_evening(folder))) as port:
        yield f"http://127.0.0.1:{port}", table.seat()


@pytest.mark.slow
def test_a_match_is_found_and_stepped_through_and_saved(kept, open_page, pages) -> None:
    address, pages.token = kept
    page = open_page(f"{address}/matches", viewport=PHONE)
    page.get_by_label("Player or rule sheet").fill("ben")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="Anna (Red) – Ben (Black)").click()

    title = page.locator("#moment-title")
    expect(title).to_have_text("The game begins")
    expect(page.locator("#moment-board .checker")).to_have_count(30)
    page.get_by_role("button", name="One step on").click()
    expect(title).to_have_text("Anna rolls 6, Ben rolls 1: Anna begins")
    page.keyboard.press("ArrowRight")
    expect(title).to_contain_text("Anna 6-1: ")
    expect(page.locator("#moment-pictures img")).to_have_js_property("naturalWidth", 80)
    expect(page).to_have_url(f"{address}/matches/1#1.2")
    page.keyboard.press("End")
    expect(title).to_have_text("Anna wins 2 points.")
    page.keyboard.press("PageDown")
    expect(page).to_have_url(f"{address}/matches/1#2.0")
    expect(page.locator("[aria-current=step]")).to_have_text("The game begins")
    page.get_by_label("Place in the game").fill("1")
    expect(page).to_have_url(f"{address}/matches/1#2.1")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]

    with page.expect_download() as saved:
        page.get_by_role("link", name=".mat").click()
    assert saved.value.suggested_filename == "boardside-1.mat"
    assert " 3 point match" in Path(saved.value.path()).read_text()


def test_an_address_opens_a_moment(kept, open_page) -> None:
    page = open_page(f"{kept[0]}/matches/1#1.12")
    expect(page.locator("#moment-title")).to_have_text("Ruling: Put it right")
    page.get_by_role("button", name="Dispute: Ben to play 6-1").click()
    page.get_by_text("Legal plays", exact=True).click()
    expect(page.locator("#moment-plays")).to_contain_text("13/6")
    expect(page.locator("#moment-pictures img")).to_have_count(0)


def test_an_answer_of_a_proxy_in_place_of_a_game_is_reported(kept, open_page) -> None:
    page = open_page(f"{kept[0]}/matches/1")
    expect(page.locator("#moment-title")).to_have_text("The game begins")
    page.route("**/games/2.json", lambda route: route.fulfill(status=502, body="<h1>Bad Gateway</h1>"))
    page.get_by_role("combobox", name="Game").select_option("2")
    expect(page.locator("#toast")).to_have_text("Boardside answered 502.")
    open_page.complaints.clear()  # the browser notes the status
