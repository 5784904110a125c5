"""Sources of dice: fair dice with a commitment, scripted dice, and real dice entered by hand or read by the camera."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from companion.core import Refusal, message
from companion.dice.commitment import SECRET_BYTES, commitment_to, numbers
from companion.game import with_tap

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.dice.commitment import Secrets
    from companion.game import OpenCommitment


class DiceName(StrEnum):
    """Names of the sources in the record."""

    FAIR = "fair"
    BY_HAND = "by hand"
    CAMERA = "camera"


DICE = ("fair", "hand", "camera")
"""Names of the sources on the command line and in the configuration; the first is the default."""


class NoDiceError(Refusal):
    """This source cannot roll now; the message says what to do."""


@dataclass(frozen=True, slots=True)
class RollInputs:
    """Inputs of a roll.

    Attributes:
        tapped_ms: when Roll was tapped, in milliseconds of a clock with any origin.
        commitment: the open commitment.
        lying: numbers of the dice on the board that count for the roll.
    """

    tapped_ms: int = 0
    commitment: OpenCommitment | None = None
    lying: tuple[int, ...] = ()


NO_INPUTS = RollInputs()


class DiceSource(Protocol):
    """Rolls dice."""

    @property
    def name(self) -> DiceName:
        """The source's name in the record."""

    def roll(self, count: int, inputs: RollInputs = NO_INPUTS) -> tuple[int, ...]:
        """`count` numbers from 1 to 6. Raises NoDiceError."""


class FairDice:
    """Dice derived from a random secret: the commitment is shown before the rolls, the secret revealed at the end."""

    name = DiceName.FAIR

    def __init__(self, store: Secrets, random_bytes: Callable[[int], bytes] = secrets.token_bytes) -> None:
        """`store` stores the secrets; `random_bytes(n)` gives n uniformly random bytes."""
        self._store, self._random_bytes = store, random_bytes

    def commit(self) -> str:
        """Store a new secret and return the commitment to it. Raises SecretsError."""
        secret = self._random_bytes(SECRET_BYTES)
        self._store.keep(secret)
        return commitment_to(secret)

    def secret(self, commitment: str) -> bytes | None:
        """The secret of a commitment; None where it was lost."""
        return self._store.of(commitment)

    def roll(self, count: int, inputs: RollInputs = NO_INPUTS) -> tuple[int, ...]:
        """`count` numbers of the next roll under the open commitment. Raises NoDiceError where there is none."""
        commitment = inputs.commitment
        secret = None if commitment is None else self.secret(commitment.digest)
        if commitment is None or secret is None:
            raise NoDiceError(message("dice.no_commitment"))
        return numbers(secret, commitment.counter, with_tap(commitment.taps, inputs.tapped_ms), count)


class HandDice:
    """The players roll the set's own dice and enter what they show (`companion.interface.RolledByHand`)."""

    name = DiceName.BY_HAND

    def roll(self, count: int, inputs: RollInputs = NO_INPUTS) -> tuple[int, ...]:  # noqa: ARG002
        """Raise NoDiceError: the players roll."""
        raise NoDiceError(message("dice.enter"))


class CameraDice:
    """The players roll the set's own dice, and the camera reads them."""

    name = DiceName.CAMERA

    def roll(self, count: int, inputs: RollInputs = NO_INPUTS) -> tuple[int, ...]:
        """The numbers of the dice on the board. Raises NoDiceError where their count differs from `count`."""
        if len(inputs.lying) != count:
            raise NoDiceError(message("dice.throw.one") if count == 1 else message("dice.throw.two"))
        return inputs.lying
