"""Where on the raster each cell's checker is, if it has one: the most checker-like place of its square.

A king's top is seen shifted away from the camera, so a cell reaches from where a man's top belongs to where a king's
does. The surest checkers are found first, and what they cover is no other's.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.squares import CELLS, MIDDLES, SIDE, lifts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.geometry import CameraPose
    from vision.raster import Raster
    from vision.squares import Squares

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Ints = NDArray[np.intp]
    Bools = NDArray[np.bool_]

REACH = 0.38
"""How far, in squares, a checker may lie off the middle of its own: a careless hand leaves a fifth of a square, and it
is measured to a tenth. What lies farther off is as good as between two squares."""
_LOOK_ROUND = 0.4
"""A place is followed uphill so far, in squares, to see whether a checker really lies outside of the cell's reach."""
_COVERS, _FOOT = 0.75, 0.5
"""Radii of what a checker found takes from other cells, in diameters: round its top, and round its foot."""
_SPEAKS = 0.0
"""Nats a pixel above which a place looks more like a checker than like the empty board."""


@dataclass(frozen=True, slots=True)
class Found:
    """The most checker-like place of every cell (arrays of 64).

    Attributes:
        y, x: raster pixels.
        score: how much more it looks like a checker than like the empty board (nats a pixel).
        covered: nothing of the cell was left to look at.
        as_man, as_king: how far off its middle a checker there lies if it is a man, and if it is a king, in squares.
        near: the other cell that it would belong to if it were too far off.
    """

    y: Ints
    x: Ints
    score: Floats
    covered: Bools
    as_man: Floats
    as_king: Floats
    near: Ints


@dataclass(frozen=True, slots=True)
class Reach:
    """Where each cell is sought on a raster.

    Attributes:
        middles: 64 x 2, pixels (x, y) of the middle of a man's top.
        lifts: 64 x 2, from there to a king's.
        square, diameter: pixels.
        corners: 64 x 2, the first row and column of each cell's window.
        windows: for each cell, which pixels of its window it reaches.
    """

    middles: Floats
    lifts: Floats
    square: float
    diameter: float
    corners: Ints
    windows: tuple[Bools, ...]

    @classmethod
    def of(cls, squares: Squares, pose: CameraPose, top: Raster) -> Reach:
        """On the raster of the men's tops."""
        middles = top.pixels(MIDDLES)
        lifted = lifts(pose, squares) * top.scale * [1, -1]
        square = top.scale / SIDE
        width, height = top.size
        reach = round(REACH * square)
        corners, windows = np.zeros((CELLS, 2), np.intp), []
        for cell in range(CELLS):
            mask = np.zeros((height, width), np.uint8)
            ends = np.rint([middles[cell], middles[cell] + lifted[cell]]).astype(int)
            cv2.line(mask, ends[0].tolist(), ends[1].tolist(), 1, 2 * reach, cv2.LINE_8)
            for end in ends:
                cv2.circle(mask, end.tolist(), reach, 1, -1)
            rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
            corners[cell] = rows[0], columns[0]
            windows.append(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1] > 0)
        return cls(middles, lifted, square, squares.checker * top.scale, corners, tuple(windows))

    def find(self, score: Singles) -> Found:
        """Seek every cell, the surest first. `score` is how much every pixel looks like a checker's centre."""
        left = score.copy()
        y, x, best = np.zeros(CELLS, np.intp), np.zeros(CELLS, np.intp), np.full(CELLS, -np.inf)
        peaks, near = self.middles.copy(), np.arange(CELLS)
        queue = [(-float("inf"), cell) for cell in range(CELLS)]
        while queue:
            before, cell = heapq.heappop(queue)
            value, v, u = self._strongest(left, cell)
            if value < -before and np.isfinite(value):
                heapq.heappush(queue, (-value, cell))
                continue
            if not np.isfinite(value):
                u, v = np.rint(self.middles[cell]).astype(int).tolist()
            y[cell], x[cell], best[cell] = v, u, value
            if value > _SPEAKS:
                peaks[cell] = self._peak(left, v, u)
                near[cell] = self._neighbour(cell, peaks[cell])
                self._cover(left, cell, v, u)
        off = peaks - self.middles
        along = (off * self.lifts).sum(axis=1) / np.maximum((self.lifts**2).sum(axis=1), 1e-9)
        risen = off - np.clip(along, 0, 1)[:, None] * self.lifts  # a king's side looks like its top
        away = np.linalg.norm([off, risen], axis=2) / self.square
        return Found(y, x, best, ~np.isfinite(best), away[0], away[1], near)

    def _strongest(self, left: Singles, cell: int) -> tuple[float, int, int]:
        top, side = self.corners[cell]
        window = self.windows[cell]
        patch = np.where(window, left[top : top + window.shape[0], side : side + window.shape[1]], -np.inf)
        v, u = divmod(int(patch.argmax()), window.shape[1])
        return float(patch[v, u]), int(top) + v, int(side) + u

    def _peak(self, left: Singles, v: int, u: int) -> Floats:
        """Where (x, y) the checker seen at a place of a cell's reach really lies, be it outside of that reach."""
        reach = round(_LOOK_ROUND * self.square)
        top, side = max(v - reach, 0), max(u - reach, 0)
        patch = left[top : v + reach + 1, side : u + reach + 1]
        down, right = divmod(int(patch.argmax()), patch.shape[1])
        return np.array([side + right, top + down], np.float64)

    def _neighbour(self, cell: int, place: Floats) -> int:
        """The other cell whose middle is nearest."""
        away = np.linalg.norm(self.middles - place, axis=1)
        away[cell] = np.inf
        return int(away.argmin())

    def _cover(self, left: Singles, cell: int, v: int, u: int) -> None:
        """Take what a checker covers from all others."""
        mask = np.zeros(left.shape, np.uint8)
        foot = np.rint(self.middles[cell] - self.lifts[cell]).astype(int).tolist()
        cv2.circle(mask, (u, v), round(_COVERS * self.diameter), 1, -1)
        cv2.circle(mask, foot, round(_FOOT * self.diameter), 1, -1)
        left[mask > 0] = -np.inf
