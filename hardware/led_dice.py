"""A die of seven LEDs, wired as four groups: the centre, the two diagonals and the middle pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpiozero import LEDBoard

if TYPE_CHECKING:
    from gpiozero.pins import Factory

PATTERNS = {
    None: (0, 0, 0, 0),
    1: (1, 0, 0, 0),
    2: (0, 1, 0, 0),
    3: (1, 1, 0, 0),
    4: (0, 1, 1, 0),
    5: (1, 1, 1, 0),
    6: (0, 1, 1, 1),
}
"""Which groups (centre, diagonal, other diagonal, middle pair) light for a number; None is dark."""


class LedDice:
    """Two LED dice: White's and Black's in the opening roll, first and second otherwise."""

    def __init__(self, first: tuple[int, ...], second: tuple[int, ...], pin_factory: Factory | None = None) -> None:
        """`first` and `second` are the BCM pins of the four groups."""
        self._dice = (
            LEDBoard(*first, pin_factory=pin_factory),
            LEDBoard(*second, pin_factory=pin_factory),
        )

    def show(self, numbers: tuple[int, ...] | None) -> None:
        """Show one or two numbers from 1 to 6; None is dark, and so is the second die of a single number."""
        shown: tuple[int | None, ...] = (*(numbers or ()), None, None)
        for die, number in zip(self._dice, shown, strict=False):
            die.value = PATTERNS[number]

    def close(self) -> None:
        """Switch off and let the pins go."""
        for die in self._dice:
            die.close()
