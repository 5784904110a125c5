"""Two dice of seven LEDs each, wired as four groups: the centre, the two diagonals and the middle pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpiozero import LEDBoard

from hardware.performer import Performer

if TYPE_CHECKING:
    from gpiozero.pins import Factory

Pattern = tuple[int, int, int, int]
"""Which groups light: centre, diagonal, other diagonal, middle pair."""
Faces = tuple[Pattern, Pattern]

PATTERNS: dict[int | None, Pattern] = {
    None: (0, 0, 0, 0),
    1: (1, 0, 0, 0),
    2: (0, 1, 0, 0),
    3: (1, 1, 0, 0),
    4: (0, 1, 1, 0),
    5: (1, 1, 1, 0),
    6: (0, 1, 1, 1),
}
"""Which groups light for a number; None is dark."""
SEVEN: Pattern = (1, 1, 1, 1)
"""All seven LEDs: a number no die has. While a roll is on its way a die shows this or nothing."""
DARK = PATTERNS[None]
FLICKER_S = 0.06
"""How long a frame of a roll lasts: long enough to be seen, too short to be counted."""


def faces(numbers: tuple[int, ...] | None) -> Faces:
    """What the two dice show for one or two numbers; None is dark, and so is the second die of a single number."""
    first, second, *_ = (*(numbers or ()), None, None)
    return PATTERNS[first], PATTERNS[second]


def roll_frames(numbers: tuple[int, ...], for_s: float) -> list[tuple[Faces, float]]:
    """A roll that lasts `for_s` seconds and comes to rest on `numbers`: all LEDs of one die, then of the other.

    The last frame, which stays, is the result, and no frame before it can be taken for one.
    """
    flickers = round(for_s / FLICKER_S)
    alternating: list[tuple[Faces, float]] = [
        ((SEVEN, DARK) if n % 2 == 0 else (DARK, SEVEN), FLICKER_S) for n in range(flickers)
    ]
    return [*alternating, (faces(numbers), 0.0)]


class LedDice:
    """Two LED dice: White's and Black's in the opening roll, first and second otherwise."""

    def __init__(
        self,
        first: tuple[int, ...],
        second: tuple[int, ...],
        pin_factory: Factory | None = None,
        *,
        brightness: float = 1.0,
        roll_s: float = 0.0,
    ) -> None:
        """`first` and `second` are the BCM pins of the four groups.

        `brightness` is from 0 to 1; below 1 the pins must be able to dim. `roll_s` is how long `roll` lasts.
        """
        self._brightness, self._roll_s = brightness, roll_s
        dimmed = brightness < 1
        self._dice = tuple(LEDBoard(*pins, pwm=dimmed, pin_factory=pin_factory) for pins in (first, second))
        self._performer: Performer[Faces] = Performer("dice", self._set)

    def show(self, numbers: tuple[int, ...] | None) -> None:
        """Show one or two numbers from 1 to 6, or nothing, steadily."""
        self._performer.play([(faces(numbers), 0.0)])

    def roll(self, numbers: tuple[int, ...]) -> None:
        """Show that something is rolled, then `numbers`; the first LEDs light before this returns."""
        self._performer.play(roll_frames(numbers, self._roll_s))

    def close(self) -> None:
        """Switch off and let the pins go."""
        self._performer.close()
        for die in self._dice:
            die.close()

    def _set(self, shown: Faces) -> None:
        for die, pattern in zip(self._dice, shown, strict=True):
            die.value = tuple(self._brightness * lit for lit in pattern)
