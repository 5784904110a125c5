"""A lens that bends straight lines: places in pictures as a pinhole camera would have them, and back."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.camera import Picture

    Floats = NDArray[np.float64]

_TURNS = 30
"""Rounds in which the straight place of a bent one is found; each makes what is missing at least twice as small."""


@dataclass(frozen=True)
class LensDistortion:
    """A lens that moves what it shows towards the picture's middle, or away from it (Brown 1966, its first term).

    Attributes:
        size: width and height of its pictures.
        bend: what is seen r picture widths from the middle appears at r (1 + bend r²); OpenCV's k1 is this times the
            square of the focal length in picture widths. Below 0 the lens makes barrels of squares.
    """

    size: tuple[int, int]
    bend: float

    @property
    def _middle(self) -> Floats:
        return (np.array(self.size) - 1) / 2

    def distort(self, places: Floats) -> Floats:
        """Where the lens shows what a pinhole camera shows at `places` (..., 2; pixels)."""
        away = (np.asarray(places, np.float64) - self._middle) / self.size[0]
        moved = away * (1 + self.bend * (away * away).sum(axis=-1, keepdims=True))
        return np.asarray(moved * self.size[0] + self._middle)

    def undistort(self, places: Floats) -> Floats:
        """Where a pinhole camera shows what the lens shows at `places` (..., 2; pixels)."""
        seen = (np.asarray(places, np.float64) - self._middle) / self.size[0]
        away = seen
        for _ in range(_TURNS):
            away = (away + seen / (1 + self.bend * (away * away).sum(axis=-1, keepdims=True))) / 2
        return np.asarray(away * self.size[0] + self._middle)

    @cached_property
    def _maps(self) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
        """From every pixel of a straight picture to its place in the bent one, in the form fastest to follow."""
        width, height = self.size
        pixels = np.stack(np.meshgrid(np.arange(float(width)), np.arange(float(height))), axis=-1)
        x, y = np.moveaxis(self.distort(pixels).astype(np.float32), -1, 0)
        whole, rest = cv2.convertMaps(x, y, cv2.CV_16SC2)
        return np.asarray(whole, np.int16), np.asarray(rest, np.uint16)

    def undistort_picture(self, picture: Picture) -> Picture:
        """The picture as a pinhole camera would have taken it; one of another size is left as it is."""
        if (picture.shape[1], picture.shape[0]) != self.size:
            return picture
        return np.asarray(cv2.remap(picture, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)
