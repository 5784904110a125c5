"""Estimate the empty chequered board under checkers by copying from similar squares.

A square is the sum (of logarithms) of a pattern common to squares of its colour and a smooth brightness surface that is
fitted to everything seen of the board.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.checkers.layout import LIGHT, SIDE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from vision.cameras import Picture
    from vision.geometry import Raster

    Singles = NDArray[np.float32]
    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

LOG_OFFSET = 4.0
"""Grey levels added before logarithms or ratios of pixels are taken, because below it there is only noise."""
_SHADE = 0.07
"""Darkening (natural logarithm) beside a checker that means its shadow."""
_SHADE_PX = 1.5
"""Standard deviation of the smoothing before that test."""
_BESIDE = 1.1
"""Distance from a hidden place to which a checker's shadow reaches, in squares."""
_CLEAR = 0.45
"""The same for deep shadows; the pattern is taken from farther away where possible."""
_LIT = 0.8
"""Quantile of brightness used for the pattern where every square may be shaded."""
_RIM_PX = 2.0
"""Distance from a checker's outline within which its rim may be seen."""
_OWN_SEEN = 0.02
"""Least visible share of a covered square, clear of the rim, to measure its brightness: ten pixels in its corners."""
_UNSHADED = 0.75
"""Quantile of those pixels used, because some may lie in shadow."""
_OWN_MOST = 0.4
"""A deviation from the surface (natural logarithm) above this is not the square itself."""
_LEAST_SEEN = 0.25
"""Least visible share of a square to be used for the fit."""
_CORNERS, _EASE, _UNSURE = 0.3, 0.3, 0.75
"""Weight of a square of which only corners are seen; ridge of the fitted sheen, in squares; and its relative
uncertainty on hidden squares."""
_ROUNDS = 4
"""Rounds of iteratively reweighted least squares."""
Place = tuple[slice, slice]
"""Rows and columns of a square on the raster."""


@dataclass(frozen=True, slots=True)
class EmptySquares:
    """Estimate of the empty board.

    Attributes:
        picture: raster, BGR.
        unlike: for dark and light squares, uncertainty of the estimated brightness of covered ones (natural logarithm).
    """

    picture: Picture
    unlike: tuple[float, float]


def inpaint_squares(view: Picture, hidden: Picture, bed: Raster) -> EmptySquares:
    """Empty board from a raster of the bed with checkers and the mask (255) of what they hide."""
    light = np.log(view.astype(np.float32) + LOG_OFFSET)
    seen = hidden == 0
    size = round(bed.scale / SIDE)
    places = list(_cells(bed, size))
    clear = seen & ~_near(hidden, _CLEAR * size)
    apart = seen & ~_near(hidden, _RIM_PX)
    surface = _brightness(light, seen, places)
    expected, unlike = light.copy(), [0.0, 0.0]
    for kind in (False, True):
        alike = [place for cell, place in places if LIGHT[cell] == kind]
        more, unlike[kind] = _sheen(light - surface, seen, apart, alike)
        surface = surface + more
        pattern = _pattern(light - surface, seen, clear, alike)
        for place in alike:
            expected[place] = pattern + surface[place]
            expected[place] += _own_brightness(light[place] - expected[place], apart[place])
    inside = np.zeros(seen.shape, bool)
    for _, place in places:
        inside[place] = True
    away = cv2.GaussianBlur(light - expected, (0, 0), _SHADE_PX).mean(axis=2)
    borrowed = inside & (~seen | (_near(hidden, _BESIDE * size) & (away < -_SHADE)))
    empty = np.clip(np.exp(np.where(borrowed[..., None], expected, light)) - LOG_OFFSET, 0, 255)
    outside = (~inside & ~seen).astype(np.uint8)
    filled = cv2.inpaint(empty.astype(np.uint8), outside, 3, cv2.INPAINT_TELEA) if outside.any() else empty
    return EmptySquares(np.asarray(filled, np.uint8), (unlike[0], unlike[1]))


def _cells(bed: Raster, size: int) -> Iterator[tuple[int, Place]]:
    """Each cell's index and its place on the raster."""
    margin = round(bed.margin * bed.scale)
    for cell in range(SIDE * SIDE):
        top, left = margin + (SIDE - 1 - cell // SIDE) * size, margin + cell % SIDE * size
        yield cell, (slice(top, top + size), slice(left, left + size))


def _brightness(light: Singles, seen: Bools, places: list[tuple[int, Place]]) -> Singles:
    """Brightness surface common to squares of both colours (height x width x 3, logarithms).

    A quadratic in both directions, with one step between dark and light; outliers count little.
    """
    usable = [(cell, place) for cell, place in places if seen[place].mean() >= _LEAST_SEEN]
    middles = np.array([_middle(light, seen, place) for _, place in usable])
    kinds = np.array([LIGHT[cell] for cell, _ in usable])
    terms = np.column_stack([~kinds, kinds, _quadratic([place for _, place in usable], seen.shape)]).astype(np.float64)
    ease = np.array([1e-9, 1e-9, 1e-3, 1e-3, 1e-2, 1e-2, 1e-2])
    fitted, _ = _fitted(terms, middles, np.ones(len(usable)), ease)
    return _surface(fitted[2:], seen.shape)


def _middle(light: Singles, seen: Bools, place: Place) -> Singles:
    """Median over the pixels of a place that are seen."""
    shown: Singles = light[place][seen[place]]
    return np.asarray(np.median(shown, axis=0))


def _sheen(off: Singles, seen: Bools, apart: Bools, alike: list[Place]) -> tuple[Singles, float]:
    """Surface that squares of one colour add: dark ones reflect more of the room than light ones.

    Returns it (height x width x 3, logarithms) and the standard deviation of unseen squares about it.
    """
    whole = [place for place in alike if seen[place].mean() >= _LEAST_SEEN]
    corners = [place for place in alike if seen[place].mean() < _LEAST_SEEN and apart[place].mean() >= _OWN_SEEN]
    middles = [_middle(off, seen, place) for place in whole]
    usual = np.median(middles, axis=0) if middles else np.zeros(3)
    usable = list(zip(whole, middles, strict=True))
    for place in corners:
        middle = np.quantile(off[place][apart[place]], _UNSHADED, axis=0)
        if (middle - usual).mean() > -_SHADE and np.abs(middle - usual).max() < _OWN_MOST:
            usable.append((place, middle))
    if not usable:
        return np.zeros_like(off), 0.1
    terms = _quadratic([place for place, _ in usable], seen.shape)
    values = np.array([middle for _, middle in usable]) - usual
    weight = np.where(np.arange(len(usable)) < len(whole), 1.0, _CORNERS)
    fitted, away = _fitted(terms, values, weight, np.full(5, _EASE))
    unlike = 1.48 * float(np.median(away)) + _UNSURE * float(np.abs(values).mean())
    return _surface(fitted, seen.shape), unlike


def _fitted(terms: Floats, values: Floats, shares: Floats, ease: Floats) -> tuple[Floats, Floats]:
    """Robust least squares; returns the coefficients and each value's residual (mean of B, G, R)."""
    weight = np.ones(len(values))
    for _ in range(_ROUNDS):
        weighted = terms * (weight * shares)[:, None]
        fitted = np.linalg.solve(weighted.T @ terms + np.diag(ease), weighted.T @ values)
        off = np.abs(values - terms @ fitted).mean(axis=1)
        weight = 1 / (1 + (off / max(1.5 * float(np.median(off)), 0.01)) ** 2)
    return np.asarray(fitted, np.float64), np.asarray(off, np.float64)


def _surface(fitted: Floats, shape: tuple[int, ...]) -> Singles:
    height, width = shape
    y, x = np.mgrid[0:height, 0:width]
    terms = _terms(2 * x.ravel() / width - 1, 2 * y.ravel() / height - 1)
    return np.asarray((terms @ fitted).reshape(height, width, 3), np.float32)


def _quadratic(places: list[Place], shape: tuple[int, ...]) -> Floats:
    """Terms of a quadratic at the middles of places on a raster."""
    x = np.array([columns.start + columns.stop for _, columns in places]) / shape[1] - 1
    y = np.array([rows.start + rows.stop for rows, _ in places]) / shape[0] - 1
    return _terms(x, y)


def _terms(x: Floats, y: Floats) -> Floats:
    return np.column_stack([x, y, x * x, x * y, y * y])


def _own_brightness(off: Singles, seen: Bools) -> Singles:
    """Deviation of a square's brightness from the expected one (B, G, R; logarithms); 0 if it cannot be measured."""
    none = np.zeros(3, np.float32)
    if seen.mean() < _OWN_SEEN:
        return none
    brighter = np.quantile(off[seen], _UNSHADED, axis=0)
    shaded = brighter.mean() < -_SHADE
    return none if shaded or np.abs(brighter).max() > _OWN_MOST else np.asarray(brighter, np.float32)


def _near(hidden: Picture, reach_px: float) -> Bools:
    """Mask of the pixels near a hidden one, along rows and columns."""
    size = 2 * round(reach_px) + 1
    return np.asarray(cv2.dilate(hidden, np.ones((size, size), np.uint8)) > 0)


def _pattern(flat: Singles, seen: Bools, clear: Bools, alike: list[Place]) -> Singles:
    """Pattern common to squares of one colour (size x size x 3); the median colour where it is never seen."""
    stack = np.stack([flat[place] for place in alike])
    known, lit = (np.stack([mask[place] for place in alike]) for mask in (seen, clear))
    usual = np.median(stack[known], axis=0) if known.any() else np.zeros(3)
    pattern = np.tile(usual.astype(np.float32), (*known.shape[1:], 1))
    for usable, level in ((known, _LIT), (lit, 0.5)):
        some = usable.any(axis=0)
        if some.any():
            ordered = np.sort(np.where(usable[..., None], stack, np.inf)[:, some], axis=0)  # unseen ones last
            rank = np.rint(level * (usable[:, some].sum(axis=0) - 1)).astype(np.intp)
            pattern[some] = np.take_along_axis(ordered, rank[None, :, None], axis=0)[0]
    return pattern
