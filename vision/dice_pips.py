"""Pips: round spots, darker or brighter than everything around them, and the squares that they may be the pips of."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.dice_faces import USUAL_PITCH, Squares

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Singles = NDArray[np.float32]
    Picture = NDArray[np.uint8]

_RING = 0.15
"""Radius of the ring that a pip stands out against, in sides: its own is 0.07 to 0.11, and the next pip of a six
begins at 0.16 from its middle."""
_RING_RATIO = 1.4
"""From one ring tried to the next; the radii that a pip stands out against span as much."""
_RING_PLACES = 12
_LEAST_CONTRAST = 8.0
"""Grey levels by which a pip stands out from its ring at the least: twice what noise does."""
_MOST = 12
"""Spots of one kind looked at, the plainest first: a die shows up to fifteen pips, the upper face up to six, and those
of the sides are drawn out and fainter."""
_APART = 0.12
"""Spots nearer to each other than this, in the smallest dice's sides, are one."""
_PITCHES = (0.245, 0.275)
_TURNS = 5
_SIDE_RATIO = 1.16
"""Steps of the squares round a lone pip: they are refined afterwards."""


def spots(patch: Picture, smallest: float, largest: float) -> tuple[Singles, Singles]:
    """The dark and the bright spots (n x 2 each: x, y) of a patch that may be pips of dice with sides of that range."""
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
    """Of the three channels at each pixel."""
    blue, green, red = cv2.split(contrast)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


@lru_cache
def _ring(radius: float) -> Picture:
    """Places on a ring as a mask: so many tell as much as all of it."""
    reach = int(np.ceil(radius))
    ring = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
    turns = np.arange(_RING_PLACES) * (2 * np.pi / _RING_PLACES)
    ring[tuple(np.rint(reach + radius * np.array([np.sin(turns), np.cos(turns)])).astype(int))] = 1
    return ring


def _peaks(strength: Picture, apart: float) -> Singles:
    """Places of the greatest values that are `apart`, greatest first."""
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


def squares_of(pips: Singles, smallest: float, largest: float) -> Squares:
    """The squares that spots (n x 2) may be pips of: two of them in opposite corners, or one in the middle."""
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
    return Squares(*(np.concatenate(each).astype(np.float32) for each in zip(*parts, strict=True)))


@lru_cache
def _round_one(smallest: float, largest: float) -> tuple[Singles, Singles]:
    """Sides and angles of the squares round a lone pip."""
    sides = smallest * _SIDE_RATIO ** np.arange(0.5, np.log(largest / smallest) / np.log(_SIDE_RATIO))
    side, turn = np.meshgrid(sides, np.arange(_TURNS) * (np.pi / 2 / _TURNS), indexing="ij")
    return side.ravel().astype(np.float32), turn.ravel().astype(np.float32)
