"""The page of the rule sheets."""

from __future__ import annotations

import pytest

from companion.rules import shipped_sheets
from web import create_app


@pytest.fixture
def with_ours(evening, tmp_path):
    """A page of a table whose players have a sheet of their own."""
    (tmp_path / "ours.toml").write_text('base = "standard"\ntitle = "<Ours>"\ncube = false\njacoby_allowed = false\n')
    return create_app(evening.table, own_sheets=tmp_path).test_client()


def test_every_shipped_sheet_is_listed_with_its_differences(client) -> None:
    sheets = {sheet["name"]: sheet for sheet in client.get("/sheets.json").json}
    assert set(sheets) == set(shipped_sheets())
    assert "There is no doubling cube." in sheets["no-doubling"]["says"]
    page = client.get("/sheets").text
    assert "There is no doubling cube." in page
    assert 'id="travel-set-checkers"' in page


def test_the_players_own_sheets_come_last(with_ours) -> None:
    ours = with_ours.get("/sheets.json").json[-1]
    assert (ours["name"], ours["base"], ours["trouble"]) == ("ours", "standard", None)
    assert "&lt;Ours&gt;" in with_ours.get("/sheets").text


def test_an_invalid_sheet_is_listed_with_the_error_beside_the_others(with_ours, tmp_path) -> None:
    (tmp_path / "ours.toml").write_text('base = "standard"\ncubes = 3\n')
    sheets = with_ours.get("/sheets.json").json
    assert "unknown key 'cubes'" in sheets[-1]["trouble"]
    assert len(sheets) == len(shipped_sheets()) + 1
    assert "unknown key" in with_ours.get("/sheets").text


def test_the_table_links_to_its_sheet(client, evening) -> None:
    evening.show()
    assert 'href="/sheets#standard"' in client.get("/").text
