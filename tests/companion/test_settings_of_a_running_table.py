"""Settings changed at a table in a process of its own: game and sheet really change, and nothing is lost."""

from __future__ import annotations

import json
from urllib.request import Request, urlopen

import pytest
from running_table import Page, free_port, tables

pytestmark = pytest.mark.slow

OURS = 'base = "standard"\ntitle = "Ours"\ncube = false\njacoby_allowed = false\n'


class SettingsPage(Page):
    """A client of the page of the settings."""

    def asked(self, path, fields=None):
        body = None if fields is None else json.dumps(fields).encode()
        request = Request(f"{self._at}{path}", body, {"Content-Type": "application/json", "Accept": "application/json"})
        with urlopen(request, timeout=60) as answer:
            return json.load(answer)


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """A table that is set up, killed while it reopens, restarted and stopped; observations by name."""
    state, port, seen = tmp_path_factory.mktemp("evening") / "state", free_port(), {}
    page = SettingsPage(port)
    with tables(state) as start:
        child = start(port)
        child.stdout.readline()
        seen["offered"] = "Set this table up" in urlopen(f"http://127.0.0.1:{port}/", timeout=60).read().decode()
        seen["run"] = page.asked("/settings.json")["run"]
        page.asked("/settings/sheets", {"file": "ours.toml", "text": OURS})
        page.asked("/settings", {"sheet": "ours", "played_for": "match", "length": 5, "white_name": "Anna"})
        child.stdout.readline()
        seen["changed"] = page.asked("/settings.json")
        page.until(lambda state: state["phase"] == "opening")
        seen["rolled"] = page.rolls()
        page.asked("/settings", {"sheet": "acf", "played_for": "games", "when": "later"})
        page.asked("/settings", {"language": "de"})
        child.kill()
        child.communicate(timeout=60)
        child = start(port)
        child.stdout.readline()
        seen["again"] = page.asked("/settings.json")
        seen["game"] = page.asked("/state.json")
        child.terminate()
        _, seen["complaint"] = child.communicate(timeout=60)
        seen["status"] = child.returncode
    seen["kept"] = json.loads((state / "settings.json").read_text())
    return seen


def test_a_table_never_set_up_offers_the_first_start(evening):
    assert evening["offered"]


def test_the_table_reopens_with_the_own_sheet_and_the_match_and_the_name(evening):
    settings, rolled = evening["changed"]["settings"], evening["rolled"]
    assert (settings["sheet"], settings["played_for"], settings["length"]) == ("ours", "match", 5)
    assert evening["changed"]["run"] != evening["run"]
    assert rolled["sheet"] == "ours"
    assert "5" in rolled["match"]["terms"]
    assert "Anna" in str(rolled["names"])


def test_options_of_the_command_line_are_fixed(evening):
    assert evening["changed"]["fixed"] == ["camera"]


def test_a_table_killed_during_a_game_keeps_its_settings(evening):
    again, game = evening["again"], evening["game"]
    assert (again["settings"]["sheet"], again["settings"]["language"]) == ("ours", "de")
    assert again["later"]["sheet"] == "acf"
    assert (game["sheet"], game["dice"], game["language"]) == ("ours", evening["rolled"]["dice"], "de")


def test_the_table_stops_cleanly(evening):
    assert (evening["status"], "Traceback" in evening["complaint"]) == (0, False)
    assert "before" not in evening["kept"]
