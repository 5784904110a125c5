"""Estimates and reduces the noise of pictures; structuring elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.arrays import Picture


_LAPLACIAN_SD = float(np.sqrt(20))
"""Standard deviation of the Laplacian (4, and -1 for each neighbour) of noise with standard deviation 1."""
_SD_PER_MAD = 1.48
"""Standard deviation of a normal distribution, divided by its median absolute deviation."""
_BRIGHT_QUANTILE = 0.95
"""Quantile of the grey levels that noise is divided by."""
_NOISE = 0.015
"""`noise_share` up to which a picture is read as it is: 150 rendered pictures and 80 photographs have 0 to 0.009."""
_BLUR = 4.2
"""Standard deviation of the blur, in pixels, over the square root of `noise_share`: 0.8 at 8 of 200 grey levels, 1.3 at
20. With a sixth more or less about as many boards are read; with more, fewer dice. Edge-preserving filters read no more
of either."""


def calmed(picture: Picture) -> Picture:
    """A picture (BGR) with a Gaussian blur that grows with its noise; unchanged if it has little.

    Noise hides edges, and noise over a board may be read as a hand.
    """
    noise = noise_share(picture)
    return picture if noise <= _NOISE else np.asarray(cv2.GaussianBlur(picture, (0, 0), _BLUR * noise**0.5), np.uint8)


def noise_share(picture: Picture) -> float:
    """Standard deviation of the noise and grain in the middle half of a picture (BGR), over its bright grey level.

    Relative, because a dim picture is brightened, with its noise, before it is read.
    """
    quarter = len(picture) // 4
    green = np.asarray(cv2.extractChannel(picture[quarter : len(picture) - quarter], 1), np.uint8)
    laplacian = np.asarray(cv2.convertScaleAbs(cv2.Laplacian(green, cv2.CV_16S, ksize=1)), np.uint8)
    return _quantile(laplacian, 0.5) * _SD_PER_MAD / _LAPLACIAN_SD / max(_quantile(green, _BRIGHT_QUANTILE), 1.0)


def _quantile(grey: Picture, share: float) -> float:
    counts = cv2.calcHist([grey], [0], None, [256], [0, 256]).cumsum()
    return float(np.searchsorted(counts, share * counts[-1]))


def ellipse(size_px: float) -> Picture:
    """A disc as a structuring element; its size is rounded to an odd number of pixels."""
    size = round(size_px) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)
