"""Makes the pictures of the documents anew: `python docs/make_pictures.py [FOLDER]` (default: docs).

The real program with its simulated table is started in a state directory that is thrown away, and played at over its
own routes; a headless Chromium takes the pictures. The checkers lie and the engine chooses as ever; dice are fair, so
that each time it is another game. Wants Chromium.
"""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from playwright.sync_api import sync_playwright

from companion.core import BoardsideError, Dice, Side
from companion.rules import rules_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import APIRequestContext, Browser, Page

PATIENCE_S = 60
TURNS = 9
STEP = 6
"""Between two shades of a colour that a picture keeps: it takes half the bytes, and nobody sees it."""
DESKTOP, TALL = {"width": 1280, "height": 800}, {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
RULES = rules_named("standard")
FIRST_LAYER = 5
"""Checkers in the first layer of a point: the eye may have to ask about a sixth on top, seen from straight above."""
NAMES = ["--names", "Anna", "Ben"]


def free_port() -> int:
    """A port that nobody uses just now."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextmanager
def program(state: Path) -> Iterator[str]:
    """The program with a simulated table; its address."""
    options = [
        "--camera",
        "simulated",
        "--gpio",
        "mock",
        "--host",
        "127.0.0.1",
        "--port",
        str(free_port()),
        "--speech",
        "off",
    ]
    command = [sys.executable, "-m", "companion", "run", *options, *NAMES, "--engine", "auto"]
    with subprocess.Popen([*command, "--state", str(state)], stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        try:
            yield next(word for word in running.stdout.readline().split() if word.startswith("http"))
        finally:
            running.send_signal(signal.SIGTERM)
            running.communicate(timeout=PATIENCE_S)


class BothPlayers:
    """Both players at the program's address."""

    def __init__(self, address: str, requests: APIRequestContext) -> None:
        self._address, self._requests = address, requests

    def state(self) -> dict[str, Any]:
        """What the page shows."""
        return dict(self._requests.get(f"{self._address}/state.json").json())

    def post(self, path: str, **fields: object) -> None:
        """Send what a button of the page sends."""
        answer = self._requests.post(f"{self._address}{path}", data=fields)
        assert answer.ok, answer.text()

    def until(self, condition: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """The first state that fulfils the condition."""
        late = time.monotonic() + PATIENCE_S
        while not condition(state := self.state()):
            assert time.monotonic() < late, (state["headline"], state["verdict"], state["notice"])
            time.sleep(0.2)
        return state

    def next(self) -> None:
        """Tap the large button."""
        one = self.state()["next"][0]
        self.post(one["path"], **one["fields"])

    def begin(self) -> None:
        """Roll for the start until the dice differ."""
        self.until(lambda state: state["light"]["colour"] == "blue")
        while self.state()["phase"] == "opening":
            self.next()
        self.until(lambda state: state["phase"] == "to_move" and state["verdict"])

    def lay(self, play: str) -> None:
        """Move the checkers of a play in standard notation, legal or not."""
        self.post("/simulated/set-up", position=after(self.state(), play))

    def best(self) -> str:
        """The first play of the hint that lays no sixth checker on a point."""
        self.post("/tap/hint")
        rows = self.until(lambda state: state["hints"] and state["hints"]["rows"])["hints"]["rows"]
        self.post("/hints/hide")
        state = self.state()
        plays = [str(row["play"]) for row in rows]
        return next((play for play in plays if not in_two_layers(after(state, play))), plays[0])

    def turn(self, play: str = "") -> None:
        """Make a play, by default the engine's best, and roll for the other player."""
        before = len(self.state()["history"])
        if self.state()["verdict"]["plays"]:
            self.lay(play or self.best())
        self.until(found("legal"))
        self.next()
        self.until(lambda state: len(state["history"]) > before and state["verdict"])

    def analysed(self, match: str) -> None:
        """Wait for the analysis of the match with that address."""
        late = time.monotonic() + PATIENCE_S
        while self._requests.get(f"{self._address}{match}/analysis.json").json().get("unfinished", True):
            assert time.monotonic() < late, self._requests.get(f"{self._address}{match}/analysis.json").text()
            time.sleep(1)


def found(finding: str) -> Callable[[dict[str, Any]], bool]:
    """Whether a state's verdict says so."""
    return lambda state: state["verdict"] is not None and state["verdict"]["finding"] == finding


def plain(state: dict[str, Any]) -> dict[str, Any]:
    """The position of a state, as the JSON interfaces have it: a side's own checkers for each point."""
    board = state["board"]
    points = [white - black for white, black in board["points"]]
    return {"points": points, "bar": board["bar"], "off": board["off"]}


def after(state: dict[str, Any], play: str) -> dict[str, Any]:
    """The position after a play of the player on roll, legal or not, as the JSON interfaces have it."""
    player = Side(state["on_roll"])
    position = RULES.from_json(plain(state), player)
    return RULES.board_to_json(RULES.board_after(position, player, play))


def in_two_layers(position: dict[str, Any]) -> bool:
    """Whether a point has more checkers than fit beside each other."""
    return max(map(abs, position["points"])) > FIRST_LAYER


def wrong(state: dict[str, Any]) -> str | None:
    """A play of White's by a distance that was not rolled; None where there is none such."""
    if state["on_roll"] != Side.WHITE:
        return None
    side = Side(state["on_roll"])
    position = RULES.from_json(plain(state), side)
    dice = Dice(tuple(die["number"] for die in state["dice"]))
    for source in (13, 24, 8, 6):
        for distance in (7, 4, 5, 3, 9):
            play = f"{source}/{source - distance}"
            try:
                verdict = RULES.explain(position, side, dice, RULES.board_after(position, side, play), done=True)
            except (BoardsideError, ValueError):
                continue
            far = verdict.finding == "illegal" and verdict.reason == "wrong_distance"
            if far and not in_two_layers(after(state, play)):
                return play
    return None


def mid_game(table: BothPlayers) -> str:
    """Play until White can make an illegal play some turns into the game; the play."""
    table.begin()
    while len(table.state()["history"]) < TURNS or (play := wrong(table.state())) is None:
        table.turn()
    return play


def shot(page: Page, file: Path, size: dict[str, int], scheme: Any = "light") -> None:
    """Write what the page shows, without transitions, once its pictures are there."""
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0); document.activeElement.blur()")
    page.wait_for_load_state("networkidle") if "/matches" in page.url else page.wait_for_timeout(1500)
    page.wait_for_function("[...document.images].every((one) => one.hidden || one.complete)")
    page.screenshot(path=file)
    image = cv2.imread(str(file)).astype(np.int32)
    ground = image[0, 0]  # stays as it is
    fewer = ground + (image - ground + STEP // 2) // STEP * STEP
    cv2.imwrite(str(file), np.clip(fewer, 0, 255).astype(np.uint8), (cv2.IMWRITE_PNG_COMPRESSION, 9))


def pictures(browser: Browser, address: str, folder: Path) -> None:
    """Play, and take the pictures on the way."""
    page = browser.new_page(viewport=DESKTOP)
    table = BothPlayers(address, page.request)
    table.post("/settings", pictures="all")  # who was set up needs no invitation to it
    page.goto(address)
    illegal = mid_game(table)

    table.post("/tap/hint")
    table.until(lambda state: state["hints"] and state["hints"]["rows"])
    table.lay(table.state()["hints"]["rows"][0]["play"])
    table.until(found("legal"))
    shot(page, folder / "page.png", DESKTOP)
    table.post("/hints/hide")
    shot(page, folder / "phone.png", PHONE, "dark")

    table.post("/simulated/set-up", to="turn")
    table.until(found("not_moved"))
    table.lay(illegal)
    table.until(found("illegal"))
    table.post("/tap/referee", player="black")
    number = table.until(lambda state: state["dispute"])["version"]
    page.locator(f"body[data-version='{number}']").wait_for()
    shot(page, folder / "dispute.png", TALL)

    number = table.state()["dispute"]["id"]
    table.post("/propose", remedy="corrected", player="white", dispute=number)
    proposal = table.until(lambda state: state["proposal"])["proposal"]["id"]
    table.post("/agree", proposal=proposal, player="black")
    table.until(lambda state: state["dispute"] is None)
    table.post("/simulated/set-up", to="turn")
    table.until(found("not_moved"))
    for _ in range(2):
        table.turn()
    table.post("/resign", player="black", kind="single")
    proposal = table.until(lambda state: state["proposal"])["proposal"]["id"]
    table.post("/agree", proposal=proposal, player="white")
    table.until(lambda state: state["phase"] == "over")
    page.goto(f"{address}/matches")
    match = page.locator(".match-list a").first.get_attribute("href") or ""
    table.analysed(match)
    page.goto(f"{address}{match}")
    page.locator(".plays [data-kind='dispute']").first.click()
    shot(page, folder / "review.png", DESKTOP)


def main() -> None:
    """Make all pictures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as state, program(Path(state)) as address:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        pictures(browser, address, folder)
        browser.close()
    for picture in ("page", "dispute", "phone", "review"):
        print(f"{picture}.png: {(folder / f'{picture}.png').stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
