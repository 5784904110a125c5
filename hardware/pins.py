"""Which GPIO pin leads where: one table of BCM numbers, checked for clashes, changed by a TOML file."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from companion.model import BoardsideError

if TYPE_CHECKING:
    from pathlib import Path

FIRST, LAST = 0, 27
"""BCM numbers on the 40-pin header."""
RESERVED = {0: "the HAT's EEPROM", 1: "the HAT's EEPROM", 14: "the serial console", 15: "the serial console"}
GROUPS = ("centre", "diagonal", "other diagonal", "middle pair")
"""The four groups of a die's seven LEDs: one LED, two, two and two."""


class PinsError(BoardsideError):
    """A pin that cannot be used so; the text names it and the mend."""


@dataclass(frozen=True, slots=True)
class Pins:
    """BCM numbers. A die's four pins are its groups in the order of GROUPS, a light's three are red, green, blue."""

    roll: int = 17
    hint: int = 27
    referee: int = 22
    white_die: tuple[int, int, int, int] = (5, 6, 13, 19)
    black_die: tuple[int, int, int, int] = (12, 16, 20, 21)
    light: tuple[int, int, int] = (23, 24, 25)
    buzzer: int = 18

    def __post_init__(self) -> None:
        """Refuse pins that do not exist, are spoken for, or are given to two things."""
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
        """Every pin with what it is for."""
        uses = []
        for field in fields(self):
            value = getattr(self, field.name)
            pins = value if isinstance(value, tuple) else (value,)
            parts = ("red", "green", "blue") if field.name == "light" else GROUPS
            for part, pin in zip(parts, pins, strict=False):
                uses.append((pin, f"{field.name} ({part})" if isinstance(value, tuple) else field.name))
        return uses


def load_pins(path: Path) -> Pins:
    """The pins of a TOML file: table `[pins]`, keys as in `Pins`, the rest as by default. Raises PinsError."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise PinsError(f"cannot read {str(path)!r}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PinsError(f"{str(path)!r} is not TOML: {error}") from error
    table = data.get("pins", {})
    if not isinstance(table, dict):
        raise PinsError(f"{str(path)!r}: pins = {table!r}: expected a table [pins]")
    try:
        changed: dict[str, Any] = {key: _checked(key, value) for key, value in table.items()}
        return replace(Pins(), **changed)
    except PinsError as error:
        raise PinsError(f"{str(path)!r}: {error}") from error


def _checked(key: str, value: Any) -> int | tuple[int, ...]:
    """A value of the file, of the form that the default has."""
    known = {field.name: field.default for field in fields(Pins)}
    if key not in known:
        raise PinsError(f"unknown key {key!r}; known are {', '.join(known)}")
    default = known[key]
    if isinstance(default, tuple):
        if isinstance(value, list) and len(value) == len(default) and all(type(pin) is int for pin in value):
            return tuple(value)
        raise PinsError(f"{key} = {value!r}: expected {len(default)} pins such as {list(default)}")
    if type(value) is not int:
        raise PinsError(f"{key} = {value!r}: expected a pin such as {default}")
    return value
