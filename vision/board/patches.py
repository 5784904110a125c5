"""Patches around checkers or cubes, turned so that the camera's far side is up, as the comparing networks see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from vision.comparator import shares_by_distance

if TYPE_CHECKING:
    from vision.arrays import Floats, Ints, Picture, Singles


PATCH_PX = 44
"""Width and height of a patch."""
DIAMETER_PX = 22
"""Diameter of a checker in a patch."""
_NO_LIFT = 1e-9
"""Length up to which a lift has no direction."""
_NEAR = 3.0
"""Standard deviation of the distance over which known checkers are averaged, in diameters."""
LIFT_SCALE, MOST_LIFT = 4.0, 0.6
"""Factor on the lift in diameters, and the largest lift in the input."""
_DARKEST = 0.06
"""Added to the brightness before its logarithm, so that a dark pixel's noise counts for little."""


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


def network_input(patches: Any) -> Any:
    """Input (n x height x width x 4) from patches (BGR, 0 to 1): the colours, and relative lightness."""
    light = np.log(sum(patches[..., channel : channel + 1] for channel in range(3)) / 3 + _DARKEST)
    return np.concatenate([(patches - 0.4) * 2.5, light - light.mean(axis=(1, 2), keepdims=True)], axis=-1)


def nearby(places: Any, sides: Any, known: Any, known_sides: Any, among: Any = True) -> Singles:
    """Weights (n x known) by distance of the known checkers of the same side, at least one; rows sum to 1.

    `places` are in diameters, `sides` 0 or 1. `among`: mask (n x known) of those that may count; all by default.
    """
    squared = ((places[:, None] - known[None]) ** 2).sum(axis=2)
    squared = np.where((sides[:, None] == known_sides[None]) & among, squared, np.inf)
    return shares_by_distance(squared, _NEAR)


@dataclass(frozen=True, slots=True)
class PatchedCheckers:
    """Checkers as inputs of the network (n of each).

    Attributes:
        patches: n x PATCH_PX x PATCH_PX x 3, around their tops (see `turned_patches`), BGR.
        bare: the same of the empty board there.
        places: n x 2, in diameters.
        sides: 0 White, 1 Black.
        lifts: lengths of the lift, in diameters.
    """

    patches: Picture
    bare: Picture
    places: Floats
    sides: Ints
    lifts: Floats
