"""Radial lens distortion: converts pixels and pictures between the real lens and a pinhole camera."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.arrays import Floats, Picture


_ITERATIONS = 30
"""Fixed-point iterations of `undistort`; each at least halves the error."""


@dataclass(frozen=True)
class LensDistortion:
    """Radial distortion of a lens with one coefficient (Brown 1966, first term).

    Attributes:
        size: width and height of its pictures in pixels.
        bend: distortion coefficient: a place r picture widths from the middle appears at r (1 + bend r²). OpenCV's k1
            is `bend` times the square of the focal length in picture widths. Below 0 it is barrel distortion.
    """

    size: tuple[int, int]
    bend: float

    @property
    def _middle(self) -> Floats:
        return (np.array(self.size) - 1) / 2

    def distort(self, places: Floats) -> Floats:
        """Convert pinhole pixels (..., 2) to pixels of this lens."""
        away = (np.asarray(places, np.float64) - self._middle) / self.size[0]
        moved = away * (1 + self.bend * (away * away).sum(axis=-1, keepdims=True))
        return np.asarray(moved * self.size[0] + self._middle)

    def undistort(self, places: Floats) -> Floats:
        """Convert pixels of this lens (..., 2) to pinhole pixels."""
        if not self.bend:
            return np.asarray(places, np.float64)
        seen = (np.asarray(places, np.float64) - self._middle) / self.size[0]
        away = seen
        for _ in range(_ITERATIONS):
            away = (away + seen / (1 + self.bend * (away * away).sum(axis=-1, keepdims=True))) / 2
        return np.asarray(away * self.size[0] + self._middle)

    @cached_property
    def _maps(self) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
        """Maps for `cv2.remap` from undistorted to distorted pixels, in OpenCV's fastest fixed-point form."""
        width, height = self.size
        pixels = np.stack(np.meshgrid(np.arange(float(width)), np.arange(float(height))), axis=-1)
        x, y = np.moveaxis(self.distort(pixels).astype(np.float32), -1, 0)
        whole, rest = cv2.convertMaps(x, y, cv2.CV_16SC2)
        return np.asarray(whole, np.int16), np.asarray(rest, np.uint16)

    def undistort_picture(self, picture: Picture) -> Picture:
        """Undistort a picture; a picture of another size is returned unchanged."""
        if (picture.shape[1], picture.shape[0]) != self.size:
            return picture
        return np.asarray(cv2.remap(picture, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)
