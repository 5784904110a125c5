"""State of the dice as recorded: the open commitment, the last reveal, counts of numbers."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.game.dice_events import DiceRevealed, DiceSealed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game.dice_events import Proof


NO_FACES = (0, 0, 0, 0, 0, 0)


def with_tap(taps: str, tapped_ms: int) -> str:
    """Extend the hash chain of button timings (empty before the first) by a tap at `tapped_ms`."""
    return hashlib.sha256(f"{taps} {tapped_ms}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class OpenCommitment:
    """An open commitment: its hash, the number of the next roll under it (from 1), the timing chain so far."""

    digest: str
    counter: int = 1
    taps: str = ""

    def after(self, proof: Proof) -> OpenCommitment:
        """The commitment after a roll under it."""
        return replace(self, counter=proof.counter + 1, taps=with_tap(self.taps, proof.tapped_ms))


@dataclass(frozen=True, slots=True)
class CommittedRoll:
    """A roll under a commitment: its number (from 1), the time of its tap as in `Proof`, and its dice."""

    counter: int
    tapped_ms: int
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DiceBook:
    """State of the dice in a record.

    Attributes:
        open_commitment: the open commitment; None if there is none.
        revealed: (commitment, secret) last revealed; the secret is None if it was lost.
        faces: counts of the numbers 1 to 6 rolled, from any source.
        rolls: the rolls made under the open commitment.
        revealed_rolls: the rolls derived from the secret last revealed.
    """

    open_commitment: OpenCommitment | None = None
    revealed: tuple[str, str | None] | None = None
    faces: tuple[int, ...] = NO_FACES
    rolls: tuple[CommittedRoll, ...] = ()
    revealed_rolls: tuple[CommittedRoll, ...] = ()

    def with_event(self, event: DiceSealed | DiceRevealed) -> DiceBook:
        """The state after a commitment was shown or its secret revealed."""
        if isinstance(event, DiceSealed):
            return replace(self, open_commitment=OpenCommitment(event.commitment), rolls=())
        closed = self.open_commitment is not None and self.open_commitment.digest == event.commitment
        open_commitment, revealed_rolls = (None, self.rolls) if closed else (self.open_commitment, ())
        revealed = (event.commitment, event.secret)
        return replace(self, open_commitment=open_commitment, revealed=revealed, revealed_rolls=revealed_rolls)

    def rolled(self, dice: Sequence[int], proof: Proof | None, *, counted: bool = True) -> DiceBook:
        """The state after a roll; `proof` is None unless Boardside rolled, `counted`: whether `faces` include it."""
        faces = tuple(count + dice.count(face) for face, count in enumerate(self.faces, start=1))
        book = replace(self, faces=faces) if counted else self
        if self.open_commitment is None or proof is None:
            return book
        made = CommittedRoll(proof.counter, proof.tapped_ms, tuple(dice))
        return replace(book, open_commitment=self.open_commitment.after(proof), rolls=(*self.rolls, made))
