"""A button between one pin and ground; reports gestures."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, Protocol

from gpiozero import Button

from hardware.gestures import Gesture, Habits, Key, edge, elapse, found_open

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
    """One button; calls `meant(gesture, at_s)` from gpiozero's thread or the timer's."""

    def __init__(
        self,
        pin: int,
        habits: Habits,
        meant: Callable[[Gesture, float], None],
        clock: Callable[[], float],
        pin_factory: Factory | None = None,
        alarm: Callable[[float, Callable[[], None]], Alarm] = timer,
    ) -> None:
        """Claim `pin` (BCM) with a pull-up; `clock` returns seconds, `alarm(after_s, call)` makes a timer."""
        self._habits, self._meant, self._clock, self._new_alarm = habits, meant, clock, alarm
        self._key = Key()
        self._alarm: Alarm | None = None
        self._changing = threading.Lock()
        self._closed = False
        self._device = Button(pin, pin_factory=pin_factory)
        self._device.when_pressed = partial(self._edge, True)
        self._device.when_released = partial(self._edge, False)

    def close(self) -> None:
        """Release the pin; a timer that fires later does nothing."""
        with self._changing:
            self._closed = True
            self._plan(None)
        self._device.close()

    def _edge(self, closing: bool) -> None:
        at_s = self._clock()
        with self._changing:
            if self._closed:
                return
            self._key, gestures = edge(self._key, self._habits, closing, at_s)
            self._plan(at_s)
        self._report(gestures, at_s)

    def _ask_again(self) -> None:
        """Classify the press after a timer; if the pin is open, a release was missed."""
        at_s = self._clock()
        with self._changing:
            if self._closed:
                return
            if self._key.contact.closed and not self._device.is_pressed:
                self._key = found_open(self._key, at_s)
            self._key, gestures = elapse(self._key, self._habits, at_s)
            self._plan(at_s)
        self._report(gestures, at_s)

    def _plan(self, at_s: float | None) -> None:
        """Set the timer for the next time at which a press can be classified; `at_s` None: only cancel it."""
        if self._alarm is not None:
            self._alarm.cancel()
        due_s = None if at_s is None else self._key.due_s(self._habits)
        self._alarm = (
            None if due_s is None or at_s is None else self._new_alarm(max(0.0, due_s - at_s), self._ask_again)
        )
        if self._alarm is not None:
            self._alarm.start()

    def _report(self, gestures: tuple[Gesture, ...], at_s: float) -> None:
        for gesture in gestures:
            self._meant(gesture, at_s)
