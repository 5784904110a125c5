"""Moving the simulated table's checkers with mouse, finger and keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from page_player import dropped, on_screen
from playwright.sync_api import expect

from companion.core import verbatim


def live(page: Any) -> Any:
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    expect(page.locator("#table-board .checker")).to_have_count(30)
    return page


def drag_by_mouse(page: Any, source: tuple[float, float], target: tuple[float, float]) -> None:
    with dropped(page):
        page.mouse.move(*on_screen(page, *source))
        page.mouse.down()
        page.mouse.move(*on_screen(page, *target), steps=6)
        page.mouse.up()


def test_a_checker_is_dragged_with_the_mouse(address, open_page, drawn_table) -> None:
    page = live(open_page(address))
    fifth = drawn_table.checkers()[4]
    drag_by_mouse(page, (fifth.x, fifth.y), (9.5, 1.2))
    assert drawn_table.board()[3] == (1, 0)
    assert drawn_table.board()[5] == (4, 0)


def test_a_checker_returns_if_its_move_cannot_be_posted(address, open_page, drawn_table) -> None:
    page = live(open_page(address))
    fifth = drawn_table.checkers()[4]
    place = page.locator(f'#table-board .checker[data-id="{fifth.id}"]')
    before = place.get_attribute("transform")
    page.route("**/simulated/drag", lambda route: route.abort())
    page.mouse.click(*on_screen(page, fifth.x, fifth.y))
    page.mouse.click(*on_screen(page, 9.5, 1.2))
    expect(page.locator("#toast")).to_be_visible()
    expect(place).to_have_attribute("transform", before)
    page.unroute_all()
    open_page.complaints[:] = [text for text in open_page.complaints if "drag" not in text]


@pytest.mark.slow
def test_while_a_checker_is_carried_a_hand_covers_the_board(address, open_page, drawn_table) -> None:
    page = live(open_page(address))
    fifth = drawn_table.checkers()[4]
    page.mouse.move(*on_screen(page, fifth.x, fifth.y))
    with page.expect_response("**/simulated/drag"):
        page.mouse.down()
    assert sum(white for white, _ in drawn_table.board()) == 14
    expect(page.locator("#table-board .checker.held")).to_have_count(1)
    with dropped(page):
        page.mouse.up()
    assert sum(white for white, _ in drawn_table.board()) == 15


@pytest.mark.slow
def test_a_press_beside_the_checkers_has_no_effect(address, open_page, drawn_table) -> None:
    page = live(open_page(address))
    version = drawn_table.version
    page.mouse.move(*on_screen(page, 3.5, 5.3))
    page.mouse.down()
    page.mouse.move(*on_screen(page, 9.5, 5.3))
    page.mouse.up()
    page.reload()
    live(page)
    assert drawn_table.version == version


def test_a_finger_on_a_checker_drags_it(address, open_page, drawn_table) -> None:
    page = live(open_page(address, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True))
    fifth = drawn_table.checkers()[4]
    x, y = on_screen(page, fifth.x, fifth.y)
    to_x, to_y = on_screen(page, 9.5, 1.2)
    touch = page.context.new_cdp_session(page)
    with dropped(page):
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for part in (0.3, 0.6, 1.0):
            point = {"x": x + part * (to_x - x), "y": y + part * (to_y - y)}
            touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert drawn_table.board()[3] == (1, 0)


def test_a_checker_is_moved_with_the_keyboard_and_every_step_is_spoken(address, open_page, drawn_table) -> None:
    page = live(open_page(address))
    board, spoken = page.locator("#table-board"), page.locator("#spoken")
    board.focus()
    board.press("ArrowRight")
    expect(spoken).to_have_text("point 6, 5 of White’s")
    board.press("Enter")
    expect(spoken).to_have_text("Picked up one of White’s checkers from point 6")
    board.press("ArrowRight")
    board.press("ArrowRight")
    expect(spoken).to_have_text("point 4, empty")
    with dropped(page):
        board.press("Enter")
    assert drawn_table.board()[3] == (1, 0)


def test_escape_puts_the_carried_checker_back(address, open_page, drawn_table) -> None:
    page = live(open_page(address))
    before = drawn_table.board()
    board = page.locator("#table-board")
    board.focus()
    for key in ("ArrowRight", "Enter", "ArrowUp"):
        board.press(key)
    with dropped(page):
        board.press("Escape")
    assert drawn_table.board() == before


@pytest.mark.parametrize(
    ("name", "point_6"),
    [("Put this turn back", (2, 0)), pytest.param("Set up the start", (5, 0), marks=pytest.mark.slow)],
)
def test_the_table_is_set_up_again(
    evening, address, open_page, drawn_table, name: str, point_6: tuple[int, int]
) -> None:
    turn = {"points": [0, 0, 0, 0, 0, 2, *[0] * 17, 13], "bar": [0, 0], "off": [0, 15]}
    evening.show(position=turn)
    drawn_table.drag(4, 0.5, 5.0)
    page = live(open_page(address))
    with page.expect_response("**/simulated/set-up"):
        page.get_by_role("button", name=name).click()
    assert drawn_table.board()[5] == point_6


def test_a_move_on_another_page_is_in_the_next_snapshot(evening, address, open_page, drawn_table) -> None:
    page = live(open_page(address))
    drawn_table.drag(4, 9.5, 1.0)
    moved = drawn_table.checkers()[4]
    evening.show(notice=verbatim("moved"))
    expect(page.locator("#table-board [data-id='4']")).to_have_attribute(
        "transform", f"translate({round(100 * round(moved.x, 3), 3):g} {round(100 * (10.6 - round(moved.y, 3)), 3):g})"
    )
