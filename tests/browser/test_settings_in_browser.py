"""The first start on a phone, and a rule sheet of the players' own sent from the page of the settings."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
from scripted_table import ScriptedTable

from companion.app.light_meter import LightMeter
from companion.game import Match, Phase
from companion.settings import Settings, SettingsFile, Terms
from web import create_app

PHONE = {"width": 390, "height": 844}
pytestmark = pytest.mark.usefixtures("room")
SHEET = b'base = "standard"\ntitle = "Ours"\ncube = false\njacoby_allowed = false\n'


@pytest.fixture
def room(evening, tmp_path):
    """A table between games that was never set up."""
    evening.table.meter = LightMeter()
    evening.set_up(tmp_path / "settings.json", is_first=True)
    evening.show(phase=Phase.WAITING, dice=None)
    return evening


@pytest.mark.slow
def test_the_first_start_is_completed_with_next_alone_on_a_phone(address, open_page, tmp_path):
    page = open_page(address, viewport=PHONE)
    page.get_by_role("link", name=re.compile("^Set this table up")).click()
    following, places = page.get_by_role("button", name="Next"), set()
    for step, heading in enumerate(("Game and rules", "What is played for", "Light and focus"), 1):
        expect(page.locator("#walk-step")).to_have_text(f"Step {step} of 4")
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        expect(page.get_by_role("heading", name="Panel test")).to_be_hidden()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        places.add(following.bounding_box()["y"])
        following.dblclick() if step == 2 else following.click()
    expect(page.get_by_role("heading", name="Begin")).to_be_visible()
    assert len(places) == 1  # a button that moved away would be missed
    page.get_by_role("link", name="To the table").click()
    expect(page.locator("#headline")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("^Set this table up"))).to_have_count(0)
    assert not SettingsFile(tmp_path / "settings.json").is_new


def test_choices_show_their_own_fields_and_are_posted(address, open_page, tmp_path):
    page = open_page(f"{address}settings")
    page.get_by_role("button", name="All settings").click()
    page.locator("#sheet-choice").select_option("acf")
    expect(page.get_by_label("Beavers")).to_be_hidden()
    page.get_by_label("A match", exact=True).check()
    page.get_by_role("button", name="7", exact=True).click()
    page.get_by_label("Only devices with a seat").check()
    page.get_by_role("button", name="Save the settings").click()
    expect(page.locator("#done")).to_contain_text("restarts")
    kept = SettingsFile(tmp_path / "settings.json").kept.settings
    assert (kept.sheet, kept.terms.length, kept.watch) == ("acf", 7, "seats")
    page.goto("about:blank")  # it waits for its table, and the next test's would be another


def test_changes_of_another_device_are_not_reverted(address, room, open_page, tmp_path):
    page = open_page(f"{address}settings")
    page.get_by_role("button", name="All settings").click()
    chosen = Settings(terms=Terms(stake=2.0), clock="5.0+3.0", names=("Anna", ""))  # as on another device
    room.set_up(tmp_path / "settings.json", chosen=chosen)
    page.locator("[name=black_name]").fill("Ben")
    page.get_by_label("A few words").check()
    with page.expect_response("**/settings"):
        page.get_by_role("button", name="Save the settings").click()
    kept = SettingsFile(tmp_path / "settings.json").kept.settings
    assert kept == Settings(names=("Anna", "Ben"), speech="terse")
    page.goto("about:blank")


def test_a_choice_is_sent_with_the_fields_that_it_shows(address, room, open_page, tmp_path):
    page = open_page(f"{address}settings")
    page.get_by_role("button", name="All settings").click()
    room.set_up(tmp_path / "settings.json", chosen=Settings(terms=Terms(stake=50.0, jacoby=True)))  # by another device
    page.get_by_label("Games at a stake").check()
    expect(page.get_by_label("Stake per point")).to_have_value("1.0")
    with page.expect_response("**/settings"):
        page.get_by_role("button", name="Save the settings").click()
    assert SettingsFile(tmp_path / "settings.json").kept.settings == Settings(terms=Terms(stake=1.0))
    page.goto("about:blank")


def test_agreement_to_a_change_in_a_match_is_sent_with_each_change(address, room, open_page, tmp_path):
    room.set_up(tmp_path / "settings.json")
    room.show(phase=Phase.OVER, match=Match(7, score=(4, 1)))
    page = open_page(f"{address}settings")
    for player in ("White agrees", "Black agrees"):
        page.get_by_label(player).check()
    page.get_by_role("button", name="Save the settings").click()
    expect(page.locator("#done")).to_have_text("Nothing was changed.")
    page.get_by_label("Off", exact=True).check()
    with page.expect_response("**/settings") as answer:
        page.get_by_role("button", name="Save the settings").click()
    assert answer.value.status == 202
    page.goto("about:blank")


def test_a_screen_without_a_seat_at_the_reopened_table_goes_to_the_seats(address, served, open_page, tmp_path):
    page = open_page(f"{address}settings")
    page.get_by_role("button", name="All settings").click()
    page.locator("[name=camera]").select_option("usb:0")
    with page.expect_response("**/settings"):
        page.get_by_role("button", name="Save the settings").click()
    real = ScriptedTable(None, seats=tmp_path / "seats.json")
    served.serve(create_app(real.table))
    expect(page.get_by_role("heading", name="Take a seat")).to_be_visible()
    open_page.complaints[:] = [text for text in open_page.complaints if "401" not in text]


@pytest.mark.slow
def test_a_bad_sheet_is_named_and_a_good_one_can_be_chosen(address, open_page):
    page = open_page(f"{address}settings")
    page.get_by_role("button", name="All settings").click()
    sending = page.get_by_label("Sheet (.toml)")
    sending.set_input_files({"name": "ours.toml", "mimeType": "text/plain", "buffer": b'base = "standard"\ncubes = 3'})
    expect(page.locator("#sheet-trouble")).to_contain_text("unknown key 'cubes'")
    open_page.complaints.clear()  # the browser notes the refusal
    sending.set_input_files({"name": "ours.toml", "mimeType": "text/plain", "buffer": SHEET})
    expect(page.locator("#sheet-done")).to_have_text("Ours is sound and kept: it can be chosen now.")
    expect(page.locator('#sheet-choice option[value="ours"]')).to_have_count(1)
