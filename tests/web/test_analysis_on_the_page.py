"""The analysis of a match on the page: its section, the report as a file, and access to it."""

from __future__ import annotations

import pytest
from analysed import SHORT, recorded_at
from given_seats import client_at, seat_at

from companion.analysis import AnalysedMatches
from companion.analysis.match_to_analyse import analysed, recorded_match
from companion.analysis.store import AnalysisStore
from companion.app.table import Table

SECOND = 14
"""The entry that begins the second match."""


@pytest.fixture
def state(tmp_path):
    return recorded_at(tmp_path / "state", SHORT, SHORT.replace("1 point match", "3 point match"))


@pytest.fixture
def page(state, tmp_path):
    table = Table("backgammon", "standard")
    token = seat_at(table, tmp_path / "seats.json")
    analyses = AnalysedMatches(state, table.show_analysis, engine="embedded")
    return client_at(table, token, analyses=analyses), client_at(table, analyses=analyses)


def test_a_match_is_analysed_when_a_device_with_a_seat_requests_it(page):
    seated, watching = page
    before = watching.get("/matches/1/analysis.json").get_json()
    assert (before["standing"], before["unfinished"], before["figures"]) == ("not_asked", False, None)
    assert "data-ask" in before["html"]
    assert watching.post("/matches/1/analysis", json={}).status_code == 401
    assert seated.post("/matches/1/analysis", json={}).status_code == 202
    after = watching.get("/matches/1/analysis.json?language=de").get_json()
    assert (after["standing"], after["unfinished"]) == ("waits", True)
    assert "wartet" in after["html"]


def test_an_analysis_is_shown_on_the_page_and_as_a_file(page, state):
    analysed(recorded_match(state, 1), AnalysisStore(state), "embedded")
    _, watching = page
    found = watching.get("/matches/1/analysis.json").get_json()
    assert found["standing"] == "done"
    assert set(found["figures"]["players"]) == {"white", "black"}
    assert "<svg" in found["html"]
    assert " style=" not in found["html"]
    report = watching.get("/matches/1/analysis.html")
    assert report.headers["Content-Disposition"].startswith("attachment")
    assert "<style>" in report.text


def test_the_graph_of_the_last_game_is_available_once_its_match_is_over_and_analysed(page, tmp_path):
    assert page[1].get("/matches/last/graph.json").get_json() == {"html": ""}  # the last match goes on
    state = recorded_at(tmp_path / "over", SHORT)
    analysed(recorded_match(state), AnalysisStore(state), "embedded")
    analyses = AnalysedMatches(state, lambda _: None, engine="embedded")
    client = client_at(Table("backgammon", "standard"), analyses=analyses)
    graph = client.get("/matches/last/graph.json?language=de").get_json()["html"]
    assert graph.startswith('<svg class="graph"')
    assert "Aussicht auf den Gewinn" in graph


def test_nothing_is_shown_about_an_unfinished_match(page):
    seated, watching = page
    assert seated.post(f"/matches/{SECOND}/analysis", json={}).status_code == 202
    found = watching.get(f"/matches/{SECOND}/analysis.json").get_json()
    assert (found["standing"], found["unfinished"]) == ("not_asked", False)
    assert "data-ask" not in found["html"]
    assert watching.get(f"/matches/{SECOND}/analysis.html").status_code == 404


def test_a_missing_match_is_refused(page):
    for address in ("/matches/99/analysis.json", "/matches/99/analysis.html"):
        assert "99" in page[1].get(address).get_json()["error"]
