"""The panel beside the board: buttons, two LED dice, a status light and a buzzer.

Buttons only post items; lights and sounds follow from snapshots.
"""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

from gpiozero.pins.mock import MockFactory

from companion.core import Side
from companion.interface import Button, Light, PanelPart, Press
from companion.seats import CODE_S
from hardware.button_actions import item_of
from hardware.factory import claiming, dims, refuse_undimmable
from hardware.led_dice import DARK, SEVEN, LedDice
from hardware.push_button import PushButton
from hardware.sounder import ActiveSounder, PassiveSounder, TunePlayer, newly_rolled, tune
from hardware.status_light import StatusLight

if TYPE_CHECKING:
    from collections.abc import Callable

    from gpiozero.pins import Factory

    from companion.interface import Snapshot
    from companion.seats import Code
    from hardware.button_actions import Pressed
    from hardware.configuration import Configuration
    from hardware.gestures import Gesture
    from hardware.pins import Pins
    from hardware.sounder import Tune

Buttons = dict[tuple[Button, Side | None], int]
CHECK_S = 3.0
"""Seconds that a part is on while it is checked."""
LISTEN_S = 6.0
"""Seconds after the last call of `heard` or `check` in which presses are only reported and have no other effect."""
NEVER_S = float("inf")


CHECKED_LIGHTS = {PanelPart.RED: Light.RED, PanelPart.GREEN: Light.GREEN, PanelPart.BLUE: Light.BLUE}
CHECKED_TUNE: Tune = (("A5", 0.6),)


def buttons_of(pins: Pins) -> Buttons:
    """BCM pin of every wired button, by button and owner (None: shared by both players)."""
    wired: dict[tuple[Button, Side | None], int | None] = {
        (Button.ROLL, None): pins.roll,
        (Button.HINT, None): pins.hint,
        (Button.REFEREE, None): pins.referee,
        (Button.ROLL, Side.WHITE): pins.white_roll,
        (Button.ROLL, Side.BLACK): pins.black_roll,
    }
    return {button: pin for button, pin in wired.items() if pin is not None}


class Panel:
    """All devices of the panel. Thread-safe; after `close`, `show` does nothing."""

    def __init__(
        self,
        configuration: Configuration,
        factory: Factory,
        post: Callable[[Pressed], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Claim the pins. `post` is called from gpiozero's thread; `clock` returns seconds.

        Raises GpioError if a pin is not available or PWM is missing.
        """
        refuse_undimmable(configuration, factory)
        self._configuration, self._factory = configuration, factory
        self._post, self._clock = post, clock
        self._shown: Snapshot | None = None
        self._changing = threading.Lock()
        self._closed = False
        self._checks_until_s, self._listens_until_s = NEVER_S, -NEVER_S
        self._heard: Press | None = None
        with ExitStack() as claimed:
            for (button, player), pin in buttons_of(configuration.pins).items():
                with claiming(f"button {button}", pin):
                    claimed.callback(self._button(button, player, pin).close)
            self._claim_lights(claimed)
            self._claimed = claimed.pop_all()

    @property
    def on_mock_pins(self) -> bool:
        """Whether the pins are mock pins."""
        return isinstance(self._factory, MockFactory)

    def show(self, snapshot: Snapshot) -> None:
        """Show the dice and the status light of `snapshot`; play a tune if something new happened."""
        with self._changing:
            if self._closed:
                return
            before, self._shown = self._shown, snapshot
            if newly_rolled(before, snapshot) and snapshot.dice is not None:
                self._dice.roll(snapshot.dice)
            elif before is None or snapshot.dice != before.dice:  # unchanged dice: let a flickering roll end by itself
                self._dice.show(snapshot.dice)
            self._light.show(snapshot.light)
            self._tunes.play(tune(before, snapshot))

    def show_code(self, code: Code | None) -> None:
        """Show a pairing code on the dice until the next roll; None: the dice of the game again."""
        with self._changing:
            if self._closed:
                return
            if code is not None:
                self._dice.show_code(code, CODE_S)
            else:
                self._dice.show(None if self._shown is None else self._shown.dice)

    def check(self, what: PanelPart) -> None:
        """Switch one part on alone for CHECK_S seconds, or listen to the buttons only, for LISTEN_S seconds."""
        with self._changing:
            if self._closed:
                return
            now_s = self._clock()
            if self._listens_until_s <= now_s:
                self._heard = None
            self._listens_until_s = now_s + LISTEN_S
            if what is PanelPart.BUTTONS:
                return
            self._checks_until_s = now_s + CHECK_S
            dice = [SEVEN if what is die else DARK for die in (PanelPart.WHITE_DIE, PanelPart.BLACK_DIE)]
            self._dice.show_faces((dice[0], dice[1]))
            self._light.show(CHECKED_LIGHTS.get(what, Light.OFF))
            if what is PanelPart.BUZZER:
                self._tunes.play(CHECKED_TUNE)

    def heard(self) -> Press | None:
        """The last press since listening began; a call keeps the panel listening. None: not listening, or no press."""
        with self._changing:
            if self._listens_until_s <= self._clock():
                self._heard = None
            else:
                self._listens_until_s = self._clock() + LISTEN_S
            return self._heard

    def tick(self) -> None:
        """Call about once a second: shows the game's state again after a check."""
        with self._changing:
            if not self._closed and self._checks_until_s <= self._clock():
                self._restore()

    def close(self) -> None:
        """Switch everything off and release the pins. A second call does nothing."""
        with self._changing:
            self._closed = True
            self._claimed.close()

    def _button(self, button: Button, player: Side | None, pin: int) -> PushButton:
        enabled = self._configuration.gestures.enabled(button)
        return PushButton(pin, enabled, partial(self._recognised, button, player), self._clock, self._factory)

    def _restore(self) -> None:
        """Show the game again where a part was checked; the caller holds the lock."""
        if self._checks_until_s == NEVER_S:
            return
        self._checks_until_s = NEVER_S
        self._dice.show(None if self._shown is None else self._shown.dice)
        self._light.show(Light.OFF if self._shown is None else self._shown.light)

    def _recognised(self, button: Button, player: Side | None, gesture: Gesture, at_s: float) -> None:
        if self._clock() < self._listens_until_s:  # without the lock, which `close` holds while it ends this thread
            before = self._heard  # `heard` and `check` may clear it meanwhile
            self._heard = Press(button, player, 1 if before is None else before.number + 1)
            return
        self._post(item_of(self._configuration.gestures.action(button, gesture), at_s, player))

    def _claim_lights(self, claimed: ExitStack) -> None:
        """Claim the pins of dice, status light and buzzer."""
        wanted, pins, factory = self._configuration, self._configuration.pins, self._factory
        with claiming("LED dice", *pins.white_die, *pins.black_die):
            self._dice = LedDice(
                pins.white_die, pins.black_die, factory, brightness=wanted.dice_brightness, roll_s=wanted.roll_s
            )
            claimed.callback(self._dice.close)
        with claiming("status light", *pins.light):
            self._light = StatusLight(
                pins.light,
                factory,
                brightness=wanted.light_brightness,
                dims=dims(factory),
                common_anode=wanted.common_anode,
            )
            claimed.callback(self._light.close)
        with claiming("buzzer", pins.buzzer):
            sounder = (PassiveSounder if wanted.buzzer == "passive" else ActiveSounder)(pins.buzzer, factory)
            self._tunes = TunePlayer(sounder)
            claimed.callback(self._tunes.close)
