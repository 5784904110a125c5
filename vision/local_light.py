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
    seen, empty = (np.log(one.astype(np.float32) + _DARKEST) for one in (levelled, ground))
    change = seen - empty
    brighter = change.mean(axis=2)
    told = light & (np.ptp(change, axis=2) < _GREY) & (np.abs(brighter) < _MOST)
    spread = (0, 0), _REACH * square_px
    weight = cv2.GaussianBlur(told.astype(np.float32), *spread)
    field = cv2.GaussianBlur(np.where(told, brighter, 0).astype(np.float32), *spread) / (weight + _FEW / 2)
    field *= np.clip((np.abs(field) - _USUAL / 2) / _USUAL, 0, 1)
    if not field.any():
        return levelled
    return np.asarray(np.clip(levelled * np.exp(-field)[..., None], 0, 255), np.uint8)
