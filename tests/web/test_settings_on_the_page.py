"""The page of the settings: form, refusals, the players' own sheets, light meter and test of the panel."""

from __future__ import annotations

import re
from errno import ENOSPC
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import cv2
import numpy as np
import pytest
from given_seats import client_at

from companion.app.light_meter import LightMeter
from companion.game import Match, Phase
from companion.interface import Button, PanelPart, Press
from companion.seats import Seat
from companion.settings import Settings, SettingsFile, Terms
from vision.cameras import Frame
from vision.imaging import picture_figures

if TYPE_CHECKING:
    from flask.testing import FlaskClient

SHEET = 'base = "standard"\ntitle = "<Ours>"\ncube = false\njacoby_allowed = false\n'


class PressedPanel:
    """Records tested parts."""

    def __init__(self) -> None:
        self.checked: list[PanelPart] = []

    def check(self, what: PanelPart) -> None:
        self.checked.append(what)

    def heard(self) -> Press:
        return Press(Button.HINT, None, len(self.checked))

    def show(self, _snapshot: Any) -> None:
        """Show nothing."""


@pytest.fixture
def panel():
    return PressedPanel()


@pytest.fixture
def room(real_evening, tmp_path, panel):
    """A real table between games, with settings."""
    real_evening.set_up(tmp_path / "settings.json", panel=panel)
    real_evening.show(phase=Phase.WAITING, dice=None)
    return real_evening


@pytest.fixture
def at(room):
    """`at(seat)`: the page of a device with that seat."""

    def client(seat: Seat = Seat.BOTH) -> FlaskClient:
        return client_at(room.table, room.seat(seat))

    return client


@pytest.fixture
def kept(tmp_path):
    return lambda: SettingsFile(tmp_path / "settings.json").kept


def test_the_form_shows_the_settings_in_force_and_every_sheet_with_its_differences(at):
    page = at().get("/settings").text
    assert '<option value="standard" selected>Standard backgammon</option>' in page
    assert "There is no doubling cube." in page
    assert re.search(r'name="dice" value="fair" checked', page)


def test_url_encoded_fields_are_accepted(at, kept):
    fields = {"sheet": "tournament", "played_for": "match", "length": "7", "crawford": "true", "white_name": " Anna "}
    fields |= {
        "white_colour": "red",
        "black_name": "",
        "black_colour": "",
        "clock": "true",
        "minutes": "5",
        "delay": "3",
    }
    answer = at().post("/settings", data=fields)
    assert (answer.status_code, answer.json["outcome"]) == (202, "opens_again")
    chosen = kept().settings
    assert (chosen.sheet, chosen.terms, chosen.names) == ("tournament", Terms(7), ("Anna (red)", ""))
    assert (chosen.clock, chosen.dice) == ("5.0+3.0", None)


def test_contradicting_settings_are_dropped_without_an_error(at, kept):
    fields = {
        "sheet": "acf",
        "played_for": "match",
        "length": 3,
        "jacoby": True,
        "beavers": True,
        "automatic_doubles": 4,
    }
    assert at().post("/settings", json=fields).status_code == 202
    assert kept().settings.terms == Terms(3)


@pytest.mark.parametrize(
    ("fields", "changed"),
    [
        ({"black_name": "Ben"}, Settings(names=("Anna (red)", "Ben"))),
        ({"length": 9}, Settings(terms=Terms(9, crawford=False))),
        ({"minutes": 6}, Settings(clock="6.0+3.0")),
        ({"hints": "off"}, Settings(hints="off")),
    ],
)
def test_fields_missing_in_a_form_are_unchanged_also_in_a_setting_of_several_fields(
    room, at, kept, tmp_path, fields, changed
):
    chosen = Settings(names=("Anna (red)", ""), terms=Terms(7, crawford=False), clock="5.0+3.0")
    room.set_up(tmp_path / "settings.json", chosen=chosen)
    at().post("/settings", json=fields)
    assert kept().settings == changed


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"sheet": "nonesuch"}, "standard"),
        ({"sheet": "../settings"}, "standard"),
        ({"played_for": "match", "length": 0}, "from 1 to 99"),
        ({"played_for": "match", "length": "many"}, "from 1 to 99"),
        ({"played_for": "stake", "stake": -1}, "from 0.01"),
        ({"white_name": "Anna", "black_name": "Anna"}, "Each player needs"),
        ({"white_name": "A" * 25}, "at most 24 letters"),
        ({"white_name": "Anna (red)"}, "no brackets"),
        ({"white_colour": "red", "black_colour": "red"}, "Each player needs"),
        ({"clock": True, "minutes": "soon", "delay": 1}, "from 0.1 to 600"),
        ({"camera": "folder:/home"}, "auto, csi, usb:0"),
        ({"hints": "always"}, "off, request, tutor"),
        ({"language": "nl"}, "en, de, fr, es"),
    ],
)
def test_impossible_settings_are_refused_with_a_reason_and_change_nothing(at, kept, fields, says):
    answer = at().post("/settings", json=fields)
    assert answer.status_code == 400
    assert says in answer.json["error"]
    assert kept().settings.chosen == ()


def test_a_full_disk_is_reported_as_an_error_of_the_server_with_advice(at, kept, monkeypatch):
    client = at()
    monkeypatch.setattr("os.fsync", Mock(side_effect=OSError(ENOSPC, "No space left on device")))
    for path, fields in (("/settings", {"dice": "hand"}), ("/settings/sheets", {"file": "a.toml", "text": SHEET})):
        answer = client.post(path, json=fields)
        assert answer.status_code == 503
        assert "No space left on device. Free some space" in answer.json["error"]
    assert kept().settings.chosen == ()


def test_during_a_game_a_change_is_refused_with_a_reason_and_can_be_postponed(room, at, kept):
    room.show(phase=Phase.TO_MOVE)
    for seat in Seat:
        answer = at(seat).post("/settings", json={"hints": "off", "white_agrees": True, "black_agrees": True})
        assert answer.status_code == 409
        assert "before its first roll or after its end" in answer.json["error"]
    assert at(Seat.WHITE).post("/settings", json={"hints": "off", "when": "later"}).json["outcome"] == "later"
    assert "the hints" in at(Seat.BLACK).get("/settings").text
    assert at(Seat.BLACK).post("/settings/forget").status_code == 202
    assert kept().later is None


@pytest.mark.parametrize(
    ("first", "second", "later"),
    [
        ({"white_name": "Anna"}, {"black_name": "Ben"}, Settings(names=("Anna", "Ben"))),
        ({"played_for": "match", "length": 9}, {"crawford": False}, Settings(terms=Terms(9, crawford=False))),
        ({"clock": True, "minutes": 5}, {"delay": 3}, Settings(clock="5.0+3.0")),
        ({"jacoby": True}, {"sheet": "acf"}, Settings(sheet="acf")),
    ],
)
def test_a_second_postponed_change_is_based_on_the_first(room, at, kept, first, second, later):
    room.show(phase=Phase.TO_MOVE)
    for fields in (first, second):
        assert at().post("/settings", json={**fields, "when": "later"}).json["outcome"] == "later"
    assert kept().later == later


def test_a_sheet_is_refused_if_it_gives_a_chosen_colour_to_the_other_player(room, at, kept, tmp_path):
    room.set_up(tmp_path / "settings.json", chosen=Settings(names=("Anna (red)", "")))
    answer = at().post("/settings", json={"sheet": "clockwise"})
    assert (answer.status_code, "Each player needs" in answer.json["error"]) == (400, True)
    assert kept().settings.chosen == ()
    assert at().post("/settings", json={"hints": "off"}).status_code == 202


def test_the_device_of_one_player_cannot_end_a_match_or_agree_for_the_other(room, at, kept):
    room.show(phase=Phase.OVER, match=Match(7, score=(4, 1)))
    both_agree = {"hints": "off", "white_agrees": True, "black_agrees": True}
    for seat in (Seat.WHITE, Seat.BLACK):
        assert at(seat).post("/settings", json=both_agree).status_code == 409
    for one in ("white_agrees", "black_agrees"):
        assert at().post("/settings", json={**both_agree, one: False}).status_code == 409
    assert kept().settings.chosen == ()
    assert at().post("/settings", json={"dice": "hand", **both_agree}).status_code == 202


def test_language_and_who_may_watch_change_at_once_for_every_page(room, at):
    assert at(Seat.WHITE).post("/settings", json={"language": "de", "watch": "seats"}).json["outcome"] == "at_once"
    assert "Einstellungen" in at().get("/settings").text
    assert client_at(room.table).get("/state.json").status_code == 401


def test_settings_fixed_by_the_command_line_are_disabled_with_a_note(room, at, tmp_path):
    room.set_up(tmp_path / "settings.json", panel=None, fixed=frozenset({"camera"}))
    page = at().get("/settings").text
    assert 'name="camera" disabled' in page
    assert "Chosen on the command line" in page


def test_the_first_start_is_offered_on_the_page_and_can_be_dismissed(room, at, tmp_path):
    room.set_up(tmp_path / "settings.json", panel=None, is_first=True)
    assert 'href="/settings">Set this table up' in at().get("/").text
    assert at().post("/tap/roll").status_code == 202
    assert at().post("/settings", json={}).json["outcome"] == "nothing"
    assert "Set this table up" not in at().get("/").text


def test_a_sheet_of_the_players_own_is_checked_and_stored_and_chosen_and_removed(room, at):
    client = at(Seat.WHITE)
    bad = client.post("/settings/sheets", json={"file": "Ours.toml", "text": 'base = "standard"\ncubes = 3'})
    assert (bad.status_code, "cubes" in bad.json["error"]) == (400, True)
    good = client.post("/settings/sheets", json={"file": "Ours.toml", "text": SHEET})
    assert (good.status_code, good.json["name"], good.json["title"]) == (201, "ours", "<Ours>")
    assert '<option value="ours">&lt;Ours&gt;</option>' in client.get("/settings").text
    assert client.post("/settings", json={"sheet": "ours"}).status_code == 202
    room.show(sheet="ours")
    assert client.post("/settings/sheets/remove", json={"name": "ours"}).status_code == 400
    room.show(sheet="standard")
    assert client.post("/settings/sheets/remove", json={"name": "ours"}).status_code == 202


def test_a_seat_is_required_first(room):
    answer = client_at(room.table).get("/settings", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.location) == (302, "/seat")


def test_without_settings_there_is_no_page_of_settings(evening, client):
    assert evening.table.settings is None
    assert client.get("/settings").status_code == 404


def test_the_meter_advises_on_lamp_and_lens(room, at):
    now_s = [0.0]
    room.table.meter = LightMeter(lambda: now_s[0])
    client = at()
    assert client.get("/camera.json").json["reading"] is None
    noise = np.random.default_rng(3).integers(0, 60, (480, 640, 1), np.uint8).repeat(3, axis=2)

    def reading(image):
        now_s[0] += 1.0
        room.table.meter.see(Frame(image, now_s[0], 1))
        return client.get("/camera.json").json["reading"]

    sharp = reading(noise + 120)
    assert (sharp["lighting"], sharp["focus"], sharp["sharpness"]) == ("good", "sharp", 1.0)
    blurred = reading(cv2.GaussianBlur(noise + 120, (0, 0), 3))
    assert blurred["focus"] == "blurred"
    assert "lens" in blurred["focus_words"]
    assert reading(noise // 4)["lighting"] == "dark"
    assert reading(np.full_like(noise, 255))["lighting"] == "clipped"


def test_a_picture_is_measured_only_shortly_after_a_request(room, at, monkeypatch):
    measured = []

    def figures(image):
        measured.append(image)
        return picture_figures(image)

    monkeypatch.setattr("companion.app.light_meter.picture_figures", figures)
    now_s = [0.0]
    room.table.meter = LightMeter(lambda: now_s[0])
    frame = Frame(np.zeros((4, 4, 3), np.uint8), 0.0, 1)
    room.table.meter.see(frame)
    assert not measured, "no page has asked yet"
    at().get("/camera.json")
    room.table.meter.see(frame)
    assert len(measured) == 1
    now_s[0] = 60.0
    room.table.meter.see(frame)
    assert len(measured) == 1, "the page asked a minute ago"


def test_the_panel_is_tested_between_games_and_reports_presses(room, at, panel):
    client = at(Seat.BLACK)
    assert client.post("/panel/check", json={"what": "white_die"}).status_code == 202
    assert panel.checked == [PanelPart.WHITE_DIE]
    told = client.get("/panel.json").json
    assert told["heard"]["words"] == "Hint was pressed"
    room.show(phase=Phase.TO_ROLL)
    assert client.post("/panel/check", json={"what": "red"}).status_code == 409
    assert panel.checked == [PanelPart.WHITE_DIE]
