"""Structuring elements of morphology."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.arrays import Picture


def ellipse(size_px: float) -> Picture:
    """A disc as a structuring element; its size is rounded to an odd number of pixels."""
    size = round(size_px) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)
