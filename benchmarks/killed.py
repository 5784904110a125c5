"""Counts events lost when the table is killed while it writes: `python benchmarks/killed.py [--kills N]`.

Two scripted players play a match through the real session with a real record, fair dice, disputes and backups, in a
child process. The child is killed with SIGKILL at every kind of write point in turn (before and after each SQLite
statement, each fsync, each replacement of a file), and as often from outside at random moments. The next child resumes
the game from the files. After each restart the record must hold every acknowledged event in order, and at most one more
(on the disk, but not yet acknowledged), and the session must have the state that follows from those events.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import with_test_support  # noqa: F401
from places import RECORDS
from write_points import WRITE, Killer, child, watch_write_points

from companion.app.assembly import open_storage
from companion.core import CellReading, Observation
from companion.dice import check
from companion.game import Phase, Remedy, match_under, replay
from companion.interface import Button, CubeActed, CubeAction, Ruling, Saw, Stirred, Tapped
from companion.record import Record, delete_pictures, events_of, recorded_entries
from companion.record.backup import back_up, backup_of, events_in_backup, picture_names
from companion.rules import rules_named
from companion.session import Session, SessionPorts, SessionStart

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.record import BackupWorker

KILLS = 400
LONGEST_STRETCH = 60
"""The children are killed at their 1st, 2nd, … write point up to this one, then from the 1st again."""
LATEST_S = 0.15
"""Seconds after which a child is killed from outside at the latest."""
VERSION_1 = RECORDS / "version-1.db"
RULES = rules_named("standard")
TERMS = match_under(RULES.sheet, 5)
DISPUTED, DOUBLED, BACKED_UP = 7, 5, 9
"""Turns between calls of the referee, turns between doubles, events between backups."""


class Acknowledged:
    """A journal that reports each event to the parent process once it is written."""

    def __init__(self, backup_worker: BackupWorker, report_to: int) -> None:
        self._backup_worker = backup_worker
        self._report_to = report_to

    def append_all(self, events: Sequence[tuple[dict[str, Any], float]], pictures: tuple[bytes, ...] = ()) -> int:
        """Write events, then acknowledge them."""
        number = self._backup_worker.append_all(events, pictures)
        for event, _ in events:
            WRITE(self._report_to, json.dumps({"acknowledged": event}).encode() + b"\n")
        if number % BACKED_UP == 0:
            self._backup_worker.back_up()
        return number


def observed(position: Any) -> Saw:
    """An observation that is certain of every cell."""
    observation = Observation(tuple(CellReading(((content, 0.0),)) for content in RULES.visible(position)))
    return Saw(observation, 0.0, repr(position).encode() * 40)


def take_turn(session: Session[Any], rng: random.Random) -> None:
    """One step of the players: a play, a roll, a double, a dispute or its ruling."""
    game = session.game
    turn = len(game.history)
    if game.dispute is not None:
        session.handle(Ruling(game.dispute.number, Remedy.CORRECTED, 0.0))
    elif game.match.offered_by is not None:
        session.handle(CubeActed(CubeAction.TAKE if rng.random() < 0.8 else CubeAction.PASS, 0.0))
    elif game.phase is Phase.TO_MOVE:
        successors = RULES.successors(game.position, game.on_roll, game.dice)
        session.handle(observed(rng.choice(successors).after if successors else game.position))
        if turn % DISPUTED == DISPUTED - 1 and not game.settled:
            session.handle(Tapped(Button.REFEREE, time.monotonic()))
        elif turn % DOUBLED == DOUBLED - 1:
            session.handle(CubeActed(CubeAction.DOUBLE, 0.0))
        session.handle(Tapped(Button.ROLL, time.monotonic()))
    else:
        session.handle(observed(game.position if game.running else RULES.start()))
        session.handle(Tapped(Button.ROLL, time.monotonic()))


def play(state: Path, report_to: int, kill_at: int | None, seed: int) -> None:
    """Work of the child: resume the match and play it to its end."""
    rng = random.Random(seed)
    watch_write_points(Killer(kill_at, report_to).around)
    with ExitStack() as stack:
        storage = open_storage(state, "fair", stack, lambda: None)
        events = events_of(storage.entries, RULES)
        journal = Acknowledged(storage.backup_worker, report_to)
        session = Session(RULES, storage.dice, SessionPorts(journal), SessionStart(events, TERMS))
        if session.game != replay(events):
            raise AssertionError("the session's state does not follow from its events")
        session.handle(Stirred(0.0))  # opens a commitment for the dice, or reveals the secret after a match
        while session.game.match.winner is None:
            take_turn(session, rng)


class KillTrial:
    """Plays one match after the other, killing it again and again; counts faults.

    Attributes:
        points: number of kills at each kind of write point.
        acknowledged, found, extra: events acknowledged; events in the record; events in the record only.
        lost: acknowledged events that are not in the record.
        wrong: one sentence for each other fault after a restart.
        matches, rolls: matches played to their end, and the verified rolls in them.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.points: Counter[str] = Counter()
        self.acknowledged = self.found = self.extra = self.lost = self.matches = self.rolls = 0
        self.wrong: list[str] = []
        self._begin()

    def _begin(self) -> None:
        self._state = self._folder / f"match-{self.matches}"
        self._before: list[Any] = []

    def kill(self, kill_at: int | None, seed: int, from_outside_s: float | None = None) -> None:
        """Run one child until it is killed or done, and check its files."""
        kind, acknowledged = child(
            lambda report_to: play(self._state, report_to, kill_at, seed), from_outside_s=from_outside_s
        )
        with ExitStack() as stack:
            if open_storage(self._state, "fair", stack, lambda: None).record.rescue is not None:
                self.wrong.append(f"{kind}: the record had to be recovered")
        entries = recorded_entries(self._state)
        events = [{key: value for key, value in entry.items() if key not in ("entry", "at_s")} for entry in entries]
        expected = self._before + acknowledged
        self.acknowledged += len(acknowledged)
        self.found += len(events) - len(self._before)
        self.extra += max(len(events) - len(expected), 0)
        if events[: len(expected)] != expected or len(events) > len(expected) + 1:
            self.lost += len(expected) - sum(a == b for a, b in zip(events, expected, strict=False))
            self.wrong.append(f"{kind}: {len(expected)} events acknowledged, {len(events)} found")
        self._check_files(kind, entries)
        self._before = events
        if kind == "over":
            answer = check(entries)
            self.wrong += [answer.summary] * (not answer.holds)
            self.rolls += answer.rolls
            self.matches += 1
            self._begin()
        else:
            self.points[kind] += 1

    def _check_files(self, kind: str, entries: list[dict[str, Any]]) -> None:
        if list(self._state.glob("*.damaged*")):
            self.wrong.append(f"{kind}: the record was renamed as damaged")
        backup = backup_of(self._state / "record.db")
        if backup.exists() and not 0 < events_in_backup(self._state / "record.db") <= len(entries):
            self.wrong.append(f"{kind}: the backup is not sound")
        if any(entry["event"] == "DiceRevealed" and entry["secret"] is None for entry in entries):
            self.wrong.append(f"{kind}: a secret was lost")


def opened(path: Path) -> None:
    """Work of a child that starts: open the record at `path`, with the recovery and migration that it needs."""
    Record.open(path).close()


def deleted(path: Path) -> None:
    """Work of a child that deletes all pictures from the record at `path` and its backup."""
    delete_pictures(path, picture_names(path))


def killed_at_steps(
    folder: Path, prepare: Callable[[Path], list[Any]], stride: int, does: Callable[[Path], None] = opened
) -> tuple[int, int]:
    """Kill a child at every `stride`-th write point of what it `does` to the record of `prepare(state)`; open that.

    Returns the number of kills, and the number after which the events were not those that `prepare` returned.
    """
    points = wrong = 0
    while True:
        state = folder / f"start-{points}"
        state.mkdir(parents=True)
        expected = prepare(state)

        def work(report_to: int, state: Path = state, point: int = points * stride + 1) -> None:
            watch_write_points(Killer(point, report_to).around)
            does(state / "record.db")

        kind, _ = child(work)
        with closing(Record.open(state / "record.db")) as record:
            wrong += [entry.event for entry in record.entries()] != expected
        if kind == "over":
            return points, wrong
        points += 1


def version_1(state: Path) -> list[Any]:
    """Prepare a record of version 1; returns its events."""
    shutil.copyfile(VERSION_1, state / "record.db")
    with closing(sqlite3.connect(f"{VERSION_1.as_uri()}?mode=ro&immutable=1", uri=True)) as old:
        return [json.loads(event) for (event,) in old.execute("SELECT event FROM events ORDER BY number")]


def damaged(state: Path) -> list[Any]:
    """Prepare a record with a backup, later events and a damaged page; returns its events."""
    path, events = state / "record.db", [{"event": "Rolled", "n": n, "long": "x" * 1400} for n in range(24)]
    with closing(Record.open(path)) as record:
        for event in events[:16]:
            record.append(event, 1.0)
        back_up(path)
        for event in events[16:]:
            record.append(event, 2.0)
    with path.open("r+b") as file:
        file.seek(4096 * 4)
        file.write(b"\xa5" * 4096)
    return events


def missing(state: Path) -> list[Any]:
    """Prepare a backup, and a log with later events, of a record that is gone; returns its events."""
    path, events = state / "record.db", [{"event": "Rolled", "n": n, "long": "x" * 1400} for n in range(24)]
    log = path.with_name("record.db-wal")
    with closing(Record.open(path)) as record:
        for n, event in enumerate(events):
            record.append(event, 1.0)
            if n == 15:
                back_up(path)
        logged = log.read_bytes()
    path.unlink()
    log.write_bytes(logged)
    return events


def with_pictures(state: Path) -> list[Any]:
    """Prepare a record with a backup and more pictures than SQLite's cache holds; returns its events."""
    path, events, rng = state / "record.db", [{"event": "Disputed", "n": n} for n in range(12)], random.Random(5)
    with closing(Record.open(path)) as record:
        for event in events:
            record.append(event, 1.0, (rng.randbytes(300_000),))
        back_up(path)
    return events


def main() -> int:
    """Kill, restart, compare; prints the figures and returns 1 if an event was lost or a fault was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=KILLS, help="number of kills (default: %(default)s)")
    parser.add_argument("--stride", type=int, default=1, help="write points between two kills at a start")
    parser.add_argument("--seed", type=int, default=2026)
    args = parser.parse_args()
    logging.disable(logging.WARNING)  # recoveries are logged, and there are many of them here
    rng = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        trial = KillTrial(Path(folder))
        done = 0
        while done < args.kills:
            outside = rng.uniform(0, LATEST_S) if done % 2 else None
            trial.kill(None if outside else done // 2 % LONGEST_STRETCH + 1, rng.randrange(2**31), outside)
            done = sum(trial.points.values())
        starts = {
            "migrating a record of version 1": killed_at_steps(Path(folder) / "old", version_1, args.stride),
            "restoring a damaged record": killed_at_steps(Path(folder) / "damaged", damaged, args.stride),
            "restoring a missing record": killed_at_steps(Path(folder) / "missing", missing, args.stride),
            "deleting pictures": killed_at_steps(Path(folder) / "pictures", with_pictures, args.stride, deleted),
        }
    print("killed              times")
    for kind, times in trial.points.most_common():
        print(f"{kind:18}  {times:5}")
    print(f"in all              {done:5}")
    print(f"events acknowledged {trial.acknowledged:5}, found after the restarts {trial.found}: lost {trial.lost},")
    print(f"on the disk before they were acknowledged {trial.extra} (at most one a kill)")
    print(f"matches played to their end {trial.matches}, in them {trial.rolls} rolls that dice verify checked")
    for name, (points, wrong) in starts.items():
        print(f"killed at {points} write points while {name}: wrong after {wrong}")
    print(f"something wrong at {len(trial.wrong)} restarts")
    for wrong in trial.wrong:
        print(f"  {wrong}")
    return 1 if trial.lost or trial.wrong or any(wrong for _, wrong in starts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
