"""Plays many games in one process and reports growth of memory, threads and files: `python benchmarks/soak.py 1000`.

The table is that of `boardside run` (session, fair dice, SQLite record with backups, panel on mock pins, chess clock,
two pages that follow the live feed), but time is simulated, so that players need none. In some turns a simulated table
is rendered and read; in the others the observation is made from the position. After each tenth of the games it prints
resident memory, threads, open files and live Python objects. The last line compares the end with the first tenth.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from companion.app.assembly import open_storage
from companion.app.board_tracker import BoardTracker
from companion.app.capture_loop import return_freed_memory
from companion.app.service import Threads
from companion.app.table import Table, TableClock
from companion.clock import ClockSetting
from companion.core import CellReading, Finding, Observation, Side
from companion.game import Phase
from companion.interface import Button, RecordRetry, Saw, Stirred, Tapped
from companion.rules import rules_named
from companion.session import Session, SessionPorts
from hardware.configuration import Configuration
from hardware.factory import mock_pins
from hardware.panel import Panel
from vision.simulation import SimulatedTable
from web.feed import Feed
from web.texts import ENGLISH_TEXTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.rules import Ruleset

GAMES = 200
"""Default number of games: enough to see growth, in a minute or two."""
ROWS = 10
READ_EVERY = 400
"""Turns between two plays that are read from a rendered picture."""
TURN_S = 20.0
"""Simulated seconds a turn."""
PAGES = 2
MOST_TURNS = 400
"""The benchmark fails if a game lasts longer; games in which both players only run take less than a hundred turns."""


@dataclass
class TableUnderTest:
    """The table under test and its simulated time.

    Attributes:
        read, unsure, wrong: plays read from a picture: in all, refused, misread.
    """

    session: Session[Any]
    table: Table
    rules: Ruleset[Any]
    pages: list[Iterator[bytes]]
    simulated: SimulatedTable
    tracker: BoardTracker
    now_s: float = 0.0
    turns: int = 0
    read: int = 0
    unsure: int = 0
    wrong: int = 0

    def handle(self, *items: Any) -> None:
        """Handle items, and let every page read what follows."""
        for item in items:
            self.session.handle(item)
            self.table.tick()
            for page in self.pages:
                next(page)

    def show(self, position: Any) -> None:
        """Observe `position` with certainty."""
        cells = tuple(CellReading(((content, 0.0),)) for content in self.rules.visible(position))
        self.handle(Stirred(self.now_s), Saw(Observation(cells), self.now_s))

    def play(self, position: Any) -> None:
        """Play to `position`; every READ_EVERY turns it is read from a picture."""
        if self.turns % READ_EVERY == 0:
            self.simulated.set_up(self.rules.visible(position))
            picture = self.simulated.render()
            seen = self.tracker.look(picture)
            self.handle(Stirred(self.now_s), Saw(seen, self.now_s, self.tracker.jpeg(picture, seen)))
            self.read += 1
            verdict = self.session.verdict
            if verdict is not None and verdict.finding is Finding.LEGAL:
                self.wrong += verdict.after != position
                return
            self.unsure += 1
        self.show(position)

    def tap_roll(self) -> None:
        """Tap Roll after TURN_S seconds."""
        self.now_s += TURN_S
        self.turns += 1
        self.handle(Tapped(Button.ROLL, self.now_s))

    def play_game(self) -> None:
        """Play a game from the starting position to its end."""
        self.show(self.rules.start())
        self.tap_roll()
        for _ in range(MOST_TURNS):
            game = self.session.game
            if game.phase is Phase.OVER:
                return
            if game.phase is Phase.TO_MOVE:
                self.play(self.next_position(game))
            if self.session.game.phase is not Phase.OVER:
                self.tap_roll()
        sys.exit(f"a game did not end in {MOST_TURNS} turns; it is at {self.session.game.phase}")

    def next_position(self, game: Any) -> Any:
        """The play of a player who only runs, the last checkers first."""
        own = game.on_roll is Side.BLACK
        plays = self.rules.successors(game.position, game.on_roll, game.dice)
        afters = [play.after for play in plays] or [game.position]
        return min(afters, key=lambda after: _behind(self.rules.to_json(after), black=own))


def _behind(position: dict[str, Any], *, black: bool) -> int:
    """Sum of the squared distances of a player's checkers, so that the last ones run first."""
    points, bar = position["points"], position["bar"][int(black)]
    counts = [max(-count, 0) for count in reversed(points)] if black else [max(count, 0) for count in points]
    return sum(count * (n + 1) ** 2 for n, count in enumerate(counts)) + 25**2 * bar


def open_table(stack: ExitStack, state: Path) -> TableUnderTest:
    """Open the table under test; `stack` closes it."""
    rules = rules_named("standard")
    storage = open_storage(state, "fair", stack, lambda: session.post(RecordRetry(0.0)))
    table = Table("backgammon", "standard", clock=TableClock(ClockSetting(1000 / 60, 12), lambda: tested.now_s))
    session: Session[Any] = Session(
        rules,
        storage.dice,
        SessionPorts(storage.backup_worker, table.publish, clock=lambda: time.time() + tested.now_s),
    )
    panel = stack.enter_context(closing(Panel(Configuration(), mock_pins(), session.post)))
    simulated = SimulatedTable(seed=3)
    tracker = BoardTracker(state / "calibration.npz")
    tested = TableUnderTest(session, table, rules, [], simulated, tracker)
    tracker.learn(simulated.render())
    return_freed_memory()
    table.attach(session, panel=panel, record=storage.record)
    Threads().start(stack, "backup", storage.backup_worker.run, storage.backup_worker.stop)
    feed = Feed(table)
    table.publish(table.snapshot())
    for _ in range(PAGES):
        stream = feed.open(None, ENGLISH_TEXTS)
        assert stream is not None
        next(stream)
        tested.pages.append(iter(stream))
    return tested


def row(games: int, tested: TableUnderTest, began_s: float, state: Path) -> tuple[float, ...]:
    """Measure and print the use of resources after `games` games."""
    gc.collect()
    process = psutil.Process()
    memory, threads, files = process.memory_info().rss / 1e6, process.num_threads(), process.num_fds()
    objects = len(gc.get_objects())
    record = sum(path.stat().st_size for path in state.rglob("*") if path.is_file()) / 1e6
    turn_ms = 1000 * (time.perf_counter() - began_s) / max(1, tested.turns)
    print(
        f"{games:6}{tested.turns:9}{memory:9.1f} MB{threads:9}{files:7}{objects:10}{record:9.1f} MB{turn_ms:9.2f} ms",
        flush=True,
    )
    return memory, threads, files, objects


def main() -> None:
    """Print the table."""
    given = [int(word) for word in sys.argv[1:] if word.isdecimal()]
    games = given[0] if given else GAMES
    fast = Path("/dev/shm")  # excludes the disk's time
    with ExitStack() as stack:
        where = fast if os.access(fast, os.W_OK) else None
        state = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=where)))
        tested = open_table(stack, state)
        print(f"{'games':>6}{'turns':>9}{'memory':>12}{'threads':>9}{'files':>7}", end="")
        print(f"{'objects':>10}{'record':>12}{'a turn':>12}")
        began_s = time.perf_counter()
        rows = []
        for n in range(1, games + 1):
            tested.play_game()
            if n % max(1, games // ROWS) == 0:
                rows.append(row(n, tested, began_s, state))
        grown = [last - first for first, last in zip(rows[0], rows[-1], strict=True)]
        print(
            f"from the first row to the last: {grown[0]:+.1f} MB, {grown[1]:+.0f} threads, {grown[2]:+.0f} files, ",
            end="",
        )
        print(f"{grown[3]:+.0f} objects; {tested.read} plays read, ", end="")
        print(f"refused {tested.unsure}, misread {tested.wrong}")


if __name__ == "__main__":
    main()
