"""Counts of false moves: illegal plays on the board when the turn was ended, at most one per turn."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.core import Side
from companion.game.agreement import Remedy


@dataclass(frozen=True, slots=True)
class FalseMoves:
    """The false moves of a match or series.

    Attributes:
        counts: (White's, Black's) number.
        counted: the player on roll, if a false move of the turn under way is counted already; else None.
    """

    counts: tuple[int, int] = (0, 0)
    counted: Side | None = None

    def with_turn_counted(self, side: Side) -> FalseMoves:
        """The counts with a false move in the present turn of `side`; unchanged if it is counted already."""
        return self if self.counted is side else FalseMoves(self._changed(side, 1), side)

    def after_ruling(self, side: Side, remedy: Remedy) -> FalseMoves:
        """The counts after a ruling on an illegal play of `side`: counted unless the referee was overruled."""
        if remedy in (Remedy.CORRECTED, Remedy.STANDS):
            return self.with_turn_counted(side)
        if remedy is Remedy.OVERRULED and self.counted is side:
            return FalseMoves(self._changed(side, -1))
        return self

    def next_turn(self) -> FalseMoves:
        """The counts at the beginning of a turn."""
        return replace(self, counted=None)

    def next_game(self, *, change_colours: bool) -> FalseMoves:
        """The counts as the next game begins; if the players change colours, their counts change sides with them."""
        return FalseMoves(self.counts[::-1] if change_colours else self.counts)

    def _changed(self, side: Side, by: int) -> tuple[int, int]:
        white, black = self.counts
        return (white + by, black) if side is Side.WHITE else (white, black + by)
