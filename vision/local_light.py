"""Light that changed over a part of a chequered board only: the light squares tell, which hardly ever bear anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    Bools = NDArray[np.bool_]

_DARKEST = 4.0
"""Grey levels added before logarithms are taken: below it there is only noise."""
_LOGARITHMS = np.tile(np.log(np.arange(256, dtype=np.float32) + _DARKEST)[:, None], (1, 3))[None]
_GREY, _MOST = 0.12, 0.8
"""A shadow takes as much of every colour (natural logarithms) and leaves some light; skin and sleeves mostly do not."""
_REACH = 0.45
"""Light is smoothed over so much of a square."""
_FEW = 0.1
"""Share of a place's surroundings that must tell of its light to be believed half."""
_USUAL = 0.08
"""So much (natural logarithm) light differs near checkers anyway, by their shadows."""


def even_out(levelled: Picture, ground: Picture, light: Bools, square_px: float) -> Picture:
    """A levelled raster as it would be if light had changed alike everywhere.

    Args:
        levelled: BGR.
        ground: the empty board, likewise.
        light: which pixels are light squares.
        square_px: width of a square.
    """
    seen, empty = (
        cv2.LUT(cv2.resize(one, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), _LOGARITHMS)
        for one in (levelled, ground)
    )
    change = cv2.split(cv2.subtract(seen, empty))
    brighter = np.asarray(sum(change) / len(change), np.float32)
    differing = cv2.max(cv2.max(change[0], change[1]), change[2]) - cv2.min(cv2.min(change[0], change[1]), change[2])
    told = light[::2, ::2] & (differing < _GREY) & (np.abs(brighter) < _MOST)
    spread = (0, 0), _REACH * square_px / 2
    weight = cv2.GaussianBlur(told.astype(np.float32), *spread)
    field = cv2.GaussianBlur(np.where(told, brighter, np.float32(0)), *spread) / (weight + _FEW / 2)
    field *= np.clip((np.abs(field) - _USUAL / 2) / _USUAL, 0, 1)
    if not field.any():
        return levelled
    factor = cv2.resize(np.exp(-field), levelled.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(levelled, cv2.merge([factor] * 3), dtype=cv2.CV_8U), np.uint8)
