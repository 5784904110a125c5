"""Roundness of the edges around each pixel, from gradient orientation only.

Orientation is independent of light: a black disc on a black square has a rim too. Its sign is ignored, because a disc
may be darker than one square and brighter than the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.discs import to_lab

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    Singles = NDArray[np.float32]

_BLUR_PX = 1.0
"""Standard deviation in pixels of the blur before the gradient."""
_FLAT = 0.25
"""Share of a board that is certainly flat; gradients up to this quantile are noise."""
_FAINTEST = 0.4
"""Least noise of a gradient (Lab units per pixel): from JPEG and rounding to 8 bits."""
_WIDTH = 0.7
"""Standard deviation of a rim's width, in pixels of the halved picture: lens, blur and the rim's rounding."""
_LEAST_SEEN = 0.4
"""Least share of a circle by which the result is divided, however little of the circle is used."""


@dataclass(frozen=True, slots=True)
class RoundEdges:
    """Edge orientations of a picture, at half its resolution.

    Attributes:
        along: cosine of twice the angle of each pixel's gradient, times its weight against noise (0 to 1).
        across: the sine of twice the angle, times the same weight.
        looked_at: weight of the pixel (0 to 1): 0 outside the part that is used.
        size: width and height of the picture.
    """

    along: Singles
    across: Singles
    looked_at: Singles
    size: tuple[int, int]

    @classmethod
    def of(cls, view: Picture, looked_at: Singles) -> RoundEdges:
        """From a picture (BGR) and a mask of the pixels that are used (1 or 0)."""
        smooth = cv2.GaussianBlur(to_lab(view), (0, 0), _BLUR_PX)
        along, across, strength = (np.zeros(view.shape[:2], np.float32) for _ in range(3))
        for channel in cv2.split(smooth):
            x, y = (cv2.Scharr(channel, cv2.CV_32F, *way, scale=1 / 32) for way in ((1, 0), (0, 1)))
            xx, yy = cv2.multiply(x, x), cv2.multiply(y, y)
            along += cv2.subtract(xx, yy)
            across += cv2.multiply(x, y, scale=2)
            strength += cv2.add(xx, yy)
        noise = max(float(np.sqrt(np.quantile(strength[::4, ::4], _FLAT))), _FAINTEST)
        weight = looked_at / (strength + noise**2)
        return cls(
            _halved(along * weight), _halved(across * weight), _halved(looked_at), (view.shape[1], view.shape[0])
        )

    def about(self, radius_px: float) -> Singles:
        """Roundness of the edges at this distance around each pixel: 1 for a perfect rim, 0 for none."""
        radius = radius_px / 2
        reach = int(np.ceil(radius + 3 * _WIDTH))
        y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
        away, angle = np.hypot(x, y), np.arctan2(y, x)
        ring = np.exp(-0.5 * ((away - radius) / _WIDTH) ** 2)
        ring /= ring.sum()
        even = cv2.filter2D(self.along, -1, (ring * np.cos(2 * angle)).astype(np.float32))
        odd = cv2.filter2D(self.across, -1, (ring * np.sin(2 * angle)).astype(np.float32))
        seen = np.maximum(cv2.filter2D(self.looked_at, -1, ring.astype(np.float32)), _LEAST_SEEN)
        found = cv2.divide(cv2.add(even, odd), np.asarray(seen, np.float32))
        return np.asarray(cv2.resize(found, self.size, interpolation=cv2.INTER_LINEAR), np.float32)


def _halved(one: Singles) -> Singles:
    return np.asarray(cv2.resize(one, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)
