"""Measures what hostile neighbours cost the players: `python benchmarks/load.py [KIND…]`.

Starts `boardside run` with the simulated table and mock pins as a process of its own. Each kind of load comes from
another process and from its own addresses, in a network namespace of this machine. By turns, without and under load,
it measures a player's page (from a new connection to the last byte), and the time from Roll's contact until the LED
dice light, and until a player's page has the roll. Each ratio is the median under load divided by the quiet one. The
goals are in the last line.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import with_test_support  # noqa: F401
from neighbours import LOADS, NET
from running_table import free_port
from table_at_rest import PATIENCE_S, processor_s, seconds_until

if TYPE_CHECKING:
    from collections.abc import Iterator

OWN_NETWORK = "BOARDSIDE_LOAD_NETWORK"
NEIGHBOURS = Path(__file__).with_name("neighbours.py")
ROUNDS, TURNS = 12, 4

PAGE_GOAL_S, RATIO_GOAL = 1.0, 1.1
SETTLE_S = 3.0
ANSWER_S = 3.0
LOOK_S = 2.0
THINK_S = 0.3
"""Seconds from the verdict to the next tap, as with a real player."""


# ---- the table: a process that also presses Roll and notes when the LEDs light


def table_process(port: str, state: str) -> None:
    """Run the table; each line on stdin is a turn: the play is made, Roll pressed, and its times printed as JSON."""
    from companion import cli
    from companion.app import table_opening
    from companion.app.table import Table

    class TimedTable(Table):
        """A table that hands itself to the turns as soon as it has a session."""

        def attach(self, session: Any, *, panel: Any = None, record: Any = None) -> None:
            super().attach(session, panel=panel, record=record)
            threading.Thread(target=LoadTurns(self, session, panel).run, daemon=True).start()

    table_opening.Table = TimedTable  # type: ignore[misc]
    cli.main(["run", "--port", port, "--state", state, "--camera", "simulated", "--gpio", "mock"])


class LoadTurns:
    """Makes plays on a simulated table and presses Roll on its panel."""

    def __init__(self, table: Any, session: Any, panel: Any) -> None:
        from companion.rules import rules_named

        self.table, self.session, self.panel = table, session, panel
        self.rules: Any = rules_named("standard")
        self.lit = threading.Event()
        self.lit_s = 0.0
        self._show = panel.show
        panel.show = self._timed_show

    def _timed_show(self, snapshot: Any) -> None:
        before = self._waiting_for(snapshot)
        self._show(snapshot)
        if before:
            self.lit_s = time.monotonic()
            self.lit.set()

    def _waiting_for(self, snapshot: Any) -> bool:
        return snapshot.dice is not None and (snapshot.on_roll, snapshot.dice) != self.shown and not self.lit.is_set()

    shown: Any = None

    def run(self) -> None:
        """Make a turn for every line."""
        from companion.interface import Button

        for _ in sys.stdin:
            self._play()
            time.sleep(THINK_S)
            newest = self.table.snapshot()
            self.shown = (newest.on_roll, newest.dice) if newest.phase.value == "to_move" else None
            self.lit.clear()
            tapped_s = time.monotonic()
            self.panel.press(Button.ROLL)
            lit = self.lit.wait(ANSWER_S)
            roll = self.table.snapshot()
            said = {"tapped_s": tapped_s, "lit_s": self.lit_s if lit else None, "dice": roll.dice, "side": roll.on_roll}
            print("turn", json.dumps(said), flush=True)

    def _play(self) -> None:
        """Make the first legal play; set the board up anew before the game ends, or where a look is not enough."""
        game = self.session.game
        if game.phase.value != "to_move":
            return
        plays = self.rules.successors(game.position, game.on_roll, game.dice)
        after = next((play.after for play in plays), game.position)
        if max(after.off) > 0 or not self._seen(after):
            self._set_up(game.on_roll.opponent)

    def _seen(self, after: Any) -> bool:
        """Whether the table takes `after` for a legal play soon."""
        self.table.simulated.set_up(self.rules.visible(after))
        until = time.monotonic() + LOOK_S
        while time.monotonic() < until:
            verdict = self.table.snapshot().verdict
            if verdict is not None and verdict.finding.value == "legal":
                return True
            time.sleep(0.01)
        return False

    def _set_up(self, side: Any) -> None:
        """Put up the starting position, with `side` to roll."""
        from companion.interface import SetUp

        start = self.rules.start()
        self.session.post(SetUp(start, side, time.monotonic()))
        self.table.simulated.set_up(self.rules.visible(start))
        time.sleep(LOOK_S)


# ---- measuring


@dataclass
class Times:
    """Milliseconds of pages, of taps until the LEDs light, and of taps until a page has the roll.

    Attributes:
        busy_s, of_s: processor seconds of the table, and in how many seconds.
    """

    page: list[float] = field(default_factory=list)
    lit: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    busy_s: float = 0.0
    of_s: float = 0.0

    def busy(self) -> str:
        """The table's share of one core."""
        return f"{100 * self.busy_s / self.of_s:5.0f} %"


class LoadPlayer:
    """A player's page: its stream, and how long the page takes to load."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.rolls: list[tuple[float, list[int], str]] = []
        self.came = threading.Condition()
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self) -> None:
        while True:
            with self._connection(PATIENCE_S) as connection:
                connection.request("GET", "/events")
                answer = connection.getresponse()
                while answer.status == 200 and (line := answer.readline()):
                    if line.startswith(b"data: "):
                        self._note(time.monotonic(), json.loads(line[6:]))
            time.sleep(0.2)

    @contextlib.contextmanager
    def _connection(self, timeout_s: float) -> Iterator[http.client.HTTPConnection]:
        """A connection; an error on it ends the connection and is not raised."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout_s)
        with contextlib.suppress(OSError, http.client.HTTPException), closing(connection):
            yield connection

    def _note(self, at_s: float, state: dict[str, Any]) -> None:
        with self.came:
            self.rolls.append((at_s, [die["number"] for die in state["dice"]], state["on_roll"]))
            self.came.notify_all()

    def saw(self, dice: list[int], side: str, after_s: float) -> float | None:
        """Time at which the page had this roll (monotonic seconds); None if it came too late."""
        with self.came:

            def found() -> list[float]:
                return [at for at, *roll in self.rolls if at >= after_s and roll == [dice, side]]

            self.came.wait_for(found, ANSWER_S)
            return next(iter(found()), None)

    def page_ms(self) -> float:
        """Milliseconds to load the page over a new connection."""
        began = time.monotonic()
        with self._connection(ANSWER_S) as connection:
            connection.request("GET", "/")
            connection.getresponse().read()
            return 1000 * (time.monotonic() - began)
        return float("inf")


def measure(table: subprocess.Popen[str], player: LoadPlayer, times: Times) -> None:
    """Make turns and load a page after each; adds to `times`."""
    process = psutil.Process(table.pid)
    used_s, began_s = processor_s(process), time.monotonic()
    assert table.stdin is not None
    assert table.stdout is not None
    for _ in range(TURNS):
        print("turn", file=table.stdin, flush=True)
        line = next(line for line in table.stdout if line.startswith("turn "))
        said = json.loads(line.removeprefix("turn "))
        if said["lit_s"] is not None:
            times.lit.append(1000 * (said["lit_s"] - said["tapped_s"]))
            shown = player.saw(said["dice"], said["side"], said["tapped_s"])
            times.shown.append(float("inf") if shown is None else 1000 * (shown - said["tapped_s"]))
        times.page.append(player.page_ms())
    times.busy_s += processor_s(process) - used_s
    times.of_s += time.monotonic() - began_s


@contextlib.contextmanager
def running_table() -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A table that makes turns; yields its process and its port."""
    fast = Path("/dev/shm")  # excludes the disk's time, which no load changes
    with tempfile.TemporaryDirectory(dir=fast if os.access(fast, os.W_OK) else None) as state:
        port = free_port()
        table = subprocess.Popen(
            [sys.executable, __file__, "table", str(port), state],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            seconds_until(f"http://127.0.0.1:{port}", time.monotonic(), board_found=True)
            yield table, port
        finally:
            table.terminate()
            table.wait(PATIENCE_S)


@contextlib.contextmanager
def under_load(kind: str, port: int) -> Iterator[None]:
    """Load the table from a process of its own, which yields the processor to the table, as other machines would."""
    load = subprocess.Popen(["nice", "-n", "10", sys.executable, str(NEIGHBOURS), kind, str(port)])
    try:
        time.sleep(SETTLE_S)
        yield
    finally:
        load.kill()
        load.wait()


def row(kind: str, quiet: Times, loaded: Times, memory_mb: float, threads: int) -> str:
    """One row of the table."""
    cells = []
    for name in ("page", "lit", "shown"):
        before, under = statistics.median(getattr(quiet, name)), statistics.median(getattr(loaded, name))
        cells.append(f"{before:7.1f}{under:8.1f}{max(getattr(loaded, name)):9.1f}{under / before:7.2f}")
    return f"{kind:14}{'  '.join(cells)}{quiet.busy()}{loaded.busy()}{memory_mb:8.0f} MB{threads:5}"


def in_own_network() -> int:
    """Run this script in a namespace whose loopback has the network of the loads; returns its exit status."""
    setting_up = f'ip link set lo up && ip route add local {NET}.0.0/16 dev lo && exec "$0" "$@"'
    command = ["unshare", "--user", "--map-root-user", "--net", "sh", "-c", setting_up, sys.executable, *sys.argv]
    return subprocess.run(command, check=False, env={**os.environ, OWN_NETWORK: "1"}).returncode


def main() -> None:
    """Print the table; with arguments, for these kinds of load."""
    unknown = [kind for kind in sys.argv[1:] if kind not in LOADS]
    if unknown:
        sys.exit(f"no load {', '.join(unknown)}: there are {', '.join(LOADS)}")
    if OWN_NETWORK not in os.environ:
        sys.exit(in_own_network())
    columns = ("page: quiet, load, worst, ratio", "tap to LEDs", "tap to page")
    print(f"{'milliseconds':14}{'  '.join(f'{each:31}' for each in columns)}  busy, of a core; memory, threads")
    with ExitStack() as stack:
        table, port = stack.enter_context(running_table())
        player, process = LoadPlayer(port), psutil.Process(table.pid)
        measure(table, player, Times())
        for kind in sys.argv[1:] or LOADS:
            quiet, loaded, memory, threads = Times(), Times(), 0.0, 0
            for _ in range(ROUNDS):
                measure(table, player, quiet)
                with under_load(kind, port):
                    measure(table, player, loaded)
                    memory = max(memory, process.memory_info().rss / 1e6)
                    threads = max(threads, process.num_threads())
            print(row(kind, quiet, loaded, memory, threads), flush=True)
    print(f"goals: every page below {PAGE_GOAL_S:g} s, tap to LEDs at most {RATIO_GOAL:g} times the quiet one")


if __name__ == "__main__":
    if sys.argv[1:2] == ["table"]:
        table_process(*sys.argv[2:4])
    else:
        main()
