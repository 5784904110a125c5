"""Find pips, round spots darker or brighter than their surroundings, and the squares that they may belong to."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.dice_faces import USUAL_PITCH, FaceHypotheses

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Singles = NDArray[np.float32]
    Picture = NDArray[np.uint8]

_RING = 0.15
"""Radius, in sides, of the ring with which a pip is compared; a pip has 0.07 to 0.11, and the next pip of a six begins
at 0.16 from its middle."""
_RING_RATIO = 1.4
"""Ratio of successive ring radii; a ring serves pips of as wide a range."""
_RING_PLACES = 12
"""Samples on a ring."""
_LEAST_CONTRAST = 8.0
"""Least contrast of a pip to its ring (grey levels): twice that of noise."""
_MOST = 12
"""Most spots of one kind, the clearest first: a die shows up to fifteen pips, up to six of them on the upper face;
those of the sides are fainter."""
_APART = 0.12
"""Least distance of two spots, in the smallest die's sides."""
_PITCHES = (0.245, 0.275)
"""Pitches tried for squares from two pips, in sides."""
_TURNS = 5
"""Angles tried for the square around a single pip, in a quarter turn."""
_SIDE_RATIO = 1.16
"""Ratio of successive sides tried for it; both are refined later."""


def spots(patch: Picture, smallest: float, largest: float) -> tuple[Singles, Singles]:
    """Dark and bright spots (n x 2 each: x, y) that may be pips of dice with sides in that range (pixels)."""
    dark = np.zeros_like(patch)
    bright = dark.copy()
    radius = smallest * _RING * _RING_RATIO**0.5
    while radius < largest * _RING * _RING_RATIO:
        ring = _ring(radius)
        cv2.max(dark, cv2.subtract(cv2.erode(patch, ring), patch), dst=dark)
        cv2.max(bright, cv2.subtract(patch, cv2.dilate(patch, ring)), dst=bright)
        radius *= _RING_RATIO
    return _peaks(_strongest(dark), _APART * smallest), _peaks(_strongest(bright), _APART * smallest)


def _strongest(contrast: Picture) -> Picture:
    """Largest of the three channels at each pixel."""
    blue, green, red = cv2.split(contrast)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


@lru_cache
def _ring(radius: float) -> Picture:
    """Kernel with samples on a ring."""
    reach = int(np.ceil(radius))
    ring = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
    turns = np.arange(_RING_PLACES) * (2 * np.pi / _RING_PLACES)
    ring[tuple(np.rint(reach + radius * np.array([np.sin(turns), np.cos(turns)])).astype(int))] = 1
    return ring


def _peaks(strength: Picture, apart: float) -> Singles:
    """Places of local maxima at least `apart` from each other, greatest first."""
    reach = max(1, round(apart))
    top = cv2.dilate(strength, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
    y, x = np.nonzero((strength >= top) & (strength >= _LEAST_CONTRAST))
    order = np.argsort(-strength[y, x].astype(np.float32), kind="stable")
    kept: list[tuple[float, float]] = []
    for one in order:
        place = float(x[one]), float(y[one])
        if all(abs(place[0] - other[0]) > apart or abs(place[1] - other[1]) > apart for other in kept):
            kept.append(place)
        if len(kept) == _MOST:
            break
    return np.array(kept, np.float32).reshape(-1, 2)


def squares_of(pips: Singles, smallest: float, largest: float) -> FaceHypotheses:
    """Squares that spots (n x 2) may belong to: two spots in opposite corners, or one in the middle."""
    one, other = np.triu_indices(len(pips), 1)
    across = pips[other] - pips[one]
    length = np.hypot(across[:, 0], across[:, 1])
    corner = 2 * np.sqrt(2)
    fits = (length > corner * _PITCHES[0] * smallest) & (length < corner * _PITCHES[1] * largest)
    middle = ((pips[one] + pips[other]) / 2)[fits]
    turn = np.arctan2(across[fits, 1], across[fits, 0]) - np.pi / 4
    parts = [
        (middle[:, 0], middle[:, 1], turn, length[fits] / (corner * pitch), np.full(len(turn), pitch))
        for pitch in _PITCHES
    ]
    side, turn = _round_one(smallest, largest)
    alone = np.repeat(pips, len(side), axis=0)
    side, turn = np.tile(side, len(pips)), np.tile(turn, len(pips))
    parts.append((alone[:, 0], alone[:, 1], turn, side, np.full(len(side), USUAL_PITCH)))
    return FaceHypotheses(*(np.concatenate(each).astype(np.float32) for each in zip(*parts, strict=True)))


@lru_cache
def _round_one(smallest: float, largest: float) -> tuple[Singles, Singles]:
    """Sides and angles of the squares tried around a single pip."""
    sides = smallest * _SIDE_RATIO ** np.arange(0.5, np.log(largest / smallest) / np.log(_SIDE_RATIO))
    side, turn = np.meshgrid(sides, np.arange(_TURNS) * (np.pi / 2 / _TURNS), indexing="ij")
    return side.ravel().astype(np.float32), turn.ravel().astype(np.float32)
