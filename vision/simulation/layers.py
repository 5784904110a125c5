"""Draws patches, soft shadows and polygons over a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.arrays import Floats, Picture


SUBPIXEL_BITS = 4
"""Fractional bits of OpenCV's fixed-point drawing coordinates."""
UNIT_CIRCLE = np.array([(np.cos(a), np.sin(a), 1.0) for a in np.linspace(0, 2 * np.pi, 33)[:-1]])
"""Points on the unit circle, homogeneous (32 x 3)."""


class Patch(NamedTuple):
    """A partly transparent image to draw over a picture.

    Attributes:
        colour: height x width x 3, uint8, BGR, premultiplied by opacity.
        through: transparency, 0 to 255, of the same shape, equal in all three channels.
        left, top: pixel of the picture for its upper left corner.
    """

    colour: Picture
    through: Picture
    left: int
    top: int

    def moved(self, across: float, down: float) -> Patch:
        """The patch shifted by whole pixels (rounded)."""
        return self._replace(left=self.left + round(across), top=self.top + round(down))


def lay(picture: Picture, patch: Patch) -> None:
    """Draw `patch` over `picture`, clipped to the picture."""
    height, width = picture.shape[:2]
    left, top = max(patch.left, 0), max(patch.top, 0)
    right = min(patch.left + patch.colour.shape[1], width)
    bottom = min(patch.top + patch.colour.shape[0], height)
    if left >= right or top >= bottom:
        return
    inside = np.s_[top - patch.top : bottom - patch.top, left - patch.left : right - patch.left]
    under = picture[top:bottom, left:right]
    transmitted = cv2.multiply(under, patch.through[inside], scale=1 / 255)
    under[:] = cv2.add(transmitted, patch.colour[inside])


_SHADE = 0.55
"""Opacity of a shadow in its middle."""


def darken(picture: Picture, disc: Floats, softness_px: float) -> None:
    """Draw a soft round shadow over `picture` (BGR, in place).

    Args:
        picture: drawn on.
        disc: 2 x 3 affine map from the unit disc to the shadow, in pixels.
        softness_px: standard deviation of its blurred rim.
    """
    reach = np.ceil(np.abs(disc[:, :2]).sum(axis=1) + 3 * softness_px).astype(int)
    left, top = np.floor(disc[:, 2]).astype(int) - reach
    mask = np.full((int(2 * reach[1] + 2), int(2 * reach[0] + 2)), 255, np.uint8)
    fill(mask, UNIT_CIRCLE @ disc.T - (left, top), (255 * (1 - _SHADE),))
    soft = cv2.cvtColor(cv2.GaussianBlur(mask, (0, 0), softness_px), cv2.COLOR_GRAY2BGR).astype(np.uint8, copy=False)
    lay(picture, Patch(np.zeros_like(soft), soft, int(left), int(top)))


def convex_hull(pixels: Floats) -> Floats:
    """The corners (m x 2) of the convex hull of points (n x 2 pixels)."""
    return cv2.convexHull(pixels.astype(np.float32)).reshape(-1, 2).astype(np.float64)


def fill(picture: Picture, corners: Floats, colour: tuple[float, ...]) -> None:
    """Fill a convex polygon (n x 2 pixels, subpixel) with antialiased edges."""
    fixed = np.round(corners * (1 << SUBPIXEL_BITS)).astype(np.int32)
    cv2.fillConvexPoly(picture, fixed, colour, cv2.LINE_AA, SUBPIXEL_BITS)
