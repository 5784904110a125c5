"""What a gesture on a button leads to: an item for the session, or for the table's clock."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.agreement import Remedy
from companion.inbox import Button, Cube, CubeDeed, HintsHidden, Proposes, Tapped
from companion.timekeeper import ClockPaused
from hardware.gestures import DOUBLE_S, LONG_S, Gesture, Habits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.inbox import Item
    from companion.model import Side


class Deed(StrEnum):
    """What a gesture may be for."""

    ROLL = "roll"
    HINT = "hint"
    REFEREE = "referee"
    HIDE_HINTS = "hide hints"
    DOUBLE = "offer a double"
    TAKE_BACK = "ask for the turn back"
    PAUSE_CLOCK = "pause the clock"


def item_of(deed: Deed, at_s: float, player: Side | None = None) -> Item | ClockPaused:
    """What to post for `deed`; `player` where the button is one player's own."""
    match deed:
        case Deed.HIDE_HINTS:
            return HintsHidden(at_s)
        case Deed.DOUBLE:
            return Cube(CubeDeed.DOUBLE, at_s, player)
        case Deed.TAKE_BACK:
            return Proposes(Remedy.TAKEBACK.value, at_s, player)
        case Deed.PAUSE_CLOCK:
            return ClockPaused(at_s)
        case _:
            return Tapped(Button(deed.value), at_s, player)


@dataclass(frozen=True, slots=True)
class Gestures:
    """What the gestures on the buttons mean.

    Attributes:
        long_s, double_s: how long they take (`hardware.gestures`).
        more: for each button, what a long or a double press means; a tap is the button's own deed.
    """

    long_s: float = LONG_S
    double_s: float = DOUBLE_S
    more: Mapping[Button, Mapping[Gesture, Deed]] = field(
        default_factory=lambda: {
            Button.ROLL: {},
            Button.HINT: {Gesture.LONG: Deed.HIDE_HINTS},
            Button.REFEREE: {Gesture.LONG: Deed.PAUSE_CLOCK},
        }
    )

    def habits(self, button: Button) -> Habits:
        """Which gestures `button` knows: Roll by default only the tap, which is then reported at once."""
        more = self.more.get(button, {})
        return Habits(Gesture.LONG in more, Gesture.DOUBLE in more, self.long_s, self.double_s)

    def deed(self, button: Button, gesture: Gesture) -> Deed:
        """What `gesture` on `button` means."""
        return self.more.get(button, {}).get(gesture, Deed(button.value))
