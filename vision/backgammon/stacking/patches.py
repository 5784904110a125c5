"""Patches around the tops of checkers, turned so that a stacked checker's top would appear displaced upwards.

Thus a wall, a shadow on it or a lower checker's rim shows below the top at every place on the board.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.arrays import Floats, Picture


PATCH_PX = 44
"""Width and height of a patch."""
DIAMETER_PX = 22
"""Diameter of a checker in a patch."""
_NO_LIFT = 1e-9
"""Length up to which a lift has no direction."""


def turned_patches(view: Picture, places: Floats, lifts: Floats, diameter: float) -> Picture:
    """Patches (n x PATCH_PX x PATCH_PX x 3) around places (n x 2) of a raster of the tops' plane; its edge is repeated.

    `lifts`: n x 2, displacement of a stacked checker's top, in any unit; where there is none, any direction is up.
    `diameter`: of a checker, in pixels.
    """
    _, up = lengths_and_directions(lifts, (0.0, -1.0))
    step, middle = diameter / DIAMETER_PX, (PATCH_PX - 1) / 2
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    result = np.empty((len(places), PATCH_PX, PATCH_PX, 3), np.uint8)
    for one, (place, (x, y)) in enumerate(zip(places, up, strict=True)):
        turn = np.array([[-y, -x], [x, -y]]) * step
        warp = np.column_stack([turn, place - turn @ (middle, middle)])
        result[one] = cv2.warpAffine(view, warp, (PATCH_PX, PATCH_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return result


def lengths_and_directions(lifts: Floats, otherwise: tuple[float, float]) -> tuple[Floats, Floats]:
    """Lengths (n x 1) and directions (n x 2) of lifts (n x 2); `otherwise`: the direction where there is no lift."""
    size = np.linalg.norm(lifts, axis=1, keepdims=True)
    return size, np.where(size > _NO_LIFT, lifts / np.maximum(size, _NO_LIFT), otherwise)
