"""A button to ground on one pin: its edges become gestures."""

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
    """Something that calls back after a while (`threading.Timer`)."""

    def start(self) -> None:
        """Begin to wait."""

    def cancel(self) -> None:
        """Do not call back any more."""


def timer(after_s: float, call: Callable[[], None]) -> Alarm:
    """An alarm that does not keep the process alive."""
    alarm = threading.Timer(after_s, call)
    alarm.daemon = True
    return alarm


class PushButton:
    """One button; `meant(gesture, at_s)` is called from the pins' own thread or an alarm's."""

    def __init__(
        self,
        pin: int,
        habits: Habits,
        meant: Callable[[Gesture, float], None],
        clock: Callable[[], float],
        pin_factory: Factory | None = None,
        alarm: Callable[[float, Callable[[], None]], Alarm] = timer,
    ) -> None:
        """Claim `pin`, pulled up; `clock` gives seconds, `alarm(after_s, call)` makes an alarm to be started."""
        self._habits, self._meant, self._clock, self._new_alarm = habits, meant, clock, alarm
        self._key = Key()
        self._alarm: Alarm | None = None
        self._changing = threading.Lock()
        self._closed = False
        self._device = Button(pin, pin_factory=pin_factory)
        self._device.when_pressed = partial(self._edge, True)
        self._device.when_released = partial(self._edge, False)

    def close(self) -> None:
        """Let the pin go; an alarm that is on its way finds nothing to ask any more."""
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
        self._tell(gestures, at_s)

    def _ask_again(self) -> None:
        """Time has passed: what did the press mean? A release that nobody reported shows at the pin."""
        at_s = self._clock()
        with self._changing:
            if self._closed:
                return
            if self._key.contact.closed and not self._device.is_pressed:
                self._key = found_open(self._key, at_s)
            self._key, gestures = elapse(self._key, self._habits, at_s)
            self._plan(at_s)
        self._tell(gestures, at_s)

    def _plan(self, at_s: float | None) -> None:
        """Set the alarm for the next moment at which something may show; `at_s` None: for none."""
        if self._alarm is not None:
            self._alarm.cancel()
        due_s = None if at_s is None else self._key.due_s(self._habits)
        self._alarm = (
            None if due_s is None or at_s is None else self._new_alarm(max(0.0, due_s - at_s), self._ask_again)
        )
        if self._alarm is not None:
            self._alarm.start()

    def _tell(self, gestures: tuple[Gesture, ...], at_s: float) -> None:
        for gesture in gestures:
            self._meant(gesture, at_s)
