"""A button on a mock pin, with alarms that the test lets ring."""

import threading

import pytest

from hardware.factory import mock_pins
from hardware.gestures import DOUBLE_S, LONG_S, EnabledGestures, Gesture
from hardware.push_button import PushButton

PIN = 17


class Alarms:
    """Replaces timers: `ring` lets the pending one expire."""

    def __init__(self, now):
        self._now, self.waiting = now, None

    def __call__(self, after_s, call):
        return HandSetAlarm(self, self._now[0] + after_s, call)

    def ring(self):
        at_s, call = self.waiting
        self._now[0] = max(self._now[0], at_s)
        call()


class HandSetAlarm:
    def __init__(self, alarms, at_s, call):
        self._alarms, self._entry = alarms, (at_s, call)

    def start(self):
        self._alarms.waiting = self._entry

    def cancel(self):
        self._alarms.waiting = None


@pytest.fixture
def bench():
    """A button with its pin, time, timers and gestures."""

    class Bench:
        now, factory = [100.0], mock_pins()

        def __init__(self, enabled):
            self.alarms, self.meant = Alarms(self.now), []
            self.pin = self.factory.pin(PIN)
            self.button = PushButton(
                PIN, enabled, lambda *meant: self.meant.append(meant), lambda: self.now[0], self.factory, self.alarms
            )

        def after(self, seconds, *, closed):
            self.now[0] += seconds
            (self.pin.drive_low if closed else self.pin.drive_high)()

    benches = []

    def made(**enabled):
        benches.append(Bench(EnabledGestures(**enabled)))
        return benches[-1]

    yield made
    for each in benches:
        each.button.close()
        each.factory.reset()


def test_a_tap_is_reported_at_the_edge_if_no_other_gesture_is_possible(bench):
    button = bench()
    button.after(0.0, closed=True)
    assert button.meant == [(Gesture.TAP, 100.0)]


def test_a_long_press_is_reported_while_the_button_is_held(bench):
    button = bench(long=True)
    button.after(0.0, closed=True)
    assert button.meant == []
    button.alarms.ring()
    assert button.meant == [(Gesture.LONG, 100.0 + LONG_S)]
    button.after(1.0, closed=False)
    assert len(button.meant) == 1


def test_a_tap_is_reported_once_no_second_press_has_followed(bench):
    button = bench(double=True)
    button.after(0.0, closed=True)
    button.after(0.1, closed=False)
    button.alarms.ring()
    assert button.meant == [(Gesture.TAP, 100.0 + DOUBLE_S)]


def test_an_unreported_release_is_read_from_the_pin(bench):
    button = bench(long=True)
    button.after(0.0, closed=True)
    button.pin.when_changed = None
    button.after(0.1, closed=False)
    button.alarms.ring()
    button.alarms.ring()
    assert [gesture for gesture, _ in button.meant] == [Gesture.TAP]


def test_a_timer_of_a_closed_button_has_no_effect(bench):
    button = bench(long=True)
    button.after(0.0, closed=True)
    _, call = button.alarms.waiting
    button.button.close()
    call()
    assert button.meant == []


def test_a_button_at_rest_has_no_thread(bench):
    before = threading.active_count()
    bench(long=True, double=True)
    assert threading.active_count() == before
