"""The analysis of a match in a browser: in its section of the match's page, with graph and tables, and as a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import real_server
from analysed import SHORT, recorded_at
from playwright.sync_api import expect
from scripted_table import ScriptedTable

from companion.analysis import AnalysedMatches
from companion.analysis.match_to_analyse import analysed, recorded_match
from companion.analysis.store import AnalysisStore
from companion.history import History
from companion.record import KeptPictures
from web import create_app

if TYPE_CHECKING:
    from collections.abc import Iterator

PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page of a match that is analysed."""
    state = recorded_at(tmp_path_factory.mktemp("state"), SHORT)
    analysed(recorded_match(state), AnalysisStore(state), "embedded")
    table = ScriptedTable(None, seats=state / "seats.json")
    history = History(state / "record.db", state / "sheets", KeptPictures(state / "pictures"))
    analyses = AnalysedMatches(state, lambda _: None, engine="embedded")
    with real_server.served(create_app(table.table, history=history, analyses=analyses)) as port:
        yield f"http://127.0.0.1:{port}/matches/1"


@pytest.mark.slow
def test_the_analysis_stands_on_the_page_of_the_match_and_is_saved(address, open_page) -> None:
    page = open_page(address, viewport=PHONE)
    analysis = page.locator("#analysis")
    expect(analysis.locator("svg.graph")).to_be_visible()
    analysis.get_by_text("All turns").click()
    expect(analysis.locator("details tbody tr")).to_have_count(5)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    with page.expect_download() as saved:
        analysis.get_by_role("link", name="Download the report").click()
    assert "<svg" in Path(saved.value.path()).read_text()


def test_a_failed_request_for_an_analysis_is_repeated_and_the_section_stays(address, open_page) -> None:
    page = open_page(address, viewport=PHONE)
    page.route("**/matches/1/analysis.json", lambda route: route.fulfill(json={"html": "so far", "unfinished": True}))
    page.reload()
    page.evaluate("() => { const later = window.setTimeout; window.setTimeout = (call, ms) => later(call, ms / 20); }")
    expect(page.locator("#analysis")).to_have_text("so far")
    page.route("**/matches/1/analysis.json", lambda route: route.abort())
    for _ in range(2):
        with page.expect_event("requestfailed"):
            pass
    assert page.locator("#analysis").text_content() == "so far"
    page.unroute_all()
    expect(page.locator("#analysis svg.graph")).to_be_visible()
    open_page.complaints[:] = [text for text in open_page.complaints if "analysis.json" not in text]
