"""The whole table in processes of its own: it starts, continues after a kill, and stops cleanly."""

import io
import queue
import signal
import socket
import threading
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from running_table import SIMULATED, Page, free_port, tables

from companion.cli import main

LEARNS_FOR_EVER = """
import sys, cv2
from companion.__main__ import main
from companion.app import service
from companion.app.board_tracker import BoardTracker

def learn(self, image):
    print("learning", flush=True)
    while True:
        cv2.medianBlur(image, 31)

service.JOIN_S = 0.1
BoardTracker.learn = learn
sys.exit(main())
"""

SESSION_IS_LATE = """
import sys, threading
from companion.__main__ import main
from companion.app import service
from companion.session import Session
from hardware.panel import Panel

closed, shown = threading.Event(), threading.Event()
show, close = Session._show, Panel.close

def show_late(self):
    closed.wait()
    show(self)
    shown.set()

def close_first(self):
    close(self)
    closed.set()
    shown.wait(60)

service.JOIN_S = 0.1
Session._show, Panel.close = show_late, close_first
sys.exit(main())
"""


@pytest.fixture
def start(tmp_path):
    """Start a table in a process of its own; it is killed after the test, if need be."""
    with tables(tmp_path / "state") as run:
        yield run


@pytest.fixture
def port():
    return free_port()


def test_the_table_stops_cleanly_while_a_thread_is_in_native_code(start, port):
    child = start(port, program=("-c", LEARNS_FOR_EVER))
    assert f"http://localhost:{port}" in child.stdout.readline()
    assert child.stdout.readline() == "learning\n"
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=60)
    assert (child.returncode, said) == (0, "")


@pytest.mark.slow
def test_the_table_stops_cleanly_while_the_session_still_publishes(start, port):
    child = start(port, program=("-c", SESSION_IS_LATE))
    assert f"http://localhost:{port}" in child.stdout.readline()
    child.terminate()
    _, said = child.communicate(timeout=60)
    assert (child.returncode, said) == (0, "")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--sheet", "nonesuch"], "'nonesuch'"),
        (["--camera", "telescope"], "'telescope'"),
        (["--camera", "folder:/no/such/folder"], "/no/such/folder"),
        (["--config", "/no/such.toml"], "/no/such.toml"),
        (["--state", "/proc/boardside"], "/proc/boardside"),
    ],
)
def test_missing_resources_are_named_with_status_one(port, tmp_path, options, says):
    status, said = refused("--port", str(port), "--state", str(tmp_path / "state"), *options)
    assert status == 1
    assert said.startswith("boardside: ")
    assert says in said


def refused(*options):
    """Exit status and error of a table that cannot start, run in this process."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with redirect_stderr(io.StringIO()) as said:
            return main(["run", *SIMULATED, *options]), said.getvalue()
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


@contextmanager
def service_manager(path):
    """The socket of a service manager at `path`; gives a queue of its messages."""
    told = queue.SimpleQueue()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(path))

        def listen():
            while (heard := listening.recv(4096)) != b"end":
                told.put(heard.decode())

        listener = threading.Thread(target=listen)
        listener.start()
        try:
            yield told
        finally:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ending:
                ending.sendto(b"end", str(path))
            listener.join()


@dataclass
class RunningEvening:
    """What was seen of a table that found a damaged record, was killed in mid-game, started again and was stopped.

    Attributes:
        port, state: where its page and its record are.
        first_line: what it printed first.
        on_same_state, on_same_port: status and complaint of a second table beside it.
        rolled: the state of the page after the first roll, before it was killed.
        complaint: what it wrote to stderr until then.
        again: the state of the page when it had started again and read the board.
        told: what the service manager was told from then on.
        end: its exit status, and what it wrote to stderr since it was started again.
    """

    port: int
    state: Path
    first_line: str = ""
    on_same_state: tuple[int, str] = (0, "")
    on_same_port: tuple[int, str] = (0, "")
    rolled: dict = field(default_factory=dict)
    complaint: str = ""
    again: dict = field(default_factory=dict)
    told: list = field(default_factory=list)
    end: tuple[int, str] = (1, "")


RUBBISH = b"rubbish " * 1000


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    place = tmp_path_factory.mktemp("evening")
    seen = RunningEvening(free_port(), place / "state")
    seen.state.mkdir()
    (seen.state / "record.db").write_bytes(RUBBISH)
    page = Page(seen.port)
    with tables(seen.state) as start, service_manager(place / "notify") as told:
        child = start(seen.port)
        seen.first_line = child.stdout.readline()
        seen.on_same_state = refused("--port", str(free_port()), "--state", str(seen.state))
        seen.on_same_port = refused("--port", str(seen.port), "--state", str(place / "other"))
        page.until(lambda state: state["phase"] == "opening")
        seen.rolled = page.rolls()
        child.kill()
        _, seen.complaint = child.communicate(timeout=60)
        child = start(seen.port, NOTIFY_SOCKET=str(place / "notify"), WATCHDOG_USEC="400000")
        child.stdout.readline()
        seen.again = page.until(lambda state: state["verdict"] is not None)
        while seen.told.count("WATCHDOG=1") < 3:
            seen.told.append(told.get(timeout=60))
        child.terminate()
        _, said = child.communicate(timeout=60)
        seen.end = child.returncode, said
        while seen.told[-1] != "STOPPING=1":
            seen.told.append(told.get(timeout=60))
    return seen


class TestRun:
    """The whole table in processes of its own, through one evening."""

    def test_the_table_prints_its_address(self, evening):
        assert f"http://localhost:{evening.port}" in evening.first_line

    def test_a_damaged_record_is_renamed_and_reported(self, evening):
        assert "The record was damaged: it is kept as" in evening.complaint
        assert "Traceback" not in evening.complaint
        assert (evening.state / "record.db.damaged-1").read_bytes() == RUBBISH

    def test_a_second_boardside_on_the_same_state_is_refused(self, evening):
        status, said = evening.on_same_state
        assert status == 1
        assert "another Boardside uses the state directory" in said

    def test_a_port_in_use_is_reported_with_status_one(self, evening):
        status, said = evening.on_same_port
        assert status == 1
        assert f"port {evening.port} is in use" in said

    def test_a_table_killed_during_a_game_continues_it(self, evening):
        rolled, again = evening.rolled, evening.again
        assert (again["phase"], again["on_roll"], again["dice"]) == ("to_move", rolled["on_roll"], rolled["dice"])
        assert "The game goes on where it stopped" in again["notice"]
        assert again["verdict"]["finding"] == "not_moved"

    def test_the_service_manager_gets_the_ready_state_and_pings_of_three_loops(self, evening):
        assert evening.told[0].startswith("READY=1\nSTATUS=at http://localhost:")
        assert set(evening.told[1:-1]) == {"WATCHDOG=1"}
        assert evening.told[-1] == "STOPPING=1"

    def test_the_table_stops_cleanly(self, evening):
        assert evening.end == (0, "")
