"""The circuit on each pin: parts, resistors, and the current, computed for worst-case part tolerances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardware.led_dice import PATTERNS, SEVEN
from hardware.pins import COLOURS as LIGHT_COLOURS
from hardware.pins import GROUPS
from hardware.status_light import COLOURS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.configuration import Configuration

_PLACES = (27, 28, 3, 5, 7, 29, 31, 26, 24, 21, 19, 23, 32, 33, 8, 10, 36, 11, 12, 35, 38, 40, 15, 16, 18, 22, 37, 13)
HEADER = dict(enumerate(_PLACES))
"""Header pin (1 to 40) of each BCM number; pin 1 is at the board's corner."""
GROUND = (6, 9, 14, 20, 25, 30, 34, 39)
"""Header pins at ground."""
SUPPLY = {1: "3.3 V", 17: "3.3 V", 2: "5 V", 4: "5 V"}
"""Header pins with a supply voltage."""

PIN_V = 3.3
"""Output voltage of a pin that is high."""
ALL_PINS_MA = 50.0
"""Largest current of all pins together, as Raspberry Pi specified it for the first boards; no later figure exists."""
GROUP_LEDS = (1, 2, 2, 2)
"""LEDs in the four groups of a die. Each LED has its own resistor, otherwise one of a pair may stay dark."""

RED_V, GREEN_V, BLUE_V = 1.8, 2.7, 2.7
"""Smallest forward voltages in data sheets of 5 mm LEDs (largest current); typical are 2.0, 3.0 and 3.0 V."""
DIE_OHM, RED_OHM, OTHER_OHM = 560, 560, 150
"""Resistors of the E12 series that keep double six with the status light on below ALL_PINS_MA; modern LEDs are bright
from 1 mA on."""
BASE_OHM, PIEZO_OHM = 1000, 1000
"""Resistor at the base of an active buzzer's transistor; resistor that limits the charging current of a piezo disc."""
BASE_V = 0.7
"""Base-emitter voltage of the transistor."""


@dataclass(frozen=True, slots=True)
class Circuit:
    """The circuit on one pin.

    Attributes:
        pin: the BCM number; `place` is its header pin.
        use: its use, as in `hardware.pins.Pins.uses`.
        kind: "button", "leds", "transistor" or "piezo".
        leds: number of LEDs, each with its own resistor.
        ohm: value of the resistor; 0: none.
        pin_ma: largest current through the pin.
    """

    pin: int
    use: str
    kind: str
    leds: int = 0
    ohm: int = 0
    pin_ma: float = 0.0

    @property
    def place(self) -> int:
        """The header pin, 1 to 40."""
        return HEADER[self.pin]


def circuits(configuration: Configuration) -> list[Circuit]:
    """The circuit of each pin, in the order of the configuration."""
    return [_circuit(pin, use, configuration) for pin, use in configuration.pins.uses()]


def use_label(use: str) -> str:
    """The use of a pin in words, such as "White's die, centre"."""
    name, part = _parts(use)
    label = {
        "roll": "Roll",
        "hint": "Hint",
        "referee": "Referee",
        "white_roll": "White's Roll",
        "black_roll": "Black's Roll",
        "white_die": "White's die",
        "black_die": "Black's die",
        "light": "status light",
        "buzzer": "buzzer",
    }[name]
    return f"{label}, {part}" if part else label


def largest_current_ma(configuration: Configuration) -> float:
    """Largest current through all pins at once, in mA: two dice, the light's strongest colour, and a tone."""
    found = circuits(configuration)

    def of(name: str) -> list[float]:
        return [circuit.pin_ma for circuit in found if circuit.use.startswith(name)]

    dice = sum(max(_lit(of(die), pattern) for pattern in PATTERNS.values()) for die in ("white_die", "black_die"))
    rolling = max(_lit(of(die), SEVEN) for die in ("white_die", "black_die"))
    return max(dice, rolling) + max(_lit(of("light"), colour) for colour in COLOURS.values()) + sum(of("buzzer"))


def _circuit(pin: int, use: str, configuration: Configuration) -> Circuit:
    name, part = _parts(use)
    if name.endswith("_die"):
        leds = GROUP_LEDS[GROUPS.index(part)]
        return Circuit(pin, use, "leds", leds, DIE_OHM, leds * _ma(RED_V, DIE_OHM))
    if name == "light":
        leds_of_light = (RED_V, RED_OHM), (GREEN_V, OTHER_OHM), (BLUE_V, OTHER_OHM)
        volt, ohm = leds_of_light[LIGHT_COLOURS.index(part)]
        return Circuit(pin, use, "leds", 1, ohm, _ma(volt, ohm))
    if name == "buzzer" and configuration.buzzer == "active":
        return Circuit(pin, use, "transistor", 0, BASE_OHM, _ma(BASE_V, BASE_OHM))
    if name == "buzzer":
        return Circuit(pin, use, "piezo", 0, PIEZO_OHM, _ma(0.0, PIEZO_OHM))
    return Circuit(pin, use, "button")


def _parts(use: str) -> tuple[str, str]:
    """The device in a pin's use, and the part of it; empty where it has one pin."""
    name, _, part = use.partition(" (")
    return name, part.removesuffix(")")


def _ma(forward_v: float, ohm: int) -> float:
    return 1000 * (PIN_V - forward_v) / ohm


def _lit(currents: Sequence[float], lit: Sequence[float]) -> float:
    """The sum of the currents of the lit LEDs, in mA."""
    return sum(ma for ma, on in zip(currents, lit, strict=True) if on)
