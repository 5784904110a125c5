"""One person at the real program: Boardside plays Black, and the person moves its checkers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from page_player import Player, simple_plays
from playwright.sync_api import expect

from companion.core import Dice, Side
from companion.rules import rules_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

RULES = rules_named("standard")
PATIENCE_MS = 30_000
NEAR_THE_END = {"points": [2, 1, *[0] * 20, -1, -2], "bar": [0, 0], "off": [12, 12]}


def turn_of(state: dict[str, Any]) -> tuple[Any, Side, Dice]:
    """The position on the board, who is to move, and the dice."""
    board, side = state["board"], Side(state["on_roll"])
    points = [white - black for white, black in board["points"]]
    position = RULES.from_json({"points": points, "bar": board["bar"], "off": board["off"]}, side)
    return position, side, Dice(tuple(die["number"] for die in state["dice"]))


class Alone(Player):
    """White, who also moves Boardside's checkers."""

    def tap(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def finds(self, finding: str) -> dict[str, Any]:
        expect(self.page.locator("#verdict")).to_have_attribute("data-finding", finding)
        return self.state()

    def lay(self, play: str) -> None:
        """Move the checkers of a play from where the turn began, legal or not."""
        position, side, _ = turn_of(self.state())
        self.post("simulated/set-up", position=RULES.board_to_json(RULES.board_after(position, side, play)))

    def announced(self) -> str:
        """What Boardside plays."""
        headline = self.page.locator("#headline")
        expect(headline).to_contain_text("Boardside plays ")
        self.finds("not_moved")
        return headline.inner_text().removeprefix("Boardside plays ")

    def done(self, button: str = "Done") -> bool:
        """Tap once the play is read; False if it has ended the game, after which no tap is needed."""
        page = self.page
        over = page.locator("body[data-phase='over'], body[data-phase='opening']")
        stands = page.locator("#verdict[data-finding='legal']")
        asked = page.locator("#readings:not([hidden]) button").filter(has_not_text="an unfinished turn")
        expect(over.or_(stands).or_(asked).first).to_be_attached()
        if asked.count():  # the person says which it is, and Boardside agrees
            asked.first.click()
            expect(over.or_(stands).first).to_be_attached()
        if not over.count():
            self.tap(button)
        return not over.count()


@pytest.fixture
def alone(
    tmp_path: Path, run_program: Callable[..., AbstractContextManager[str]], open_page: Callable[..., Page]
) -> Iterator[Alone]:
    expect.set_options(timeout=PATIENCE_MS)
    with run_program(tmp_path, "--opponent", "black", "--level", "1", "--match", "1", "--language", "en") as address:
        page = open_page(address)
        page.set_default_timeout(PATIENCE_MS)
        yield Alone(page, address)
        page.goto("about:blank")
    expect.set_options(timeout=5_000)


def own_turn_if_first(alone: Alone) -> None:
    """Let White play if the opening roll gives White the turn, after which Boardside rolls."""
    if alone.state()["on_roll"] == "white":
        state = alone.finds("not_moved")
        expect(alone.page.get_by_role("button", name="Done", exact=True)).to_be_visible()
        alone.lay(simple_plays(state)[0])
        alone.finds("legal")
        alone.tap("Done")


def test_boardside_rolls_announces_and_its_play_is_checked(alone: Alone) -> None:
    page = alone.page
    alone.roll_for_the_start()
    own_turn_if_first(alone)
    play = alone.announced()
    state = alone.state()
    assert state["arrows"]["play"]
    assert not [one for one in (*state["deeds"], *state["next"]) if one.get("player") == "black"]

    others = RULES.successors(*turn_of(state))
    wrong = next(RULES.write_play(other.play) for other in others if RULES.write_play(other.play) != play)
    alone.lay(wrong)
    alone.finds("unfinished")
    expect(page.locator("#verdict-message")).to_contain_text(f"Boardside plays {play}. The board differs from that on")
    alone.tap("Roll")
    expect(page.locator("#notice")).to_contain_text("that is not what was announced")

    page.get_by_role("button", name="Put this turn back").click()
    alone.finds("not_moved")
    alone.lay(play)
    alone.finds("legal")
    alone.tap("Roll")
    expect(page.locator("#headline")).to_contain_text("White to play")
    expect(page.locator("#history")).to_contain_text(play)


def test_a_game_is_played_to_its_end(alone: Alone) -> None:
    alone.roll_for_the_start()
    own_turn_if_first(alone)
    alone.lay(alone.announced())
    alone.finds("legal")
    alone.tap("Roll")
    alone.finds("not_moved")
    alone.post("simulated/set-up", position=NEAR_THE_END)
    alone.post("propose", remedy="position", player="white", position=NEAR_THE_END)  # Boardside agrees
    expect(alone.page.locator("#history")).to_contain_text("Agreed: the board counts as it stands.")
    goes_on = True
    while goes_on:
        expect(alone.page.locator("#headline")).to_contain_text("White to play")
        alone.lay(alone.finds("not_moved")["verdict"]["plays"][0])
        goes_on = alone.done()
        if goes_on:
            alone.lay(alone.announced())
            goes_on = alone.done("Roll")
    expect(alone.page.locator("#result")).to_contain_text("wins the match")
