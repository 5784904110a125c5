"""Maps gestures on buttons to actions: items for the session or for the chess clock."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.clock import ClockPaused
from companion.game import Remedy
from companion.interface import Button, CubeActed, CubeAction, Draws, HintsHidden, Item, Proposes, Resigns, Tapped
from companion.seats import CodeAsked
from hardware.gestures import DOUBLE_S, LONG_S, EnabledGestures, Gesture

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core import Side


HOLD_S = 2.0
"""Seconds that Roll is held for a pairing code: longer than any tap, since the tap itself rolls."""


class ButtonAction(StrEnum):
    """An action that a gesture can start; the values are those of the configuration file."""

    ROLL = "roll"
    HINT = "hint"
    REFEREE = "referee"
    HIDE_HINTS = "hide hints"
    DOUBLE = "offer a double"
    TAKE_BACK = "ask for the turn back"
    RESIGN = "offer to resign"
    OFFER_DRAW = "offer a draw"
    PAUSE_CLOCK = "pause the clock"
    SHOW_CODE = "show a pairing code"


Pressed = Item | ClockPaused | CodeAsked
"""What a gesture asks for: of the session, of the chess clock, or of the desk where devices get seats."""


def item_of(action: ButtonAction, at_s: float, player: Side | None = None) -> Pressed:
    """The item to post for `action`; `player` is the owner of the button, None for a shared button."""
    match action:
        case ButtonAction.HIDE_HINTS:
            return HintsHidden(at_s)
        case ButtonAction.DOUBLE:
            return CubeActed(CubeAction.DOUBLE, at_s, player)
        case ButtonAction.TAKE_BACK:
            return Proposes(Remedy.TAKEBACK, at_s, player)
        case ButtonAction.RESIGN:
            return Resigns(player, "", at_s)
        case ButtonAction.OFFER_DRAW:
            return Draws(claimed=False, at_s=at_s, player=player)
        case ButtonAction.PAUSE_CLOCK:
            return ClockPaused()
        case ButtonAction.SHOW_CODE:
            return CodeAsked()
        case _:
            return Tapped(Button(action.value), at_s, player)


@dataclass(frozen=True, slots=True)
class Gestures:
    """Which action each gesture on each button starts.

    Attributes:
        long_s, double_s: times in seconds (`hardware.gestures.LONG_S`, `DOUBLE_S`).
        more: for each button, the actions of a long and a double press; a tap always starts the action named after
            the button.
    """

    long_s: float = LONG_S
    double_s: float = DOUBLE_S
    more: Mapping[Button, Mapping[Gesture, ButtonAction]] = field(
        default_factory=lambda: {
            Button.ROLL: {Gesture.LONG: ButtonAction.SHOW_CODE},
            Button.HINT: {Gesture.LONG: ButtonAction.HIDE_HINTS},
            Button.REFEREE: {Gesture.LONG: ButtonAction.PAUSE_CLOCK},
        }
    )

    def enabled(self, button: Button) -> EnabledGestures:
        """The gestures that are recognised on `button`.

        A button whose only other gesture shows a pairing code taps at once: dice light as soon as Roll is pressed.
        """
        more = self.more.get(button, {})
        at_once = set(more.items()) == {(Gesture.LONG, ButtonAction.SHOW_CODE)}
        long_s = max(self.long_s, HOLD_S) if at_once else self.long_s
        return EnabledGestures(Gesture.LONG in more, Gesture.DOUBLE in more, long_s, self.double_s, at_once)

    def action(self, button: Button, gesture: Gesture) -> ButtonAction:
        """The action of `gesture` on `button`."""
        return self.more.get(button, {}).get(gesture, ButtonAction(button.value))
