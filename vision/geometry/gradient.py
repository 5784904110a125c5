"""Grey levels, half-size copies and first derivatives of pictures.

Rooms above this one (imaging, backgammon) and registration in this one need the same kernels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.arrays import Picture, Singles


def grey(picture: Picture) -> Singles:
    """Convert BGR to grey levels, float32."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)


def halved(image: Singles) -> Singles:
    """The image at half its size, float32: the mean of each two by two pixels."""
    return np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)


def sobel_gradient(image: Singles) -> tuple[Singles, Singles]:
    """Derivatives along x and along y (units per pixel; the shape of `image`, any channels) by the 3 x 3 Sobel kernel.

    The kernel averages over three rows; it suits areas and registration.
    """
    x, y = (cv2.Sobel(image, cv2.CV_32F, *order, ksize=3, scale=1 / 8) for order in ((1, 0), (0, 1)))
    return np.asarray(x, np.float32), np.asarray(y, np.float32)


def scharr_gradient(image: Singles) -> tuple[Singles, Singles]:
    """Derivatives along x and along y (units per pixel; the shape of `image`, any channels) by the 3 x 3 Scharr kernel.

    Its direction is more exact than that of the Sobel kernel; it suits edges whose angle is used.
    """
    x, y = (cv2.Scharr(image, cv2.CV_32F, *order, scale=1 / 32) for order in ((1, 0), (0, 1)))
    return np.asarray(x, np.float32), np.asarray(y, np.float32)
