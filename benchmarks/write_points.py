"""Write points of a process (SQLite statements, fsync, file replacements), and killing it there; for the benchmarks."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import sys
import time
import traceback
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

WRITE, FSYNC, REPLACE = os.write, os.fsync, os.replace


def watch_write_points(around: Callable[[str, Callable[..., Any]], Callable[..., Any]]) -> None:
    """Replace every writing function of this process by `around(name, function)`."""

    class Watched(sqlite3.Connection):
        def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
            reads = sql.startswith("SELECT") or (sql.startswith("PRAGMA") and "=" not in sql)
            write = super().execute if reads else around(sql.split()[0], super().execute)
            cursor: sqlite3.Cursor = write(sql, *values)
            return cursor

        def backup(self, target: sqlite3.Connection, **options: Any) -> None:
            around("backup", super().backup)(target, **options)

    connect = sqlite3.connect
    sqlite3.connect = lambda *args, **options: connect(*args, factory=Watched, **options)  # type: ignore[assignment]
    os.write = around("write", WRITE)  # type: ignore[assignment]
    os.fsync = around("fsync", FSYNC)  # type: ignore[assignment]
    os.replace = around("replace", REPLACE)


class Killer:
    """Counts the write points of this process and kills it at one of them."""

    def __init__(self, at: int | None, report_to: int) -> None:
        """`at` counts from 1 (None: never); the kind of the point is written to the pipe `report_to`."""
        self._left = at
        self._report_to = report_to

    def point(self, kind: str) -> None:
        """Count a write point; kill the process if it is the chosen one."""
        if self._left is None:
            return
        self._left -= 1
        if self._left == 0:
            WRITE(self._report_to, json.dumps({"killed": kind}).encode() + b"\n")
            os.kill(os.getpid(), signal.SIGKILL)

    def around(self, name: str, write: Callable[..., Any]) -> Callable[..., Any]:
        """`write` with a write point before and after it."""

        def done(*args: Any, **options: Any) -> Any:
            self.point(f"before {name}")
            result = write(*args, **options)
            self.point(f"after {name}")
            return result

        return done


def child(work: Callable[[int], None], *, from_outside_s: float | None = None) -> tuple[str, list[Any]]:
    """Run `work(report_to)` in a child process; returns how it ended ("over": not killed) and what it acknowledged.

    With `from_outside_s`, the child is killed after that many seconds.
    """
    report_from, report_to = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.close(report_from)
            work(report_to)
            status = 0
        finally:
            if status:
                traceback.print_exc()
            os._exit(status)
    os.close(report_to)
    if from_outside_s is not None:
        time.sleep(from_outside_s)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    with os.fdopen(report_from) as lines:
        reports = [json.loads(line) for line in lines if line.endswith("\n")]
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if status == 1:
        sys.exit("a child failed; its traceback is above")
    kind = next((line["killed"] for line in reports if "killed" in line), "over" if status == 0 else "from outside")
    return kind, [line["acknowledged"] for line in reports if "acknowledged" in line]
