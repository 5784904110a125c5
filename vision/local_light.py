"""Correct light that changed over a part of a chequered board, measured on its light squares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    Bools = NDArray[np.bool_]

_DARKEST = 4.0
"""Grey levels added before logarithms are taken, because below it there is only noise."""
_LOGARITHMS = np.tile(np.log(np.arange(256, dtype=np.float32) + _DARKEST)[:, None], (1, 3))[None]
"""Table of those logarithms for `cv2.LUT`."""
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
        ground: the empty board, likewise.
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
