"""Measures the time from a tap on Roll until the LED dice light: `python benchmarks/tap_to_leds.py`.

The whole path on mock pins: contact, debouncing, inbox, the session's thread, fair dice, a real SQLite record on the
disk, LEDs. The time ends with the first light of the roll; the dice then flicker for a configured time (`roll_s`)
before they show the result. The second line is the time to write one event to this disk; a tap waits for two (the
accepted play, and the roll).
"""

from __future__ import annotations

import statistics
import tempfile
import threading
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import with_test_support  # noqa: F401
from memory_secrets import MemorySecrets

from companion.app.table import Table
from companion.core import CellReading, Observation, Side
from companion.dice import FairDice
from companion.interface import Button, Saw, SetUp
from companion.record import Record
from companion.rules import rules_named
from companion.session import Session, SessionPorts
from hardware.configuration import ROLL_S, Configuration
from hardware.factory import mock_pins
from hardware.panel import Panel

if TYPE_CHECKING:
    from companion.interface import Snapshot
    from companion.rules import BackgammonPosition, Ruleset

TURNS = 300
TARGET_MS = 20.0


class TimedPanel(Panel):
    """A panel that stores when its LEDs were set."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.shown = threading.Event()
        self.rolled_for = ""
        self.at_s = 0.0

    def show(self, snapshot: Snapshot) -> None:
        """Show the snapshot and store the time."""
        super().show(snapshot)
        if snapshot.dice is not None and snapshot.on_roll != self.rolled_for:
            self.at_s = time.perf_counter()
            self.rolled_for = snapshot.on_roll or ""
            self.shown.set()


def observation_of(rules: Ruleset[BackgammonPosition], position: BackgammonPosition) -> Saw:
    """An observation that is certain of every cell."""
    cells = tuple(CellReading(((content, 0.0),)) for content in rules.visible(position) if content is not None)
    return Saw(Observation(cells), 0.0)


def taps_ms(folder: Path, turns: int) -> list[float]:
    """Milliseconds from the contact's closing to the LEDs, for each turn."""
    rules, times = rules_named("standard"), []
    with ExitStack() as stack:
        record = stack.enter_context(closing(Record.open(folder / "record.db")))
        table = Table("backgammon", "standard")
        session: Session[Any] = Session(rules, FairDice(MemorySecrets()), SessionPorts(record, table.publish))
        panel = TimedPanel(Configuration(), mock_pins(), session.post)
        stack.enter_context(closing(panel))
        table.attach(session, panel=panel, record=record)
        thread = threading.Thread(target=session.run)
        thread.start()
        stack.callback(thread.join)
        stack.callback(session.stop)
        session.post(SetUp(rules.start(), Side.WHITE, 0.0))
        session.post(observation_of(rules, rules.start()))
        for _ in range(turns):
            time.sleep(0.05)  # longer than BOUNCE_S: earlier taps count as bouncing
            panel.shown.clear()
            began = time.perf_counter()
            panel.press(Button.ROLL)
            panel.shown.wait()
            times.append(1000 * (panel.at_s - began))
            make_first_legal_play(session, rules)
    return times


def make_first_legal_play(session: Session[Any], rules: Ruleset[BackgammonPosition]) -> None:
    """Observe the first legal play; set the board up again before the game ends."""
    game = session.game
    after = next((s.after for s in rules.successors(game.position, game.on_roll, game.dice)), game.position)
    if max(after.off) > 10:
        session.post(SetUp(rules.start(), game.on_roll.opponent, 0.0))
        after = rules.start()
    session.post(observation_of(rules, after))


def appends_ms(folder: Path, count: int) -> list[float]:
    """Milliseconds to write one event, for each of `count` events."""
    times = []
    with closing(Record.open(folder / "alone.db")) as record:
        for _ in range(count):
            began = time.perf_counter()
            record.append({"event": "Rolled", "side": "white", "dice": [6, 1], "source": "fair"}, 0.0)
            times.append(1000 * (time.perf_counter() - began))
    return times


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as name:
        taps, appends = taps_ms(Path(name), TURNS), appends_ms(Path(name), TURNS)
    print(f"{'':32}{'median':>10}{'p95':>10}   of the target ({TARGET_MS:g} ms), p95")
    for what, times in (("tap to LEDs", taps), ("one event to this disk", appends)):
        p95 = statistics.quantiles(times, n=20)[-1]
        print(f"{what:32}{statistics.median(times):>7.2f} ms{p95:>7.2f} ms   {100 * p95 / TARGET_MS:.0f} %")
    print(f"the result is shown {1000 * ROLL_S:.0f} ms after the first light (roll_s in the configuration)")


if __name__ == "__main__":
    main()
