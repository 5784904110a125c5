"""What a camera claims about a board: for every cell, how likely each content is.

Cells are where `vision` and `companion` meet. Backgammon has 28: 0 to 23 the points (White's 1 point first),
`WHITE_BAR`, `BLACK_BAR`, `WHITE_OFF`, `BLACK_OFF`. Checkers has 64: `row * 8 + column`, row 0 at White's edge,
column 0 at White's left.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from enum import StrEnum
from math import hypot
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from companion.core.model import Cause, Part

Content = tuple[int, int]
"""How many White and how many Black checkers are in a cell; (1, 1) is a point with both colours on it."""

WHITE_BAR, BLACK_BAR, WHITE_OFF, BLACK_OFF = 24, 25, 26, 27
BACKGAMMON_CELLS = 28
PAIR = 2
"""Dice of a roll."""
CHECKERS_CELLS = 64

NEGLIGIBLE_NATS = 25.0
"""Contents less likely than this are left out."""
_DIGITS = 4
"""Of nats: cameras' figures have single precision, and digits behind these depend on the order of summing."""

Board = tuple[Content | None, ...]
"""The content of every cell in order; None where the camera says nothing of a cell (borne-off checkers out of view)."""


def cell_name(cell: int) -> int | str:
    """A cell of backgammon as both players call it: White's point number, "bar" or "off"."""
    return cell + 1 if cell < WHITE_BAR else "bar" if cell <= BLACK_BAR else "off"


@dataclass(frozen=True, slots=True)
class CellReading:
    """One cell: its possible contents and their log-likelihoods in nats, the likeliest first.

    The log-likelihoods are relative to the likeliest (whose value is 0); a content not listed is impossible for
    the camera. An empty tuple means that the camera cannot see this cell and says nothing about it.
    """

    likelihoods: tuple[tuple[Content, float], ...] = ()

    @classmethod
    def of(cls, nats: Mapping[Content, float]) -> CellReading:
        """From log-likelihoods in nats relative to any zero, at least one; those below NEGLIGIBLE_NATS are left out."""
        most = max(nats.values())
        told = [
            (content, round(each - most, _DIGITS)) for content, each in nats.items() if each - most > -NEGLIGIBLE_NATS
        ]
        return cls(tuple(sorted(told, key=lambda pair: -pair[1])))

    @property
    def seen(self) -> bool:
        """Whether the camera says anything about this cell."""
        return bool(self.likelihoods)

    @property
    def best(self) -> Content | None:
        """The likeliest content, None where the cell is not seen."""
        return self.likelihoods[0][0] if self.likelihoods else None

    @property
    def margin_nats(self) -> float:
        """How much likelier the best content is than the next; infinite where there is no other."""
        return -self.likelihoods[1][1] if len(self.likelihoods) > 1 else float("inf")

    def log_likelihood(self, content: Content) -> float:
        """Log-likelihood of `content` in nats; minus infinity where the camera rules it out, 0 where not seen."""
        if not self.likelihoods:
            return 0.0
        return next((nats for other, nats in self.likelihoods if other == content), float("-inf"))


class Half(StrEnum):
    """A half of the board, as White sits: left or right of the bar."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Die:
    """A die lying on the board.

    Attributes:
        value: the number of its upper face.
        half: where it lies; None on the bar.
        flat: whether it lies on the board itself, not on a checker.
        x, y, side: its middle and how wide it is, in units of the board's width; 0 where that is not known.
    """

    value: int
    half: Half | None
    flat: bool = True
    x: float = field(default=0.0, compare=False)
    y: float = field(default=0.0, compare=False)
    side: float = field(default=0.0, compare=False)

    def stays(self, other: Die) -> bool:
        """Whether it may be `other`, left alone: the same number in the same half, not a die's width away."""
        return self == other and hypot(self.x - other.x, self.y - other.y) <= max(self.side, other.side)


@dataclass(frozen=True, slots=True)
class Observation:
    """One settled look at the board.

    Attributes:
        cells: one reading a cell, in cell order; empty where the picture could not be read.
        unreadable: why the picture cannot be read; None where it can.
        lying: the dice on the board; empty where none lie there, or one of them cannot be told.
        where: the part of the board that the cause is over; None where it is all of it, or cannot be told.
        between: cells in pairs between which a checker lies that is on neither; their readings allow for it on both.
    """

    cells: tuple[CellReading, ...]
    unreadable: Cause | None = None
    lying: tuple[Die, ...] = ()
    where: Part | None = None
    between: tuple[tuple[int, int], ...] = ()

    @property
    def dice(self) -> tuple[int, ...] | None:
        """The numbers of a pair of dice that lie flat, the likelier read first; None where no such pair lies there."""
        flat = len(self.lying) == PAIR and all(die.flat for die in self.lying)
        return tuple(die.value for die in self.lying) if flat else None

    def readings(self, within_nats: float) -> Iterator[tuple[Board, float]]:
        """Whole boards in order of falling likelihood, down to `within_nats` below the likeliest.

        Yields (board, log-likelihood in nats, 0 for the likeliest). Cells are taken as independent; what must hold
        between cells (how many checkers there are) is the referee's to weigh.
        """
        order = [i for i, cell in enumerate(self.cells) if len(cell.likelihoods) > 1]
        best = [cell.best for cell in self.cells]
        # Best-first over ranks: each board is reached once, by raising the rank of cells in rising order of position.
        heap: list[tuple[float, tuple[tuple[int, int], ...]]] = [(0.0, ())]
        while heap:
            cost, ranks = heapq.heappop(heap)
            board = list(best)
            for k, rank in ranks:
                board[order[k]] = self.cells[order[k]].likelihoods[rank][0]
            yield tuple(board), -cost
            last, rank = ranks[-1] if ranks else (-1, 0)
            successors = [(*ranks, (k, 1)) for k in range(last + 1, len(order))]
            if ranks:
                successors.append((*ranks[:-1], (last, rank + 1)))
            for candidate in successors:
                k, rank = candidate[-1]
                likelihoods = self.cells[order[k]].likelihoods
                if rank < len(likelihoods):
                    total = -sum(self.cells[order[j]].likelihoods[r][1] for j, r in candidate)
                    if total <= within_nats:
                        heapq.heappush(heap, (total, candidate))
