"""A button between one pin and ground; reports gestures."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, Protocol

from gpiozero import DigitalInputDevice

from hardware.gestures import ButtonState, EnabledGestures, Gesture, after_missed_release, edge, elapse

if TYPE_CHECKING:
    from collections.abc import Callable

    from gpiozero.pins import Factory


class Alarm(Protocol):
    """A timer that calls back once (`threading.Timer`)."""

    def start(self) -> None:
        """Start the timer."""

    def cancel(self) -> None:
        """Stop the timer."""


def timer(after_s: float, call: Callable[[], None]) -> Alarm:
    """A `threading.Timer` in a daemon thread, so that it does not keep the process alive."""
    alarm = threading.Timer(after_s, call)
    alarm.daemon = True
    return alarm


class PushButton:
    """One button; calls `report(gesture, at_s)` from gpiozero's thread or the timer's."""

    def __init__(
        self,
        pin: int,
        enabled: EnabledGestures,
        report: Callable[[Gesture, float], None],
        clock: Callable[[], float],
        pin_factory: Factory | None = None,
        alarm: Callable[[float, Callable[[], None]], Alarm] = timer,
    ) -> None:
        """Claim `pin` (BCM) with a pull-up; `clock` returns seconds, `alarm(after_s, call)` makes a timer.

        `enabled` are the gestures that are recognised.
        """
        self._enabled, self._report, self._clock, self._new_alarm = enabled, report, clock, alarm
        self._state = ButtonState()
        self._alarm: Alarm | None = None
        self._changing = threading.Lock()
        self._closed = False
        # Not gpiozero's Button: its thread polls ten times a second whether it is held, which gestures detect here.
        self._device = DigitalInputDevice(pin, pull_up=True, pin_factory=pin_factory)
        self._device.when_activated = partial(self._edge, True)
        self._device.when_deactivated = partial(self._edge, False)

    def close(self) -> None:
        """Release the pin; a timer that fires later does nothing."""
        with self._changing:
            self._closed = True
            self._set_timer(None)
        self._device.close()

    def _edge(self, closing: bool) -> None:
        at_s = self._clock()
        with self._changing:
            if self._closed:
                return
            self._state, gestures = edge(self._state, self._enabled, closing, at_s)
            self._set_timer(at_s)
        self._report_all(gestures, at_s)

    def _timer_fired(self) -> None:
        """Classify the press after a timer; if the pin is open, a release was missed."""
        at_s = self._clock()
        with self._changing:
            if self._closed:
                return
            if self._state.contact.closed and not self._device.is_active:
                self._state = after_missed_release(self._state, at_s)
            self._state, gestures = elapse(self._state, self._enabled, at_s)
            self._set_timer(at_s)
        self._report_all(gestures, at_s)

    def _set_timer(self, at_s: float | None) -> None:
        """Set the timer for the next time at which a press can be classified; `at_s` None: only cancel it."""
        if self._alarm is not None:
            self._alarm.cancel()
        due_s = None if at_s is None else self._state.due_s(self._enabled)
        self._alarm = (
            None if due_s is None or at_s is None else self._new_alarm(max(0.0, due_s - at_s), self._timer_fired)
        )
        if self._alarm is not None:
            self._alarm.start()

    def _report_all(self, gestures: tuple[Gesture, ...], at_s: float) -> None:
        for gesture in gestures:
            self._report(gesture, at_s)
