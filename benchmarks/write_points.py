"""The points at which a process writes something that must outlive it, and killing it there; for the benchmarks."""

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
    """Put `around(name, deed)` in the place of everything in this process that writes."""

    class Watched(sqlite3.Connection):
        def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
            reads = sql.startswith("SELECT") or (sql.startswith("PRAGMA") and "=" not in sql)
            deed = super().execute if reads else around(sql.split()[0], super().execute)
            cursor: sqlite3.Cursor = deed(sql, *values)
            return cursor

        def backup(self, target: sqlite3.Connection, **options: Any) -> None:
            around("backup", super().backup)(target, **options)

    connect = sqlite3.connect
    sqlite3.connect = lambda *args, **options: connect(*args, factory=Watched, **options)  # type: ignore[assignment]
    os.write = around("write", WRITE)  # type: ignore[assignment]
    os.fsync = around("fsync", FSYNC)  # type: ignore[assignment]
    os.replace = around("replace", REPLACE)


class Gallows:
    """Counts the write points of this process and kills it at the one that is named."""

    def __init__(self, at: int | None, tell: int) -> None:
        """`at` counts from 1, None: never; `tell` is the pipe that is told the kind of the point."""
        self._left = at
        self._tell = tell

    def point(self, kind: str) -> None:
        """A write point is reached."""
        if self._left is None:
            return
        self._left -= 1
        if self._left == 0:
            WRITE(self._tell, json.dumps({"killed": kind}).encode() + b"\n")
            os.kill(os.getpid(), signal.SIGKILL)

    def around(self, name: str, deed: Callable[..., Any]) -> Callable[..., Any]:
        """`deed` with a write point before and after it."""

        def done(*args: Any, **options: Any) -> Any:
            self.point(f"before {name}")
            result = deed(*args, **options)
            self.point(f"after {name}")
            return result

        return done


def child(work: Callable[[int], None], *, from_outside_s: float | None = None) -> tuple[str, list[Any]]:
    """Let a child do `work(tell)` until it is killed or done ("over"); how it ended, and what it acknowledged."""
    ear, tell = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.close(ear)
            work(tell)
            status = 0
        finally:
            if status:
                traceback.print_exc()
            os._exit(status)
    os.close(tell)
    if from_outside_s is not None:
        time.sleep(from_outside_s)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    with os.fdopen(ear) as lines:
        told = [json.loads(line) for line in lines if line.endswith("\n")]
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if status == 1:
        sys.exit("a child failed; its traceback stands above")
    kind = next((line["killed"] for line in told if "killed" in line), "over" if status == 0 else "from outside")
    return kind, [line["kept"] for line in told if "kept" in line]
