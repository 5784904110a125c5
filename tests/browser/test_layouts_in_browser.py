"""The page draws each layout of the board: White's home on either side, points or tiles."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from page_player import middle
from playwright.sync_api import expect
from scripted_table import WHITE_TO_MOVE, ScriptedTable

from companion.core import BoardLayout
from vision.simulation import SimulatedTable
from web import create_app

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

PATIENCE_MS = 60_000


def drag(page: Page, source: str, target: str) -> None:
    """Drag the last checker of one point to another, both by their numbers on the board."""
    labels = page.locator("#table-board .label")
    from_x, from_y = middle(labels.get_by_text(source, exact=True))
    to_x, to_y = middle(labels.get_by_text(target, exact=True))
    _, centre = middle(page.locator("#table-board"))
    outwards = (
        3 if page.locator("#table-board .tile").count() else 0.6
    )  # from the middle, as the label of a tile is on it
    column = page.locator("#table-board .felt").first.bounding_box()["width"] / 40
    there = [middle(each) for each in page.locator("#table-board .checker .body").all()]
    row = [(x, y) for x, y in there if abs(x - from_x) < column * 3 and (y < centre) == (from_y < centre)]
    with page.expect_response(lambda a: "/simulated/drag" in a.url and '"held":false' in a.request.post_data):
        page.mouse.move(*min(row, key=lambda at: abs(at[0] - from_x)))
        page.mouse.down()
        page.mouse.move(to_x, centre + outwards * (to_y - centre), steps=3)
        page.mouse.up()


def laid(layout: BoardLayout, tmp_path: Path) -> ScriptedTable:
    first = replace(WHITE_TO_MOVE, layout=layout)
    scripted = ScriptedTable(SimulatedTable(seed=8, layout=layout), first, seats=tmp_path / "seats.json")
    scripted.show()
    return scripted


@pytest.mark.parametrize(
    ("layout", "source", "target"),
    [
        pytest.param(BoardLayout(mirrored=True), "24", "18", marks=pytest.mark.slow),
        (BoardLayout(tiles=True), "1", "7"),
    ],
    ids=["mirrored", "tiles"],
)
def test_a_checker_goes_where_the_point_of_that_name_lies(
    served: Any, open_page: Callable[..., Page], tmp_path: Path, layout: BoardLayout, source: str, target: str
) -> None:
    evening = laid(layout, tmp_path)
    served.serve(create_app(evening.table, heartbeat_s=0.5))
    page = open_page(served.address)
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    expect(page.locator("#table-board .checker")).to_have_count(30)
    drag(page, source, target)
    stands = evening.table.simulated.board()
    assert (stands[23], stands[17]) == ((1, 0), (1, 0))
    labels = page.locator("#table-board .label")
    nearer_home, farther = (middle(labels.get_by_text(name, exact=True))[0] for name in (target, source))
    assert (nearer_home > farther) is layout.mirrored


@pytest.mark.slow
def test_borne_off_checkers_lie_at_the_side_of_the_home_boards(
    served: Any, open_page: Callable[..., Page], tmp_path: Path
) -> None:
    evening = laid(BoardLayout(mirrored=True), tmp_path)
    served.serve(create_app(evening.table, heartbeat_s=0.5))
    board = [(0, 0)] * 28
    board[26], board[27] = (15, 0), (0, 15)
    evening.table.simulated.set_up(tuple(board))
    page = open_page(served.address)
    svg = page.locator("#table-board")
    expect(svg.locator(".checker")).to_have_count(30)
    around, first_point = svg.bounding_box(), middle(svg.locator(".label").get_by_text("1", exact=True))
    for x, y in map(middle, svg.locator(".checker .body").all()):
        assert around["x"] < x < first_point[0]
        assert around["y"] < y < around["y"] + around["height"]


@pytest.mark.slow
@pytest.mark.parametrize("options", [["--sheet", "green-box"], ["--mirror"]], ids=["tiles", "mirrored"])
def test_a_turn_is_played_at_the_real_program(
    run_program: Any, open_page: Callable[..., Page], tmp_path: Path, options: list[str]
) -> None:
    with run_program(tmp_path, *options) as address:
        page = open_page(address)
        page.set_default_timeout(PATIENCE_MS)
        body, lamp = page.locator("body"), page.locator("#lamp")
        expect(body).to_have_attribute("data-phase", "opening", timeout=PATIENCE_MS)
        while body.get_attribute("data-phase") != "to_move":
            version = body.get_attribute("data-version")
            page.get_by_role("button", name="Roll", exact=True).click()
            expect(body).not_to_have_attribute("data-version", version)
        expect(page.locator("#verdict-plays li").first).to_be_attached(timeout=PATIENCE_MS)
        plays = page.request.get(f"{address}state.json").json()["verdict"]["plays"]
        play = next(each for each in plays if re.fullmatch(r"\d+/\d+( \d+/\d+)?", each))
        for part in play.split():
            drag(page, *part.split("/"))
        expect(lamp).to_have_attribute("data-colour", "green", timeout=PATIENCE_MS)
        verdict = page.request.get(f"{address}state.json").json()["verdict"]
        assert sorted(verdict["play"].split()) == sorted(play.split())
        page.goto("about:blank")  # the live feed ends before the program does


def test_the_two_men_that_form_a_king_have_one_crown(served, open_page, tmp_path) -> None:
    table = SimulatedTable(seed=8, game="checkers")
    table.set_up(tuple((2 * (cell == 16), cell == 57) for cell in range(64)))
    squares = {"2,0": "w", "7,1": "b"}
    first = replace(WHITE_TO_MOVE, game="checkers", sheet="acf", dice=None, seen={"squares": squares})
    scripted = ScriptedTable(table, first, seats=tmp_path / "seats.json")
    scripted.show(position={"fen": "W:WK21:B1", "squares": squares})
    served.serve(create_app(scripted.table))
    page = open_page(served.address)
    expect(page.locator("#table-board .checker")).to_have_count(3)
    expect(page.locator("#table-board .upper .crown")).to_have_count(1)
    expect(page.locator("#table-board .crown")).to_have_count(1)
    scripted.show(position={"fen": "W:W21:B1", "squares": squares})
    expect(page.locator("#table-board .crown")).to_have_count(0)
