"""The status light: one RGB LED."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpiozero import RGBLED

from companion.interface import Light

if TYPE_CHECKING:
    from gpiozero.pins import Factory

Colour = tuple[float, float, float]

COLOURS: dict[Light, Colour] = {
    Light.OFF: (0.0, 0.0, 0.0),
    Light.AMBER: (1.0, 0.35, 0.0),
    Light.GREEN: (0.0, 1.0, 0.0),
    Light.RED: (1.0, 0.0, 0.0),
    Light.BLUE: (0.0, 0.0, 1.0),
}
"""Red, green, blue from 0 to 1. Amber has more red because a green LED looks brighter at the same current."""


def colour_of(light: Light, brightness: float, *, dims: bool) -> Colour:
    """Values of the three LEDs; without PWM (`dims` false) each is 0 or 1."""
    red, green, blue = COLOURS[light]
    if not dims:
        return float(red > 0), float(green > 0), float(blue > 0)
    return red * brightness, green * brightness, blue * brightness


class StatusLight:
    """The light on three pins."""

    def __init__(
        self,
        pins: tuple[int, int, int],
        pin_factory: Factory | None = None,
        *,
        brightness: float = 1.0,
        dims: bool = True,
        common_anode: bool = False,
    ) -> None:
        """`pins` (BCM) are red, green, blue; `dims`: they have PWM; `common_anode`: the long leg is at 3.3 V."""
        self._brightness, self._dims = brightness, dims
        self._led = RGBLED(*pins, active_high=not common_anode, pwm=dims, pin_factory=pin_factory)

    def show(self, light: Light) -> None:
        """Show the colour of `light`."""
        self._led.color = colour_of(light, self._brightness, dims=self._dims)

    def close(self) -> None:
        """Switch off and release the pins."""
        self._led.close()
