"""A headless Chromium, and a page of a table whose evening the test scripts."""

from __future__ import annotations

import re
import shutil
import signal
import socket
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
import real_server
from flask import Flask, Response, request
from given_seats import COOKIE
from playwright.sync_api import expect
from scripted_table import ScriptedTable

from vision.simulation import SimulatedTable
from web import create_app

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Dialog, Page


CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PATIENCE_MS = 20_000
LEAVE = """() => {
  if (window.location.protocol !== "about:") window.localStorage.clear();
  window.dispatchEvent(new Event("pagehide"));
}"""
"""What a page keeps for its next visit is forgotten, and it lets go of its live feed."""
LAPTOP = {"width": 1366, "height": 900}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, started once."""
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed: apt install chromium runs the browser tests")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


class Pages:
    """The browser's pages, one for each set of options: a new one costs Chromium a process, loading it anew little.

    Attributes:
        complaints: what pages have said on their consoles since the last `open_page`.
        token: of the seat that the next pages have; None: they have none.
        answers: to the next questions of a page, in order: True is OK, False is Cancel.
    """

    def __init__(self, browser: Browser) -> None:
        self.complaints: list[str] = []
        self.answers: list[bool] = []
        self.token: str | None = None
        self._browser = browser
        self._idle: dict[str, Page] = {}
        self._open: list[tuple[str, Page]] = []

    def opened(self, url: str, locale: str = "en-US", color_scheme: Any = "light", **options: Any) -> Page:
        """A page at `url` as of a browser just started, without transitions; its user prefers the language `locale`.

        The device has the seat of `token`.
        """
        options = {"viewport": LAPTOP, **options}
        key = repr(sorted(options.items()))
        page = self._idle.pop(key, None) or self._new(options)
        self._open.append((key, page))
        page.set_viewport_size(options["viewport"])
        page.emulate_media(color_scheme=color_scheme, reduced_motion="reduce")
        language = {"userAgent": page.evaluate("navigator.userAgent"), "acceptLanguage": locale}
        page.context.new_cdp_session(page).send("Emulation.setUserAgentOverride", language)
        page.context.clear_cookies()
        if self.token is not None:
            page.context.add_cookies([{"name": COOKIE, "value": self.token, "url": url}])
        page.goto(url)
        return page

    def leave(self) -> None:
        """Leave every open page without a trace; what fails in it fails the test."""
        opened, self._open = self._open, []
        for key, page in opened:
            if page.is_closed() or key in self._idle:
                page.context.close()
                continue
            page.mouse.move(0, 0)
            page.evaluate(LEAVE)
            self._idle[key] = page

    def close(self) -> None:
        """Close every page, such as one that a failed test left in mid-gesture."""
        for page in (*self._idle.values(), *(page for _, page in self._open)):
            page.context.close()
        self._idle, self._open = {}, []

    def _answer(self, dialog: Dialog) -> None:
        if not self.answers:
            self.complaints.append(f"an unexpected question: {dialog.message}")
        if self.answers and self.answers.pop(0):
            dialog.accept()
        else:
            dialog.dismiss()

    def _new(self, options: dict[str, Any]) -> Page:
        context = self._browser.new_context(**options)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.on("dialog", self._answer)  # one listener for good: as the last one goes, Playwright answers by itself
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda message: self.complaints.append(message.text) if message.type == "error" else None)
        return page


@pytest.fixture(scope="session")
def pages(browser: Browser) -> Iterator[Pages]:
    """The pages that tests share."""
    shared = Pages(browser)
    yield shared
    shared.close()


@pytest.fixture
def open_page(request: pytest.FixtureRequest, pages: Pages) -> Iterator[Callable[..., Page]]:
    """Opens an address; a page that complains on its console fails the test.

    Each test loads its pages anew; after a test that failed, no page is used again.
    """
    pages.complaints.clear()
    failed = request.session.testsfailed

    def opened(url: str, **options: Any) -> Page:
        return pages.opened(url, **options)

    opened.complaints = pages.complaints  # type: ignore[attr-defined]
    yield opened
    pages.token = None
    if request.session.testsfailed > failed:
        pages.close()
    else:
        pages.leave()
    assert pages.complaints == []


@pytest.fixture(scope="session")
def drawn_table() -> SimulatedTable:
    return SimulatedTable(seed=21)


@pytest.fixture(params=["simulated"])
def evening(request: pytest.FixtureRequest, drawn_table: SimulatedTable, tmp_path: Path) -> ScriptedTable:
    """An evening at the simulated table, or with the parameter "real" at a real one."""
    drawn_table.set_up()
    scripted = ScriptedTable(drawn_table if request.param == "simulated" else None, seats=tmp_path / "seats.json")
    scripted.show()
    return scripted


class Served:
    """What every test serves at one address, so that the browser keeps scripts and styles, which half of a load is for.

    Attributes:
        app: the application of the present test; nothing else of it is kept.
        address: where it is served.
    """

    def __init__(self) -> None:
        self.app = Flask(__name__)
        self.address = ""

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        return self.app.wsgi_app(environ, start_response)

    def serve(self, app: Flask) -> None:
        @app.after_request
        def keep(response: Response) -> Response:
            response.headers["Cache-Control"] = "max-age=3600" if request.endpoint == "static" else "no-store"
            return response

        self.app = app


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    one = Served()
    with real_server.served(one) as port:
        one.address = f"http://127.0.0.1:{port}/"
        yield one


@pytest.fixture
def address(evening: ScriptedTable, served: Served, pages: Pages) -> str:
    """Where the scripted evening's page is served; of a real table, pages have the seat of both players."""
    pages.token = evening.seat() if evening.table.simulated is None else None
    served.serve(create_app(evening.table, heartbeat_s=0.5))
    return served.address


# --- the real program ---

PROGRAM_PATIENCE_MS = 30_000

TO_SCREEN = """([x, y]) => {
  const board = document.getElementById("table-board");
  board.scrollIntoView({block: "center"});
  const at = new DOMPoint(100 * x, 100 * (10.6 - y)).matrixTransform(board.getScreenCTM());
  return [at.x, at.y];
}"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Boardside with a simulated table, as `make run` starts it on a machine without camera and pins; its address."""
    port, state = free_port(), tmp_path_factory.mktemp("state")
    options = ["--camera", "simulated", "--gpio", "mock", "--host", "127.0.0.1", "--port", str(port)]
    command = [sys.executable, "-m", "companion", "run", *options, "--state", str(state), "--engine", "plain"]
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

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address

    def state(self) -> dict[str, Any]:
        answer = self.page.request.get(f"{self.address}state.json")
        return dict(answer.json())

    def post(self, path: str, **fields: Any) -> None:
        assert self.page.request.post(f"{self.address}{path}", data=fields).ok

    def give_up(self) -> None:
        """Leave the game of the test before, where there is one, and set up the start of another."""
        if self.state()["phase"] in ("to_roll", "to_move"):
            self.post("resign", player="white", kind="single")
            expect(self.page.locator("#proposal")).to_be_visible()
            self.post("agree", proposal=self.state()["proposal"]["id"], player="black")
            expect(self.page.locator("body")).to_have_attribute("data-phase", "over")
            self.post("simulated/set-up")

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

    def roll_for_the_start(self) -> None:
        """Tap Roll until the two dice differ."""
        page = self.page
        roll = page.get_by_role("button", name="Roll", exact=True)
        expect(page.locator("body")).to_have_attribute("data-phase", "opening")
        expect(page.locator("#lamp")).to_have_attribute("data-colour", "blue")
        while True:
            version = page.locator("body").get_attribute("data-version")
            roll.click()
            expect(page.locator("body")).not_to_have_attribute("data-version", version)
            if page.locator("body").get_attribute("data-phase") == "to_move":
                return

    def _column(self, point: int) -> tuple[float, float]:
        """The middle of a point's column and the edge its row starts at, in column widths."""
        cell = self.state()["board"]["labels"].index(point)
        index = 11 - cell if cell < 12 else cell - 12
        return index + 0.5 + (index >= 6), 0.0 if cell < 12 else 10.6


@pytest.fixture
def player(running: str, open_page: Callable[..., Page]) -> Iterator[Player]:
    """Somebody at the running program, before the opening roll of a game."""
    page = open_page(running)
    page.set_default_timeout(PROGRAM_PATIENCE_MS)
    expect.set_options(timeout=PROGRAM_PATIENCE_MS)
    found = Player(page, running)
    found.give_up()
    yield found
    expect.set_options(timeout=5_000)
    page.set_default_timeout(PATIENCE_MS)
