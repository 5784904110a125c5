"""A checker between two cells: what is told of it, and what it means for the rows and cells that were read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from companion.core import CellReading
from vision.board import EMPTY, WHITE
from vision.geometry import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Content
    from vision.backgammon.layout import Rows
    from vision.board import Slot


APART, SAME = 0.9, 0.75
"""Distances in diameters: a detection within `APART` of a known checker is rejected; a slot within `SAME` of it is the
same checker."""
_NOTHING = -30.0, -30.0, 0.0
"""Log-likelihoods of a slot whose checker lies between two points."""
_BESIDE_COLUMN = 0.1
"""A slot's checker farther off its column, in diameters, may be the edge of a detection beside it."""


@dataclass(frozen=True, slots=True)
class CheckerBetween:
    """A checker between two points, or a point and the bar (lower cell first): its side, its centre on the raster."""

    points: tuple[int, int]
    side: int
    x: int
    y: int

    @property
    def place(self) -> tuple[int, int]:
        """Its centre (x, y)."""
        return self.x, self.y


def is_beside_column(slot: Slot, row: int, rows: Rows) -> bool:
    """Whether a slot's checker lies so far beside its row's column that it may be the edge of another one.

    Beyond `Rows.sideways` (and a pixel for rounding) it is none, as it was found at a peak of the score.
    """
    return bool(_BESIDE_COLUMN * rows.diameter < abs(slot.x - rows.columns[row]) <= rows.sideways[row] + 1)


def in_one_quarter(one: int, two: int) -> bool:
    """Whether two points (0 to 23) are in the same quarter of the board; False for the numbers -1 and 24."""
    half = COLUMNS // 2
    return one // half == two // half


def without_checkers_between(
    read: Sequence[Sequence[Slot]], found: Sequence[CheckerBetween], rows: Rows
) -> list[list[Slot]]:
    """The rows' slots, empty where they show a checker between two points."""
    without = [list(slots) for slots in read]
    for one in found:
        for slots in without:
            for index, slot in enumerate(slots):
                near = np.hypot(slot.x - one.x, slot.y - one.y) < SAME * rows.diameter
                if near and slot.holder in (one.side, EMPTY):
                    slots[index] = replace(slot, nats=_NOTHING, foreign=False)
    return without


def add_checkers_between(on_board: Sequence[CellReading], found: Sequence[CheckerBetween]) -> tuple[CellReading, ...]:
    """Readings of the cells (points and bar) in which either cell of each checker between two may have one more."""
    cells = list(on_board)
    for one in found:
        for point in one.points:
            likelihoods: dict[Content, float] = {}
            for (white, black), nats in cells[point].likelihoods:
                more = (white + 1, black) if one.side == WHITE else (white, black + 1)
                for content in ((white, black), more):
                    likelihoods[content] = max(likelihoods.get(content, -np.inf), nats)
            cells[point] = CellReading.of(likelihoods)
    return tuple(cells)
