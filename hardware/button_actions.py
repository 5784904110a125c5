"""Maps gestures on buttons to actions: items for the session or for the chess clock."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.clock import ClockPaused
from companion.game import Remedy
from companion.interface import Button, CubeActed, CubeAction, Draws, HintsHidden, Proposes, Resigns, Tapped
from hardware.gestures import DOUBLE_S, LONG_S, EnabledGestures, Gesture

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core import Side
    from companion.interface import Item


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


def item_of(action: ButtonAction, at_s: float, player: Side | None = None) -> Item | ClockPaused:
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
            return ClockPaused(at_s)
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
            Button.ROLL: {},
            Button.HINT: {Gesture.LONG: ButtonAction.HIDE_HINTS},
            Button.REFEREE: {Gesture.LONG: ButtonAction.PAUSE_CLOCK},
        }
    )

    def enabled(self, button: Button) -> EnabledGestures:
        """The gestures that are recognised on `button`; by default Roll has taps only, which are reported at once."""
        more = self.more.get(button, {})
        return EnabledGestures(Gesture.LONG in more, Gesture.DOUBLE in more, self.long_s, self.double_s)

    def action(self, button: Button, gesture: Gesture) -> ButtonAction:
        """The action of `gesture` on `button`."""
        return self.more.get(button, {}).get(gesture, ButtonAction(button.value))
