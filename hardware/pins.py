"""The pin assignment: BCM numbers, checked for duplicates and for pins that the system uses."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from companion.core import BoardsideError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FIRST, LAST = 0, 27
"""Range of the BCM numbers on the 40-pin header."""
RESERVED = dict.fromkeys((0, 1), "the bus that identifies a HAT (ID_SD, ID_SC)")
"""Pins that are never free, and their use."""
GROUPS = ("centre", "diagonal", "other diagonal", "middle pair")
"""The four groups of a die's seven LEDs: 1, 2, 2 and 2 LEDs."""
COLOURS = ("red", "green", "blue")


@dataclass(frozen=True, slots=True)
class Bus:
    """A bus of the system: when it is on, `device` exists under /dev and `pins` (BCM) are not free.

    `off` is the line in /boot/firmware/config.txt that switches it off.
    """

    name: str
    pins: tuple[int, ...]
    device: str
    off: str


BUSES = (
    Bus("the serial port", (14, 15), "serial0", "enable_uart=0"),
    Bus("the I2C bus", (2, 3), "i2c-1", "dtparam=i2c_arm=off"),
    Bus("the SPI bus", (7, 8, 9, 10, 11), "spidev0.*", "dtparam=spi=off"),
)
"""The buses that `raspi-config` can switch on."""


class PinsError(BoardsideError):
    """A pin assignment is invalid; the text names the pin and the repair."""


@dataclass(frozen=True, slots=True)
class Pins:
    """BCM numbers. A die's pins are in the order of GROUPS, the light's in the order of COLOURS.

    `white_roll` and `black_roll` are Roll buttons of one player each; None: not wired.
    """

    roll: int = 17
    hint: int = 27
    referee: int = 22
    white_roll: int | None = None
    black_roll: int | None = None
    white_die: tuple[int, int, int, int] = (5, 6, 13, 19)
    black_die: tuple[int, int, int, int] = (12, 16, 20, 21)
    light: tuple[int, int, int] = (23, 24, 25)
    buzzer: int = 18

    def __post_init__(self) -> None:
        """Raise PinsError for a pin that does not exist, is reserved, or is assigned twice."""
        taken: dict[int, str] = {}
        for pin, use in self.uses():
            if not FIRST <= pin <= LAST:
                raise PinsError(f"{use} = {pin}: expected a BCM number from {FIRST} to {LAST}")
            if pin in RESERVED:
                raise PinsError(f"{use} = {pin}: that pin belongs to {RESERVED[pin]}; choose another")
            if pin in taken:
                raise PinsError(f"pin {pin} is given to both {taken[pin]} and {use}: choose another for one of them")
            taken[pin] = use

    def uses(self) -> list[tuple[int, str]]:
        """Pairs of BCM number and use, such as (5, "white_die (centre)")."""
        uses = []
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, tuple):
                parts = COLOURS if field.name == "light" else GROUPS
                uses += [(pin, f"{field.name} ({part})") for part, pin in zip(parts, value, strict=True)]
            elif value is not None:
                uses.append((value, field.name))
        return uses


def refuse_busy(pins: Pins, devices: Path) -> None:
    """Raise PinsError for a pin that an active bus of this machine uses; `devices` is the device folder (/dev)."""
    for bus in BUSES:
        clash = _first_on(pins, bus.pins)
        if clash is not None and any(devices.glob(bus.device)):
            pin, use = clash
            raise PinsError(
                f"{use} = {pin}: on this machine {bus.name} uses that pin; choose another, or switch the bus off "
                f"(raspi-config, or {bus.off} in /boot/firmware/config.txt)"
            )


def _first_on(pins: Pins, numbers: Iterable[int]) -> tuple[int, str] | None:
    """The first pin and use whose BCM number is in `numbers`; None: there is none."""
    return next(((pin, use) for pin, use in pins.uses() if pin in set(numbers)), None)
