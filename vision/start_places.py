"""Places of the thirty checkers of backgammon's starting position, for a board of any proportions.

Plane coordinates, in column widths: x from the left edge of the playing area (twelve columns, with the bar between the
sixth and the seventh), y from White's edge.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

COLUMNS = 12
HALF = 6
WHITE, BLACK = 0, 1

_BOTTOM = ((0, 5, BLACK), (4, 3, WHITE), (6, 5, WHITE), (11, 2, BLACK))
"""White's side of the starting position with White's home at the right: (column from the left, checkers, colour)."""


@dataclass(frozen=True, slots=True)
class StartPlaces:
    """The thirty places; each array has one element per checker.

    Attributes:
        column: 0 to 11 from the left.
        top: whether the place is on Black's side (the far edge).
        rank: place in the stack, from 0 at the edge inwards.
        colour: WHITE or BLACK.
        mirror: whether White's home is at the left.
    """

    column: NDArray[np.intp]
    top: NDArray[np.bool_]
    rank: NDArray[np.intp]
    colour: NDArray[np.intp]
    mirror: bool

    def positions(self, bar: float, height: float, pitch: float, first: float) -> NDArray[np.float64]:
        """Centres of the thirty checkers, 30 x 2 (x, y); all lengths are in column widths.

        Args:
            bar: width of the bar.
            height: of the playing area.
            pitch: distance between neighbouring checkers of a stack.
            first: distance of the first checker's centre from the edge.
        """
        x = self.column + 0.5 + np.where(self.column >= HALF, bar, 0.0)
        inward = first + self.rank * pitch
        return np.stack([x, np.where(self.top, height - inward, inward)], axis=1)


def start_places(mirror: bool = False) -> StartPlaces:
    """The thirty places of the starting position; `mirror` puts White's home at the left."""
    rows = [
        (COLUMNS - 1 - column if mirror else column, top, rank, colour ^ top)
        for top in (0, 1)
        for column, count, colour in _BOTTOM
        for rank in range(count)
    ]
    column, tops, ranks, colours = (np.array(values, np.intp) for values in zip(*rows, strict=True))
    return StartPlaces(column, tops.astype(np.bool_), ranks, colours, mirror)
