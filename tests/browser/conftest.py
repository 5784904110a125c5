"""A headless Chromium, and the page of a table whose snapshots the test publishes."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, Self

import pytest
import real_server
from chromium import CHROMIUM
from flask import Flask, Response, request
from given_seats import COOKIE
from page_player import Player
from playwright.sync_api import expect
from running_table import free_port
from scripted_table import ScriptedTable

from vision.simulation import SimulatedTable
from web import create_app

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page


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
FORGET = """() => { if (window.location.protocol !== "about:") window.localStorage.clear(); }"""
"""Deletes what a page has stored."""
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
    """The browser's pages, one for each set of options: a new one takes a process of Chromium, a reload little.

    Attributes:
        complaints: errors on the pages' consoles since the last `open_page`.
        token: of the seat of the next pages; None: without one.
        answers: to the next dialogs of a page, in order: True is OK, False is Cancel.
    """

    def __init__(self, browser: Browser) -> None:
        self.complaints: list[str] = []
        self.answers: list[bool] = []
        self.token: str | None = None
        self._browser = browser
        self._idle: dict[str, Page] = {}
        self._open: list[tuple[str, Page]] = []

    def opened(self, url: str, locale: str = "en-US", color_scheme: Any = "light", **options: Any) -> Page:
        """A page at `url` as in a fresh browser of language `locale`, without transitions, with the seat of `token`."""
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
        """Clear every open page for reuse; errors fail the test."""
        opened, self._open = self._open, []
        for key, page in opened:
            if page.is_closed() or key in self._idle:
                page.context.close()
                continue
            page.mouse.move(0, 0)
            page.evaluate(FORGET)
            page.goto("about:blank")
            self._idle[key] = page

    def close(self) -> None:
        """Close every page: a failed test may have left one in any state."""
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
        context = self._browser.new_context(**{"service_workers": "block", **options})
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.on("dialog", self._answer)  # never removed: without a listener Playwright answers itself
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._note)
        return page

    def _note(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(f"{message.text} {message.location['url']}")


@pytest.fixture(scope="session")
def pages(browser: Browser) -> Iterator[Pages]:
    """The pages that tests reuse."""
    shared = Pages(browser)
    yield shared
    shared.close()


@pytest.fixture
def open_page(request: pytest.FixtureRequest, pages: Pages) -> Iterator[Callable[..., Page]]:
    """Opens an address; an error on a page's console fails the test. After a failed test, no page is reused."""
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
    """A scripted simulated table, or with the parameter "real" a real one."""
    drawn_table.set_up()
    scripted = ScriptedTable(drawn_table if request.param == "simulated" else None, seats=tmp_path / "seats.json")
    scripted.show()
    return scripted


class Served:
    """Serves each test's application at one address, so that the browser caches scripts and styles: half of a load.

    Attributes:
        app: the application of the present test.
        address: its URL.
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
    """The URL of the scripted table's page; at a real table, pages have the seat of both players."""
    pages.token = evening.seat() if evening.table.simulated is None else None
    served.serve(create_app(evening.table, heartbeat_s=0.5))
    return served.address


# --- the real program ---

PROGRAM_PATIENCE_MS = 30_000
CHANGED = "The settings were changed"
"""Beginning of a line that is not an error."""


class Running(str):
    """The address of a running program, with its console."""

    __slots__ = ("_console",)

    def __new__(cls, address: str, console: IO[str]) -> Self:
        made = super().__new__(cls, address)
        made._console = console
        return made

    def prints(self, pattern: str) -> re.Match[str]:
        """Wait for the next line on the console that matches."""
        return next(found for line in self._console if (found := re.search(pattern, line)))


@contextmanager
def program(state: Path, *more: str) -> Iterator[Running]:
    """Boardside with a simulated table, as `make run` starts it without camera and pins; gives its address."""
    port = free_port()
    options = ["--camera", "simulated", "--gpio", "mock", "--host", "127.0.0.1", "--port", str(port), *more]
    command = [sys.executable, "-m", "companion", "run", *options, "--state", str(state), "--engine", "embedded"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        try:
            assert "Boardside is at" in running.stdout.readline()
            yield Running(f"http://127.0.0.1:{port}/", running.stdout)
        finally:
            running.send_signal(signal.SIGTERM)
            _, complaints = running.communicate(timeout=60)
    assert running.returncode == 0, complaints
    assert [line for line in complaints.splitlines() if not line.startswith(CHANGED)] == []


@pytest.fixture(scope="session")
def run_program() -> Callable[..., AbstractContextManager[str]]:
    """Starts the program with further options, as `run_program(state, "--mirror")`."""
    return program


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The program's address."""
    with program(tmp_path_factory.mktemp("state")) as address:
        yield address


@pytest.fixture
def player(running: str, open_page: Callable[..., Page]) -> Iterator[Player]:
    """A player at the running program, before the opening roll of a game."""
    page = open_page(running)
    page.set_default_timeout(PROGRAM_PATIENCE_MS)
    expect.set_options(timeout=PROGRAM_PATIENCE_MS)
    found = Player(page, running)
    found.give_up()
    yield found
    expect.set_options(timeout=5_000)
    page.set_default_timeout(PATIENCE_MS)
