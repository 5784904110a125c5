"""How light and how sharp a picture is, for setting up lamp and lens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.arrays import Picture


WIDTH_PX = 640
CLIPPED_LEVEL = 250
"""Grey level from which a pixel is saturated."""
BRIGHT_PERCENT = 90


@dataclass(frozen=True, slots=True)
class PictureFigures:
    """Figures of one picture.

    Attributes:
        clipped: share of saturated pixels, 0 to 1.
        bright: grey level, 0 to 255, below which nine tenths of the pixels are.
        sharpness: energy of the gradient over the variance of the picture: it falls with blur, at any contrast.
    """

    clipped: float
    bright: float
    sharpness: float


def picture_figures(image: Picture) -> PictureFigures:
    """Measure a picture (BGR)."""
    step = max(1, image.shape[1] // WIDTH_PX)
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    few = grey[::step, ::step]
    calm = cv2.GaussianBlur(grey, (3, 3), 0)
    energy = sum(cv2.norm(cv2.Sobel(calm, cv2.CV_16S, *along), cv2.NORM_L2SQR) for along in ((1, 0), (0, 1)))
    contrast = calm.size * cv2.meanStdDev(calm)[1].item() ** 2
    sharpness = energy / contrast if contrast > 0 else 0.0
    return PictureFigures(float(np.mean(few >= CLIPPED_LEVEL)), float(np.percentile(few, BRIGHT_PERCENT)), sharpness)
