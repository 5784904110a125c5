"""Rows: where on the raster checkers lie one after the other from the edge inwards: one a point, two on the bar."""

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
    Ints = NDArray[np.intp]
    Bools = NDArray[np.bool_]

NEAR_BAR, FAR_BAR = POINTS, POINTS + 1
ROWS = POINTS + 2
SLOTS = 7
"""Slots a row: six of ordinary checkers reach the middle of most boards, a seventh passes it."""

_SIDEWAYS, _BACK, _ONWARD = 0.16, 0.12, 0.35
"""How far, in diameters, a checker may lie off its slot: sideways, towards the edge, and away from it (a careless
gap)."""
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

    def place(self, row: int, slot: int) -> Floats:
        """Where on the raster (x, y) a slot's checker belongs."""
        along = self.first + slot * self.step
        return np.array([self.columns[row], self.edges[row] + self.inward[row] * along])

    def strongest(self, score: Singles, along: Floats, *, touching: bool = False) -> tuple[Ints, Ints, Floats]:
        """For every row, the pixel of the best score near `along` (ROWS, pixels from the row's edge).

        Args:
            score: height x width, how much each pixel looks like a checker's centre.
            along: where a checker is expected.
            touching: on the points, no gap is allowed for (past a row of five, dice may lie).

        Returns:
            y, x, and how far along the row that is (ROWS each).
        """
        y, x = np.empty(ROWS, np.intp), np.empty(ROWS, np.intp)
        for rows, onward, stray in (
            (slice(0, POINTS), _BACK if touching else _ONWARD, _STRAY_COST),
            (slice(POINTS, ROWS), _BAR_ONWARD, 0.0),
        ):
            steps = np.arange(-round(_BACK * self.diameter), round(onward * self.diameter) + 1)
            aside = np.arange(-round(self.sideways[rows][0]), round(self.sideways[rows][0]) + 1)
            down = np.rint(self.edges[rows] + self.inward[rows] * along[rows]).astype(np.intp)
            v = np.clip(down[:, None] + (self.inward[rows, None] * steps).astype(np.intp), 0, score.shape[0] - 1)
            u = np.clip(np.rint(self.columns[rows]).astype(np.intp)[:, None] + aside, 0, score.shape[1] - 1)
            cost = stray / (_STRAY * self.diameter) ** 2 * (steps[:, None] ** 2 + aside[None] ** 2)
            window = score[v[:, :, None], u[:, None]] - cost
            step, side = np.divmod(window.reshape(len(window), -1).argmax(axis=1), len(aside))
            each = np.arange(len(window))
            y[rows], x[rows] = v[each, step], u[each, side]
        return y, x, self.inward * (y - self.edges)

    def after(self, along: Floats, found: Floats, empty: Bools) -> Floats:
        """Where along the rows to look next: a step past the checkers found, or past the empty places looked at."""
        past = np.full(ROWS, self.step)
        past[POINTS:] = (_BAR_ONWARD + _BACK) * self.diameter
        return np.where(empty, along + past, found + self.step)
