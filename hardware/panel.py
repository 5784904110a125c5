"""The panel beside the board: three buttons, two LED dice, a status light and a buzzer.

A button's callback only reports the tap; everything shown follows from snapshots.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

from gpiozero import RGBLED, Buzzer
from gpiozero import Button as ContactButton
from gpiozero.pins.mock import MockFactory

from companion.inbox import Button
from companion.snapshot import Light, Phase, Snapshot
from hardware.debounce import Contact, debounce
from hardware.factory import claiming
from hardware.led_dice import LedDice

if TYPE_CHECKING:
    from collections.abc import Callable

    from gpiozero.pins import Factory

    from hardware.pins import Pins

COLOURS = {
    Light.OFF: (0.0, 0.0, 0.0),
    Light.AMBER: (1.0, 0.35, 0.0),
    Light.GREEN: (0.0, 1.0, 0.0),
    Light.RED: (1.0, 0.0, 0.0),
    Light.BLUE: (0.0, 0.0, 1.0),
}
"""Red, green, blue from 0 to 1; amber leans to red, since a green LED looks brighter at the same current."""
BEEP_S = 0.06


class Panel:
    """All devices of the panel; `close` lets their pins go."""

    def __init__(
        self,
        pins: Pins,
        factory: Factory,
        tapped: Callable[[Button, float], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Claim the pins. `tapped(button, at_s)` is called from the pins' own thread, `clock` gives the seconds.

        Raises GpioError naming the pin that cannot be had.
        """
        self._factory = factory
        self._tapped = tapped
        self._clock = clock
        self._shown: Snapshot | None = None
        self._numbers = {Button.ROLL: pins.roll, Button.HINT: pins.hint, Button.REFEREE: pins.referee}
        self._contacts = dict.fromkeys(Button, Contact())
        with ExitStack() as claimed:
            for button, pin in self._numbers.items():
                with claiming(f"button {button}", pin):
                    claimed.callback(self._button(button, pin).close)
            with claiming("LED dice", *pins.white_die, *pins.black_die):
                self._dice = LedDice(pins.white_die, pins.black_die, factory)
                claimed.callback(self._dice.close)
            with claiming("status light", *pins.light):
                self._light = RGBLED(*pins.light, pin_factory=factory)
                claimed.callback(self._light.close)
            with claiming("buzzer", pins.buzzer):
                self._buzzer = Buzzer(pins.buzzer, pin_factory=factory)
                claimed.callback(self._buzzer.close)
            self._claimed = claimed.pop_all()

    @property
    def on_mock_pins(self) -> bool:
        """Whether the pins lead nowhere."""
        return isinstance(self._factory, MockFactory)

    def show(self, snapshot: Snapshot) -> None:
        """Show dice and light, and beep where something new wants attention."""
        self._dice.show(snapshot.dice)
        self._light.color = COLOURS[snapshot.light]
        count = beeps(self._shown, snapshot)
        self._shown = snapshot
        if count:
            self._buzzer.beep(BEEP_S, BEEP_S, count)

    def press(self, button: Button) -> None:
        """On mock pins: press the button as a finger would, and let go."""
        pin = self._factory.pin(self._numbers[button])
        pin.drive_low()
        pin.drive_high()

    def close(self) -> None:
        """Switch everything off."""
        self._claimed.close()

    def _button(self, button: Button, pin: int) -> ContactButton:
        device = ContactButton(pin, pin_factory=self._factory)  # to ground, pulled up
        device.when_pressed = partial(self._edge, button, True)
        device.when_released = partial(self._edge, button, False)
        return device

    def _edge(self, button: Button, closing: bool) -> None:
        at_s = self._clock()
        self._contacts[button], tap = debounce(self._contacts[button], closing, at_s)
        if tap:
            self._tapped(button, at_s)


def beeps(before: Snapshot | None, now: Snapshot) -> int:
    """How often to beep: once for dice, twice where the light turns red, three times when a game is over."""
    if before is None:
        return 0
    if now.phase is Phase.OVER and before.phase is not Phase.OVER:
        return 3
    if now.light is Light.RED and before.light is not Light.RED:
        return 2
    return int(now.dice is not None and (now.dice, len(now.history)) != (before.dice, len(before.history)))
