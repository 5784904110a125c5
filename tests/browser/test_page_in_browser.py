"""The page in a real browser, with snapshots that the test publishes."""

from __future__ import annotations

import pytest
from page_player import live
from playwright.sync_api import expect
from sweeps import sampled
from verdicts import verdict

from companion.core import Side, message, verbatim
from companion.game import Phase
from companion.hints import RankedPlay, Ranking
from companion.interface import Button, HintsHidden, Light, SpokenLine, Tapped

SEEN = {"points": [0, -1, 2, 2, 0, 7, [1, 1], 3, *[0] * 15, -9], "bar": [0, 2], "off": [0, 2]}
ILLEGAL = verdict(
    "illegal", "Black holds the 9 point.", reason="blocked_point", plays=("8/5 6/5", "24/20"), cells=(8, 12)
)
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def test_an_unknown_address_links_to_the_table(address, open_page) -> None:
    page = open_page(f"{address}nowhere")
    expect(page.get_by_role("heading", level=1)).to_have_text("Not Found")
    open_page.complaints.clear()  # the browser notes what it was answered
    page.get_by_role("link", name="Back to the table").click()
    live(page)


def test_the_read_board_is_drawn_checker_by_checker(evening, address, open_page) -> None:
    evening.show(seen=SEEN, doubtful=(7, "bar"), verdict=ILLEGAL)
    board = live(open_page(address)).locator("#reading-board")
    expect(board.locator(".checker.white")).to_have_count(15)
    expect(board.locator(".checker.black")).to_have_count(13)
    expect(board.locator(".slab.black")).to_have_count(2)
    expect(board.locator("text.count.on-white")).to_have_text("7")
    expect(board.locator(".doubtful")).to_have_count(3)
    expect(board.locator(".highlighted")).to_have_count(2)
    words = "White: 3 on 8, 1 on 7, 7 on 6, 2 on 4, 2 on 3. Black: 1 on 23, 1 on 18, 9 on 1, 2 on the bar, 2 borne off."
    expect(board).to_have_attribute("aria-label", words)


def test_a_verdict_shows_its_reason_and_the_legal_plays(evening, address, open_page) -> None:
    page = live(open_page(address))
    evening.show(light=Light.RED, verdict=ILLEGAL)
    expect(page.locator("#verdict-detail")).to_have_text("The opponent holds that point")
    expect(page.locator("#verdict-message")).to_have_text("Black holds the 9 point.")
    expect(page.locator("#lamp")).to_have_attribute("data-colour", "red")
    page.locator("#verdict-plays-box summary").click()
    expect(page.locator("#verdict-plays li")).to_have_text(["8/5 6/5", "24/20"])
    expect(page.locator("#spoken")).to_contain_text("The opponent holds that point")


def test_points_are_renumbered_when_the_turn_changes(evening, address, open_page) -> None:
    page = live(open_page(address))
    first = page.locator("#reading-board .label").first
    expect(first).to_have_text("1")
    evening.show(on_roll=Side.BLACK)
    expect(first).to_have_text("24")


def test_the_led_dice_light_the_leds_of_their_numbers(evening, address, open_page) -> None:
    page = live(open_page(address))
    expect(page.locator(".die").nth(0).locator(".lit")).to_have_count(3)
    expect(page.locator(".die").nth(1).locator(".lit")).to_have_count(1)
    evening.show(dice=None)
    expect(page.locator(".die .lit")).to_have_count(0)


@pytest.mark.parametrize("evening", sampled(("simulated", "real"), ("real",)), indirect=True)
def test_the_buttons_tap(evening, address, open_page) -> None:
    page = live(open_page(address))
    for button in Button:
        evening.posted.clear()
        page.get_by_role("button", name=button.capitalize(), exact=True).click()
        assert evening.posted.wait(60)
    assert [type(item) for item in evening.items] == [Tapped] * 3
    assert [item.button for item in evening.items] == list(Button)


@pytest.mark.parametrize("evening", ["real"], indirect=True)
def test_a_real_table_has_no_checkers_to_drag(address, open_page) -> None:
    page = live(open_page(address))
    expect(page.locator("#table")).to_be_hidden()
    expect(page.locator("#reading-board .checker")).to_have_count(30)


def test_hints_are_shown_and_hidden(evening, address, open_page) -> None:
    page = live(open_page(address))
    evening.show(hints=Ranking((RankedPlay("8/5 6/5", None, 0.2),), "gnubg"))
    expect(page.locator("#hint-rows tr")).to_have_text(["8/5 6/5+0.2000.000"])
    page.get_by_role("button", name="Hide").click()
    assert evening.posted.wait(60)
    assert isinstance(evening.items[0], HintsHidden)


def test_the_focus_stays_on_a_hint_when_better_hints_replace_the_list(evening, address, open_page) -> None:
    page, plays = live(open_page(address)), [RankedPlay("24/20", None, 0.2), RankedPlay("8/5 6/5", None, 0.1)]
    evening.show(hints=Ranking(tuple(plays), "embedded", at_a_glance=True))
    page.get_by_role("button", name="24/20").focus()
    page.keyboard.press("ArrowDown")
    looked_at = page.get_by_role("button", name="8/5 6/5")
    expect(looked_at).to_be_focused()
    evening.show(hints=Ranking(tuple(plays[::-1]), "gnubg"))
    expect(page.locator("#hint-rows tr").first).to_contain_text("8/5 6/5")
    expect(looked_at).to_be_focused()
    expect(looked_at).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("button", name="24/20")).to_be_focused()
    evening.show(hints=Ranking((RankedPlay("13/9", None, 0.1),), "gnubg"))
    expect(page.get_by_role("button", name="13/9")).to_have_attribute("tabindex", "0")


def test_the_camera_picture_follows_its_version(evening, address, open_page, drawn_table) -> None:
    import cv2

    page = live(open_page(address))
    expect(page.locator("#no-camera")).to_be_visible()
    for number in (1, 2):
        evening.table.show_picture(cv2.imencode(".jpg", drawn_table.render())[1].tobytes())
        expect(page.locator("#camera")).to_have_attribute("src", f"{address}picture/{number}.jpg")
    expect(page.locator("#no-camera")).to_be_hidden()


def test_a_lost_camera_and_a_waiting_table_are_explained(evening, address, open_page) -> None:
    evening.show(phase=Phase.WAITING, position=None, seen=None, dice=None, on_roll=None, light=Light.OFF)
    evening.show(notice=message("set_up"))
    page = live(open_page(address))
    expect(page.locator("#headline")).to_have_text("Waiting for the board")
    expect(page.locator("#notice")).to_contain_text("starting position")
    evening.show(camera=verbatim("usb:0 gives no picture: check its plug"))
    expect(page.locator("#camera-trouble")).to_have_text("usb:0 gives no picture: check its plug")


def test_a_lost_connection_is_shown_and_restored(address, open_page) -> None:
    page = live(open_page(address))
    page.context.set_offline(True)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator("#lost")).to_contain_text("No connection to Boardside", timeout=15_000)  # its patience: 8 s
    page.get_by_role("button", name="Roll").click()
    expect(page.locator("#toast")).to_contain_text("does not answer")
    page.context.set_offline(False)
    expect(page.locator("#lost")).to_be_hidden()
    open_page.complaints[:] = [text for text in open_page.complaints if "ERR_INTERNET_DISCONNECTED" not in text]


@pytest.mark.parametrize(
    "options", sampled(({}, PHONE, {"color_scheme": "dark"}), (PHONE,)), ids=["laptop", "phone", "dark"]
)
def test_nothing_overflows_and_the_buttons_are_visible(evening, address, open_page, options) -> None:
    evening.show(seen=SEEN, light=Light.RED, verdict=ILLEGAL)
    page = live(open_page(address, **options))
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    for name in ("Roll", "Hint", "Referee"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_in_viewport()


def test_spoken_lines_are_in_the_live_region_in_their_language_and_once_each(evening, address, open_page) -> None:
    page = live(open_page(address))
    spoken = page.locator("#spoken")
    first = SpokenLine(1, "Schwarz: drei und eins.", "de")
    evening.show(spoken=(first,))
    expect(spoken).to_have_text("Schwarz: drei und eins.")
    expect(spoken).to_have_attribute("lang", "de")
    evening.show(spoken=(first, SpokenLine(2, "Nicht erlaubt.", "de")))
    expect(spoken).to_have_text("Nicht erlaubt.")
