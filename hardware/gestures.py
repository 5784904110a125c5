"""Turns the edges of a button into gestures: tap, long press, double press. Pure functions; times are arguments.

A button with taps only reports a tap when the contact closes. A button with long presses reports a tap when the contact
opens. A button with double presses waits `double_s` for a second press before it reports a tap.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from hardware.debounce import Contact, debounce

LONG_S = 0.8
"""Seconds that a long press lasts at least; a deliberate tap lasts about 0.2 s."""
DOUBLE_S = 0.4
"""Longest time between the two presses of a double press, in seconds; a mouse's double click usually allows 0.5 s."""

AT_REST = Contact()


class Gesture(StrEnum):
    """A way of pressing a button."""

    TAP = "tap"
    LONG = "long"
    DOUBLE = "double"


@dataclass(frozen=True, slots=True)
class Habits:
    """Which gestures besides the tap are recognised on a button, and their times in seconds."""

    long: bool = False
    double: bool = False
    long_s: float = LONG_S
    double_s: float = DOUBLE_S


@dataclass(frozen=True, slots=True)
class Key:
    """State of a button.

    Attributes:
        contact: its contact.
        pressed_s: start (seconds) of a press that is not yet classified; None: there is none.
        held: whether that press still lasts.
    """

    contact: Contact = AT_REST
    pressed_s: float | None = None
    held: bool = False

    def due_s(self, habits: Habits) -> float | None:
        """Time in seconds at which to call `elapse` if no edge comes; None: wait for the next edge."""
        if self.pressed_s is None:
            return None
        if habits.long and self.held:
            settled = self.contact.settles_s
            return max(self.pressed_s + habits.long_s, settled) if self.contact.closed else settled
        return self.pressed_s + habits.double_s


Meant = tuple[Key, tuple[Gesture, ...]]
"""The new state of the button, and the gestures recognised so far."""


def edge(key: Key, habits: Habits, closing: bool, at_s: float) -> Meant:
    """The state after an edge of the contact at `at_s`, and the gestures recognised by then."""
    key, before = elapse(key, habits, at_s)
    contact, pressed = debounce(key.contact, closing, at_s)
    key = replace(key, contact=contact)
    if not pressed:
        return key, before
    if not (habits.long or habits.double):
        return key, (*before, Gesture.TAP)
    if key.pressed_s is not None and habits.double and at_s < key.pressed_s + habits.double_s:
        return replace(key, pressed_s=None, held=False), (*before, Gesture.DOUBLE)
    if key.pressed_s is not None:  # the release was missed: the earlier press was a tap
        before = (*before, Gesture.TAP)
    return replace(key, pressed_s=at_s, held=True), before


def elapse(key: Key, habits: Habits, at_s: float) -> Meant:
    """The state at `at_s` if no edge has come since, and the gestures recognised by then."""
    meant: list[Gesture] = []
    while (due := key.due_s(habits)) is not None and due <= at_s:
        key, gesture = _settle(key, habits, due)
        meant += [gesture] if gesture else []
    return key, tuple(meant)


def found_open(key: Key, at_s: float) -> Key:
    """The state when the contact is open at `at_s` without a reported edge: the release was missed."""
    return replace(key, contact=Contact(at_s))


def _settle(key: Key, habits: Habits, at_s: float) -> tuple[Key, Gesture | None]:
    """Classify the open press at `at_s`; None if it is not yet decided."""
    over = replace(key, pressed_s=None, held=False)
    if not (habits.long and key.held):
        return over, Gesture.TAP  # no second press came
    if key.contact.closed:
        return over, Gesture.LONG
    if habits.double and key.pressed_s is not None and at_s < key.pressed_s + habits.double_s:
        return replace(key, held=False), None  # released: a second press may follow
    return over, Gesture.TAP
