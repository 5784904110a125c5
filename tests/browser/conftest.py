"""A headless Chromium, and a page of a table whose evening the test scripts."""

from __future__ import annotations

import shutil
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from companion.snapshot import Light, Phase, Snapshot
from companion.table import Table
from vision.simulated import SimulatedTable
from web import create_app, make_server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

    from companion.inbox import Item

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
START = {
    "points": [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2],
    "bar": [0, 0],
    "off": [0, 0],
}


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


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens an address; a page that complains on its console fails the test."""
    complaints: list[str] = []
    contexts = []

    def opened(url: str, **options: Any) -> Page:
        context = browser.new_context(**{"viewport": {"width": 1366, "height": 900}, **options})
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.goto(url)
        return page

    opened.complaints = complaints  # type: ignore[attr-defined]
    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


class Evening:
    """A table without a session: `show` publishes the next snapshot, `items` is what the page posted."""

    def __init__(self, simulated: SimulatedTable | None) -> None:
        self.table = Table("backgammon", "standard", simulated=simulated)
        self.table.attach(self)  # type: ignore[arg-type]
        self.items: list[Item] = []
        self.posted = threading.Event()
        self._latest = Snapshot(
            1, Phase.TO_MOVE, Light.AMBER, "backgammon", "standard", START, START, on_roll="white", dice=(3, 1)
        )
        self._latest = replace(self._latest, simulated=simulated is not None)

    def post(self, item: Item) -> None:
        self.items.append(item)
        self.posted.set()

    def show(self, **changes: Any) -> None:
        self._latest = replace(self._latest, **changes)
        self.table.publish(self._latest)


@pytest.fixture(scope="session")
def drawn_table() -> SimulatedTable:
    return SimulatedTable(seed=21)


@pytest.fixture(params=["simulated"])
def evening(request: pytest.FixtureRequest, drawn_table: SimulatedTable) -> Evening:
    """An evening at the simulated table, or with the parameter "real" at a real one."""
    drawn_table.set_up()
    scripted = Evening(drawn_table if request.param == "simulated" else None)
    scripted.show()
    return scripted


@pytest.fixture
def address(evening: Evening) -> Iterator[str]:
    """Where the scripted evening's page is served."""
    server = make_server(create_app(evening.table, heartbeat_s=0.5), "127.0.0.1", 0)
    thread = threading.Thread(target=server.run)
    thread.start()
    yield f"http://127.0.0.1:{server.port}/"
    server.close()
    thread.join()
