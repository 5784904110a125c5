"""Tones against the light squares round about: how bright a place is in the light that falls just there.

A lamp, a shadow or a white balance changes what lies on a square and the light squares beside it by the same share, so
that their ratio is left as it was. What a gloss adds is left in it: that is told from the square's own bare parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.geometry import project
from vision.squares import CELLS, LIGHT, SIDE, SQUARE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.cell_search import Reach
    from vision.raster import Raster

    Picture = NDArray[np.uint8]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.intp]
    Bools = NDArray[np.bool_]

_INSET = 0.08
"""Share of a square's width that is left out along its edges: seams, and corners found a little off."""
_CLEAR, _CORE = 1.18, 0.7
"""Radii, over a checker's, out of which its rim and side are gone, and in which there is nothing but its top."""
_AROUND = 1.3
"""Light squares so near (in squares, from middle to pixel) tell of the light on a square: all that touch it, inside."""
_EVERY, _FINER = 4, 2
"""One pixel in so many, each way, is enough for that, and for a place and its square."""
_FEWEST_LIT, _FEWEST_BARE = 15, 6
"""Pixels from which a median is worth something."""
_OWN = 0.75
"""How far a square's corners lie from its middle, in squares, and a little more."""
_ARE_LIGHT = np.append(LIGHT, False)
"""Which labels are those of light squares; -1, the last one, is none's."""
DARKEST = 3.0
"""Grey levels added to all: below it there is only noise."""
_FIFTHS = 2 * 0.8416
"""Spreads between the fifth and the four fifths of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Tones:
    """What was measured at the cells; tones are B, G, R over those of the light squares round about.

    Attributes:
        inner: CELLS x 3, of a disc at the place given.
        bare: CELLS x 3, of the cell's own square beside that disc; NaN where nothing of it is seen.
        crossed: CELLS, how much more that bare part differs in itself than is usual in the picture (natural logarithm):
            where edges of lamps' patches or shadows cross it.
        uneven: CELLS, how much the light squares round about differ among themselves (natural logarithm).
        level: CELLS x 3, grey levels of the light squares round about.
        lit: which cells have any to be compared with.
    """

    inner: Floats
    bare: Floats
    crossed: Floats
    uneven: Floats
    level: Floats
    lit: Bools


def cell_labels(top: Raster) -> NDArray[np.int8]:
    """Which cell's bare square each pixel of a raster shows, -1 for seams and what lies beside the board."""
    labels = np.full(top.size[::-1], -1, np.int8)
    square = np.array([[_INSET, _INSET], [1 - _INSET, _INSET], [1 - _INSET, 1 - _INSET], [_INSET, 1 - _INSET]])
    for cell in range(CELLS):
        corners = project(top.from_bed, (square + np.array([cell % SIDE, cell // SIDE])) * SQUARE)
        cv2.fillConvexPoly(labels, np.rint(corners).astype(np.int32), cell)
    return labels


def bare_of(shape: tuple[int, ...], reach: Reach, places: Floats) -> Bools:
    """Which pixels of a raster (height x width) are not hidden by checkers, by their tops, sides and feet.

    `places` (n x 3) has each one's x, y and cell.
    """
    bare = np.ones(shape, np.uint8)
    for x, y, cell in places:
        for layers in (0, 1, 2):
            u, v = np.rint(np.array([x, y]) - layers * reach.lifts[int(cell)]).astype(int).tolist()
            cv2.circle(bare, (u, v), round(_CLEAR * reach.diameter / 2), 0, -1)
    return bare.astype(bool)


def measure(view: Picture, reach: Reach, labels: NDArray[np.int8], free: NDArray[np.int8], places: Floats) -> Tones:
    """The tones of all cells.

    Args:
        view: raster, BGR.
        reach: of the same raster.
        labels: which cell each pixel shows.
        free: the same without the checkers that were found.
        places: CELLS x 2, where (x, y) each cell is measured.
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
    """Spread of the logarithms of pixels (n x 3), whatever a few of them show."""
    low, high = np.log(np.quantile(pixels, (0.2, 0.8), axis=0))
    return float((high - low).mean()) / _FIFTHS


def _more_than_usual(differing: Floats) -> Floats:
    """By how much squares differ in themselves more than others of their colour do; 0 where nothing is seen of them."""
    more = np.zeros(CELLS)
    for colour in (LIGHT, ~LIGHT):
        told = colour & np.isfinite(differing)
        if told.any():
            more[told] = np.sqrt(np.maximum(differing[told] ** 2 - np.median(differing[told]) ** 2, 0))
    return more


def _lit(view: Picture, free: NDArray[np.int8], cell: int, reach: Reach) -> Floats:
    """The pixels (n x 3) of the light squares round about a cell, other than itself, that no checker hides."""
    rows, columns, away = _window(view.shape, reach.middles[cell] - reach.lifts[cell], _AROUND * reach.square, _EVERY)
    labels = free[rows, columns]
    near = _ARE_LIGHT[labels] & (labels != cell) & (away < _AROUND * reach.square)
    return np.asarray(view[rows, columns][near] + DARKEST, np.float64)


def _window(shape: tuple[int, ...], place: Floats, reach_px: float, every: int) -> tuple[slice, slice, Floats]:
    """Rows and columns round a place, one in so many, and how far their pixels are from it."""
    x, y = (int(value) for value in np.rint(place))
    reach = int(np.ceil(reach_px))
    rows = slice(max(y - reach, 0), min(y + reach + 1, shape[0]), every)
    columns = slice(max(x - reach, 0), min(x + reach + 1, shape[1]), every)
    v, u = np.ogrid[rows, columns]
    return rows, columns, np.hypot(u - place[0], v - place[1])


def _within(view: Picture, place: Floats, radius: float) -> Floats:
    rows, columns, away = _window(view.shape, place, radius, _FINER)
    return np.asarray(view[rows, columns][away <= radius] + DARKEST, np.float64)


def _own(view: Picture, labels: NDArray[np.int8], cell: int, reach: Reach, place: Floats, radius: float) -> Floats:
    """The pixels of a cell's own square beside a checker whose top is at `place`: without it, its side and its foot."""
    foot = place - reach.lifts[cell]
    rows, columns, _ = _window(view.shape, reach.middles[cell] - reach.lifts[cell], _OWN * reach.square, _FINER)
    v, u = np.ogrid[rows, columns]
    along = reach.lifts[cell]
    share = np.clip(((u - foot[0]) * along[0] + (v - foot[1]) * along[1]) / max(float(along @ along), 1e-9), 0, 1)
    outside = np.hypot(u - foot[0] - share * along[0], v - foot[1] - share * along[1]) > radius
    return np.asarray(view[rows, columns][outside & (labels[rows, columns] == cell)] + DARKEST, np.float64)
