"""Refine the corners of a chequered board by the corners of its squares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.chequered import SQUARES, find_chequers
from vision.chequered_start import sharpen
from vision.geometry import project
from vision.locate import SEARCH_WIDTH_PX

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.camera import Picture

    Floats = NDArray[np.float64]

_OFF = 0.07
"""Largest error of marked corners, in widths of the board; more than half a square would be another square."""
_SEEN = 0.8
"""Least share of the inner corners for which the located board replaces the marks."""
_OUTLINE = np.array([[0, 0], [SQUARES, 0], [SQUARES, SQUARES], [0, SQUARES]], np.float64)


def refine_corners(picture: Picture, corners: Floats) -> Floats:
    """Corners of the 64 squares, refined where the squares meet; the given ones if the result differs too much.

    Args:
        picture: BGR.
        corners: 4 x 2 pixels, approximate; their order, which determines White's side, is kept.
    """
    width = float(np.linalg.norm(np.diff(corners, axis=0), axis=1).max())
    nearest = nearest_board(picture, corners)
    if nearest is not None and np.abs(nearest - corners).max() < _OFF * width:
        return nearest
    marked = cv2.getPerspectiveTransform(_OUTLINE.astype(np.float32), corners.astype(np.float32))
    measured = project(sharpen(picture, np.asarray(marked, np.float64)), _OUTLINE)
    return measured if np.abs(measured - corners).max() < _OFF * width else corners


def nearest_board(picture: Picture, corners: Floats) -> Floats | None:
    """Corners of the 64 squares wherever they are seen, in the order nearest to `corners`; None if not seen."""
    factor = max(picture.shape[1] / SEARCH_WIDTH_PX, 1.0)
    small = cv2.resize(picture, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA)
    found = find_chequers(np.asarray(small, np.uint8))
    if found is None or found.corners_seen < _SEEN:
        return None
    measured = project(sharpen(picture, np.diag([factor, factor, 1.0]) @ found.homography), _OUTLINE)
    turned = [np.roll(measured, turns, axis=0) for turns in range(len(measured))]
    return min(turned, key=lambda one: float(np.abs(one - corners).max()))
