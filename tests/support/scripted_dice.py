"""Dice whose numbers are given in advance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import verbatim
from companion.dice.sources import NO_INPUTS, NoDiceError, RollInputs

if TYPE_CHECKING:
    from collections.abc import Iterable


class ScriptedDice:
    """Numbers given in advance (implements `companion.dice.DiceSource`)."""

    name = "scripted"

    def __init__(self, numbers: Iterable[int]) -> None:
        """`numbers` (1 to 6) are rolled in this order."""
        self._numbers = iter(numbers)

    def roll(self, count: int, inputs: RollInputs = NO_INPUTS) -> tuple[int, ...]:  # noqa: ARG002
        """The next `count` numbers. Raises NoDiceError at the end of the script."""
        rolled = tuple(number for _, number in zip(range(count), self._numbers, strict=False))
        if len(rolled) < count:
            left = f"{count} numbers were asked for, {len(rolled)} were left"
            raise NoDiceError(verbatim(f"the dice script is at its end: {left}"))
        return rolled
