"""Check that the edges between squares are in place; missing ones mean a hand or a moved board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.checkers.layout import CELLS, LIGHT, SIDE, SQUARE
from vision.checkers.relative_brightness import TONE_OFFSET
from vision.geometry import project

if TYPE_CHECKING:
    from vision.arrays import Bools, Floats, Ints, Picture
    from vision.geometry import Raster


_ALONG = np.linspace(0.1, 0.9, 13)
"""Sample places along an edge, as shares of its length."""
_ACROSS = 0.12
"""Distance of the samples to either side, in squares, clear of seams and small errors."""
_HOLDS = 0.2
"""Least share of the learned contrast (natural logarithms); gloss on black squares leaves a third."""
_FEWEST = 4
"""Least number of samples, a quarter of a square, for an edge to be visible, and of missing ones for it to be hidden; a
finger hides more."""

PAIRS: Ints = np.array(
    [(cell, cell + 1) for cell in range(CELLS) if cell % SIDE < SIDE - 1]
    + [(cell, cell + SIDE) for cell in range(CELLS - SIDE)]
)
"""Cells (n x 2) on both sides of each edge."""

PARTS: Ints = PAIRS.min(axis=1) // (2 * SIDE) * SIDE + PAIRS.min(axis=1) % SIDE // 2
"""Number of the part of the board, two by two squares, in which each edge lies."""


@dataclass(frozen=True)
class SquareEdges:
    """Sample places at the edges between squares on a raster, on the light and on the dark side.

    Edges x places x 2 pixels (x, y) each.
    """

    light: Floats
    dark: Floats

    @classmethod
    def of(cls, top: Raster) -> SquareEdges:
        """Sample places on a raster of the men's tops; the squares lie in the plane below."""
        column, row = PAIRS % SIDE, PAIRS // SIDE
        upright = column[:, 0] != column[:, 1]
        start = np.stack([column[:, 1], row[:, 1]], axis=1).astype(np.float64)
        way = np.where(upright[:, None], [0.0, 1.0], [1.0, 0.0])
        places = start[:, None] + _ALONG[:, None] * way[:, None]
        sides = [places + side * _ACROSS * way[:, None, ::-1] for side in (-1, 1)]
        first, second = (project(top.from_bed, side.reshape(-1, 2) * SQUARE).reshape(places.shape) for side in sides)
        lighter = LIGHT[PAIRS[:, 0]][:, None, None]
        return cls(np.where(lighter, first, second), np.where(lighter, second, first))

    def contrasts(self, view: Picture) -> Floats:
        """Logarithm of the brightness ratio of light to dark side (edges x places x 3, B, G, R)."""
        smooth = np.log(cv2.GaussianBlur(view, (0, 0), 1.0).astype(np.float32) + TONE_OFFSET)
        light, dark = (smooth[_rows(view.shape, places)] for places in (self.light, self.dark))
        return np.asarray(light - dark, np.float64)

    def clear(self, bare: Bools) -> Bools:
        """Mask of the places (edges x places) that are bare on both sides; `bare` is a mask of the raster."""
        return np.asarray(bare[_rows(bare.shape, self.light)] & bare[_rows(bare.shape, self.dark)])

    def usual(self, view: Picture, bare: Bools) -> Floats:
        """Median contrast (3) of the board's bare edges."""
        return np.asarray(np.median(self.contrasts(view)[self.clear(bare)], axis=0), np.float64)

    def hidden(self, view: Picture, bare: Bools, usual: Floats) -> tuple[Bools, Bools]:
        """Masks of the edges that are not in place, and of those that are clear of checkers."""
        clear = self.clear(bare)
        holds = (self.contrasts(view) @ usual > _HOLDS * (usual @ usual)) & clear
        seen = clear.sum(axis=1) >= _FEWEST
        return (clear & ~holds).sum(axis=1) >= _FEWEST, seen


def _rows(shape: tuple[int, ...], places: Floats) -> tuple[Ints, Ints]:
    """Rows and columns of the pixels nearest to places (x, y), clipped to the picture."""
    x, y = np.moveaxis(np.rint(places).astype(np.intp), -1, 0)
    return y.clip(0, shape[0] - 1), x.clip(0, shape[1] - 1)
