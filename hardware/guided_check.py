"""The guided check of the panel: switches each light, waits for each button, and asks the user what happened."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Protocol

from gpiozero import DigitalInputDevice, DigitalOutputDevice

from hardware.checkup import Answers, diagnose
from hardware.factory import claiming
from hardware.sounder import ActiveSounder, PassiveSounder
from hardware.wiring import circuits, use_label

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gpiozero.pins import Factory

    from hardware.configuration import Configuration
    from hardware.wiring import Circuit

PATIENCE_S = 20.0
"""Seconds to wait for a button."""
LOOK_EVERY_S = 0.02
"""Seconds between two reads of the buttons."""
YES, NO = ("", "y", "yes"), ("n", "no")


class Terminal(Protocol):
    """The user's terminal."""

    def say(self, text: str) -> None:
        """Print a text."""

    def ask(self, question: str) -> str:
        """Print a question; returns the answer without its line end."""


class GuidedCheck:
    """One guided check; `run` returns the wiring faults."""

    def __init__(
        self,
        configuration: Configuration,
        factory: Factory,
        terminal: Terminal,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`clock` (seconds) and `sleep` time the wait for a button."""
        self._configuration, self._factory, self._terminal = configuration, factory, terminal
        self._clock, self._sleep = clock, sleep
        self._circuits = circuits(configuration)
        self._lights = [circuit for circuit in self._circuits if circuit.kind == "leds"]
        self._buttons = [circuit for circuit in self._circuits if circuit.kind == "button"]

    def run(self) -> list[str]:
        """Check the panel; returns one sentence for each fault. Raises GpioError if a pin is not available."""
        with ExitStack() as claimed:
            lights = {circuit.use: self._light(circuit, claimed) for circuit in self._lights}
            buttons = {circuit.use: self._button(circuit, claimed) for circuit in self._buttons}
            shining = self._seen("Everything is switched off. Is all dark?", nothing_expected=True) or ()
            closed = tuple(use for use, button in buttons.items() if button.is_active)
            lit = {use: self._lit(use, light) for use, light in lights.items()}
            heard = self._heard(claimed)
            pressed = {use: self._pressed(use, buttons) for use in buttons if use not in closed}
        return diagnose(self._circuits, Answers((*shining, *closed), lit, pressed, heard))

    def _light(self, circuit: Circuit, claimed: ExitStack) -> DigitalOutputDevice:
        sinks = circuit.use.startswith("light") and self._configuration.common_anode
        with claiming(use_label(circuit.use), circuit.pin):
            light = DigitalOutputDevice(circuit.pin, active_high=not sinks, pin_factory=self._factory)
        claimed.callback(light.close)
        return light

    def _button(self, circuit: Circuit, claimed: ExitStack) -> DigitalInputDevice:
        with claiming(use_label(circuit.use), circuit.pin):
            button = DigitalInputDevice(circuit.pin, pull_up=True, pin_factory=self._factory)
        claimed.callback(button.close)
        return button

    def _lit(self, use: str, light: DigitalOutputDevice) -> tuple[str, ...]:
        """Switch one light on alone; returns the lights that the user saw."""
        light.on()
        try:
            seen = self._seen(f"Does {use_label(use)} light, and nothing else?")
        finally:
            light.off()
        return (use,) if seen is None else seen

    def _seen(self, question: str, *, nothing_expected: bool = False) -> tuple[str, ...] | None:
        """The lights that the user sees; None if they are as expected."""
        if self._answers_yes(question):
            return () if nothing_expected else None
        names = [use_label(circuit.use) for circuit in self._lights]
        self._terminal.say("\n".join(f"  {number:2} {name}" for number, name in enumerate(names, 1)))
        while True:
            answer = self._terminal.ask("What lights? Numbers of this list, or Enter for nothing:")
            numbers = answer.replace(",", " ").split()
            if all(number.isdecimal() and 1 <= int(number) <= len(names) for number in numbers):
                return tuple(self._lights[int(number) - 1].use for number in numbers)
            self._terminal.say(
                f"{answer!r} is none of them: expected numbers from 1 to {len(names)}, such as 2 or 2, 5."
            )

    def _heard(self, claimed: ExitStack) -> bool:
        circuit = next(circuit for circuit in self._circuits if circuit.use == "buzzer")
        kind = PassiveSounder if circuit.kind == "piezo" else ActiveSounder
        with claiming("buzzer", circuit.pin):
            sounder = kind(circuit.pin, self._factory)
        claimed.callback(sounder.close)
        sounder.sound("A5")
        try:
            return self._answers_yes("Do you hear a tone?")
        finally:
            sounder.sound(None)

    def _pressed(self, use: str, buttons: dict[str, DigitalInputDevice]) -> tuple[str, ...]:
        """Ask for a press; returns the buttons that closed, without those that were closed before."""
        closed = {other for other, button in buttons.items() if button.is_active}
        self._terminal.say(f"Press {use_label(use)} and let go ({PATIENCE_S:.0f} seconds).")
        until_s = self._clock() + PATIENCE_S
        found: tuple[str, ...] = ()
        while not found and self._clock() < until_s:
            self._sleep(LOOK_EVERY_S)
            found = tuple(other for other, button in buttons.items() if button.is_active and other not in closed)
        while any(buttons[other].is_active for other in found) and self._clock() < until_s:
            self._sleep(LOOK_EVERY_S)
        return found

    def _answers_yes(self, question: str) -> bool:
        while True:
            answer = self._terminal.ask(f"{question} [Enter: yes, n: no]").strip().lower()
            if answer in (*YES, *NO):
                return answer in YES
            self._terminal.say(f"{answer!r} is neither: expected Enter, y or n.")


def report(faults: Sequence[str]) -> str:
    """The text at the end of the check."""
    if not faults:
        return "All is wired as configured."
    return "\n".join([f"{len(faults)} to put right:", *(f"- {fault}" for fault in faults)])
