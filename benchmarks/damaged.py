"""Counts starts that do not end in play and events lost on damaged files: `python benchmarks/damaged.py [--starts N]`.

State directories of a played match, one closed cleanly, one cut off in play and one before its first backup, are
copied and damaged: bits, bursts, blocks of zeros, swapped pages, files cut off, continued with rubbish, missing, or
replaced by folders; in one file or in two. Each is then opened as at a start, resumed, and played on. An acknowledged
event counts as lost if its row and those of all before it were still whole in some file and it did not come back.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import random
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import URLError
from urllib.request import urlopen

import with_test_support  # noqa: F401
from killed import RULES, TERMS, take_turn
from labelled import scenes
from running_table import free_port

from companion.app.assembly import open_storage
from companion.app.board_tracker import BoardTracker
from companion.clock import ClockFile
from companion.core import BoardsideError
from companion.interface import Stirred
from companion.record import Record, events_of
from companion.record.backup import back_up
from companion.rules import rules_named, with_own_sheets
from companion.session import Session, SessionPorts, SessionStart

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Damage = Callable[[bytearray, random.Random], None]

STARTS, PROCESSES = 2000, 12
COPIED_AT, BACKED_UP_AT, TURNS = 20, 40, 60
PLAYED_ON = 6
PAGE = 4096
CLOCK = {"setting": "10+5", "reserve_s": {"white": 600.0, "black": 580.0}, "turn": 3, "score": {}, "paused": False}
SHEET = 'base = "standard"\ngoal = "as the others"\n'


@dataclass(frozen=True, slots=True)
class AcknowledgedState:
    """A state directory and the events acknowledged in it: their stored rows, and their JSON."""

    name: str
    folder: Path
    rows: tuple[bytes, ...]
    events: tuple[str, ...]


def played(folder: Path) -> tuple[AcknowledgedState, ...]:
    """Play TURNS turns; the state before the first backup and after the last turn, both cut off, and closed."""
    state, rng = folder / "running", random.Random(7)
    (state / "sheets").mkdir(parents=True)
    (state / "sheets" / "ours.toml").write_text(SHEET, encoding="utf-8")
    (state / "clock.json").write_text(json.dumps(CLOCK), encoding="utf-8")
    scenes()[0].learned().save(state / "calibration-simulated.npz")
    with ExitStack() as stack:
        storage = open_storage(state, "fair", stack, lambda: None)
        session: Session[Any] = Session(
            RULES, storage.dice, SessionPorts(storage.backup_worker), SessionStart(terms=TERMS)
        )
        session.handle(Stirred(0.0))
        for turn in range(TURNS):
            take_turn(session, rng)
            if turn == COPIED_AT:
                first = kept(state, folder / "before a backup")
            if turn == BACKED_UP_AT:
                back_up(storage.record.path)
        cut_off = kept(state, folder / "in play")
    return first, cut_off, kept(state, folder / "closed")


def kept(state: Path, folder: Path) -> AcknowledgedState:
    """A copy of `state`, which a table may be using, with the events that were acknowledged."""
    shutil.copytree(state, folder)
    with closing(sqlite3.connect(state / "record.db")) as reader:
        rows = reader.execute("SELECT at_s, event, chain FROM events ORDER BY number").fetchall()
    return AcknowledgedState(
        folder.name,
        folder,
        tuple(struct.pack(">d", at_s) + event.encode() + chain.encode() for at_s, event, chain in rows),
        tuple(event for _, event, _ in rows),
    )


def flipped_bit(data: bytearray, rng: random.Random) -> None:
    """One wrong bit."""
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def wrong_byte(data: bytearray, rng: random.Random) -> None:
    """One wrong byte, half of the time in the first page, where the header and the tables' names are."""
    data[rng.randrange(min(len(data), rng.choice((100, len(data)))))] = rng.randrange(256)


def burst(data: bytearray, rng: random.Random) -> None:
    """Up to 64 wrong bytes in a row."""
    start = rng.randrange(len(data))
    for at in range(start, min(start + rng.randrange(2, 65), len(data))):
        data[at] = rng.randrange(256)


def zeroed_block(data: bytearray, rng: random.Random) -> None:
    """A block of 512 bytes or a page of zeros, as from a card."""
    size = rng.choice((512, PAGE))
    start = rng.randrange(-(-len(data) // size)) * size
    data[start : start + size] = bytes(len(data[start : start + size]))


def swapped_pages(data: bytearray, rng: random.Random) -> None:
    """Two pages in each other's place."""
    one, other = (rng.randrange(-(-len(data) // PAGE)) * PAGE for _ in range(2))
    data[one : one + PAGE], data[other : other + PAGE] = data[other : other + PAGE], data[one : one + PAGE]


def cut_off(data: bytearray, rng: random.Random) -> None:
    """A file that ends early."""
    del data[rng.randrange(len(data)) :]


def continued(data: bytearray, rng: random.Random) -> None:
    """A file that goes on with rubbish."""
    data += rng.randbytes(rng.randrange(1, 3 * PAGE))


CHANGES: tuple[Damage, ...] = (*(flipped_bit, wrong_byte, burst, zeroed_block, swapped_pages, cut_off, continued),)
WHOLE_FILE = ("missing", "a folder in its place")
FILES = (
    *(["record.db"] * 5 + ["record.db-wal"] * 4 + ["record.db.backup"] * 2 + ["dice.secrets"] * 2),
    *("record.db-shm", "clock.json", "calibration-simulated.npz", "sheets/ours.toml", "lock"),
)
"""Files to damage, the more important ones more often."""


def damage(state: Path, file: str, rng: random.Random) -> str:
    """Damage one file of `state`; returns how."""
    path = state / file
    content = bytearray(path.read_bytes()) if path.is_file() else bytearray()
    kinds = [*CHANGES] * 2 if content else []
    kind = rng.choice([*kinds, *WHOLE_FILE])
    if callable(kind):
        kind(content, rng)
        path.write_bytes(content)
        return str(kind.__name__).replace("_", " ")
    if path.is_file():
        path.unlink()
    if kind != WHOLE_FILE[0] and not path.exists():
        path.mkdir()
        (path / "something").write_bytes(b"else")
    return str(kind)


def held(state: Path, rows: Sequence[bytes]) -> int:
    """Number of events whose rows, and those of all before them, are whole in some file."""
    contents = [path.read_bytes() for path in state.glob("record.db*") if path.is_file()]
    return next((n for n, row in enumerate(rows) if not any(row in content for content in contents)), len(rows))


def start(state: Path, rng: random.Random) -> list[str]:
    """Open `state` as at a start, resume, and play on until an event is recorded; returns the events found first."""
    with ExitStack() as stack:
        storage = open_storage(state, "fair", stack, lambda: None)
        found = [json.dumps(entry.event, separators=(",", ":")) for entry in storage.record.entries()]
        ClockFile(storage.state.clock).load()
        BoardTracker(state / "calibration-simulated.npz")
        with suppress(BoardsideError):  # a sheet that nobody plays under
            rules_named(with_own_sheets("ours", state / "sheets"))
        start = SessionStart(events_of(storage.entries, RULES), TERMS)
        session: Session[Any] = Session(RULES, storage.dice, SessionPorts(storage.backup_worker), start)
        session.handle(Stirred(0.0))
        before = len(storage.record.entries())
        for _ in range(PLAYED_ON):
            take_turn(session, rng)
        if len(storage.record.entries()) < before + 2:
            raise AssertionError("the table opened, but could not be played at")
        storage.backup_worker.back_up()
    with closing(Record.open(state / "record.db")) as record:
        if record.rescue is not None:
            raise AssertionError(f"the next start found damage again: {record.rescue.words}")
    return found


class DamageTrial:
    """Damages and starts; counts.

    Attributes:
        starts, lost: starts by file and kind of damage; those after which an event was lost.
        faults: what went wrong at the others.
        events: acknowledged, still whole in some file, found again.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder, self._seed = folder, seed
        self.starts: Counter[tuple[str, str]] = Counter()
        self.lost: Counter[tuple[str, str]] = Counter()
        self.faults: list[str] = []
        self.events = Counter[str]()

    def run(self, number: int, base: AcknowledgedState) -> None:
        """Damage a copy of `base` and start from it."""
        rng = random.Random(f"{self._seed} {number}")
        state = self._folder / "state"
        shutil.copytree(base.folder, state)
        files = rng.sample(sorted(set(FILES)), 2) if number % 5 == 0 else [rng.choice(FILES)]
        kinds = [damage(state, file, rng) for file in files]
        what = (" and ".join(files) if len(files) == 1 else "two files", kinds[0] if len(kinds) == 1 else "any")
        self.starts[what] += 1
        whole = held(state, base.rows)
        try:
            found = start(state, rng)
        except Exception:  # noqa: BLE001  # every fault is counted and reported
            self.faults.append(f"{number} {base.name}, {files} {kinds}: {traceback.format_exc()}")
        else:
            same = next(
                (n for n, (a, b) in enumerate(zip(found, base.events, strict=False)) if a != b),
                min(len(found), len(base.events)),
            )
            self.events.update(acknowledged=len(base.events), whole=whole, found=same)
            if same < whole:
                self.lost[what] += 1
                self.faults.append(f"{number} {base.name}, {files} {kinds}: {whole} whole, {same} found")
        shutil.rmtree(state)


def in_a_process(base: AcknowledgedState, folder: Path, rng: random.Random) -> str:
    """Start a whole table on a damaged copy of `base` and stop it; returns what went wrong, "" if nothing."""
    state = folder / "state"
    shutil.copytree(base.folder, state)
    file = rng.choice(FILES)
    kind = damage(state, file, rng)
    port = free_port()
    command = [sys.executable, "-m", "companion", "run", "--camera", "simulated", "--gpio", "mock"]
    command += ["--host", "127.0.0.1", "--port", str(port), "--state", str(state)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        phase = _phase(child, port)
        child.send_signal(signal.SIGTERM)
        _, said = child.communicate(timeout=60)
    shutil.rmtree(state)
    right = phase != "" and child.returncode == 0 and "Traceback" not in said
    return "" if right else f"{file}, {kind}: phase {phase!r}, status {child.returncode}, {said}"


def _phase(child: subprocess.Popen[str], port: int) -> str:
    """The phase that the page shows first; "" where the table ended or waits for its disk."""
    while child.poll() is None:
        with suppress(URLError, ConnectionError), urlopen(f"http://127.0.0.1:{port}/state.json", timeout=30) as page:
            state = json.load(page)
            return "" if state["storage"] else str(state["phase"])
        time.sleep(0.05)
    return ""


def main() -> int:
    """Damage, start, compare; prints the figures and returns 1 if a start failed or an event was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=STARTS, help="number of damaged starts (default: %(default)s)")
    parser.add_argument("--processes", type=int, default=PROCESSES, help="starts in processes (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--only", type=int, default=None, help="one start by its number, to look into it")
    args = parser.parse_args()
    logging.disable(logging.WARNING)  # every recovery is logged
    memory = Path("/dev/shm")  # only to be faster
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as name:
        folder = Path(name)
        bases = played(folder)
        trial = DamageTrial(folder, args.seed)
        for number in range(args.starts) if args.only is None else (args.only,):
            trial.run(number, bases[number % len(bases)])
        rng = random.Random(args.seed)
        trial.faults += filter(None, (in_a_process(bases[n % 3], folder, rng) for n in range(args.processes)))
    print("damaged file               by                     starts  with a loss")
    for (file, kind), starts in sorted(trial.starts.items()):
        print(f"{file:25}  {kind:21}  {starts:6}  {trial.lost[file, kind]:11}")
    print(f"starts {trial.starts.total()}, and {args.processes} in processes of their own")
    print("events: " + ", ".join(f"{count} {what}" for what, count in trial.events.items()))
    print(f"something wrong at {len(trial.faults)} starts")
    for fault in trial.faults:
        print(f"  {fault}")
    return 1 if trial.faults else 0


if __name__ == "__main__":
    sys.exit(main())
