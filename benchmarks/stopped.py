"""Stops a table at random moments: `python benchmarks/stopped.py [--stops N]`.

A whole table in a process of its own, with the simulated camera, is sent SIGINT or SIGTERM at a random moment: while
modules are imported, the record is opened or recovered, the board is learned, the page has open streams, dice are
rolled, gnubg thinks, the backup is written. It must end with status 0 (or by the signal, before the command runs), say
nothing on stderr, and leave a record that needs no recovery, and no folder of gnubg's.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from urllib.request import Request, urlopen

import with_test_support  # noqa: F401
from running_table import free_port

from companion.record import Record

STOPS = 60
LATEST_S = 5.0
"""Seconds from the first line of Boardside's code to the latest stop."""
SLOWEST_S = 45.0
"""TimeoutStopSec in `systemd/boardside.service`."""
EARLY = (-signal.SIGTERM, -signal.SIGINT, 130)
"""Statuses before the command runs."""
ALWAYS_BACKS_UP = """
import sys
from companion.__main__ import main
print("begun", flush=True)
from companion.record import backup_worker
backup_worker.EVENTS_BETWEEN, backup_worker.REST = 1, 0
sys.exit(main())
"""


class Visitor:
    """A page with an open stream, which taps Roll and Hint all the time; ends when the table does."""

    def __init__(self, port: int) -> None:
        self._at = f"http://127.0.0.1:{port}"
        self._over = threading.Event()
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._watch, self._watch, self._tap)]
        for thread in self._threads:
            thread.start()

    def _watch(self) -> None:
        while not self._over.wait(0.02):
            with suppress(OSError, ValueError), urlopen(f"{self._at}/events", timeout=5) as feed:
                for _ in feed:
                    if self._over.is_set():
                        return

    def _tap(self) -> None:
        while not self._over.wait(0.05):
            for button, player in (("roll", "white"), ("hint", "white"), ("roll", "black")):
                body = f'{{"player": "{player}"}}'.encode()
                tap = Request(f"{self._at}/tap/{button}", body, {"Content-Type": "application/json"})
                with suppress(OSError, ValueError):
                    urlopen(tap, timeout=5).close()

    def close(self) -> None:
        """Stop tapping, and wait for the threads."""
        self._over.set()
        for thread in self._threads:
            thread.join(10)


class StopTrial:
    """Starts and stops tables in one folder; counts.

    Attributes:
        ends: how often each status came.
        faults: one sentence for each stop that was not clean.
        slowest_s: the longest time from the signal to the end, in seconds.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.ends: Counter[int] = Counter()
        self.faults: list[str] = []
        self.slowest_s = 0.0

    def stop(self, rng: random.Random, latest_s: float) -> None:
        """Start a table, most often on the state that the last one left, and stop it."""
        state, temporary = self._folder / "state", self._folder / "tmp"
        if rng.random() < 0.3:
            shutil.rmtree(state, ignore_errors=True)  # a board is learned, a record made
        elif rng.random() < 0.3 and (state / "record.db").exists():
            (state / "record.db").write_bytes(b"rubbish" * 999)  # a record is recovered
        temporary.mkdir(exist_ok=True)
        port = free_port()
        command = [sys.executable, "-c", ALWAYS_BACKS_UP, "run", "--camera", "simulated", "--gpio", "mock"]
        command += ["--host", "127.0.0.1", "--port", str(port), "--state", str(state), "--speech", "off"]
        child = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": str(temporary), "LANG": "C"},
        )
        with child, closing(Visitor(port)):
            assert child.stdout is not None
            child.stdout.readline()  # Python's own messages about a stop during its start do not count
            after_s, number = rng.uniform(0.0, latest_s), rng.choice((signal.SIGINT, signal.SIGTERM))
            time.sleep(after_s)
            sent_s = time.monotonic()
            child.send_signal(number)
            try:
                printed, said = child.communicate(timeout=2 * SLOWEST_S)
            except subprocess.TimeoutExpired:
                child.kill()
                printed, said = child.communicate()
            took_s = time.monotonic() - sent_s
        self._judge(f"{number.name} after {after_s:.2f} s", child.returncode, printed, said, took_s)
        self._look_at(state, temporary, f"{number.name} after {after_s:.2f} s")

    def _judge(self, when: str, status: int, printed: str, said: str, took_s: float) -> None:
        self.ends[status] += 1
        self.slowest_s = max(self.slowest_s, took_s)
        complaints = [line for line in said.splitlines() if not line.startswith("The record was damaged")]
        if status not in (0, *(() if printed else EARLY)):
            self.faults.append(f"{when}: status {status}, {said}")
        elif complaints:
            self.faults.append(f"{when}: it said {said}")
        elif took_s > SLOWEST_S:
            self.faults.append(f"{when}: it took {took_s:.0f} s")

    def _look_at(self, state: Path, temporary: Path, when: str) -> None:
        left = [path.name for path in temporary.glob("boardside-gnubg-*")]
        if left:
            self.faults.append(f"{when}: left {left}")
            shutil.rmtree(temporary)
        record = state / "record.db"
        if record.exists() and record.read_bytes()[:7] != b"rubbish":
            with closing(Record.open(record)) as opened:
                if opened.rescue is not None:
                    self.faults.append(f"{when}: {opened.rescue.words}")


def main() -> int:
    """Start, stop, look; prints the figures and returns 1 if a stop was not clean."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stops", type=int, default=STOPS, help="number of stops (default: %(default)s)")
    parser.add_argument("--latest", type=float, default=LATEST_S, help="seconds to the latest stop")
    parser.add_argument("--seed", type=int, default=2026)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        trial = StopTrial(Path(folder))
        for _ in range(args.stops):
            trial.stop(rng, args.latest)
    print("status  stops")
    for status, times in sorted(trial.ends.items()):
        print(f"{status:6}  {times:5}")
    print(f"slowest {trial.slowest_s:.1f} s from the signal to the end")
    print(f"something wrong at {len(trial.faults)} stops")
    for fault in trial.faults:
        print(f"  {fault}")
    return 1 if trial.faults else 0


if __name__ == "__main__":
    sys.exit(main())
