"""Rows: where on the raster checkers lie one after the other, from the edge inwards: one row a point, and two on the bar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.geometry import COLUMNS
from vision.layout import POINTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.layout import Layout
    from vision.raster import Raster

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]

NEAR_BAR, FAR_BAR = POINTS, POINTS + 1
ROWS = POINTS + 2
SLOTS = 7
"""Slots a row: six of ordinary checkers reach the middle of most boards, a seventh passes it."""

_SIDEWAYS, _BACK, _ONWARD = 0.16, 0.12, 0.35
"""How far, in diameters, a checker may lie off its slot: sideways, towards the edge, and away from it (a careless gap)."""
_BAR_SIDEWAYS, _BAR_ONWARD = 0.45, 0.9
"""The same on the bar, where checkers lie anywhere, and on a bar of unknown height."""
_STRAY, _STRAY_COST = 0.2, 0.6
"""A checker found `_STRAY` diameters off its slot must look `_STRAY_COST` nats a pixel better than one in place."""
_PAST_MIDDLE = 0.8
"""How far past the middle, in diameters, a row is followed."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Where the rows lie, in raster pixels.

    Attributes:
        columns: ROWS, the x of each row.
        edges: ROWS, the y each row starts from.
        inward: ROWS, -1 for rows that go up the raster (from White's edge), 1 for those that go down.
        sideways: ROWS, how far a checker may lie to the side.
        first, step, diameter: of the rows and the checkers.
        length: how far from the edge a row is followed.
    """

    columns: Floats
    edges: Floats
    inward: Floats
    sideways: Floats
    first: float
    step: float
    diameter: float
    length: float

    @classmethod
    def of(cls, layout: Layout, top: Raster) -> Rows:
        """The rows on a raster of the checkers' tops."""
        places = [(layout.column_x(layout.column_of(point)), layout.reach(point, 0.0)) for point in range(POINTS)]
        places += [(0.5, 0.0), (0.5, layout.depth)]
        pixels = top.pixels(np.array(places))
        inward = np.array([-1.0] * COLUMNS + [1.0] * COLUMNS + [-1.0, 1.0])
        checker = layout.checker * top.scale
        to_column = (layout.bar + layout.column) / 2 * top.scale
        sideways = np.full(ROWS, _SIDEWAYS * checker)
        sideways[POINTS:] = min(_BAR_SIDEWAYS * checker, to_column - _BAR_SIDEWAYS * checker)
        length = layout.depth / 2 * top.scale + _PAST_MIDDLE * checker
        return cls(
            pixels[:, 0],
            pixels[:, 1],
            inward,
            np.maximum(sideways, 1),
            layout.edge * checker,
            layout.step * checker,
            checker,
            length,
        )

    def strongest(self, score: Singles, row: int, along: float) -> tuple[int, int, float]:
        """The pixel (y, x) of the best score near `along` pixels from the row's edge, and how far along it is."""
        free = row >= POINTS
        back, onward = _BACK * self.diameter, (_BAR_ONWARD if free else _ONWARD) * self.diameter
        ends = sorted(self.edges[row] + self.inward[row] * np.array([along - back, along + onward]))
        height, width = score.shape
        top = min(max(round(float(ends[0])), 0), height - 1)
        bottom = min(max(round(float(ends[1])), top), height - 1)
        left = max(round(float(self.columns[row] - self.sideways[row])), 0)
        right = min(round(float(self.columns[row] + self.sideways[row])), width - 1)
        cost = np.zeros((bottom - top + 1, right - left + 1))
        if not free:
            off_y = (np.arange(top, bottom + 1) - (self.edges[row] + self.inward[row] * along)) / (
                _STRAY * self.diameter
            )
            off_x = (np.arange(left, right + 1) - self.columns[row]) / (_STRAY * self.diameter)
            cost = _STRAY_COST * (off_y[:, None] ** 2 + off_x[None] ** 2)
        window = score[top : bottom + 1, left : right + 1] - cost
        y, x = divmod(int(window.argmax()), window.shape[1])
        return top + y, left + x, float(self.inward[row] * (top + y - self.edges[row]))

    def after(self, row: int, along: float, found: float | None) -> float:
        """Where along the row to look next: a step past the checker `found`, or past the empty place looked at."""
        if found is not None:
            return found + self.step
        return along + ((_BAR_ONWARD + _BACK) * self.diameter if row >= POINTS else self.step)
