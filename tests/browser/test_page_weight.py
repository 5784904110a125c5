"""The size of what the page of the table loads before any picture."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from scripted_table import FAIR

MOST_BYTES = 150_000
LOADED = """() => Object.fromEntries(
  [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    .filter(({ name }) => /[.](js|css)$|[/]$/.test(name))
    .map(({ name, decodedBodySize }) => [name, decodedBodySize]))"""


@pytest.mark.parametrize("evening", ["real"], indirect=True)
def test_the_page_is_small(evening, address, open_page) -> None:
    evening.show(fairness=FAIR)
    page = open_page(address)
    expect(page.locator("#dice-check")).to_be_visible()  # the last script that loads by itself
    loaded = page.evaluate(LOADED)
    assert all(loaded.values())
    assert {f"{address}static/page.js", address} < set(loaded)
    assert any(name.startswith(f"{address}styles/tokens+colours+base+") for name in loaded)
    assert sum(loaded.values()) <= MOST_BYTES, loaded
