"""Where dice come from: one Protocol over fair, scripted and hand-rolled dice."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Protocol

from companion.model import BoardsideError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

LARGEST_FAIR_BYTE = 251
"""Bytes 0 to 251 are 42 times each number from 1 to 6; 252 to 255 would favour 1 to 4 and are thrown away."""


class NoDiceError(BoardsideError):
    """This source cannot roll now; the text says what to do."""


class DiceSource(Protocol):
    """Rolls dice when asked."""

    @property
    def name(self) -> str:
        """What the record calls the source."""

    def roll(self, count: int) -> tuple[int, ...]:
        """`count` numbers from 1 to 6. Raises NoDiceError."""


class FairDice:
    """The operating system's randomness, each number equally likely and independent of all others."""

    name = "fair"

    def __init__(self, random_bytes: Callable[[int], bytes] = secrets.token_bytes) -> None:
        """`random_bytes(n)` gives n uniformly random bytes."""
        self._random_bytes = random_bytes

    def roll(self, count: int) -> tuple[int, ...]:
        """`count` fair numbers."""
        return tuple(self._die() for _ in range(count))

    def _die(self) -> int:
        byte = self._random_bytes(1)[0]
        while byte > LARGEST_FAIR_BYTE:
            byte = self._random_bytes(1)[0]
        return byte % 6 + 1


class ScriptedDice:
    """Numbers given beforehand, in order: for tests and demonstrations."""

    name = "scripted"

    def __init__(self, numbers: Iterable[int]) -> None:
        """`numbers` from 1 to 6 are handed out one by one."""
        self._numbers = iter(numbers)

    def roll(self, count: int) -> tuple[int, ...]:
        """The next `count` numbers; raises NoDiceError when the script is at its end."""
        rolled = tuple(number for _, number in zip(range(count), self._numbers, strict=False))
        if len(rolled) < count:
            raise NoDiceError(f"the dice script is at its end: {count} numbers were asked for, {len(rolled)} were left")
        return rolled


class HandDice:
    """The players roll the set's own dice and enter what they show (`companion.inbox.RolledByHand`)."""

    name = "by hand"

    def roll(self, count: int) -> tuple[int, ...]:
        """Never rolls."""
        dice = "die" if count == 1 else f"{count} dice"
        raise NoDiceError(f"Roll the set's own {dice} and enter the numbers on the page.")
