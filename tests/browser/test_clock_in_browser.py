"""The chess clock as a player sees it."""

from __future__ import annotations

from dataclasses import replace

from playwright.sync_api import expect

from companion.core import Side
from companion.interface import ClockView

CLOCK = ClockView(reserve_s=(95.0, 61.0), delay_s=(0.0, 12.0))


def test_a_table_without_a_clock_shows_none(address, open_page) -> None:
    expect(open_page(address).locator("#clock")).to_be_hidden()


def test_the_clock_counts_down_for_whoever_the_table_waits_for(evening, address, open_page, monkeypatch) -> None:
    running = [None]
    monkeypatch.setattr(evening.table._keeper, "shown", lambda _at_s: replace(CLOCK, running=running[0]))
    page = open_page(address)
    white, black = page.locator("#clock-white"), page.locator("#clock-black")
    expect(white.locator("time")).to_have_text("1:35")
    expect(black.locator("time")).to_have_text("1:01")
    running[0] = Side.WHITE
    evening.show()
    expect(white).to_have_attribute("data-running", "yes")
    expect(white.locator("time")).to_have_text("1:34")
    expect(black.locator("time")).to_have_text("1:01")
    running[0] = Side.BLACK
    evening.show()
    expect(black.locator("small")).to_contain_text("delay 11")
    expect(black.locator("time")).to_have_text("1:01")


def test_a_fallen_flag_is_shown_in_words(evening, address, open_page, monkeypatch) -> None:
    clock = replace(CLOCK, reserve_s=(-3.0, 61.0), fallen=(Side.WHITE,), paused=True)
    monkeypatch.setattr(evening.table._keeper, "shown", lambda _at_s: clock)
    page = open_page(address)
    expect(page.locator("#clock-white")).to_have_attribute("data-fallen", "yes")
    expect(page.locator("#clock-white time")).to_have_text("−0:03")
    expect(page.locator("#clock-words")).to_contain_text("White's flag has fallen: the sheet or the players decide.")
    expect(page.get_by_role("button", name="Start the clock")).to_be_visible()
