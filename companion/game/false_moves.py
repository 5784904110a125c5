"""Counts of false moves: illegal plays that were found when the turn was given over, at most one a turn."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.core import Side
from companion.game.agreement import Remedy


@dataclass(frozen=True, slots=True)
class FalseMoves:
    """The false moves of a match or series.

    Attributes:
        counts: (White's, Black's) number.
        counted: the player whose turn under way is counted; None where it is not.
    """

    counts: tuple[int, int] = (0, 0)
    counted: Side | None = None

    def found(self, side: Side) -> FalseMoves:
        """With the turn of `side` counted, once."""
        return self if self.counted is side else FalseMoves(self._changed(side, 1), side)

    def ruled(self, side: Side, remedy: Remedy) -> FalseMoves:
        """After a dispute on an illegal play of `side`: the referee was right, or was overruled."""
        if remedy in (Remedy.CORRECTED, Remedy.STANDS):
            return self.found(side)
        if remedy is Remedy.OVERRULED and self.counted is side:
            return FalseMoves(self._changed(side, -1))
        return self

    def next_turn(self) -> FalseMoves:
        """At the beginning of a turn."""
        return replace(self, counted=None)

    def _changed(self, side: Side, by: int) -> tuple[int, int]:
        white, black = self.counts
        return (white + by, black) if side is Side.WHITE else (white, black + by)
