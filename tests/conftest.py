"""Applies to every test: an ERROR log fails it, and no property fails for being slow."""

from __future__ import annotations

import fcntl
import logging
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import learned_once
import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Iterator

# Tests run in one process per core (see Makefile); threads of libraries would only compete with them.
# Read when NumPy and OpenCV are first imported, here or in a process that a test starts.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")

# Modules are compiled once, not anew in every process of the run and in every program that a test starts.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Records are synchronised to the disk at every event; tests need not wait for that: temporary files are in memory, if
# there is space.
MEMORY, ROOM_BYTES = Path("/dev/shm"), 500_000_000
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM_BYTES:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

# A suite that a script runs in the background inherits that Ctrl-C is ignored; programs that tests start must not.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine must not fail a property. In CI the same examples run every time.
settings.register_profile(
    "boardside", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=bool(os.environ.get("CI"))
)
settings.load_profile("boardside")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Let one process compile the tests and their imports, while others wait for the compiled files."""
    with Path(__file__).open(encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return (yield)


@pytest.fixture(scope="session", autouse=True)
def boards_are_learned_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Share learned boards with the other processes of this run."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "learned"
    folder.mkdir(exist_ok=True)
    learned_once.FOLDERS.append(folder)
    yield
    learned_once.FOLDERS.pop()


@pytest.fixture(autouse=True)
def no_error_is_logged(request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail a test during which an ERROR was logged, unless it has the marker `logs_errors`."""
    yield
    records = [*caplog.get_records("setup"), *caplog.get_records("call")]
    errors = [record.getMessage() for record in records if record.levelno >= logging.ERROR]
    if errors and not request.node.get_closest_marker("logs_errors"):
        pytest.fail(f"logged as an error: {'; '.join(errors)}", pytrace=False)
