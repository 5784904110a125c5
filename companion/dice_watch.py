"""The players' own dice as the camera sees them: which lie there, which were rolled with, which came too early."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.dice_manners import RIGHT_HAND

if TYPE_CHECKING:
    from companion.model import Side
    from companion.observation import Die

Lying = tuple["Die", ...]


class DiceWatch:
    """Follows the dice from look to look.

    Attributes:
        lying: what the last settled look shows; empty where it shows none, or none that can be told.
    """

    def __init__(self) -> None:
        self.lying: Lying = ()
        self._taken: Lying = ()
        self._early: Lying = ()

    def saw(self, lying: Lying, rolled: tuple[int, ...] | None, *, complete: bool) -> None:
        """A settled look.

        `rolled` is what the turn under way was rolled with, None between turns; `complete`: nothing more has to be
        played before the next throw.
        """
        self.lying = lying
        if not self._taken and rolled is not None and sorted(d.value for d in lying) == sorted(rolled):
            self._taken = lying  # after a restart: these are the dice of the turn that goes on
        if not complete and lying and not same(lying, self._taken):
            self._early = lying

    def forget(self) -> None:
        """Something moves over the board."""
        self.lying = ()

    def take(self) -> Lying:
        """The dice that lie there are rolled with."""
        self._taken, self._early = self.lying, ()
        return self.lying

    @property
    def old(self) -> bool:
        """Whether those of the last roll lie there still."""
        return same(self.lying, self._taken)

    @property
    def early(self) -> bool:
        """Whether those that lie there came before the play was complete."""
        return same(self.lying, self._early)

    def touched(self, roller: Side) -> bool:
        """Whether the dice that `roller` rolled with lie otherwise now.

        Dice on the other half may be the other player's, thrown too early; and a look that shows none shows nothing.
        """
        if len(self.lying) != len(self._taken) or not self._taken or self.old:
            return False
        return all(die.half is RIGHT_HAND[roller] for die in (*self.lying, *self._taken))


def same(dice: Lying, others: Lying) -> bool:
    """Whether these are the same dice, left alone: as many, each with its number in its place."""
    if not dice or len(dice) != len(others):
        return False
    left = list(others)
    for die in dice:
        match = next((other for other in left if die.stays(other)), None)
        if match is None:
            return False
        left.remove(match)
    return True
