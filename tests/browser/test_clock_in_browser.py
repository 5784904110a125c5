"""The chess clock on the page in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from scripted_table import ScriptedTable

from companion.app.table import TableClock
from companion.clock import ClockFile, ClockSetting
from companion.clock.clock_controller import SavedClock
from companion.core import Side

if TYPE_CHECKING:
    from pathlib import Path

SETTING = ClockSetting(2, delay_s=12)


@pytest.mark.slow
def test_a_table_without_a_clock_shows_none(address, open_page) -> None:
    expect(open_page(address).locator("#clock")).to_be_hidden()


class ClockedTable(ScriptedTable):
    """A real table whose players have stopped the clock; White is on roll, and the test moves its time.

    Attributes:
        now_s: the time of the clock.
    """

    def __init__(self, reserve_s: tuple[float, float], folder: Path) -> None:
        self.now_s = 0.0
        file = ClockFile(folder / "clock.json")
        file.save(SavedClock(SETTING, reserve_s, turn=0, score=None, paused=True))
        super().__init__(None, clock=TableClock(SETTING, lambda: self.now_s, file), seats=folder / "seats.json")
        self.show()


@pytest.fixture
def evening(request, tmp_path):
    """A table with these reserves of the players, in seconds; without a clock if the test gives none."""
    reserve_s = getattr(request, "param", None)
    if reserve_s is None:
        return ScriptedTable(None, seats=tmp_path / "seats.json")
    return ClockedTable(reserve_s, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("evening", [(95.0, 61.0)], indirect=True)
def test_the_clock_of_the_player_the_table_waits_for_counts_down(evening, address, open_page) -> None:
    page = open_page(address)
    white, black = page.locator("#clock-white"), page.locator("#clock-black")
    expect(white.locator("time")).to_have_text("1:35")
    expect(black.locator("time")).to_have_text("1:01")
    evening.table.pause_clock()
    evening.now_s = SETTING.delay_s  # White's delay is over
    evening.show()
    expect(white).to_have_attribute("data-running", "yes")
    expect(white.locator("time")).to_have_text("1:34")
    expect(black.locator("time")).to_have_text("1:01")
    evening.show(on_roll=Side.BLACK)
    expect(black.locator("small")).to_contain_text("delay 11")
    expect(black.locator("time")).to_have_text("1:01")


@pytest.mark.parametrize("evening", [(-3.0, 61.0)], indirect=True)
def test_a_fallen_flag_is_shown_in_words(address, open_page) -> None:
    page = open_page(address)
    expect(page.locator("#clock-white")).to_have_attribute("data-fallen", "yes")
    expect(page.locator("#clock-white time")).to_have_text("−0:03")
    expect(page.locator("#clock-words")).to_contain_text("White's flag has fallen: the sheet or the players decide.")
    expect(page.get_by_role("button", name="Start the clock")).to_be_visible()
