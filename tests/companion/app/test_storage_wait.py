"""A table whose record cannot be opened yet: the page says why, and play begins once it can be."""

import errno
import os
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import ExitStack, closing, suppress
from json import load
from socket import socket

import pytest

from companion.app.service import Heartbeat, Threads
from companion.app.storage_wait import StoppedWaiting, is_repairable, open_when_possible
from companion.cli import build_parser
from companion.core import BoardsideError
from companion.record import RecordError


def caused_by(cause):
    error = RecordError("cannot open the record")
    error.__cause__ = cause
    return error


def full_disk_says():
    """SQLite's error on a full disk."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("PRAGMA max_page_count = 1")
        with pytest.raises(sqlite3.Error) as raised:
            connection.execute("CREATE TABLE events (event)")
        return raised.value


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EDQUOT, errno.EIO])
def test_errors_of_the_disk_can_be_repaired_while_the_table_waits(number):
    assert is_repairable(caused_by(OSError(number, "")))
    assert is_repairable(caused_by(caused_by(OSError(number, ""))))


def test_a_full_disk_reported_by_sqlite_can_be_repaired_while_the_table_waits():
    assert is_repairable(caused_by(full_disk_says()))


@pytest.mark.parametrize("cause", [None, OSError(errno.ENOENT, ""), sqlite3.OperationalError("locked"), ValueError()])
def test_other_errors_cannot_be_repaired_while_the_table_waits(cause):
    assert not is_repairable(caused_by(cause))
    assert not is_repairable(BoardsideError("another Boardside uses the state directory"))


def mount(*arguments):
    return subprocess.run(["mount", *arguments], check=False, capture_output=True, text=True).returncode == 0


@pytest.fixture
def read_only(tmp_path):
    """A read-only directory, and a function that makes it writable; skipped if mounting is not allowed."""
    if os.geteuid() != 0 or not mount("-t", "tmpfs", "-o", "size=4m,ro", "boardside-test", str(tmp_path)):
        pytest.skip("mounting a read-only file system is not allowed here")
    yield tmp_path, lambda: mount("-o", "remount,rw,size=4m", str(tmp_path))
    subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


@pytest.fixture
def port():
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def state_of_page(port, wanted):
    """Wait for a state of the page for which `wanted(state)` is true."""
    ends_s = time.monotonic() + 60
    while time.monotonic() < ends_s:
        with suppress(urllib.error.URLError), urllib.request.urlopen(f"http://127.0.0.1:{port}/state.json") as answer:
            state = load(answer)
            if wanted(state):
                return state
        time.sleep(0.02)
    raise AssertionError("the page never said so")


TRIES_OFTEN = """
import sys
from companion.__main__ import main
from companion.app import service, storage_wait

storage_wait.RETRY_S = service.JOIN_S = 0.1
sys.exit(main())
"""


def test_on_a_read_only_directory_the_page_says_so_and_play_begins_when_it_can_be_written(read_only, port):
    directory, make_writable = read_only
    options = ["--state", str(directory), "--port", str(port), "--camera", "simulated", "--gpio", "mock"]
    with ExitStack() as stack:
        child = stack.enter_context(
            subprocess.Popen(
                [sys.executable, "-c", TRIES_OFTEN, "run", *options],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        )
        stack.callback(child.terminate)
        state = state_of_page(port, lambda state: state["storage"])
        assert "Read-only" in state["storage"]
        assert state["light"] == {"colour": "red", "words": "Nothing can be recorded"}
        assert make_writable()
        assert child.stdout.readline().startswith("Boardside is at")
        assert state_of_page(port, lambda state: state["fairness"])["storage"] is None
        child.terminate()
        assert "The table waits" in child.stderr.read()


def test_a_table_stopped_while_it_waits_ends_without_output():
    def fails(_):
        raise caused_by(OSError(errno.EROFS, ""))

    threads = Threads()
    threads.end()
    where = build_parser().parse_args(["run", "--host", "127.0.0.1"])
    where.port, where.site = 0, ()
    with ExitStack() as stack:
        heartbeat = stack.enter_context(closing(Heartbeat.of_service(("capture", "game", "web"), {})))
        with pytest.raises(StoppedWaiting):
            open_when_possible(where, stack, threads, heartbeat, fails)
