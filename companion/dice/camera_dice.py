"""Tracks the players' own dice in the camera: dice on the board, dice of the last roll, dice thrown too early."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules import RIGHT_HAND

if TYPE_CHECKING:
    from companion.core import Die, Side

Lying = tuple["Die", ...]


class DiceTracker:
    """Tracks the dice from one settled observation to the next.

    Attributes:
        lying: the dice of the last settled observation; empty where none can be read.
    """

    def __init__(self) -> None:
        self.lying: Lying = ()
        self._last_roll: Lying = ()
        self._early: Lying = ()

    def saw(self, lying: Lying, rolled: tuple[int, ...] | None, *, complete: bool) -> None:
        """Take a settled observation.

        `rolled` is the roll of the current turn, None between turns; `complete`: whether its play is complete, so
        that the next throw may come.
        """
        self.lying = lying
        if not self._last_roll and rolled is not None and sorted(d.value for d in lying) == sorted(rolled):
            self._last_roll = lying  # after a restart: these are the dice of the current turn
        if not complete and lying and not same(lying, self._last_roll):
            self._early = lying

    def forget(self) -> None:
        """Discard the last observation: something moves over the board."""
        self.lying = ()

    def take(self) -> Lying:
        """Use the dice on the board as the roll."""
        self._last_roll, self._early = self.lying, ()
        return self.lying

    @property
    def is_last_roll(self) -> bool:
        """Whether the dice of the last roll still lie unmoved."""
        return same(self.lying, self._last_roll)

    @property
    def early(self) -> bool:
        """Whether the dice on the board were thrown before the play was complete."""
        return same(self.lying, self._early)

    @property
    def picked_up(self) -> bool:
        """Whether the last roll was seen and none of its dice is on the board any more."""
        return bool(self._last_roll) and not any(die.stays(old) for die in self.lying for old in self._last_roll)

    def touched(self, roller: Side) -> bool:
        """Whether the dice of `roller`'s roll were moved.

        False if a die is on the other half, where it may be the opponent's early throw, and while none are seen.
        """
        if len(self.lying) != len(self._last_roll) or not self._last_roll or self.is_last_roll:
            return False
        return all(die.half is RIGHT_HAND[roller] for die in (*self.lying, *self._last_roll))


def same(dice: Lying, others: Lying) -> bool:
    """Whether two observations show the same unmoved dice: equal count, each die with its number and place."""
    if not dice or len(dice) != len(others):
        return False
    left = list(others)
    for die in dice:
        match = next((other for other in left if die.stays(other)), None)
        if match is None:
            return False
        left.remove(match)
    return True
