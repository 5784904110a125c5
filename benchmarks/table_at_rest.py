"""Measures start-up time, and memory and processor load of an idle table: `python benchmarks/table_at_rest.py`.

Starts `boardside run` with the simulated table as a process of its own, with an empty state directory, and measures it
from outside. The last column is the value divided by the target.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.request import urlopen

import psutil
import with_test_support  # noqa: F401
from running_table import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

STARTS = 3
SETTLE_S = 5.0
IDLE_S = 15.0
PATIENCE_S = 30.0
UNIT = Path(__file__).resolve().parents[1] / "systemd" / "boardside.service"
READY_TARGET_S, PROCESSOR_TARGET, MEMORY_TARGET_MB = 2.0, 5.0, 150.0


def memory_settings() -> dict[str, str]:
    """The environment variables by which the service's unit reduces memory."""
    (line,) = re.findall(r"^Environment=(MALLOC_.*)$", UNIT.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(setting.split("=", 1) for setting in line.split())


@contextlib.contextmanager
def running_table() -> Iterator[tuple[psutil.Process, str, float]]:
    """Start a table; yields its process, its address, and its start time (monotonic seconds)."""
    with tempfile.TemporaryDirectory() as state:
        port = free_port()
        command = [
            sys.executable,
            "-m",
            "companion",
            "run",
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
            "--state",
            state,
        ]
        began = time.monotonic()
        table = subprocess.Popen(
            [*command, "--camera", "simulated", "--gpio", "mock"],
            stdout=subprocess.DEVNULL,
            env={**os.environ, **memory_settings()},
        )
        try:
            yield psutil.Process(table.pid), f"http://127.0.0.1:{port}", began
        finally:
            table.terminate()
            table.wait(PATIENCE_S)


def seconds_until(address: str, began: float, *, board_found: bool) -> float:
    """Seconds from `began` until the page answers, or with `board_found` until the board is ready for Roll."""
    while time.monotonic() - began < PATIENCE_S:
        with contextlib.suppress(URLError, ConnectionError), urlopen(f"{address}/state.json", timeout=5) as answer:
            state = json.load(answer)
            if not board_found or state["phase"] != "waiting":
                return time.monotonic() - began
        time.sleep(0.02)
    sys.exit(f"the table at {address} was not ready after {PATIENCE_S:.0f} s; its messages are above")


def memory_mb(processes: list[psutil.Process]) -> float:
    """Resident memory of these processes together, in MB."""
    return float(sum(each.memory_info().rss for each in processes)) / 1e6


def processor_s(process: psutil.Process) -> float:
    """Processor seconds that the process and its children have used."""
    times = [each.cpu_times() for each in (process, *process.children(recursive=True))]
    return float(sum(each.user + each.system for each in times))


def measure() -> list[tuple[str, float, str, float | None]]:
    """Rows of the table: title, value, unit, target (None: no target)."""
    pages, boards = [], []
    for _ in range(STARTS):
        with running_table() as (process, address, began):
            pages.append(seconds_until(address, began, board_found=False))
            boards.append(seconds_until(address, began, board_found=True))
            if len(boards) == STARTS:
                time.sleep(SETTLE_S)
                memory, helpers = memory_mb([process]), memory_mb(process.children(recursive=True))
                used, since = processor_s(process), time.monotonic()
                time.sleep(IDLE_S)
                idle = 100 * (processor_s(process) - used) / (time.monotonic() - since)
    return [
        ("start to page", sorted(pages)[STARTS // 2], "s", None),
        ("start to board found, ready for Roll", sorted(boards)[STARTS // 2], "s", READY_TARGET_S),
        ("resident memory", memory, "MB", MEMORY_TARGET_MB),
        ("resident memory of child processes", helpers, "MB", None),
        ("idle, of one core", idle, "%", PROCESSOR_TARGET),
    ]


def main() -> None:
    """Print the table."""
    print(f"{'simulated table, idle':40}{'value':>10}{'of target':>12}")
    for title, value, unit, target in measure():
        share = "" if target is None else f"{value / target:12.2f}"
        print(f"{title:40}{value:7.2f} {unit:2}{share}")


if __name__ == "__main__":
    main()
