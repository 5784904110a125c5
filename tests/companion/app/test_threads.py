"""The end of the table, also by a signal at the worst moment."""

import signal
import threading

from companion.app import service
from companion.app.service import Stop


def test_requests_are_kept_until_they_are_done():
    stop = Stop()
    assert not stop.is_set()
    assert not stop.wait(0.0)
    stop.set()
    assert [stop.is_set(), stop.wait(), stop.wait(0.0), stop.is_set()] == [True] * 4


def test_another_thread_ends_the_wait():
    stop = Stop()
    threading.Timer(0.01, stop.set).start()
    assert stop.wait(60)


def test_a_signal_at_the_beginning_of_a_wait_ends_it(monkeypatch):
    monkeypatch.setattr(service, "CHECK_S", 0.01)  # a signal just before the wait is noticed at the next check
    stops = []
    before = signal.signal(signal.SIGALRM, lambda *_: stops[-1].set())
    try:
        for n in range(300):
            stops.append(Stop())
            signal.setitimer(signal.ITIMER_REAL, 1e-6 * (1 + n % 50))
            assert stops[-1].wait(60)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
