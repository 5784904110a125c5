"""Noise of a picture, and less of it; structuring elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.arrays import Picture


_LAPLACIAN_SD = float(np.sqrt(20))
"""Standard deviation of the Laplacian (4, and -1 for each neighbour) of noise with standard deviation 1."""
_SPREADS = 1.48
"""Standard deviation of a normal distribution over its median absolute deviation."""
_LIGHT = 0.95
"""Share of the pixels that are darker than what counts as a picture's light."""
_CALM = 0.015
"""Noise, as a share of the light, up to which a picture is read as it is: 150 rendered pictures and 80 photographs have
0 to 0.009."""
_BLUR = 4.2
"""Standard deviation of the blur, in pixels, over the root of that share: 0.8 at 8 of 200 grey levels, 1.3 at 20. With
a sixth more or less about as many boards are read; with more, fewer dice. Filters that keep edges read no more of
either."""


def calmed(picture: Picture) -> Picture:
    """A noisy picture (BGR), blurred the more, the more noise it has; any other as it is.

    Noise hides edges, and what is left of it over a board looks like a hand.
    """
    noise = noise_share(picture)
    return picture if noise <= _CALM else np.asarray(cv2.GaussianBlur(picture, (0, 0), _BLUR * noise**0.5), np.uint8)


def noise_share(picture: Picture) -> float:
    """Standard deviation of the noise of a picture's middle, and of the grain of most of what is there, over its light.

    A dim picture is brightened with its noise before it is read.
    """
    quarter = len(picture) // 4
    green = np.asarray(cv2.extractChannel(picture[quarter : len(picture) - quarter], 1), np.uint8)
    curved = np.asarray(cv2.convertScaleAbs(cv2.Laplacian(green, cv2.CV_16S, ksize=1)), np.uint8)
    return _quantile(curved, 0.5) * _SPREADS / _LAPLACIAN_SD / max(_quantile(green, _LIGHT), 1.0)


def _quantile(grey: Picture, share: float) -> float:
    counts = cv2.calcHist([grey], [0], None, [256], [0, 256]).cumsum()
    return float(np.searchsorted(counts, share * counts[-1]))


def ellipse(size_px: float) -> Picture:
    """A disc as a structuring element; its size is rounded to an odd number of pixels."""
    size = round(size_px) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)
