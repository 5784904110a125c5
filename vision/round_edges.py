"""How round the edges of a picture are about every pixel: whether they point at it, at one distance, all the way round.

The way an edge runs tells nothing of light: a black disc on a black square has a rim as a white one has, in a lamp's
patch and across a shadow's edge. Only its way counts, not which side is the brighter: a disc may be darker than one
square and brighter than the next.
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
_FLAT = 0.25
"""So much of a board, at least, is flat: the gradients there are the picture's noise."""
_FAINTEST = 0.4
"""Least noise of a gradient (Lab units a pixel): what JPEG and rounding to whole levels leave of a still sensor."""
_WIDTH = 0.7
"""Spread of an outline, in pixels of the halved picture: lens, blur and a rim's own rounding."""
_LEAST_SEEN = 0.4
"""Share of a circle that must be looked at: where less is, it is taken as if so much were."""


@dataclass(frozen=True, slots=True)
class RoundEdges:
    """The ways of a picture's edges, halved.

    Attributes:
        along: cosine of twice the angle of each pixel's gradient, times how far it stands out from noise (0 to 1).
        across: the sine likewise.
        looked_at: which pixels count (0 to 1).
        size: width and height of the picture.
    """

    along: Singles
    across: Singles
    looked_at: Singles
    size: tuple[int, int]

    @classmethod
    def of(cls, view: Picture, looked_at: Singles) -> RoundEdges:
        """From a picture (BGR) and which of its pixels count (1 or 0)."""
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
        """For every pixel, how round edges are at that distance: 1 a perfect rim, 0 none, less where edges cross it."""
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
