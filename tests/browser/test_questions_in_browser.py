"""A real session asks two players on the page: which play was made, do two moves count, is a draw accepted."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
import real_server
from given_seats import seat_at
from played_table import BLACK, RULES, START, WHITE, PlayedTable, doubtful_look, moved
from playwright.sync_api import expect

from companion.app.table import Table
from companion.game import Played, ReadAs, match_under
from companion.interface import Saw, Stirred
from companion.rules import rules_named
from web import create_app

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from conftest import Pages

    from companion.interface import Item, Snapshot

AFTER_61, OTHERWISE = moved(START, WHITE, (13, 7), (8, 7)), moved(START, WHITE, (13, 7), (24, 23))
PHONE = {"width": 390, "height": 844}


class ServedTable(PlayedTable):
    """A played table whose snapshots a page shows, and which handles what the page posts."""

    def __init__(self, dice: list[int], rules: Any = RULES, **options: Any) -> None:
        self.table = Table(rules.sheet.game, rules.sheet.name, simulated=None)
        self._turn = threading.Lock()
        super().__init__(dice, rules, **options)
        self.table.attach(self)  # type: ignore[arg-type]

    def publish(self, snapshot: Snapshot) -> None:
        super().publish(snapshot)
        self.table.publish(snapshot)

    def post(self, item: Item) -> None:
        with self._turn:
            self.does(item)


@contextmanager
def serving(table: ServedTable) -> Iterator[str]:
    """The address of the table's page."""
    with real_server.served(create_app(table.table, heartbeat_s=0.5)) as port:
        yield f"http://127.0.0.1:{port}/"


@pytest.fixture
def served(pages: Pages, tmp_path: Path) -> Iterator[tuple[ServedTable, str]]:
    """White has rolled 6-1, and the camera cannot tell 13/7 8/7 from 24/23 13/7."""
    table = ServedTable([6, 1, 5, 3])
    table.sets()
    table.taps()
    table.does(Stirred(1.0), Saw(doubtful_look(AFTER_61, OTHERWISE), 2.0, b"jpeg"))
    pages.token = seat_at(table.table, tmp_path / "seats.json")
    with serving(table) as address:
        yield table, address


@pytest.fixture
def checkers(pages: Pages, tmp_path: Path) -> Iterator[tuple[ServedTable, str]]:
    """A match of checkers; Black has played 11-15, and White 23-19 before anybody tapped Roll."""
    rules = rules_named("acf")
    table = ServedTable([], rules, terms=match_under(rules.sheet, 4))
    table.sets()
    table.taps()
    middle = rules.find_play(table.game.position, BLACK, None, "11-15").after
    table.sets(rules.find_play(middle, WHITE, None, "23-19").after)
    pages.token = seat_at(table.table, tmp_path / "seats.json")
    with serving(table) as address:
        yield table, address


@pytest.mark.slow
def test_two_players_choose_the_reading_and_the_game_goes_on(served, open_page) -> None:
    table, address = served
    page = open_page(address, viewport=PHONE)
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    question = page.get_by_role("group", name="Which of these was played?")
    question.get_by_role("button", name="24/23 13/7", exact=True).click()
    asked = page.get_by_role("region", name="Both players must agree")
    expect(asked).to_contain_text("Is this right: 24/23 13/7?")
    asked.get_by_role("button", name="White agrees").click()
    asked.get_by_role("button", name="Black agrees").click()
    expect(asked).to_be_hidden()
    expect(page.locator("#lamp")).to_have_attribute("data-colour", "green")
    said = page.get_by_role("group", name="As both players say")
    expect(said.get_by_role("button", pressed=True)).to_have_text("24/23 13/7")
    page.get_by_role("button", name="Roll", exact=True).click()
    expect(page.get_by_role("heading", name="Black to play 5")).to_be_visible()
    answers = [event for event in table.events if isinstance(event, ReadAs)]
    assert [answer.reading.verdict.play for answer in answers] == ["24/23 13/7"]
    assert Played(WHITE, "24/23 13/7", OTHERWISE) in table.events
    assert RULES.visible(table.game.position) == RULES.visible(OTHERWISE)


@pytest.mark.slow
def test_both_players_let_a_move_and_its_early_reply_count_and_a_draw_is_accepted(checkers, open_page, pages) -> None:
    table, address = checkers
    page = open_page(address)
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    page.get_by_text("Something went wrong").click()
    page.get_by_role("button", name="Let both moves count").click()
    asked = page.get_by_role("region", name="Both players must agree")
    expect(asked).to_contain_text("Black 11-15 and White 23-19")
    expect(page.get_by_role("button", name="Hint", exact=True)).to_be_enabled()  # it says no, also in a match
    asked.get_by_role("button", name="White agrees").click()
    asked.get_by_role("button", name="Black agrees").click()
    expect(asked).to_be_hidden()
    assert [event.play for event in table.events if isinstance(event, Played)] == ["11-15", "23-19"]
    pages.answers.append(True)
    page.get_by_text("End the game").click()
    page.get_by_role("button", name="White offers a draw").click()
    offer = page.get_by_role("region", name="An offer waits for its answer")
    offer.get_by_role("button", name="Black accepts").click()
    expect(page.locator("#score")).to_have_text("White 1 : 1 Black")
    expect(page.locator("#light-words")).to_have_text("Game over")
