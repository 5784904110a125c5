"""Fit the layout of a framed board, and the slots of its rows on a raster."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.board import POINTS, Layout, Placed, fit_of
from vision.geometry import COLUMNS, CameraPose, Raster, fit_measures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Bools, Floats, Ints, Singles


_RANGES = {
    "bar": (0.01, 0.0, 0.2),
    "diameter": (0.04, 0.6, 1.02),
    "thickness": (0.06, 0.1, 0.45),
    "edge": (0.04, 0.45, 0.8),
    "step": (0.02, 0.97, 1.25),
}
"""First search step and range of each dimension, in the units of `Layout`."""


def fit_layout(
    likeness: tuple[Singles, Singles], bed: Raster, pose: CameraPose, placed: Sequence[Placed], mirror: bool
) -> tuple[Layout, float]:
    """Fit the layout so that the known checkers cover exactly the places that look like them.

    `likeness`: of each pixel of the raster `bed` (height 0) to White's and to Black's checkers, 0 to 1. Also returns
    the fit: mean likeness inside the checkers minus that just outside, -1 to 1.
    """
    first = Layout(depth=pose.depth, mirror=mirror)
    trials = [replace(first, bar=bar, diameter=d) for bar in np.arange(0.0, 0.17, 0.01) for d in (0.8, 0.9)]
    return fit_measures(trials, lambda trial: fit_of(trial, likeness, bed, pose, placed), _RANGES)


NEAR_BAR, FAR_BAR = POINTS, POINTS + 1
"""The bar's rows: its near half (White's side) and its far half."""
ROWS = POINTS + 2
"""Number of rows: the points and two halves of the bar."""
SLOTS = 7
"""Slots a row. Six ordinary checkers reach the middle of most boards; the seventh is past it."""
_SIDEWAYS, _BACK, _ONWARD = 0.16, 0.12, 0.35
"""Search range about a slot, in diameters: sideways, towards the edge, and away from it (for gaps between checkers)."""
MOST_ASIDE = 0.36
"""Largest distance of a checker on a point from its column, in columns: most of it lies on that point for certain, also
if the columns are a little off. Beyond `_SIDEWAYS` one is found only where the score is a peak, as that also rises
towards the neighbouring row."""
_BAR_SIDEWAYS, _BAR_ONWARD = 0.45, 0.9
"""As `_SIDEWAYS` and `_ONWARD`, for the bar: checkers may lie anywhere on it, and its height is unknown."""
_PEAK_REACH = 0.45
"""A checker on the bar is where the score is greatest within this many diameters: the slope of the next checker may be
higher than its own peak."""
_TOUCHING = 0.85, 1.1
"""Distances, in diameters, at which the next checker on the bar touches one."""
NO_CHECKER = -100.0
"""Score of places where no checker can lie."""
_STRAY, _STRAY_COST = 0.2, 0.6
"""Cost of a checker off its slot: `_STRAY_COST` nats a pixel at `_STRAY` diameters, growing with the square, and
linearly beyond `_SIDEWAYS`, as Huber's loss does."""
_PAST_MIDDLE = 0.8
"""How far past the middle of the board a row is followed, in diameters."""


@dataclass(frozen=True)
class Rows:
    """Geometry of the rows, in raster pixels.

    Attributes:
        columns: ROWS, the x of each row.
        edges: ROWS, the y at which each row starts.
        inward: ROWS, -1 for rows that go up the raster (from White's edge), 1 for those that go down.
        sideways: ROWS, search range to the side without a peak of the score.
        first: distance from the edge to the first checker's centre.
        step: distance between neighbouring checkers.
        diameter: of a checker.
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
        """The rows on a raster in the plane of the checkers' tops."""
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

    @property
    def column(self) -> float:
        """Width of a column."""
        return abs(float(self.columns[1] - self.columns[0]))

    def place(self, row: int | Ints, slot: int | Ints) -> Floats:
        """Nominal centre (x, y) of a slot's checker on the raster; of several, their centres (... x 2)."""
        along = self.first + slot * self.step
        y = self.edges[row] + self.inward[row] * along
        return np.stack(np.broadcast_arrays(self.columns[row], y), axis=-1)

    def strongest(self, score: Singles, along: Floats, *windows: SearchWindow) -> tuple[Ints, Ints, Floats]:
        """Pixels (y, x) with the best score near `along` in each row of some windows, and distances from the edge.

        `score`: likeness of each pixel to a checker's centre; `along`: where one is expected in each row, in pixels
        from the edge. The windows are of the points, or of the points and the bar.
        """
        places = [window.best(score, along) for window in windows]
        y, x = (np.concatenate(each) for each in zip(*places, strict=True))
        which = np.concatenate([np.arange(window.rows.start, window.rows.stop) for window in windows])
        return y, x, self.inward[which] * (y - self.edges[which])

    @cached_property
    def gaps(self) -> SearchWindow:
        """Search window of the points, with gaps between checkers."""
        return SearchWindow.of(self, slice(0, POINTS), _ONWARD, _STRAY_COST)

    @cached_property
    def touching(self) -> SearchWindow:
        """Search window of the points without gaps, past a row of five, where dice may lie."""
        return SearchWindow.of(self, slice(0, POINTS), _BACK, _STRAY_COST)

    @cached_property
    def bar(self) -> SearchWindow:
        """Search window of the bar about a checker that is known to lie there."""
        return SearchWindow.of(self, slice(POINTS, ROWS), _BAR_ONWARD, 0.0)

    def on_bar(self, score: Singles) -> tuple[Ints, Ints]:
        """Pixels (y, x) of the places on the bar where checkers may lie, some of which overlap: the peaks of `score`.

        A checker that touches another or looks like the bar need not be a peak, so the best places a checker's width
        from each place count, too.
        """
        reach, near, far = (round(part * self.diameter) for part in (_PEAK_REACH, *_TOUCHING))
        aside, top = round(self.sideways[NEAR_BAR]), max(round(self.edges[FAR_BAR]), 0)
        left = round(self.columns[NEAR_BAR]) - aside
        strip = np.ascontiguousarray(score[top : round(self.edges[NEAR_BAR]) + 1, left : left + 2 * aside + 1])
        around = cv2.dilate(strip, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
        peaks = np.argwhere((strip == around) & (strip > NO_CHECKER))
        places = [*peaks]
        for y, _ in places:
            for first, last in ((max(y - far, 0), max(y - near, -1)), (y + near, y + far)):
                beside = strip[first : last + 1]
                if not beside.size or beside.max() <= NO_CHECKER:
                    continue
                down, right = np.unravel_index(beside.argmax(), beside.shape)
                place = np.array((first + down, right))
                if all(np.hypot(*(place - other)) > reach for other in places):
                    places.append(place)
        y, x = np.array(places, np.intp).reshape(-1, 2).T
        return y + top, x + left

    def nearest_on_bar(self, y: Ints) -> tuple[Ints, Ints]:
        """The row and the index of the nearest nominal slot on the bar, for each of some y of the raster."""
        row = np.where(self.in_far_half(y), FAR_BAR, NEAR_BAR)
        along = self.inward[row] * (y - self.edges[row])
        return row, np.clip(np.rint((along - self.first) / self.step), 0, SLOTS - 1).astype(np.intp)

    def in_far_half(self, y: int | Ints) -> Bools:
        """Whether a y of the raster, or each of several, is nearer to the far edge of the board than to White's."""
        return np.asarray(abs(y - self.edges[FAR_BAR]) < abs(y - self.edges[NEAR_BAR]))


@dataclass(frozen=True, slots=True)
class SearchWindow:
    """Search window of some rows, relative to the expected place.

    Attributes:
        rows: which rows (n).
        edges: of these rows.
        inward: of these rows.
        steps: n x S, offset down the raster of each line of the window.
        x: n x A, its columns on the raster.
        cost: S x A, penalty for each offset.
        near: A, mask of the columns in which the best score need not be a peak.
    """

    rows: slice
    edges: Floats
    inward: Floats
    steps: Ints
    x: Ints
    cost: Floats
    near: Bools

    @classmethod
    def of(cls, rows: Rows, which: slice, onward: float, stray_cost: float) -> SearchWindow:
        """A window from `_BACK` diameters before the place to `onward` diameters past it."""
        steps = np.arange(-round(_BACK * rows.diameter), round(onward * rows.diameter) + 1)
        sideways = round(rows.sideways[which][0])
        far = max(sideways, round(MOST_ASIDE * rows.column) + 1) if which.start < POINTS else sideways
        aside = np.arange(-far, far + 1)
        away = np.abs(aside)
        stray = steps[:, None] ** 2 + np.where(away > sideways, (2 * away - sideways) * sideways, away**2)
        inward = rows.inward[which]
        return cls(
            which,
            rows.edges[which],
            inward,
            (inward[:, None] * steps).astype(np.intp),
            np.rint(rows.columns[which]).astype(np.intp)[:, None] + aside,
            np.asarray(stray_cost / (_STRAY * rows.diameter) ** 2 * stray),
            away <= sideways,
        )

    def best(self, score: Singles, along: Floats) -> tuple[Ints, Ints]:
        """The pixels (y, x) of the best score, for each of its rows."""
        down = np.rint(self.edges + self.inward * along[self.rows]).astype(np.intp)
        height, width = score.shape
        v = np.minimum(np.maximum(down[:, None] + self.steps, 0), height - 1)
        u = np.minimum(np.maximum(self.x, 0), width - 1)
        window = score[v[:, :, None], u[:, None]] - self.cost
        best = window.max(axis=1)
        allowed = np.tile(self.near, (len(best), 1))
        allowed[:, 1:-1] |= (best[:, 1:-1] >= best[:, :-2]) & (best[:, 1:-1] >= best[:, 2:])
        window = np.where(allowed[:, None], window, -np.inf)
        step, side = np.divmod(window.reshape(len(window), -1).argmax(axis=1), u.shape[1])
        each = np.arange(len(window))
        return v[each, step], u[each, side]


_COLUMN_PX = 20
"""Raster pixels a column. A checker is then about 18 pixels wide, and a board 270 by 230."""
FINER = 2
"""Scale of the finer raster, for second layers and contours, relative to the coarse one."""
_MARGIN_COLUMNS = 0.5
"""Part of the frame that the raster shows round the playing area, in columns."""


def board_raster(pose: CameraPose, layout: Layout, height: float, times: int = 1) -> Raster:
    """Raster of the plane `height` (board units) above the bed, at `times` the coarse scale."""
    return Raster.of(pose, height, times * _COLUMN_PX / layout.column, _MARGIN_COLUMNS * layout.column)


def finer(pixel: float) -> float:
    """Convert a pixel coordinate of the coarse raster to the finer one.

    Half a fine pixel beside the exact place (`FINER` times the coordinate): the networks were trained so, and read a
    little more surely. No picture of 696 is read differently with the exact place.
    """
    return (pixel + 0.5) * FINER - 0.5
