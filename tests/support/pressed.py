"""Presses the panel's buttons on mock pins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.panel import buttons_of

if TYPE_CHECKING:
    from gpiozero.pins.mock import MockFactory

    from companion.core import Side
    from companion.interface import Button
    from hardware.pins import Pins


def press(factory: MockFactory, pins: Pins, button: Button, player: Side | None = None) -> None:
    """Press and release a button; `player` is its owner, None for one that both players share."""
    pin = factory.pin(buttons_of(pins)[button, player])
    pin.drive_low()
    pin.drive_high()
