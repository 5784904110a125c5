"""From a button's edges to what a finger meant: a tap, a long press, a double press. Pure; the times are arguments.

A button that knows taps only reports them at the moment the contact closes. One that knows a long press must wait for
the finger to leave, and one that knows a double press must wait whether a second press follows: what a button does not
need it does not pay for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from hardware.debounce import Contact, debounce

LONG_S = 0.8
"""Longer than a deliberate tap (some 0.2 s) and shorter than doubt whether the button works."""
DOUBLE_S = 0.4
"""From one press to the next; the usual span of a mouse's double click is 0.5 s at most."""

AT_REST = Contact()


class Gesture(StrEnum):
    """What a finger does with a button."""

    TAP = "tap"
    LONG = "long"
    DOUBLE = "double"


@dataclass(frozen=True, slots=True)
class Habits:
    """Which gestures a button knows besides the tap, and how long they take (seconds)."""

    long: bool = False
    double: bool = False
    long_s: float = LONG_S
    double_s: float = DOUBLE_S


@dataclass(frozen=True, slots=True)
class Key:
    """What is remembered of a button.

    Attributes:
        contact: its contact.
        pressed_s: when the press began whose meaning is still open, None where none is.
        held: whether that press goes on, as far as is known.
    """

    contact: Contact = AT_REST
    pressed_s: float | None = None
    held: bool = False

    def due_s(self, habits: Habits) -> float | None:
        """When to ask again (`elapse`) though no edge comes; None: not before the next edge."""
        if self.pressed_s is None:
            return None
        if habits.long and self.held:
            settled = self.contact.settles_s
            return max(self.pressed_s + habits.long_s, settled) if self.contact.closed else settled
        return self.pressed_s + habits.double_s


Meant = tuple[Key, tuple[Gesture, ...]]
"""The button after something happened, and what was meant by what came before."""


def edge(key: Key, habits: Habits, closing: bool, at_s: float) -> Meant:
    """The button after an edge of its contact at `at_s`, and the gestures that are certain by then."""
    key, before = elapse(key, habits, at_s)
    contact, pressed = debounce(key.contact, closing, at_s)
    key = replace(key, contact=contact)
    if not pressed:
        return key, before
    if not (habits.long or habits.double):
        return key, (*before, Gesture.TAP)
    if key.pressed_s is not None and habits.double and at_s < key.pressed_s + habits.double_s:
        return replace(key, pressed_s=None, held=False), (*before, Gesture.DOUBLE)
    if key.pressed_s is not None:  # a release was lost: the press before was a tap
        before = (*before, Gesture.TAP)
    return replace(key, pressed_s=at_s, held=True), before


def elapse(key: Key, habits: Habits, at_s: float) -> Meant:
    """The button at `at_s`, no edge having come since, and the gestures that are certain by then."""
    meant: list[Gesture] = []
    while (due := key.due_s(habits)) is not None and due <= at_s:
        key, gesture = _settle(key, habits, due)
        meant += [gesture] if gesture else []
    return key, tuple(meant)


def found_open(key: Key, at_s: float) -> Key:
    """The button whose contact is found open at `at_s`, though no edge told of it: it was let go some time before."""
    return replace(key, contact=Contact(at_s))


def _settle(key: Key, habits: Habits, at_s: float) -> tuple[Key, Gesture | None]:
    """What a press means at `at_s`, a moment at which that may show."""
    over = replace(key, pressed_s=None, held=False)
    if not (habits.long and key.held):
        return over, Gesture.TAP  # no second press has followed
    if key.contact.closed:
        return over, Gesture.LONG
    if habits.double and key.pressed_s is not None and at_s < key.pressed_s + habits.double_s:
        return replace(key, held=False), None  # let go: a second press may follow
    return over, Gesture.TAP
