"""The look of a chequered board without its checkers: what they hide and shade is borrowed from squares alike.

Light falls unevenly, so a square is told by two things: the pattern that squares of its colour have in common, and how
bright it is there, a smooth surface over the board fitted to all that is seen of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.squares import LIGHT, SIDE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from vision.raster import Raster

    Picture = NDArray[np.uint8]
    Singles = NDArray[np.float32]
    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

_DARKEST = 4.0
"""Grey levels added before logarithms are taken: below it there is only noise."""
_SHADE = 0.07
"""What is darker than foretold by so much (natural logarithm), beside a checker, lies in its shadow."""
_SHADE_PX = 1.5
_BESIDE = 1.1
"""How far from a hidden place a checker's shadow reaches, in squares."""
_CLEAR = 0.45
"""The same for shadows that darken by much: what lies farther off tells the pattern, as far as it is seen there."""
_LIT = 0.8
"""Where all squares are shaded, the pattern is as bright as so many of a hundred of them are at most."""
_RIM_PX = 2.0
"""What is seen so near to a checker's outline may be its rim."""
_OWN_SEEN = 0.02
"""Share of a covered square, clear of its rim, that must be seen to tell how bright the rest is: ten pixels in its
corners."""
_UNSHADED = 0.75
"""Part of those may lie in shadow: so many of a hundred are darker than the square itself."""
_OWN_MOST = 0.4
"""A square that differs more from its place on the surface (natural logarithm) shows something else than itself."""
_LEAST_SEEN = 0.25
"""Share of a square that must be seen for it to tell how bright it is."""
_CORNERS, _EASE, _UNSURE = 0.3, 0.3, 0.75
"""Weight of a square of which only corners are seen; how much a sheen must be worth to be believed, in squares; and how
much of it squares may lack that it was foretold for."""
_ROUNDS = 4
Place = tuple[slice, slice]
"""Rows and columns of a square on the raster."""


@dataclass(frozen=True, slots=True)
class EmptySquares:
    """The empty board.

    Attributes:
        picture: raster, BGR.
        unlike: how much squares of one colour differ in brightness from what is foretold (natural logarithm), for
            dark and light ones: so little is known of the squares that were covered.
    """

    picture: Picture
    unlike: tuple[float, float]


def uncover_squares(view: Picture, hidden: Picture, bed: Raster) -> EmptySquares:
    """The empty board from a raster of the bed with checkers, and the mask (255) of what they hide."""
    light = np.log(view.astype(np.float32) + _DARKEST)
    seen = hidden == 0
    size = round(bed.scale / SIDE)
    places = list(_cells(bed, size))
    clear = seen & ~_near(hidden, _CLEAR * size)
    apart = seen & ~_near(hidden, _RIM_PX)
    surface = _brightness(light, seen, places)
    foretold, unlike = light.copy(), [0.0, 0.0]
    for kind in (False, True):
        alike = [place for cell, place in places if LIGHT[cell] == kind]
        more, unlike[kind] = _sheen(light - surface, seen, apart, alike)
        surface = surface + more
        pattern = _pattern(light - surface, seen, clear, alike)
        for place in alike:
            foretold[place] = pattern + surface[place]
            foretold[place] += _own(light[place] - foretold[place], apart[place])
    inside = np.zeros(seen.shape, bool)
    for _, place in places:
        inside[place] = True
    away = cv2.GaussianBlur(light - foretold, (0, 0), _SHADE_PX).mean(axis=2)
    borrowed = inside & (~seen | (_near(hidden, _BESIDE * size) & (away < -_SHADE)))
    empty = np.clip(np.exp(np.where(borrowed[..., None], foretold, light)) - _DARKEST, 0, 255)
    outside = (~inside & ~seen).astype(np.uint8)
    filled = cv2.inpaint(empty.astype(np.uint8), outside, 3, cv2.INPAINT_TELEA) if outside.any() else empty
    return EmptySquares(np.asarray(filled, np.uint8), (unlike[0], unlike[1]))


def _cells(bed: Raster, size: int) -> Iterator[tuple[int, Place]]:
    """Each cell's place on the raster: (rows, columns)."""
    margin = round(bed.margin * bed.scale)
    for cell in range(SIDE * SIDE):
        top, left = margin + (SIDE - 1 - cell // SIDE) * size, margin + cell % SIDE * size
        yield cell, (slice(top, top + size), slice(left, left + size))


def _brightness(light: Singles, seen: Bools, places: list[tuple[int, Place]]) -> Singles:
    """The surface of brightness that squares of both colours share (height x width x 3, logarithms).

    A quadratic in both directions, with one step between dark and light; squares that do not fit count little.
    """
    told = [(cell, place) for cell, place in places if seen[place].mean() >= _LEAST_SEEN]
    middles = np.array([np.median(light[place][seen[place]], axis=0) for _, place in told])
    kinds = np.array([LIGHT[cell] for cell, _ in told])
    terms = np.column_stack([~kinds, kinds, _quadratic([place for _, place in told], seen.shape)]).astype(np.float64)
    ease = np.array([1e-9, 1e-9, 1e-3, 1e-3, 1e-2, 1e-2, 1e-2])
    fitted, _ = _fitted(terms, middles, np.ones(len(told)), ease)
    return _surface(fitted[2:], seen.shape)


def _sheen(off: Singles, seen: Bools, apart: Bools, alike: list[Place]) -> tuple[Singles, float]:
    """What squares of one colour add to the shared surface: dark ones reflect more of the room than light ones do.

    Returns that (height x width x 3, logarithms), and how far squares that were not seen may be off it.
    """
    whole = [place for place in alike if seen[place].mean() >= _LEAST_SEEN]
    corners = [place for place in alike if seen[place].mean() < _LEAST_SEEN and apart[place].mean() >= _OWN_SEEN]
    middles = [np.median(off[place][seen[place]], axis=0) for place in whole]
    usual = np.median(middles, axis=0) if middles else np.zeros(3)
    told = list(zip(whole, middles, strict=True))
    for place in corners:
        middle = np.quantile(off[place][apart[place]], _UNSHADED, axis=0)
        if (middle - usual).mean() > -_SHADE and np.abs(middle - usual).max() < _OWN_MOST:
            told.append((place, middle))
    if not told:
        return np.zeros_like(off), 0.1
    terms = _quadratic([place for place, _ in told], seen.shape)
    values = np.array([middle for _, middle in told]) - usual
    weight = np.where(np.arange(len(told)) < len(whole), 1.0, _CORNERS)
    fitted, away = _fitted(terms, values, weight, np.full(5, _EASE))
    unlike = 1.48 * float(np.median(away)) + _UNSURE * float(np.abs(values).mean())
    return _surface(fitted, seen.shape), unlike


def _fitted(terms: Floats, values: Floats, shares: Floats, ease: Floats) -> tuple[Floats, Floats]:
    """Least squares in which what does not fit counts little, and how far each value is off (mean of B, G, R)."""
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
    """The terms of a quadratic at the middles of places on a raster."""
    x = np.array([columns.start + columns.stop for _, columns in places]) / shape[1] - 1
    y = np.array([rows.start + rows.stop for rows, _ in places]) / shape[0] - 1
    return _terms(x, y)


def _terms(x: Floats, y: Floats) -> Floats:
    return np.column_stack([x, y, x * x, x * y, y * y])


def _own(off: Singles, seen: Bools) -> Singles:
    """By how much a square is brighter (B, G, R; logarithms) than its place on the surface makes it."""
    none = np.zeros(3, np.float32)
    if seen.mean() < _OWN_SEEN:
        return none
    brighter = np.quantile(off[seen], _UNSHADED, axis=0)
    shaded = brighter.mean() < -_SHADE
    return none if shaded or np.abs(brighter).max() > _OWN_MOST else np.asarray(brighter, np.float32)


def _near(hidden: Picture, reach_px: float) -> Bools:
    """Which pixels lie so near to a hidden one, along rows and columns."""
    size = 2 * round(reach_px) + 1
    return np.asarray(cv2.dilate(hidden, np.ones((size, size), np.uint8)) > 0)


def _pattern(flat: Singles, seen: Bools, clear: Bools, alike: list[Place]) -> Singles:
    """What squares of one colour have in common (size x size x 3); where none shows a place, their usual colour."""
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
