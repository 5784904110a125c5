"""Watching and acting in a real browser: seats are taken by code and by QR code, and removed."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from page_player import live
from playwright.sync_api import expect

from companion.app.film_player import FilmPlayer
from companion.core import Side, verbatim
from companion.game import Disputed, Match, Remedy
from companion.interface import ActionKind, Agrees, Button, OfferView, PossibleAction, ProposalView, Tapped
from companion.seats import Seat

if TYPE_CHECKING:
    from conftest import Pages
    from playwright.sync_api import Page
    from scripted_table import ScriptedTable

PHONE = {"width": 390, "height": 844}
DOUBLES = tuple(PossibleAction(ActionKind.DOUBLE, side) for side in Side)
DISPUTE = Disputed(1, Side.WHITE, None, None, "before", "after", Side.BLACK)
OFFERS = tuple(OfferView(remedy, verbatim("it stands")) for remedy in (Remedy.STANDS, Remedy.TAKEBACK))

pytestmark = pytest.mark.parametrize("evening", ["real"], indirect=True)


@pytest.fixture(autouse=True)
def stranger(evening: ScriptedTable, address: str, pages: Pages) -> None:  # noqa: ARG001
    """A table with a camera and no seats."""
    pages.token = None
    for device in evening.table.seats.devices():
        evening.table.seats.remove(device.number)
    evening.table.show_picture(cv2.imencode(".jpg", np.full((480, 640, 3), 90, np.uint8))[1].tobytes())


def buttons(page: Page) -> list[str]:
    """The visible controls that act on the table."""
    found = "button:visible:not(.copy, #big, .looks *), select:visible:not(.looks *), input:visible"
    return page.locator(found).all_inner_texts()


def test_a_device_without_a_seat_watches_and_cannot_act(evening, address, open_page) -> None:
    asked = []
    page = live(open_page(address))
    seat = f"{address}seat.json"  # the page asks for its seat when it has loaded, before or after it is live
    page.on("request", lambda request: asked.append(request.url) if request.url != seat else None)
    evening.show(dice=(6, 5), actions=DOUBLES, dispute=DISPUTE, offers=OFFERS)
    expect(page.locator("#headline")).to_contain_text("White to play 6")
    expect(page.locator("#dispute")).to_be_visible()
    evening.show(dispute=None, proposal=ProposalView(2, Remedy.TAKEBACK, words=verbatim("Proposed: that.")))
    expect(page.locator("#proposal")).to_contain_text("Proposed: that.")
    assert buttons(page) == []
    expect(page.locator(".camera")).to_be_hidden()
    assert asked == [], "no picture of the room"
    page.get_by_role("link", name="Take a seat").click()
    expect(page.get_by_role("heading", name="Take a seat")).to_be_visible()
    assert evening.items == []


@pytest.mark.slow
def test_the_code_at_the_table_gives_a_seat(evening, address, open_page) -> None:
    page = open_page(f"{address}seat", viewport=PHONE)
    page.get_by_role("button", name="Show the code").click()
    expect(page.locator("#asked")).to_contain_text("The table shows its code")
    (code,) = evening.codes
    page.get_by_role("button", name=str(code[0]), exact=True).click()
    page.keyboard.press("6")
    page.get_by_role("button", name="Delete the last number").click()
    for number in code[1:]:
        page.keyboard.press(str(number))
    expect(page.locator("#slots")).to_have_attribute("aria-label", f"Numbers entered: {' '.join(map(str, code))}")
    page.get_by_role("button", name="Black’s seat").click()
    live(page)
    expect(page.get_by_role("link", name="Black’s seat")).to_be_visible()
    expect(page.locator("#camera")).to_be_visible()
    page.get_by_role("button", name="Roll", exact=True).click()
    assert evening.posted.wait(60)
    assert evening.items == [Tapped(Button.ROLL, evening.items[0].at_s, Side.BLACK, on_page=True)]


def test_a_device_of_one_player_has_the_controls_of_that_player_only(evening, address, open_page, pages) -> None:
    token = pages.token = evening.seat(Seat.WHITE)
    page = live(open_page(address))
    evening.show(actions=DOUBLES, proposal=ProposalView(2, Remedy.TAKEBACK, words=verbatim("Proposed: that.")))
    proposal = page.locator("#console")
    expect(proposal.locator("#next").get_by_role("button")).to_have_text(["I agree", "No"])
    expect(page.locator("#deeds button")).to_have_text(["White doubles to 2"])
    expect(page.get_by_text("This screen is")).to_be_hidden()
    proposal.get_by_role("button", name="I agree").click()
    assert evening.posted.wait(60)
    assert evening.items == [Agrees(2, evening.items[0].at_s, Side.WHITE)]
    offer = ProposalView(3, Remedy.RESIGNATION, by=Side.WHITE, words=verbatim("White offers to resign."))
    evening.show(proposal=replace(offer, offer="single"))
    expect(proposal.locator("#next").get_by_role("button")).to_have_text(["White withdraws the offer"])
    evening.table.seats.remove(evening.table.seats.device_of(token).number)
    expect(page.get_by_role("link", name="Take a seat")).to_be_visible()
    assert buttons(page) == []


def test_the_page_of_a_player_who_changes_colours_has_the_controls_of_the_new_colour(
    evening, address, open_page, pages
) -> None:
    pages.token = evening.seat(Seat.WHITE)
    evening.show(actions=DOUBLES, match=Match(5))
    page = live(open_page(address))
    expect(page.locator("#deeds button")).to_have_text(["White doubles to 2"])
    evening.show(match=Match(5, colours_changed=True))
    expect(page.locator("#deeds button")).to_have_text(["Black doubles to 2"])
    expect(page.get_by_role("link", name="Black’s seat")).to_be_visible()


@pytest.mark.slow
def test_a_qr_code_gives_the_next_player_a_seat_until_it_is_removed(evening, address, open_page, pages) -> None:
    pages.token = evening.seat(Seat.BOTH)
    host = open_page(f"{address}seat")
    host.get_by_role("button", name="Show a QR code").click()
    expect(host.locator("#qr svg")).to_be_visible()
    shot = cv2.imdecode(np.frombuffer(host.locator("#qr").screenshot(), np.uint8), cv2.IMREAD_COLOR)
    there, _, invitation = cv2.QRCodeDetectorAruco().detectAndDecode(shot)[0].partition("#")
    assert there.endswith("/seat")
    pages.token = None
    phone = open_page(f"{address}seat#{invitation}", viewport=PHONE)
    expect(phone).to_have_url(f"{address}seat")  # kept in no history
    phone.get_by_role("button", name="White’s seat").first.click()
    live(phone)
    expect(phone.get_by_role("link", name="White’s seat")).to_be_visible()
    phone.evaluate("window.dispatchEvent(new Event('pagehide'))")  # it lets go of its feed and hears nothing
    host.reload()
    device = host.locator("#devices-list li", has_text="White’s seat")
    expect(device).to_contain_text("Chrome, Linux")
    pages.answers.append(True)
    device.get_by_role("button", name="Take away").click()
    expect(host.locator("#devices-list li")).to_have_count(1)
    phone.get_by_role("button", name="Roll", exact=True).click()
    expect(phone.locator("#toast")).to_contain_text("This device no longer has a seat")
    expect(phone.get_by_role("link", name="Take a seat")).to_be_visible()
    assert buttons(phone) == []
    assert evening.items == []
    open_page.complaints[:] = [text for text in open_page.complaints if "401" not in text]


@pytest.mark.slow
def test_a_film_has_playback_controls_and_none_of_a_live_table(evening, address, open_page) -> None:
    evening.table.seats = None
    film = evening.table.film = FilmPlayer((2.0, 5.0), evening.table.changed)
    page = live(open_page(address))
    expect(page.locator("#film button")).to_have_text(["Pause", "Next turn", "From the beginning"])
    expect(page.locator(".acts:visible")).to_have_count(0)
    expect(page.locator(".card:visible").filter(has_not_text=re.compile(r"\S"))).to_have_count(0)
    expect(page.get_by_role("navigation").get_by_role("link")).to_have_text(["Matches", "Rule sheets"])
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    page.get_by_label("Speed").select_option("4")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    assert (film.state().playing, film.state().speed) == (True, 4.0)
    assert evening.items == []


@pytest.mark.slow
def test_nothing_can_be_done_in_a_film_or_while_the_table_waits_for_its_disk(evening, address, open_page) -> None:
    desk, evening.table.seats = evening.table.seats, None
    page = live(open_page(address))
    expect(page.locator("#camera")).to_be_visible()
    assert buttons(page) == []
    expect(page.get_by_role("link", name="Take a seat")).to_be_hidden()
    evening.table.seats = desk
    page.evaluate("window.dispatchEvent(new Event('online'))")  # as after a lost connection
    expect(page.get_by_role("link", name="Take a seat")).to_be_visible()
    expect(page.locator(".camera")).to_be_hidden()
