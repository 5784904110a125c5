"""Two dice of seven LEDs each, wired as four groups: the centre, the two diagonals and the middle pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpiozero import LEDBoard

from hardware.light_worker import LightWorker

if TYPE_CHECKING:
    from gpiozero.pins import Factory

Pattern = tuple[int, int, int, int]
"""1 for each group that lights, else 0: centre, diagonal, other diagonal, middle pair."""
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
"""All seven LEDs; shown only while the dice flicker, because no die has this number."""
DARK = PATTERNS[None]
FLICKER_S = 0.06
"""Seconds that one frame of a flickering roll lasts."""
PAIR_S = 1.6
"""Seconds that two numbers of a pairing code are shown: time to read them out."""
GAP_S = 0.4
"""Seconds between them."""


def faces(numbers: tuple[int, ...] | None) -> Faces:
    """The patterns of both dice for one or two numbers; None, and a missing second number, are dark."""
    first, second, *_ = (*(numbers or ()), None, None)
    return PATTERNS[first], PATTERNS[second]


def roll_frames(numbers: tuple[int, ...], for_s: float) -> list[tuple[Faces, float]]:
    """Frames (patterns, seconds) of a roll: the dice flicker in turn for `for_s` seconds, then show `numbers`.

    The last frame stays. No earlier frame looks like a result.
    """
    flickers = round(for_s / FLICKER_S)
    alternating: list[tuple[Faces, float]] = [
        ((SEVEN, DARK) if n % 2 == 0 else (DARK, SEVEN), FLICKER_S) for n in range(flickers)
    ]
    return [*alternating, (faces(numbers), 0.0)]


def code_frames(code: tuple[int, ...], for_s: float) -> list[tuple[Faces, float]]:
    """Frames of a pairing code, two numbers at a time, again and again for about `for_s` seconds.

    Each round begins with seven pips on both dice: this distinguishes it from a roll and marks the first pair.
    """
    pairs = [faces(code[n : n + 2]) for n in range(0, len(code), 2)]
    one_round = [((SEVEN, SEVEN), GAP_S), ((DARK, DARK), GAP_S)]
    for pair in pairs:
        one_round += [(pair, PAIR_S), ((DARK, DARK), GAP_S)]
    return one_round * max(1, round(for_s / sum(seconds for _, seconds in one_round)))


class LedDice:
    """Two LED dice. In the opening roll the first is White's and the second Black's."""

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

        `brightness` is from 0 to 1; below 1 the pins need PWM. `roll_s` is the duration of `roll` in seconds.
        """
        self._brightness, self._roll_s = brightness, roll_s
        dimmed = brightness < 1
        self._dice = tuple(LEDBoard(*pins, pwm=dimmed, pin_factory=pin_factory) for pins in (first, second))
        self._worker: LightWorker[Faces] = LightWorker("dice", self._set)

    def show(self, numbers: tuple[int, ...] | None) -> None:
        """Show one or two numbers from 1 to 6; None: dark."""
        self._worker.play([(faces(numbers), 0.0)])

    def show_faces(self, shown: Faces) -> None:
        """Show any pattern on each die."""
        self._worker.play([(shown, 0.0)])

    def roll(self, numbers: tuple[int, ...]) -> None:
        """Flicker, then show `numbers`; the first frame is set before this returns."""
        self._worker.play(roll_frames(numbers, self._roll_s))

    def show_code(self, code: tuple[int, ...], for_s: float) -> None:
        """Show a pairing code for about `for_s` seconds."""
        self._worker.play(code_frames(code, for_s))

    def close(self) -> None:
        """Switch off and release the pins."""
        self._worker.close()
        for die in self._dice:
            die.close()

    def _set(self, shown: Faces) -> None:
        for die, pattern in zip(self._dice, shown, strict=True):
            die.value = tuple(self._brightness * lit for lit in pattern)
