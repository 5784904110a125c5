"""Search for each cell's checker on the raster: the most checker-like place in and around its square.

A king's top appears shifted away from the camera, so a cell extends from a man's top to a king's. The clearest checkers
are found first, and what they cover is excluded for the others.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.checkers.layout import CELLS, MIDDLES, SIDE, lifts
from vision.geometry import Window

if TYPE_CHECKING:
    from vision.arrays import Bools, Floats, Ints, Singles
    from vision.checkers.layout import SquareLayout
    from vision.geometry import CameraPose, Raster


REACH = 0.38
"""Largest distance of a checker's place from its square's middle, in squares."""
_COVERS, _FOOT = 0.75, 0.5
"""Radii excluded for other cells, in diameters: around a found checker's top, and around its foot."""
_CHECKER = 0.0
"""Score above which a place counts as a checker."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Search area of each cell on a raster.

    Attributes:
        middles: 64 x 2 pixels (x, y), middle of a man's top.
        lifts: 64 x 2, from there to a king's.
        square, diameter: in pixels.
        pixels: 64 x n, flat indices of the raster's pixels in each cell's window, filled up with the first.
    """

    middles: Floats
    lifts: Floats
    square: float
    diameter: float
    pixels: Ints

    @classmethod
    def of(cls, squares: SquareLayout, pose: CameraPose, top: Raster) -> Reach:
        """Search areas on the raster of the men's tops."""
        middles = top.pixels(MIDDLES)
        lifted = lifts(pose, squares) * top.scale * [1, -1]
        square = top.scale / SIDE
        width, height = top.size
        reach = round(REACH * square)
        areas = []
        mask = np.zeros((height, width), np.uint8)
        for cell in range(CELLS):
            ends = np.rint([middles[cell], middles[cell] + lifted[cell]]).astype(int)
            cv2.line(mask, ends[0].tolist(), ends[1].tolist(), 1, 2 * reach, cv2.LINE_8)
            for end in ends:
                cv2.circle(mask, end.tolist(), reach, 1, -1)
            window = Window.round(ends, 2 * reach, top.size)
            down, right = np.nonzero(window.of(mask))
            areas.append((window.top + down) * width + window.left + right)
            window.of(mask)[:] = 0
        pixels = np.array(
            [np.pad(area, (0, max(map(len, areas)) - len(area)), constant_values=area[0]) for area in areas]
        )
        return cls(middles, lifted, square, squares.checker * top.scale, pixels)

    def find(self, score: Singles) -> tuple[Ints, Ints, Bools]:
        """Find the best place of every cell, the clearest first.

        `score` rates every pixel as a checker's centre; above 0 it looks like one.

        Returns:
            y and x of the place of each cell (64 raster pixels), and the mask of the cells that others cover wholly.
        """
        left = np.ascontiguousarray(score).copy()
        x, y = np.rint(self.middles).astype(np.intp).T
        best = np.full(CELLS, -np.inf)
        queue = [(-value, cell) for cell, value in enumerate(left.ravel()[self.pixels].max(axis=1).tolist())]
        heapq.heapify(queue)
        while queue:
            before, cell = heapq.heappop(queue)
            here = left.ravel()[self.pixels[cell]]
            strongest = int(here.argmax())
            value = float(here[strongest])
            if not np.isfinite(value):
                continue
            if value < -before:
                heapq.heappush(queue, (-value, cell))
                continue
            best[cell] = value
            v, u = y[cell], x[cell] = divmod(int(self.pixels[cell, strongest]), left.shape[1])
            if value > _CHECKER:  # exclude what it covers
                foot = np.rint(self.middles[cell] - self.lifts[cell]).astype(int).tolist()
                cv2.circle(left, (u, v), round(_COVERS * self.diameter), -np.inf, -1)
                cv2.circle(left, foot, round(_FOOT * self.diameter), -np.inf, -1)
        return y, x, ~np.isfinite(best)
