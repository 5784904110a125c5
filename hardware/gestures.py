"""Turns the edges of a button's contact into gestures: tap, long press, double press. Pure functions.

Mock pins and some pin factories do not debounce, so the contact is debounced here. The first closing edge after
`BOUNCE_S` without edges is a press; edges within `BOUNCE_S` of another edge are bouncing. A stuck button gives one
press only. If a release was missed, the next closing edge after `BOUNCE_S` without edges is a press again.

A button with taps only reports a tap when the contact closes. A button with long presses reports a tap when the contact
opens. A button with double presses waits `double_s` for a second press before it reports a tap. A button that taps at
once reports the tap when the contact closes, and also a long press if it is held.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf

BOUNCE_S = 0.03
"""Seconds. Small switches settle within 5 to 10 ms.

Source: Ganssle, "A Guide to Debouncing" (at most 6.2 ms in most switches, 157 ms in one).
"""
LONG_S = 0.8
"""Seconds that a long press lasts at least; a deliberate tap lasts about 0.2 s."""
DOUBLE_S = 0.4
"""Longest time between the two presses of a double press, in seconds; a mouse's double click usually allows 0.5 s."""


@dataclass(frozen=True, slots=True)
class Contact:
    """State of a contact: the time of its last edge in seconds, and whether that edge closed it."""

    last_edge_s: float = -inf
    closed: bool = False

    @property
    def settles_s(self) -> float:
        """Time in seconds at which bouncing is over, if no further edge comes."""
        return self.last_edge_s + BOUNCE_S


AT_REST = Contact()


def debounce(contact: Contact, closing: bool, at_s: float) -> tuple[Contact, bool]:
    """The contact after an edge at `at_s` seconds, and whether that edge is a press."""
    quiet = at_s >= contact.settles_s
    return Contact(at_s, closing), closing and quiet


class Gesture(StrEnum):
    """A way of pressing a button."""

    TAP = "tap"
    LONG = "long"
    DOUBLE = "double"


@dataclass(frozen=True, slots=True)
class EnabledGestures:
    """Which gestures besides the tap are recognised on a button, and their times in seconds.

    `tap_at_once`: with `long` alone, every press is a tap when it begins, whether it becomes a long one or not.
    """

    long: bool = False
    double: bool = False
    long_s: float = LONG_S
    double_s: float = DOUBLE_S
    tap_at_once: bool = False


@dataclass(frozen=True, slots=True)
class ButtonState:
    """State of a button.

    Attributes:
        contact: its contact.
        pressed_s: start (seconds) of a press that is not yet classified; None: there is none.
        held: whether that press still lasts.
    """

    contact: Contact = AT_REST
    pressed_s: float | None = None
    held: bool = False

    def due_s(self, enabled: EnabledGestures) -> float | None:
        """Time in seconds at which to call `elapse` if no edge comes; None: wait for the next edge."""
        if self.pressed_s is None:
            return None
        if enabled.long and self.held:
            settled = self.contact.settles_s
            return max(self.pressed_s + enabled.long_s, settled) if self.contact.closed else settled
        return self.pressed_s + enabled.double_s


Recognised = tuple[ButtonState, tuple[Gesture, ...]]
"""The new state of the button, and the gestures recognised so far."""


def edge(state: ButtonState, enabled: EnabledGestures, closing: bool, at_s: float) -> Recognised:
    """The state after an edge of the contact at `at_s`, and the gestures recognised by then."""
    state, before = elapse(state, enabled, at_s)
    contact, pressed = debounce(state.contact, closing, at_s)
    state = replace(state, contact=contact)
    if not pressed:
        return state, before
    if not (enabled.long or enabled.double):
        return state, (*before, Gesture.TAP)
    if state.pressed_s is not None and enabled.double and at_s < state.pressed_s + enabled.double_s:
        return replace(state, pressed_s=None, held=False), (*before, Gesture.DOUBLE)
    if enabled.tap_at_once:
        return replace(state, pressed_s=at_s, held=True), (*before, Gesture.TAP)
    if state.pressed_s is not None:  # the release was missed: the earlier press was a tap
        before = (*before, Gesture.TAP)
    return replace(state, pressed_s=at_s, held=True), before


def elapse(state: ButtonState, enabled: EnabledGestures, at_s: float) -> Recognised:
    """The state at `at_s` if no edge has come since, and the gestures recognised by then."""
    recognised: list[Gesture] = []
    while (due := state.due_s(enabled)) is not None and due <= at_s:
        state, gesture = _settle(state, enabled, due)
        recognised += [gesture] if gesture else []
    return state, tuple(recognised)


def after_missed_release(state: ButtonState, at_s: float) -> ButtonState:
    """The state after the contact was found open at `at_s`, although no opening edge was reported."""
    return replace(state, contact=Contact(at_s))


def _settle(state: ButtonState, enabled: EnabledGestures, at_s: float) -> tuple[ButtonState, Gesture | None]:
    """Classify the pending press at `at_s`: (new state, gesture); the gesture is None if none is recognised yet."""
    over = replace(state, pressed_s=None, held=False)
    if not (enabled.long and state.held):
        return over, Gesture.TAP  # no second press came
    if state.contact.closed:
        return over, Gesture.LONG
    if enabled.double and state.pressed_s is not None and at_s < state.pressed_s + enabled.double_s:
        return replace(state, held=False), None  # released: a second press may follow
    return over, None if enabled.tap_at_once else Gesture.TAP
