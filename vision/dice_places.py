"""Places of a board where something of a die's size lies that is neither empty board nor checker."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.raster import Raster

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]

_LEAST_AREA, _LEAST_WIDTH = 0.1, 0.28
"""Area (in squared checkers' diameters) and width (in diameters) of what may be a die or its shaded side: the smallest
dice's upper faces are 0.13 and 0.36, and the opening below takes a rim off."""
_LARGEST = 5.0
"""Longest side of what may be dice, in diameters: two large ones side by side with their shadows are 4."""
_OPENING = 0.16
"""Things thinner than this, in diameters, are seams: outlines of points and of the frame that moved a little."""
_JOIN_PX = 3
"""Seams in the empty board cut what lies over them apart by so much, in raster pixels."""
_MOST = 12
"""Places looked at, the largest first: more are not dice but a changed light."""


def strange_places(strange: Bools, top: Raster, diameter: float) -> list[Floats]:
    """Boxes round what may be dice: 2 x 2 each, the least and the greatest x and y in board units.

    Args:
        strange: which pixels of the raster belong neither to the empty board nor to a checker.
        top: the raster.
        diameter: of a checker, in its pixels.
    """
    joined = cv2.morphologyEx(strange.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((_JOIN_PX, _JOIN_PX), np.uint8))
    thin = max(2, round(_OPENING * diameter))
    thick = cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones((thin, thin), np.uint8))
    _, _, stats, centres = cv2.connectedComponentsWithStats(thick)
    left, up, width, height, area = stats[1:].T
    margin = top.margin * top.scale
    inside = ((centres[1:] > margin) & (centres[1:] < np.array(top.size) - margin)).all(axis=1)
    fits = (np.minimum(width, height) >= _LEAST_WIDTH * diameter) & (np.maximum(width, height) <= _LARGEST * diameter)
    may = np.flatnonzero(inside & fits & (area >= _LEAST_AREA * diameter**2))
    return [_box(top, left[one], up[one], width[one], height[one]) for one in may[np.argsort(-area[may])][:_MOST]]


def _box(top: Raster, left: float, up: float, width: float, height: float) -> Floats:
    corners = np.array([[left - 0.5, up + height - 0.5, 1], [left + width - 0.5, up - 0.5, 1]])
    return np.asarray((corners @ top.to_board.T)[:, :2])
