"""Noise of a picture, smoothing of those much noisier than the calibration picture, and structuring elements."""

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
_MORE_NOISE, _SMOOTHED_PX = 3.0, (3, 3)
"""Noise above the calibration picture's, in grey levels on the raster, from which a picture is smoothed first, and over
how many pixels. Measured: noise of 6 levels in the picture is 2.3 to 4 and does no harm, noise of 9 is 4 and more and
looks like a hand; from picture to picture it varies by less than 1."""


def noise_level(view: Picture) -> float:
    """Standard deviation (grey levels) of the noise of a raster (BGR) and of the board's own grain."""
    green = np.ascontiguousarray(view[..., 1])
    curved = np.abs(cv2.Laplacian(green, cv2.CV_16S, ksize=1))
    return float(np.median(curved)) * _SPREADS / _LAPLACIAN_SD


def is_noisier(view: Picture, known_level: float) -> bool:
    """Whether a raster is so much noisier than the calibration picture's that its picture is to be smoothed."""
    return noise_level(view) > known_level + _MORE_NOISE


def smoothed(picture: Picture) -> Picture:
    """A noisy picture (BGR) with a third of its noise."""
    return np.asarray(cv2.blur(picture, _SMOOTHED_PX), np.uint8)


def ellipse(size_px: float) -> Picture:
    """A disc as a structuring element; its size is rounded to an odd number of pixels."""
    size = round(size_px) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)
