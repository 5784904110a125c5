"""The board keeps its place on every screen, and the next action is visible."""

from __future__ import annotations

from typing import Any

import pytest
from page_player import live
from playwright.sync_api import expect
from sweeps import sampled
from verdicts import verdict

from companion.core import Side, message, verbatim
from companion.game import Disputed, Ended, GameLog, Match, Phase, Remedy
from companion.hints import RankedPlay, Ranking
from companion.interface import ClockView, Light, OfferView, ProposalView

PHONE = {"width": 390, "height": 844}
SCREENS = [PHONE, {"width": 844, "height": 390}, {"width": 1280, "height": 800}, {"width": 1920, "height": 1080}]
ILLEGAL = verdict("illegal", "Black holds the 9 point.", reason="blocked_point", plays=("8/5 6/5", "24/20"))
DISPUTE = Disputed(1, Side.WHITE, None, None, None, None, Side.BLACK)
OFFERS = tuple(OfferView(remedy, verbatim("so it is")) for remedy in (Remedy.CORRECTED, Remedy.STANDS))
HAPPENS: list[dict[str, Any]] = [
    {"light": Light.RED, "verdict": ILLEGAL, "notice": verbatim("No roll yet.")},
    {"hints": Ranking((RankedPlay("8/5 6/5", None, 0.2),), "gnubg")},
    {"clock": ClockView((60.0, 60.0), (12.0, 12.0), running=Side.WHITE), "match": Match(7, score=(2, 4))},
    {"camera": verbatim("usb:0 gives no picture: check its plug")},
    {"camera": None, "dispute": DISPUTE, "offers": OFFERS},
    {"proposal": ProposalView(2, Remedy.STANDS, words=verbatim("Proposed: it stands."))},
]


def place(page: Any) -> tuple[float, ...]:
    return tuple(page.locator("#table-board").bounding_box().values())


@pytest.mark.parametrize("screen", sampled(SCREENS, SCREENS[:1]))
def test_the_board_keeps_its_place_in_every_state_and_nothing_overflows(evening, address, open_page, screen) -> None:
    page = live(open_page(address, viewport=screen))
    before = place(page)
    for changes in HAPPENS:
        version = evening.show(**changes)
        expect(page.locator("body")).to_have_attribute("data-version", str(version))
        assert place(page) == before
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    expect(page.locator("#next button").first).to_be_in_viewport()
    assert page.evaluate("window.scrollY") == 0


def test_the_board_is_large_and_first_on_every_screen(address, open_page) -> None:
    page = live(open_page(address, viewport=PHONE))
    least = {390: 380, 844: 500, 1280: 800, 1920: 1000}
    for screen in SCREENS:
        page.set_viewport_size(screen)
        x, y, width, height = place(page)
        assert width >= least[screen["width"]]
        assert x >= 0
        assert y + height <= screen["height"]
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_reloaded_page_begins_at_the_board_also_in_a_dispute_with_hints(evening, address, open_page) -> None:
    evening.show(dispute=DISPUTE, offers=OFFERS, hints=Ranking((RankedPlay("8/5 6/5", None, 0.2),), "gnubg"))
    page = live(open_page(address, viewport=PHONE))
    assert page.evaluate("window.scrollY") == 0
    page.evaluate("window.scrollTo(0, 600)")
    live(page.reload() and page)
    assert page.evaluate("window.scrollY") == 0
    expect(page.locator("#dispute")).not_to_be_focused()


def test_the_result_of_a_game_has_a_card_and_the_next_game_has_a_button(evening, address, open_page) -> None:
    page = live(open_page(address))
    expect(page.locator("#result")).to_be_hidden()
    ended = {"phase": Phase.OVER, "dice": None, "on_roll": None, "light": Light.GREEN, "verdict": None}
    evening.show(**ended, ended=Ended(Side.WHITE, 2, "gammon"), match=Match(7, score=(4, 4)))
    expect(page.locator("#result-words")).to_have_text("White wins a gammon, 2 points.")
    expect(page.locator("#result-score")).to_have_text("White 4 : 4 Black")
    with page.expect_request("**/tap/roll"):
        page.get_by_role("button", name="Next game").click()
    assert page.get_by_role("link", name="Review").get_attribute("href") == "/matches/last"
    assert page.get_by_role("link", name="Download").get_attribute("href") == "/matches/last/match.mat"


@pytest.mark.slow
def test_the_graph_of_an_analysed_game_is_open_on_a_wide_screen_and_removed_with_the_next_game(
    evening, address, open_page
) -> None:
    page = live(open_page(address, viewport=SCREENS[3]))
    graph = {"html": '<svg class="graph" viewBox="0 0 640 160"></svg>'}
    page.route("**/matches/last/graph.json*", lambda route: route.fulfill(json=graph))
    ended = {"phase": Phase.OVER, "dice": None, "on_roll": None, "verdict": None}
    sums = message("analysis.card.men", player=Side.WHITE, rate=3)
    evening.show(**ended, ended=Ended(Side.WHITE, 1, "single"))
    evening.table.show_analysis((message("analysis.waits"),))
    expect(page.locator("#result-analysis")).to_be_visible()
    expect(page.locator("#equity")).to_be_hidden()
    evening.table.show_analysis((sums,))
    expect(page.locator("#equity .graph")).to_be_visible()
    evening.show(phase=Phase.TO_ROLL, on_roll=Side.WHITE, ended=None)
    expect(page.locator("#equity")).to_be_hidden()


VISIBLE = """(visible) => {
  Object.defineProperty(document, "hidden", { value: !visible, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_the_graph_of_a_game_is_not_shown_with_another_that_ended_while_the_page_was_hidden(
    evening, address, open_page
) -> None:
    page, sums = live(open_page(address)), message("analysis.card.men", player=Side.WHITE, rate=3)
    courses = iter(("first", "second"))
    page.route(
        "**/matches/last/graph.json*", lambda route: route.fulfill(json={"html": f"<b id={next(courses)}>course</b>"})
    )

    def end(number: int) -> None:
        ended = Ended(Side.WHITE, 1, "single")
        evening.show(phase=Phase.OVER, dice=None, on_roll=None, ended=ended, log=GameLog(number, ended=ended))
        evening.table.show_analysis((sums,))

    end(1)
    expect(page.locator("#first")).to_be_attached()
    page.evaluate(VISIBLE, False)
    evening.show(phase=Phase.TO_ROLL, on_roll=Side.WHITE, ended=None)
    end(2)
    page.evaluate(VISIBLE, True)
    expect(page.locator("#second")).to_be_attached()
    page.unroute_all()


def test_a_failed_request_for_the_graph_is_repeated(evening, address, open_page) -> None:
    page = live(open_page(address))
    page.route("**/matches/last/graph.json*", lambda route: route.abort(), times=1)
    ended = {"phase": Phase.OVER, "dice": None, "on_roll": None, "ended": Ended(Side.WHITE, 1, "single")}
    evening.show(**ended)
    with page.expect_event("requestfailed"):
        evening.table.show_analysis((message("analysis.card.men", player=Side.WHITE, rate=3),))
    page.route("**/matches/last/graph.json*", lambda route: route.fulfill(json={"html": "<b id=course>course</b>"}))
    evening.show(**ended)
    expect(page.locator("#course")).to_be_attached()
    page.unroute_all()
    open_page.complaints[:] = [text for text in open_page.complaints if "graph.json" not in text]


def test_camera_and_reading_are_tabs_that_keys_switch(address, open_page) -> None:
    page = live(open_page(address))
    camera, reading = page.get_by_role("tab").all()
    expect(page.get_by_role("tabpanel", name="The camera")).to_be_visible()
    camera.press("ArrowRight")
    expect(reading).to_be_focused()
    expect(page.get_by_role("tabpanel", name="What the referee sees")).to_be_visible()
    expect(page.locator("#no-camera")).to_be_hidden()


@pytest.mark.slow
def test_the_large_view_shows_board_headline_and_dice_alone(address, open_page) -> None:
    page = live(open_page(f"{address}?big", viewport=SCREENS[2]))
    for there in ("#table-board", "#headline", "#dice"):
        expect(page.locator(there)).to_be_in_viewport(ratio=1)
    for gone in ("#next", "#history", "#camera", "#fairness"):
        expect(page.locator(gone)).to_be_hidden()
    assert page.locator(".die").first.bounding_box()["width"] > 100
    for pips in ("#left-white", "#left-black"):
        expect(page.locator(pips)).to_be_in_viewport(ratio=0.9)
    expect(page.locator("#table-board .board-die")).to_have_count(2)
    expect(page.locator("#table-board .board-die").first).to_be_hidden()  # the dice are shown once
    page.keyboard.press("Escape")
    expect(page.locator("#next button").first).to_be_visible()


def test_a_tapped_hint_is_shown_on_the_board_until_the_hints_are_hidden(evening, address, open_page) -> None:
    page = live(open_page(address, viewport=PHONE))
    play = RankedPlay("8/5 6/5", None, 0.2)
    evening.show(hints=Ranking((play,), "gnubg"))
    page.locator("#hint-rows .play").click()
    page.mouse.move(0, 0)
    expect(page.locator("#table-board .ghost")).to_have_count(2)
    evening.show(hints=None)
    expect(page.locator("#table-board .ghost")).to_have_count(0)
