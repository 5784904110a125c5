"""Brightness of a place relative to its surroundings, which hardly changes with the light.

A lamp, a shadow or a white balance changes a square and the light squares beside it by the same factor, so their ratio
stays. Gloss adds to it; that is measured on the bare part of the square.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.checkers.background import LOG_OFFSET
from vision.checkers.layout import CELLS, LIGHT, SIDE, SQUARE
from vision.geometry import project

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.cameras import Picture
    from vision.checkers.cell_search import Reach
    from vision.geometry import Raster

    Floats = NDArray[np.float64]
    Ints = NDArray[np.intp]
    Bools = NDArray[np.bool_]


_INSET = 0.08
"""Share of a square's width left out along its edges: seams, and small errors of the corners."""

_CLEAR, _CORE = 1.18, 0.7
"""Radii, in radii of a checker: beyond the first its rim and side are gone; within the second there is only its top."""

_AROUND = 1.3
"""Distance of the reference pixels from a cell's middle, in squares: all light squares that touch it."""

_EVERY, _FINER = 4, 2
"""Pixel steps: for reference pixels, and for a place and its square."""

_FEWEST_LIT, _FEWEST_BARE = 15, 6
"""Least number of pixels for a median: of reference pixels, and of a square's bare part."""

_OWN = 0.75
"""Distance of a square's corners from its middle, in squares, and a little more."""

_ARE_LIGHT = np.append(LIGHT, False)
"""Mask of the labels of light squares; the last element is for label -1."""

TONE_OFFSET = 3.0
"""Grey levels added to all pixels whose tones are measured, because below it there is only noise."""

_FIFTHS = 2 * 0.8416
"""Distance between the 20 % and 80 % quantiles of a normal distribution, in standard deviations."""


@dataclass(frozen=True, slots=True)
class Tones:
    """Measurements of the cells; tones are B, G, R over those of the light squares nearby.

    Attributes:
        inner: CELLS x 3, of a disc at the given place.
        bare: CELLS x 3, of the cell's square beside that disc; NaN if nothing of it is seen.
        crossed: CELLS, excess variation within that bare part (natural logarithm), from edges of lamplight or shadow.
        uneven: CELLS, variation among the light squares nearby (natural logarithm).
        level: CELLS x 3, grey levels of the light squares nearby.
        lit: mask of the cells that have such squares.
    """

    inner: Floats
    bare: Floats
    crossed: Floats
    uneven: Floats
    level: Floats
    lit: Bools


def cell_labels(top: Raster) -> NDArray[np.int8]:
    """Cell that each pixel of a raster shows, -1 for seams and outside the board."""
    labels = np.full(top.size[::-1], -1, np.int8)
    square = np.array([[_INSET, _INSET], [1 - _INSET, _INSET], [1 - _INSET, 1 - _INSET], [_INSET, 1 - _INSET]])
    for cell in range(CELLS):
        corners = project(top.from_bed, (square + np.array([cell % SIDE, cell // SIDE])) * SQUARE)
        cv2.fillConvexPoly(labels, np.rint(corners).astype(np.int32), cell)
    return labels


def bare_of(shape: tuple[int, ...], reach: Reach, places: Floats) -> Bools:
    """Mask of a raster's pixels (height x width) that no checker hides by its top, side or foot.

    `places` (n x 3) has each one's x, y and cell.
    """
    bare = np.ones(shape, np.uint8)
    for x, y, cell in places:
        for layers in (0, 1, 2):
            u, v = np.rint(np.array([x, y]) - layers * reach.lifts[int(cell)]).astype(int).tolist()
            cv2.circle(bare, (u, v), round(_CLEAR * reach.diameter / 2), 0, -1)
    return bare.astype(bool)


def measure(view: Picture, reach: Reach, labels: NDArray[np.int8], free: NDArray[np.int8], places: Floats) -> Tones:
    """Measure the tones of all cells.

    Args:
        view: raster, BGR.
        reach: of the same raster.
        labels: cell that each pixel shows.
        free: the same without the checkers that were found.
        places: CELLS x 2 pixels (x, y), where each cell is measured.
    """
    inner, bare, differing = np.full((CELLS, 3), np.nan), np.full((CELLS, 3), np.nan), np.full(CELLS, np.nan)
    uneven, level, lit = np.zeros(CELLS), np.ones((CELLS, 3)), np.zeros(CELLS, bool)
    radius = reach.diameter / 2
    for cell in range(CELLS):
        pixels = _lit(view, free, cell, reach)
        if len(pixels) < _FEWEST_LIT:
            continue
        lit[cell] = True
        level[cell] = light = np.median(pixels, axis=0)
        uneven[cell] = _differing(pixels)
        inner[cell] = np.median(_within(view, places[cell], _CORE * radius), axis=0) / light
        own = _own(view, labels, cell, reach, places[cell], _CLEAR * radius)
        if len(own) >= _FEWEST_BARE:
            bare[cell] = np.median(own, axis=0) / light
            differing[cell] = _differing(own)
    return Tones(inner, bare, _more_than_usual(differing), uneven, level, lit)


def _differing(pixels: Floats) -> float:
    """Robust standard deviation of the logarithms of pixels (n x 3)."""
    low, high = np.log(np.quantile(pixels, (0.2, 0.8), axis=0))
    return float((high - low).mean()) / _FIFTHS


def _more_than_usual(differing: Floats) -> Floats:
    """Variation within squares in excess of the median of their colour; 0 if not seen."""
    more = np.zeros(CELLS)
    for colour in (LIGHT, ~LIGHT):
        seen = colour & np.isfinite(differing)
        if seen.any():
            more[seen] = np.sqrt(np.maximum(differing[seen] ** 2 - np.median(differing[seen]) ** 2, 0))
    return more


def _lit(view: Picture, free: NDArray[np.int8], cell: int, reach: Reach) -> Floats:
    """Visible pixels (n x 3) of the light squares near a cell, other than itself."""
    rows, columns, away = _window(view.shape, reach.middles[cell] - reach.lifts[cell], _AROUND * reach.square, _EVERY)
    labels = free[rows, columns]
    near = _ARE_LIGHT[labels] & (labels != cell) & (away < _AROUND * reach.square)
    return np.asarray(view[rows, columns][near] + TONE_OFFSET, np.float64)


def _window(shape: tuple[int, ...], place: Floats, reach_px: float, every: int) -> tuple[slice, slice, Floats]:
    """Rows and columns around a place with a pixel step, and the pixels' distances from it."""
    x, y = (int(value) for value in np.rint(place))
    reach = int(np.ceil(reach_px))
    rows = slice(max(y - reach, 0), min(y + reach + 1, shape[0]), every)
    columns = slice(max(x - reach, 0), min(x + reach + 1, shape[1]), every)
    v, u = np.ogrid[rows, columns]
    return rows, columns, np.hypot(u - place[0], v - place[1])


def _within(view: Picture, place: Floats, radius: float) -> Floats:
    rows, columns, away = _window(view.shape, place, radius, _FINER)
    return np.asarray(view[rows, columns][away <= radius] + TONE_OFFSET, np.float64)


def _own(view: Picture, labels: NDArray[np.int8], cell: int, reach: Reach, place: Floats, radius: float) -> Floats:
    """Visible pixels of a cell's square beside a checker whose top is at `place`, clear of its side and foot."""
    foot = place - reach.lifts[cell]
    rows, columns, _ = _window(view.shape, reach.middles[cell] - reach.lifts[cell], _OWN * reach.square, _FINER)
    v, u = np.ogrid[rows, columns]
    along = reach.lifts[cell]
    share = np.clip(((u - foot[0]) * along[0] + (v - foot[1]) * along[1]) / max(float(along @ along), 1e-9), 0, 1)
    outside = np.hypot(u - foot[0] - share * along[0], v - foot[1] - share * along[1]) > radius
    return np.asarray(view[rows, columns][outside & (labels[rows, columns] == cell)] + TONE_OFFSET, np.float64)


_LOGARITHMS = np.tile(np.log(np.arange(256, dtype=np.float32) + LOG_OFFSET)[:, None], (1, 3))[None]
"""Table of the logarithms of grey levels for `cv2.LUT`."""

_GREY, _MOST = 0.12, 0.8
"""Largest difference between channels and largest change of a shadow (natural logarithm); skin and sleeves mostly
exceed them."""

_REACH = 0.45
"""Standard deviation of the smoothing, in squares."""

_FEW = 0.1
"""Share of measured pixels around a place at which the correction is halved (before `_USUAL`)."""

_USUAL = 0.08
"""Change (natural logarithm) that shadows of checkers cause anyway; smaller ones are not corrected."""


def even_out(levelled: Picture, ground: Picture, light: Bools, square_px: float) -> Picture:
    """Raster with local changes of light removed.

    Args:
        levelled: BGR, matched in exposure to the calibration picture.
        ground: the empty board, matched in the same way.
        light: mask of the light squares.
        square_px: width of a square.
    """
    seen, empty = (
        cv2.LUT(cv2.resize(one, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), _LOGARITHMS)
        for one in (levelled, ground)
    )
    change = cv2.split(cv2.subtract(seen, empty))
    brighter = np.asarray(sum(change) / len(change), np.float32)
    differing = cv2.max(cv2.max(change[0], change[1]), change[2]) - cv2.min(cv2.min(change[0], change[1]), change[2])
    measured = light[::2, ::2] & (differing < _GREY) & (np.abs(brighter) < _MOST)
    spread = (0, 0), _REACH * square_px / 2
    weight = cv2.GaussianBlur(measured.astype(np.float32), *spread)
    field = cv2.GaussianBlur(np.where(measured, brighter, np.float32(0)), *spread) / (weight + _FEW / 2)
    field *= np.clip((np.abs(field) - _USUAL / 2) / _USUAL, 0, 1)
    if not field.any():
        return levelled
    factor = cv2.resize(np.exp(-field), levelled.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(levelled, cv2.merge([factor] * 3), dtype=cv2.CV_8U), np.uint8)
