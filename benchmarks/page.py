"""Measures what the page's board costs the browser's main thread: `python benchmarks/page.py`.

A headless Chromium of a phone's size, as fast as this machine and slowed down to a quarter of it, carries a checker
about on the simulated table, one move of the finger a frame, and then gets new states by the live feed. The goal for
both is a frame of 16 ms. Then a phone of that slowness opens the page over a slow network: the goal is a first paint
within a second.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import with_test_support  # noqa: F401
from chromium import CHROMIUM
from playwright.sync_api import sync_playwright
from real_server import served
from scripted_table import START, ScriptedTable

from vision.simulation import SimulatedTable
from web import create_app

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

GOAL_MS = 16
PAINT_GOAL_MS = 1000
OPENED = 5
SLOW_NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8}
"""As browsers' tools call "slow 4G": 150 ms there and back, 1.6 Mbit/s."""
MOVES, STATES = 120, 30
PHONE = {"viewport": {"width": 390, "height": 844}}
PLAYED = {**START, "points": [-2, 0, 0, 0, 1, 4, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2]}
MOVE_EVERY_FRAME = """([x, y, moves]) => new Promise((done) => {
  const board = document.getElementById("table-board");
  const move = (n) => {
    if (n === moves) return done();
    const at = {clientX: x - 100 + 2 * (n % 100), clientY: y - 60 + n % 50};
    board.dispatchEvent(new PointerEvent("pointermove", {pointerId: 1, bubbles: true, ...at}));
    requestAnimationFrame(() => move(n + 1));
  };
  requestAnimationFrame(() => move(0));
})"""
"""Moves of the finger from a script in the page, because each move by the driver takes several frames."""
NEXT_FRAME = "() => new Promise(requestAnimationFrame)"


def busy_s(chromium: CDPSession) -> float:
    """Processor time of the page's main thread, in seconds."""
    metrics = chromium.send("Performance.getMetrics")["metrics"]
    return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))


def moving_ms(page: Page, chromium: CDPSession, x: float, y: float) -> float:
    """Milliseconds of the main thread for each frame in which the pointer moves around (x, y)."""
    begun = busy_s(chromium)
    page.evaluate(MOVE_EVERY_FRAME, [x, y, MOVES])
    return 1000 * (busy_s(chromium) - begun) / MOVES


def dragging_ms(page: Page, chromium: CDPSession) -> tuple[float, float]:
    """`moving_ms` without a checker, which is the overhead of measuring, and while dragging one."""
    page.locator("#table-board").scroll_into_view_if_needed()
    box = page.locator("#table-board [data-id='4'] .body").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    empty = moving_ms(page, chromium, x, y)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y - 20)
    carried = moving_ms(page, chromium, x, y)
    page.mouse.up()
    return empty, carried


def state_ms(page: Page, chromium: CDPSession, evening: ScriptedTable) -> float:
    """Milliseconds of the main thread for each new state."""
    begun = busy_s(chromium)
    for n in range(STATES):
        version = evening.show(seen=PLAYED if n % 2 else START)
        page.locator(f"body[data-version='{version}']").wait_for()
        page.evaluate(NEXT_FRAME)
    return 1000 * (busy_s(chromium) - begun) / STATES


def measured(browser: Any, slowdown: int, folder: Path) -> tuple[float, float, float]:
    """Milliseconds for an empty frame, one of dragging, and a new state, in a browser slowed down by a factor."""
    evening = ScriptedTable(SimulatedTable(seed=1), seats=folder / "seats.json")
    evening.show()
    with served(create_app(evening.table)) as port:
        page = browser.new_page(**PHONE)
        chromium = page.context.new_cdp_session(page)
        chromium.send("Performance.enable", {"timeDomain": "threadTicks"})  # without the time of other processes
        chromium.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
        page.goto(f"http://127.0.0.1:{port}/")
        page.locator("body[data-link='live']").wait_for()
        found = (*dragging_ms(page, chromium), state_ms(page, chromium, evening))
        page.close()
    return found


FIRST_PAINT = """() => new Promise((done) => new PerformanceObserver((seen) => done(seen.getEntries()[0].startTime))
  .observe({type: "paint", buffered: true}))"""


def first_paint_ms(browser: Any, slowdown: int, folder: Path) -> float:
    """Median time to the first paint of a page never opened before, over a slow network."""
    evening = ScriptedTable(SimulatedTable(seed=1), seats=folder / "seats.json")
    evening.show()
    times = []
    with served(create_app(evening.table)) as port:
        for _ in range(OPENED):
            page = browser.new_page(**PHONE)
            chromium = page.context.new_cdp_session(page)
            chromium.send("Network.enable")
            chromium.send("Network.emulateNetworkConditions", SLOW_NETWORK)
            chromium.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
            page.goto(f"http://127.0.0.1:{port}/", wait_until="commit")
            times.append(page.evaluate(FIRST_PAINT))
            page.close()
    return median(times)


def main() -> int:
    """Print a table; exit status 1 where there is no Chromium."""
    if CHROMIUM is None:
        print("no Chromium is installed: apt install chromium")
        return 1
    print(f"{'processor':<12}{'a frame, ms':>14}{'dragging, ms':>14}{'a new state, ms':>18}   goal {GOAL_MS} ms")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for slowdown, name in ((1, "this one"), (4, "a quarter")):
            empty, dragging, state = measured(browser, slowdown, Path(folder))
            print(f"{name:<12}{empty:>14.1f}{dragging:>14.1f}{state:>18.1f}", flush=True)
        paint = first_paint_ms(browser, 4, Path(folder))
        print(f"first paint over a slow network, a quarter of the processor: {paint:.0f} ms   goal {PAINT_GOAL_MS} ms")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
