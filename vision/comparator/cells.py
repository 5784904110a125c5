"""Rectified pictures of a board's places in the same light as the learned look, for the network that compares them.

This needs only the corners of the playing area and no camera pose, so that it works on every board whose places form a
grid. A *cell* is the square around one place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.arrays import Bools, Floats, Picture


CELL_PX = 20
"""Width of a cell in the rectified picture, in pixels."""
PATCH_PX = 36
"""Width and height of a patch: 1.8 cells, so that a tall checker's top and its neighbours are seen."""
MARGIN_CELLS = 1.25
"""Margin of the rectified picture around the cells, in cells: patches of the outermost cells lie within."""

_OVERSAMPLING, _RESIZE_TOLERANCE = 1.2, 0.05
"""Width of a cell before the warp over `CELL_PX`, and its relative tolerance, for a whole factor of downscaling."""
_BLACK_LEVEL = 8.0
"""Grey levels added before taking logarithms, which reduces the noise of dark pixels."""
_ITERATIONS, _FULL_WEIGHT, _DESCENT = 6, 0.04, 1.5
"""Iteratively reweighted fit of the light: iterations; largest residual (natural logarithm) with full weight; and the
exponent of the weight's fall beyond it."""
_RIDGE = 1e-3, 0.5, 0.5
"""Ridge penalties of the fit: of the mean, and of the slopes along x and y."""
_MOST_CHANGE = 2.5
"""Largest coefficient of the fitted change of light (natural logarithm)."""
_BRIGHTEST, _BRIGHT_SHARE = 160.0, 96
"""Grey level to which the bright pixels (percentile of the greatest channel) of a learned look or of known pieces are
scaled."""


@dataclass(frozen=True, slots=True)
class CellGrid:
    """The cells of a board: `rows` x `columns`, and which of them show the bed in every position (`bare`)."""

    rows: int
    columns: int
    bare: Bools

    @property
    def shape_px(self) -> tuple[int, int]:
        """Height and width of the rectified picture."""
        margin = 2 * MARGIN_CELLS
        return round((self.rows + margin) * CELL_PX), round((self.columns + margin) * CELL_PX)

    def middles(self) -> Floats:
        """Centres (n x 2: x, y) of the cells in the rectified picture, row by row from White's edge (its top)."""
        y, x = np.mgrid[0 : self.rows, 0 : self.columns]
        return self.pixels(np.column_stack([x.ravel(), y.ravel()]))

    def pixels(self, places: Floats) -> Floats:
        """Pixels (n x 2: x, y) of places (n x 2: column, row; whole numbers for the cells' centres)."""
        return np.asarray((places + 0.5 + MARGIN_CELLS) * CELL_PX - 0.5)

    def mask(self, cells: Bools) -> Bools:
        """Mask (height x width) of the rectified picture's pixels that lie on `cells` (mask, row by row)."""
        whole = np.kron(cells.reshape(self.rows, self.columns), np.ones((CELL_PX, CELL_PX), bool))
        return np.pad(whole, round(MARGIN_CELLS * CELL_PX))

    def rectify(self, picture: Picture, corners: Floats) -> Picture:
        """The board of a picture (BGR) from above: White's left corner at the top left, `CELL_PX` pixels a cell.

        `corners`: of the cells, 4 x 2 pixels, bottom-left, bottom-right, top-right, top-left as White sits.
        """
        corners = np.asarray(corners, np.float64)
        edges = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
        cell_px = float(edges.mean()) * 4 / (2 * (self.rows + self.columns))
        height, width = picture.shape[:2]
        reach = 2 * MARGIN_CELLS * cell_px
        left, top = np.maximum(corners.min(axis=0) - reach, 0).astype(int)
        right, bottom = np.minimum(corners.max(axis=0) + reach, (width, height)).astype(int)
        part, corners = _downscaled(picture[top:bottom, left:right], corners - (left, top), cell_px)
        low, across, along = MARGIN_CELLS, MARGIN_CELLS + self.columns, MARGIN_CELLS + self.rows
        target = np.array([(low, low), (across, low), (across, along), (low, along)]) * CELL_PX - 0.5
        warp = cv2.getPerspectiveTransform(corners.astype(np.float32), target.astype(np.float32))
        size = self.shape_px[::-1]
        return np.asarray(cv2.warpPerspective(part, warp, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)

    def patches(self, view: Picture) -> Picture:
        """Patches (n x PATCH_PX x PATCH_PX x 3) around all cells of a rectified picture."""
        return patches_at(view, self.middles())

    def light(self, view: Picture) -> LearnedLight:
        """The light on a learned look (rectified, BGR), measured on the bare cells."""
        return LearnedLight.of(view, self.middles()[self.bare.ravel()])

    def in_light(self, view: Picture, light: LearnedLight) -> Picture:
        """A rectified picture (BGR), corrected to the light of the learned look."""
        return light.evened(view, self.middles()[self.bare.ravel()])


def _downscaled(part: Picture, corners: Floats, cell_px: float) -> tuple[Picture, Floats]:
    """A picture and places in it (n x 2), downscaled by averaging: a warp alone would sample single noisy pixels.

    A whole factor is used if it is near enough: OpenCV is five times as fast. `cell_px`: width of a cell, in pixels.
    """
    times = cell_px / (_OVERSAMPLING * CELL_PX)
    whole = max(1, round(times))
    if abs(times / whole - 1) < _RESIZE_TOLERANCE:
        times = whole
        part = part[: part.shape[0] // whole * whole, : part.shape[1] // whole * whole]
    if times <= 1:
        return part, corners
    size = max(8, round(part.shape[1] / times)), max(8, round(part.shape[0] / times))
    corners = (corners + 0.5) * (np.array(size) / (part.shape[1], part.shape[0])) - 0.5
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8), corners


def patches_at(view: Picture, middles: Floats) -> Picture:
    """Patches (n x PATCH_PX x PATCH_PX x 3) around pixels (n x 2: x, y) of a picture; its edge is repeated."""
    first = np.rint(middles + 0.5 - PATCH_PX / 2).astype(int)
    outside = int(max(0, -first.min(), (first + PATCH_PX - view.shape[1::-1]).max()))
    if outside:
        view = np.pad(view, ((outside, outside), (outside, outside), (0, 0)), mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(view, (PATCH_PX, PATCH_PX), axis=(0, 1))
    return np.ascontiguousarray(windows[first[:, 1] + outside, first[:, 0] + outside].transpose(0, 2, 3, 1))


def brightness_factor(known: Picture) -> float:
    """Factor that scales a picture, or patches (..., 3), to the network's usual brightness."""
    return _BRIGHTEST / max(20.0, float(np.percentile(known.max(axis=-1), _BRIGHT_SHARE)))


def log_colours(colours: Floats | Picture) -> Floats:
    """Logarithms of colours (n x 3, grey levels), with little noise of dark ones."""
    return np.asarray(np.log(colours + _BLACK_LEVEL))


def _log_colours_at(view: Picture, middles: Floats) -> Floats:
    """Logarithm (n x 3) of the median colours around some pixels (n x 2)."""
    half = CELL_PX // 4
    at = np.clip(np.rint(middles).astype(int), half, np.array(view.shape[1::-1]) - half)
    windows = np.lib.stride_tricks.sliding_window_view(view, (2 * half, 2 * half), axis=(0, 1))
    seen = windows[at[:, 1] - half, at[:, 0] - half].reshape(len(at), 3, -1)
    return log_colours(np.median(seen, axis=2))


@dataclass(frozen=True, slots=True)
class LearnedLight:
    """The light on a learned look, to which later pictures are matched.

    Attributes:
        tones: n x 3, logarithm of the colours (B, G, R) at places most of which look the same in every position.
        scale: factor that brings the learned look to the usual brightness.
    """

    tones: Floats
    scale: float

    @classmethod
    def of(cls, view: Picture, middles: Floats) -> LearnedLight:
        """From a learned look and those places (n x 2 pixels)."""
        margin = round(MARGIN_CELLS * CELL_PX)
        return cls(_log_colours_at(view, middles), brightness_factor(view[margin:-margin, margin:-margin]))

    def evened(self, view: Picture, middles: Floats) -> Picture:
        """A later picture (rectified, BGR), corrected to the light of the learned look, at the usual brightness.

        The log change of light is a plane for each channel, fitted robustly over the places `middles` (n x 2 pixels).
        """
        change = _log_colours_at(view, middles) - self.tones
        centre, unit = middles.mean(axis=0), float(np.ptp(middles, axis=0).max()) / 2
        at = np.column_stack([np.ones(len(middles)), (middles - centre) / unit])
        rows_px, columns_px = view.shape[:2]
        x = (np.arange(columns_px, dtype=np.float32) - np.float32(centre[0])) / np.float32(unit)
        y = (np.arange(rows_px, dtype=np.float32) - np.float32(centre[1])) / np.float32(unit)
        lit = np.empty(view.shape, np.float32)
        for channel in range(3):
            weight = np.ones(len(at))
            for _ in range(_ITERATIONS):
                weighted = at * weight[:, None]
                plane = np.linalg.solve(weighted.T @ at + np.diag(_RIDGE), weighted.T @ change[:, channel])
                weight = np.maximum(np.abs(change[:, channel] - at @ plane) / _FULL_WEIGHT, 1) ** -_DESCENT
            plane = np.clip(plane, -_MOST_CHANGE, _MOST_CHANGE).astype(np.float32)
            gain = np.exp(-(plane[0] + plane[1] * x))[None] * (np.exp(-plane[2] * y) * np.float32(self.scale))[:, None]
            lit[..., channel] = view[..., channel] * gain
        return np.clip(lit, 0, 255).astype(np.uint8)
