"""The board on the page: touched in every orientation, and what is drawn over it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from page_player import live, middle
from playwright.sync_api import expect
from scripted_table import WHITE_TO_MOVE, ScriptedTable
from verdicts import verdict

from companion.core import BoardLayout, Moved, Reason, Side
from companion.referee import shown_position
from companion.rules import rules_named
from companion.seats import Seat
from vision.simulation import SimulatedTable
from web import create_app

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from companion.interface import Snapshot

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
GROW = """() => {
  const above = document.createElement("div");
  above.style.height = "260px";
  document.querySelector("main").before(above);
}"""


def live_board(page: Any) -> Any:
    live(page)
    expect(page.locator("#table-board .checker").first).to_be_attached()
    page.locator("#table-board").evaluate("board => board.scrollIntoView({block: 'center'})")
    return page


def checker(page: Page, number: int) -> tuple[float, float]:
    return middle(page.locator(f"#table-board [data-id='{number}'] .body"))


def place(page: Page, label: str) -> tuple[float, float]:
    """Screen coordinates of a place on that point, towards the middle of the board."""
    x, y = middle(page.locator("#table-board .label").get_by_text(label, exact=True))
    _, centre = middle(page.locator("#table-board"))
    return x, y + 0.3 * (centre - y)


def dropped(page: Page, number: str = "") -> Any:
    """Waits until the table has answered that this checker, or any, is dropped."""
    said = re.compile(rf'"id":{number or "[0-9]+"},.*"held":false')
    return page.expect_response(lambda a: "/simulated/drag" in a.url and said.search(a.request.post_data))


def drag(page: Page, source: tuple[float, float], target: tuple[float, float]) -> None:
    with dropped(page):
        page.mouse.move(*source)
        page.mouse.down()
        page.mouse.move(*target, steps=3)
        page.mouse.up()


def test_a_carried_checker_stays_under_the_finger_while_the_page_above_the_board_grows(
    address, open_page, drawn_table
) -> None:
    page = live_board(open_page(address, **PHONE))
    x, y = checker(page, 4)
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        touched = [{"x": across, "y": down} for across, down in points]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})

    touch("touchStart", (x, y))
    touch("touchMove", (x, y - 12))
    expect(page.locator("#table-board .held")).to_have_count(1)
    page.evaluate(GROW)
    page.evaluate(TWO_FRAMES)
    assert page.evaluate("window.scrollY") > 200
    touch("touchMove", (x, y - 15))
    page.evaluate(TWO_FRAMES)
    assert checker(page, 4) == pytest.approx((x, y - 15), abs=3)
    with dropped(page):
        touch("touchEnd")
    assert drawn_table.board()[5] == (5, 0)


def test_a_checker_is_tapped_and_then_where_it_goes(address, open_page, drawn_table) -> None:
    page = live_board(open_page(address, **PHONE))
    page.touchscreen.tap(*checker(page, 4))
    expect(page.locator("#table-board .chosen")).to_have_count(1)
    assert drawn_table.board()[5] == (5, 0)
    with dropped(page):
        page.touchscreen.tap(*place(page, "4"))
    assert drawn_table.board()[3] == (1, 0)
    expect(page.locator("#table-board .chosen")).to_have_count(0)
    page.touchscreen.tap(*checker(page, 3))
    page.touchscreen.tap(*checker(page, 3))
    expect(page.locator("#table-board .chosen")).to_have_count(0)


def test_a_slow_tap_is_a_tap(address, open_page, drawn_table) -> None:
    """A finger that stays on a checker takes it up; lifted in place, it has tapped."""
    page = live_board(open_page(address, **PHONE))
    finger = page.context.new_cdp_session(page)

    def slow_tap(point: tuple[float, float]) -> None:
        x, y = point
        finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        expect(page.locator("#table-board .held")).to_have_count(1)
        with dropped(page):
            finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    slow_tap(checker(page, 4))
    expect(page.locator("#table-board .chosen")).to_have_count(1)
    slow_tap(checker(page, 4))
    expect(page.locator("#table-board .chosen")).to_have_count(0)
    slow_tap(checker(page, 4))
    with dropped(page, "4"):
        slow_tap(checker(page, 8))
    expect(page.locator("#table-board .chosen")).to_have_count(0)
    assert [drawn_table.board()[cell] for cell in (5, 12)] == [(4, 0), (6, 0)]


@pytest.mark.slow
def test_a_play_is_drawn_while_it_stands_and_previewed_while_pointed_at(evening, address, open_page) -> None:
    page = live_board(open_page(address))
    board = page.locator("#table-board")
    evening.show(verdict=verdict("legal", play="8/5 6/5"))
    expect(board.locator(".arrow.made")).to_have_count(2)
    evening.show(on_roll=Side.BLACK, dice=(6, 2), verdict=verdict("not_moved", plays=["13/11 24/18", "8/off"]))
    expect(board.locator(".arrow")).to_have_count(0)
    page.locator("body").press("p")
    expect(board.locator(".ghost.black")).to_have_count(2)
    page.keyboard.press("ArrowRight")
    expect(board.locator(".ghost")).to_have_count(1)
    page.locator("#headline").click()
    expect(board.locator(".ghost")).to_have_count(0)


def test_a_wrong_distance_is_drawn_from_where_the_checker_left_to_where_it_stands(evening, address, open_page) -> None:
    page = live_board(open_page(address))
    wrong, right = Moved(12, 8, (Reason.WRONG_DISTANCE,), 4), Moved(7, 5, (), 2)
    evening.show(dice=(5, 2), verdict=verdict("illegal", reason="wrong_distance", moved=[wrong, right]))
    board = page.locator("#table-board")
    expect(board.locator(".distance text")).to_have_text("4")
    expect(board.locator(".distance .board-die")).to_have_count(2)
    expect(board.locator(".arrow.wrong")).to_have_count(1)
    expect(board.locator(".arrow.made")).to_have_count(1)
    expect(board.locator(".ring.wrong")).to_have_count(1)


@pytest.mark.slow
def test_the_board_is_turned_round_and_a_checker_lands_on_the_point_that_is_named(
    address, open_page, drawn_table
) -> None:
    page = live_board(open_page(address))
    drag(page, checker(page, 4), place(page, "4"))
    assert drawn_table.board()[3] == (1, 0)
    upright = place(page, "1")
    page.locator("body").press("f")
    assert place(page, "1")[0] < upright[0]
    drag(page, checker(page, 3), place(page, "20"))
    assert drawn_table.board()[19] == (1, 0)
    page.locator("#board-theme").select_option("night")
    page.locator("#board-theme").press("f")
    page.reload()
    live(page)
    expect(page.locator("html")).to_have_attribute("data-board", "night")
    expect(page.locator("#flip")).to_have_attribute("aria-pressed", "true")
    drag(page, checker(page, 2), place(page, "7"))
    assert drawn_table.board()[6] == (1, 0)


def lying(game: str, layout: BoardLayout) -> tuple[SimulatedTable, Snapshot]:
    """A simulated table of that layout at the start, and its snapshot."""
    table = SimulatedTable(seed=21, game=game, layout=layout)
    if game == "backgammon":
        return table, replace(WHITE_TO_MOVE, layout=layout)
    acf = rules_named("acf")
    start = shown_position(acf, acf.start())
    return table, replace(WHITE_TO_MOVE, game=game, sheet="acf", position=start, seen=start, dice=None)


def on_square(page: Page, number: str) -> tuple[float, float]:
    x, y = middle(page.locator("#table-board .square-label").get_by_text(number, exact=True))
    square = page.locator("#table-board .square").first.bounding_box()
    assert square is not None
    return x + 0.3 * square["width"], y + 0.3 * square["height"]


@pytest.mark.parametrize(
    ("game", "layout", "source", "targets", "cells"),
    [
        pytest.param("backgammon", BoardLayout(mirrored=True), 4, ("4", "20"), (3, 19), marks=pytest.mark.slow),
        ("backgammon", BoardLayout(tiles=True), 4, ("4", "20"), (20, 4)),
        pytest.param("checkers", BoardLayout(), 11, ("18", "13"), (27, 32), marks=pytest.mark.slow),
    ],
)
def test_in_every_orientation_and_view_a_checker_lands_where_it_is_dropped(
    game, layout, source, targets, cells, served, open_page
) -> None:
    table, snapshot = lying(game, layout)
    evening = ScriptedTable(table, snapshot)
    evening.show()
    served.serve(create_app(evening.table))
    page = live_board(open_page(served.address))
    where = on_square if game == "checkers" else place
    for target, cell in zip(targets, cells, strict=True):
        drag(page, checker(page, source), where(page, target))
        assert sum(table.board()[cell]) == 1, f"on {target}"
        page.locator("body").press("f")


def test_a_board_set_up_after_a_capture_shows_each_man_in_its_colour(served, open_page) -> None:
    table, snapshot = lying("checkers", BoardLayout())
    evening = ScriptedTable(table, snapshot)
    evening.show()
    served.serve(create_app(evening.table))
    page = live_board(open_page(served.address))
    white, black = (page.locator(f"#table-board .checker.{side}") for side in ("white", "black"))
    expect(white).to_have_count(12)
    whites = [cell for cell, content in enumerate(table.board()) if content == (1, 0)]
    table.set_up(tuple((0, 0) if cell in whites[:4] else content for cell, content in enumerate(table.board())))
    evening.show()
    expect(white).to_have_count(8)
    expect(black).to_have_count(12)


@pytest.mark.parametrize("evening", ["real"], indirect=True)
def test_blacks_own_screen_has_blacks_side_at_the_bottom(evening, address, open_page, pages) -> None:
    pages.token = evening.seat(Seat.BLACK)
    page = open_page(address)
    expect(page.locator("#flip")).to_have_attribute("aria-pressed", "true")
    labels = page.locator("#reading-board .label")
    assert middle(labels.get_by_text("24", exact=True))[1] > middle(labels.get_by_text("1", exact=True))[1]
