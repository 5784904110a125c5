"""From the first Roll to an accepted play: the real program, its camera, its referee and its page, with a mouse."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page

PATIENCE_MS = 30_000

TO_SCREEN = """([x, y]) => {
  const board = document.getElementById("table-board");
  board.scrollIntoView({block: "center"});
  const at = new DOMPoint(100 * x, 100 * (10.6 - y)).matrixTransform(board.getScreenCTM());
  return [at.x, at.y];
}"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@pytest.fixture
def running(tmp_path: Path) -> Iterator[str]:
    """Boardside with a simulated table, as `make run` starts it on a machine without camera and pins; its address."""
    port = free_port()
    options = ["--camera", "simulated", "--gpio", "mock", "--host", "127.0.0.1", "--port", str(port)]
    command = [sys.executable, "-m", "companion", "run", *options, "--state", str(tmp_path), "--engine", "plain"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        try:
            assert "Boardside is at" in program.stdout.readline()
            yield f"http://127.0.0.1:{port}/"
        finally:
            program.send_signal(signal.SIGTERM)
            _, complaints = program.communicate(timeout=60)
    assert program.returncode == 0, complaints
    assert complaints == ""


class Player:
    """Moves checkers on the page by the numbers of the player on roll."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def state(self) -> dict[str, Any]:
        answer = self.page.request.get("/state.json")
        return dict(answer.json())

    def screen(self, x: float, y: float) -> tuple[float, float]:
        across, down = self.page.evaluate(TO_SCREEN, [x, y])
        return across, down

    def move(self, source: int, target: int) -> None:
        """Drag the last checker of point `source` to point `target`."""
        x, edge = self._column(source)
        row = [c for c in self.state()["checkers"] if abs(c["x"] - x) < 0.5 and abs(c["y"] - edge) < 5.2]
        checker = max(row, key=lambda c: (c["layer"], abs(c["y"] - edge)))
        x, edge = self._column(target)
        with self.page.expect_response(lambda a: "/drag" in a.url and '"held":false' in a.request.post_data):
            self.page.mouse.move(*self.screen(checker["x"], checker["y"]))
            self.page.mouse.down()
            self.page.mouse.move(*self.screen(x, 1.5 if edge == 0 else 9.1), steps=5)
            self.page.mouse.up()

    def play(self, play: str) -> None:
        """Make a play in standard notation, such as 24/18 13/11 or 13/11/5."""
        for part in play.split():
            moves, times = re.fullmatch(r"([\d/*]+)(?:\((\d)\))?", part).groups()
            stops = [int(stop) for stop in moves.replace("*", "").split("/")]
            for _ in range(int(times or 1)):
                self.move(stops[0], stops[-1])

    def _column(self, point: int) -> tuple[float, float]:
        """The middle of a point's column and the edge its row starts at, in column widths."""
        cell = self.state()["board"]["labels"].index(point)
        index = 11 - cell if cell < 12 else cell - 12
        return index + 0.5 + (index >= 6), 0.0 if cell < 12 else 10.6


@pytest.fixture
def player(running: str, open_page) -> Player:
    page = open_page(running, base_url=running)
    page.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    yield Player(page)
    expect.set_options(timeout=5_000)


def roll_for_the_start(player: Player) -> None:
    """Tap Roll until the two dice differ."""
    page = player.page
    roll = page.get_by_role("button", name="Roll", exact=True)
    expect(page.locator("body")).to_have_attribute("data-phase", "opening")
    expect(page.locator("#lamp")).to_have_attribute("data-colour", "blue")
    while True:
        version = page.locator("body").get_attribute("data-version")
        roll.click()
        expect(page.locator("body")).not_to_have_attribute("data-version", version)
        if page.locator("body").get_attribute("data-phase") == "to_move":
            return


def test_a_turn_from_roll_to_the_opponents_roll(player: Player) -> None:
    page = player.page
    roll_for_the_start(player)
    expect(page.locator("#verdict")).to_have_attribute("data-finding", "not_moved")
    plays = player.state()["verdict"]["plays"]

    player.move(6, 7)
    expect(page.locator("#verdict")).to_have_attribute("data-finding", "illegal")
    expect(page.locator("#verdict-detail")).to_have_text("A checker went backwards")
    expect(page.locator("#lamp")).to_have_attribute("data-colour", "red")

    page.get_by_role("button", name="Put this turn back").click()
    expect(page.locator("#verdict")).to_have_attribute("data-finding", "not_moved")

    player.play(plays[0])
    expect(page.locator("#verdict")).to_have_attribute("data-finding", "legal")
    expect(page.locator("#verdict-detail")).to_have_text(plays[0])
    expect(page.locator("#lamp")).to_have_attribute("data-colour", "green")

    first = player.state()["on_roll"]
    page.get_by_role("button", name="Roll", exact=True).click()
    expect(page.locator("#history li")).to_have_count(1)
    expect(page.locator("#history .turn-play")).to_have_text(plays[0])
    expect(page.locator("#headline")).to_contain_text("Black to play" if first == "white" else "White to play")


def test_hints_and_a_dispute_on_the_page(player: Player) -> None:
    page = player.page
    roll_for_the_start(player)
    page.get_by_role("button", name="Hint", exact=True).click()
    expect(page.locator("#hint-rows tr").first).to_be_visible()
    player.move(13, 14)
    expect(page.locator("#verdict")).to_have_attribute("data-finding", "illegal")
    page.get_by_role("button", name="Referee", exact=True).click()
    dispute = page.locator("#dispute")
    expect(dispute).to_contain_text("A checker went backwards")
    for picture in ("before", "after"):
        expect(page.locator(f"#dispute-{picture}")).to_have_js_property("complete", True)
        assert page.locator(f"#dispute-{picture}").evaluate("image => image.naturalWidth") > 0
    dispute.get_by_role("button", name="It stands").click()
    expect(dispute).to_be_hidden()
