"""Messages to systemd over a real socket; `TestRun` in tests/companion/test_running_table.py tests a whole table."""

import logging
import queue
import socket

import pytest

from companion.app.service import Heartbeat, ServiceManager
from companion.session.inbox import items_until_stop

LOOPS = ("capture", "game", "web")


@pytest.fixture
def systemd(tmp_path):
    """A service manager's socket; calling it returns new messages."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.setblocking(False)

        def heard():
            lines = []
            while True:
                try:
                    lines += listening.recv(4096).decode().split("\n")
                except BlockingIOError:
                    return lines

        heard.address = str(tmp_path / "notify")
        yield heard


@pytest.fixture
def now():
    return [100.0]


@pytest.fixture
def heartbeat(systemd, now):
    heartbeat = Heartbeat(LOOPS, ServiceManager(systemd.address), 60.0, lambda: now[0])
    yield heartbeat
    heartbeat.close()


def test_the_service_manager_gets_the_ready_and_the_stopping_state(systemd):
    heartbeat = Heartbeat.of_service(LOOPS, {"NOTIFY_SOCKET": systemd.address})
    heartbeat.ready("simulated table")
    heartbeat.close()
    assert systemd() == ["READY=1", "STATUS=simulated table", "STOPPING=1"]


def test_the_watchdog_is_pinged_while_all_loops_are_alive(heartbeat, systemd, now):
    for _ in range(4):
        now[0] += 15.0
        for loop in LOOPS:
            heartbeat.tick(loop)
    assert systemd() == ["WATCHDOG=1"] * 4


def test_the_watchdog_is_pinged_no_more_often_than_needed(heartbeat, systemd, now):
    for _ in range(1000):
        now[0] += 0.1
        for loop in LOOPS:
            heartbeat.tick(loop)
    assert systemd() == ["WATCHDOG=1"] * 6


@pytest.mark.parametrize("stuck", LOOPS)
def test_one_hanging_loop_stops_the_pings(heartbeat, systemd, now, stuck):
    for _ in range(100):
        now[0] += 15.0
        for loop in LOOPS:
            if loop != stuck:
                heartbeat.tick(loop)
    assert systemd() == []
    heartbeat.tick(stuck)
    assert systemd() == ["WATCHDOG=1"]


def test_every_loop_must_run_again_before_each_ping(heartbeat, systemd, now):
    now[0] += 15.0
    for loop in LOOPS:
        heartbeat.tick(loop)
    now[0] += 15.0
    heartbeat.tick("web")
    heartbeat.tick("game")
    assert systemd() == ["WATCHDOG=1"]


def test_the_interval_comes_from_systemd(systemd):
    heartbeat = Heartbeat.of_service(["game"], {"NOTIFY_SOCKET": systemd.address, "WATCHDOG_USEC": "1"})
    heartbeat.tick("game")
    assert systemd() == ["WATCHDOG=1"]
    heartbeat.close()


@pytest.mark.parametrize("patience", [{}, {"WATCHDOG_USEC": ""}, {"WATCHDOG_USEC": "0"}])
def test_without_a_watchdog_there_are_no_pings(systemd, patience):
    heartbeat = Heartbeat.of_service(["game"], {"NOTIFY_SOCKET": systemd.address, **patience})
    heartbeat.tick("game")
    heartbeat.close()
    assert systemd() == ["STOPPING=1"]


def test_without_a_service_manager_nothing_is_sent_and_nothing_fails(systemd):
    heartbeat = Heartbeat.of_service(LOOPS, {})
    heartbeat.ready("simulated table")
    for loop in LOOPS:
        heartbeat.tick(loop)
    heartbeat.close()
    assert systemd() == []


def test_an_abstract_socket_is_supported():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0boardside-test-of-notify")
        manager = ServiceManager("@boardside-test-of-notify")
        manager.say("READY=1")
        assert listening.recv(100) == b"READY=1"
        manager.close()


def test_a_missing_service_manager_does_not_stop_the_game(tmp_path, caplog):
    manager = ServiceManager(str(tmp_path / "gone"))
    with caplog.at_level(logging.WARNING):
        manager.say("READY=1")
    assert "could not send READY=1" in caplog.text
    manager.close()


def test_after_the_end_a_running_loop_sends_nothing(heartbeat, systemd, now, caplog):
    heartbeat.close()
    now[0] += 60.0
    for loop in LOOPS:
        heartbeat.tick(loop)
    assert systemd() == ["STOPPING=1"]
    assert caplog.text == ""


def test_an_unknown_loop_is_an_error(heartbeat):
    with pytest.raises(KeyError, match=r"no loop 'panel' is supervised: expected one of capture, game, web"):
        heartbeat.tick("panel")


def test_an_inbox_is_emptied_in_order_and_each_item_counts_as_a_run_of_the_loop():
    inbox, turns = queue.SimpleQueue(), []
    for item in ("a", "b", None, "late"):
        inbox.put(item)
    assert list(items_until_stop(inbox, lambda: turns.append(1))) == ["a", "b"]
    assert len(turns) == 2


class Quiet:
    """An inbox that stays empty for two beats."""

    def __init__(self):
        self._answers = [queue.Empty(), queue.Empty(), "a", None]

    def get(self, timeout):
        assert timeout > 0
        answer = self._answers.pop(0)
        if isinstance(answer, queue.Empty):
            raise answer
        return answer


def test_a_waiting_loop_still_counts_as_alive():
    turns = []
    assert list(items_until_stop(Quiet(), lambda: turns.append(1))) == ["a"]
    assert len(turns) == 3
