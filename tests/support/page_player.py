"""Players at the page of the real program: with mouse, with a finger, or with the keyboard alone."""

from __future__ import annotations

import re
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from playwright.sync_api import TimeoutError as PageTimeoutError
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Locator, Page, Route

TO_SCREEN = """([x, y]) => {
  const board = document.getElementById("table-board");
  board.scrollIntoView({block: "nearest"});
  const turned = document.getElementById("flip").ariaPressed === "true"; // Black's own screen has Black's side below
  const drawn = turned ? new DOMPoint(100 * (13 - x), 100 * y) : new DOMPoint(100 * x, 100 * (10.6 - y));
  const at = drawn.matrixTransform(board.getScreenCTM());
  return [at.x, at.y];
}"""


ARROWS_BEGIN = 5
"""The cell at which arrow keys start on the board."""


ONE_LAYER = 5
"""Checkers in the first layer of a point; the camera may be uncertain about a sixth on top."""


def simple_plays(state: dict[str, Any]) -> list[str]:
    """Plays between points that hit nothing and put no sixth checker on a point, the shortest first."""
    found = [play for play in state["verdict"]["plays"] if re.fullmatch(r"[\d/() ]+", play)]
    return sorted((play for play in found if highest_after(state, play) <= ONE_LAYER), key=len)


def highest_after(state: dict[str, Any], play: str) -> int:
    """The most checkers that the player on roll has on a point after a play that hits nothing."""
    count = {point: mine for point, (mine, _) in checkers_on(state).items()}
    for source, target, times in re.findall(r"(\d+)(?:/\d+)*/(\d+)(?:\((\d)\))?", play):
        count[int(source)] -= int(times or 1)
        count[int(target)] += int(times or 1)
    return max(count.values())


def checkers_on(state: dict[str, Any]) -> dict[int, list[int]]:
    """Checkers on each point, in the numbers of the player on roll: theirs, then the opponent's."""
    order = 1 if state["on_roll"] == "white" else -1
    return {point: state["board"]["points"][cell][::order] for cell, point in enumerate(state["board"]["labels"])}


def on_screen(page: Page, x: float, y: float) -> tuple[float, float]:
    """Screen coordinates of a place on the simulated table; the board is scrolled into view."""
    across, down = page.evaluate(TO_SCREEN, [x, y])
    return across, down


def live(page: Page) -> Page:
    """The page once its live feed is connected."""
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    return page


@contextmanager
def unanswered(page: Page, addresses: str) -> Iterator[None]:
    """The page's requests to these addresses (a glob) get no answer before the end.

    A request that is never answered leaves a task of the browser's driver, whose end is logged as an error during
    another test.
    """
    waiting: list[Route] = []

    def keep(route: Route) -> None:
        waiting.append(route)

    page.route(addresses, keep)
    try:
        yield
    finally:
        for route in waiting:
            route.continue_()
        page.unroute(addresses)


def middle(of: Locator) -> tuple[float, float]:
    """Screen coordinates of an element's middle."""
    box = of.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def dropped(page: Page) -> Any:
    """Wait for the drop of the checker that is moved in the block."""
    return page.expect_response(lambda a: "/drag" in a.url and '"held":false' in a.request.post_data)


class Player:
    """Moves checkers on the page by the numbers of the player on roll."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address

    def state(self) -> dict[str, Any]:
        answer = self.page.request.get(f"{self.address}state.json")
        return dict(answer.json())

    def post(self, path: str, **fields: Any) -> None:
        assert self.page.request.post(f"{self.address}{path}", data=fields).ok

    def give_up(self) -> None:
        """Resign the game of the test before, if there is one, and set up the starting position."""
        if self.state()["phase"] in ("to_roll", "to_move"):
            self.post("resign", player="white", kind="single")
            expect(self.page.locator("#proposal")).to_be_visible()
            self.post("agree", proposal=self.state()["proposal"]["id"], player="black")
            expect(self.page.locator("body")).to_have_attribute("data-phase", "over")
            self.post("simulated/set-up")

    def press(self, button: Locator) -> None:
        button.click()

    def choose(self, radio: Locator) -> None:
        radio.check()

    def move(self, source: int, target: int) -> None:
        """Drag the last checker of point `source` to point `target`."""
        checker, (x, edge) = self._last_of(source), self._column(target)
        with dropped(self.page):
            self.page.mouse.move(*on_screen(self.page, checker["x"], checker["y"]))
            self.page.mouse.down()
            self.page.mouse.move(*on_screen(self.page, x, 1.5 if edge == 0 else 9.1), steps=5)
            self.page.mouse.up()

    def play(self, play: str) -> None:
        """Make a play in standard notation, such as 24/18 13/11 or 13/11/5."""
        for part in play.split():
            moves, times = re.fullmatch(r"([\d/*]+)(?:\((\d)\))?", part).groups()
            stops = [int(stop) for stop in moves.replace("*", "").split("/")]
            for _ in range(int(times or 1)):
                self.move(stops[0], stops[-1])

    def roll_for_the_start(self) -> None:
        """Tap Roll until the two dice differ."""
        page = self.page
        roll = page.get_by_role("button", name=re.compile("^(Roll|Next game)$"))
        expect(page.locator("body")).to_have_attribute("data-phase", "opening")
        expect(page.locator("#lamp")).to_have_attribute("data-colour", "blue")
        rolled = page.locator("body[data-phase='to_move']").or_(page.get_by_text("Both rolled"))
        while page.locator("body").get_attribute("data-phase") == "opening":
            version = page.locator("body").get_attribute("data-version")
            with suppress(PageTimeoutError):  # gone: the page may show a roll after the table's next state
                roll.click(timeout=2_000)
                expect(page.locator("body")).not_to_have_attribute("data-version", version)
            expect(rolled.first).to_be_attached()

    def _last_of(self, point: int) -> dict[str, Any]:
        """The last checker of a point."""
        x, edge = self._column(point)
        row = [c for c in self.state()["checkers"] if abs(c["x"] - x) < 0.5 and abs(c["y"] - edge) < 5.2]
        return max(row, key=lambda c: (c["layer"], abs(c["y"] - edge)))

    def _column(self, point: int) -> tuple[float, float]:
        """The middle of a point's column and the edge at which its row starts, in column widths."""
        state = self.state()
        cell = state["board"]["labels"].index(point)
        index = 11 - cell if cell < 12 else cell - 12
        x = index + 0.5 + (index >= 6)
        return 13 - x if state["layout"]["mirrored"] else x, 0.0 if cell < 12 else 10.6


class Tapping(Player):
    """By taps: on the checker, then on its destination."""

    def press(self, button: Locator) -> None:
        button.tap()

    def choose(self, radio: Locator) -> None:
        radio.tap()

    def move(self, source: int, target: int) -> None:
        checker, (x, edge) = self._last_of(source), self._column(target)
        self.page.touchscreen.tap(*on_screen(self.page, checker["x"], checker["y"]))
        expect(self.page.locator("#table-board .chosen")).to_have_count(1)
        with dropped(self.page):
            self.page.touchscreen.tap(*on_screen(self.page, x, 1.5 if edge == 0 else 9.1))


class Typing(Player):
    """By keyboard: arrows move over the board, Enter picks up and drops."""

    def press(self, button: Locator) -> None:
        button.focus()
        self.page.keyboard.press("Enter")

    def choose(self, radio: Locator) -> None:
        radio.focus()
        self.page.keyboard.press("Space")

    def move(self, source: int, target: int) -> None:
        keys = self.page.keyboard
        board = self.page.locator("#table-board")
        board.blur()
        board.focus()
        keys.press("ArrowDown")  # to ARROWS_BEGIN
        self._go(_grid_place(ARROWS_BEGIN), self._grid_place(source))
        keys.press("Enter")
        expect(self.page.locator("#table-board .held")).to_have_count(1)
        self._go(self._grid_place(source), self._grid_place(target))
        with dropped(self.page):
            keys.press("Enter")

    def _grid_place(self, point: int) -> tuple[int, int]:
        """Row from the top and index in it, including the bar; `point` is the number of the player on roll."""
        return _grid_place(self.state()["board"]["labels"].index(point))

    def _go(self, here: tuple[int, int], there: tuple[int, int]) -> None:
        down, right = there[0] - here[0], there[1] - here[1]
        for key, steps in (("ArrowDown", down), ("ArrowUp", -down), ("ArrowRight", right), ("ArrowLeft", -right)):
            for _ in range(steps):
                self.page.keyboard.press(key)


def _grid_place(cell: int) -> tuple[int, int]:
    index = 11 - cell if cell < 12 else cell - 12
    return (1 if cell < 12 else 0), index + (index >= 6)
