"""Brightness of a place relative to its surroundings, which hardly changes with the light.

A lamp, a shadow or a white balance changes a square and the light squares beside it by the same factor, so their ratio
stays. Gloss adds to it; that is measured on the bare part of the square.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.checkers.layout import CELLS, LIGHT, SIDE, SQUARE
from vision.geometry import project

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.arrays import Bools, Floats, Ints, Picture
    from vision.checkers.cell_search import Reach
    from vision.geometry import Raster


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
_ARE_LIGHT = np.append(LIGHT, False)
"""Mask, by label, of light squares; the last element is for label -1."""
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


def bare_mask(shape: tuple[int, ...], reach: Reach, places: Floats) -> Bools:
    """Mask of a raster's pixels (height x width) that no checker hides by its top, side or foot.

    `places` (n x 3) has each one's x, y and cell.
    """
    bare = np.ones(shape, np.uint8)
    for x, y, cell in places:
        for layers in (0, 1, 2):
            u, v = np.rint(np.array([x, y]) - layers * reach.lifts[int(cell)]).astype(int).tolist()
            cv2.circle(bare, (u, v), round(_CLEAR * reach.diameter / 2), 0, -1)
    return bare.astype(bool)


def tone_pixels(reach: Reach, labels: NDArray[np.int8]) -> tuple[Ints, Ints]:
    """Pixels of a raster on which tones are measured: flat indices, CELLS x n each, filled up with -1.

    Those of the light squares near each cell, other than itself, and those of its own square; `labels`: the cell that
    each pixel shows.
    """
    coarse, fine = ((slice(None, None, step),) * 2 for step in (_EVERY, _FINER))
    flat, width = np.arange(labels.size).reshape(labels.shape), labels.shape[1]
    light = flat[coarse][_ARE_LIGHT[labels[coarse]]]
    lit = []
    for cell, (x, y) in enumerate(reach.middles - reach.lifts):
        near = np.hypot(light % width - x, light // width - y) < _AROUND * reach.square
        lit.append(light[near & (labels.ravel()[light] != cell)])
    own = [flat[fine][labels[fine] == cell] for cell in range(CELLS)]
    return _filled(lit), _filled(own)


def _filled(lists: list[Ints]) -> Ints:
    """Lists of indices as one array, filled up with -1."""
    longest = max(map(len, lists))
    return np.array([np.pad(one, (0, longest - len(one)), constant_values=-1) for one in lists])


def measure(view: Picture, reach: Reach, pixels: tuple[Ints, Ints], bare: Bools, places: Floats) -> Tones:
    """Measure the tones of all cells of a raster (BGR) at `places` (CELLS x 2 pixels: x, y), one for each cell.

    `pixels`: from `tone_pixels`; `bare`: mask of those that no checker hides.
    """
    colours, width, (lights, owns) = view.reshape(-1, 3), view.shape[1], pixels
    lit_low, level, lit_high, seen = _quantiles(colours, lights, (lights >= 0) & bare.ravel()[lights])
    lit = seen >= _FEWEST_LIT
    level = np.where(lit[:, None], level, 1.0)
    radius = reach.diameter / 2
    disc = np.rint(places).astype(np.intp)[:, None] + _disc(_CORE * radius)
    x, y = disc[..., 0].clip(0, width - 1), disc[..., 1].clip(0, view.shape[0] - 1)
    _, inner, _, _ = _quantiles(colours, y * width + x, np.ones(x.shape, bool))
    low, own, high, number = _quantiles(colours, owns, _beside(owns, width, reach, places))
    shown = lit & (number >= _FEWEST_BARE)
    spread = np.where(shown, _log_spread(low, high), np.nan)
    return Tones(
        np.where(lit[:, None], inner / level, np.nan),
        np.where(shown[:, None], own / level, np.nan),
        _excess_spread(spread),
        np.where(lit, _log_spread(lit_low, lit_high), 0.0),
        level,
        lit,
    )


def _disc(radius: float) -> Ints:
    """Offsets (n x 2) of the pixels within a radius, with the finer step."""
    steps = np.arange(-int(radius), int(radius) + 1, _FINER)
    offsets = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    return np.asarray(offsets[np.hypot(*offsets.T) <= radius])


def _beside(own: Ints, width: int, reach: Reach, places: Floats) -> Bools:
    """Mask of a square's pixels beside a checker whose top is at `places`, clear of its side and foot."""
    foot, along = places - reach.lifts, reach.lifts[:, None]
    away = np.stack([own % width, own // width], axis=-1) - foot[:, None]
    share = (away * along).sum(axis=2) / np.maximum((along**2).sum(axis=2), 1e-9)
    off = away - share.clip(0, 1)[..., None] * along
    return np.asarray((np.hypot(off[..., 0], off[..., 1]) > _CLEAR * reach.diameter / 2) & (own >= 0))


def _quantiles(colours: Picture, which: Ints, chosen: Bools) -> tuple[Floats, Floats, Floats, Ints]:
    """The 20 %, 50 % and 80 % quantiles (CELLS x 3 each, with `TONE_OFFSET`) of chosen pixels, and their numbers."""
    ordered = np.sort(np.where(chosen[..., None], colours[which], np.int16(255 + 1)), axis=1, kind="stable")
    number = chosen.sum(axis=1)
    found = []
    for share in (0.2, 0.5, 0.8):
        at = share * np.maximum(number - 1, 0)
        first = at.astype(np.intp)
        ends = [
            np.take_along_axis(ordered, one[:, None, None], axis=1)[:, 0]
            for one in (first, np.ceil(at).astype(np.intp))
        ]
        found.append(ends[0] + (at - first)[:, None] * (ends[1] - ends[0]) + TONE_OFFSET)
    return found[0], found[1], found[2], number


def _log_spread(low: Floats, high: Floats) -> Floats:
    """Robust standard deviation (n) of the logarithms of pixels, from their 20 % and 80 % quantiles (n x 3)."""
    return np.asarray((np.log(high) - np.log(low)).mean(axis=1) / _FIFTHS)


def _excess_spread(spread: Floats) -> Floats:
    """Spread within squares (CELLS) in excess of the median of their colour; 0 if not seen (NaN)."""
    more = np.zeros(CELLS)
    for colour in (LIGHT, ~LIGHT):
        seen = colour & np.isfinite(spread)
        if seen.any():
            more[seen] = np.sqrt(np.maximum(spread[seen] ** 2 - np.median(spread[seen]) ** 2, 0))
    return more
