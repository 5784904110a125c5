"""The contrast of a board of tiles: its pictures are stretched to the full range of grey levels before they are read.

Haze, a veil of stray light in the lens, and a low sun raise the darkest grey levels. Dim light lowers the brightest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.imaging import black_level, stretched

if TYPE_CHECKING:
    from vision.arrays import Floats, Picture


_BRIGHT_PERCENTILE = 96
"""Percentile of the greatest channel that becomes white; few pixels are clipped."""


@dataclass(frozen=True, slots=True)
class ContrastStretch:
    """A linear change of the grey levels of all channels, learned from one picture of a board.

    Attributes:
        black: grey level that becomes 0.
        factor: of the contrast.
    """

    black: float
    factor: float

    def __post_init__(self) -> None:
        """Raise ValueError if the factor is not above 0."""
        if not self.factor > 0:
            raise ValueError(f"the factor of the contrast is {self.factor!r}")

    @classmethod
    def of(cls, picture: Picture, corners: Floats) -> ContrastStretch:
        """The stretch of the area within the corners (4 x 2 pixels) of a picture (BGR) to the full range."""
        inside = np.zeros(picture.shape[:2], np.uint8)
        cv2.fillConvexPoly(inside, np.rint(corners).astype(np.int32), 1)
        pixels = picture[inside > 0]
        if not pixels.size:
            return cls(0.0, 1.0)
        black = black_level(pixels)
        white = float(np.percentile(pixels.max(axis=1), _BRIGHT_PERCENTILE))
        return cls(black, 255 / max(white - black, 1.0))

    def applied(self, picture: Picture, black: float | None = None) -> Picture:
        """A picture (BGR) stretched; `black`: its grey level that becomes 0, in place of the learned one."""
        return stretched(picture, self.black if black is None else black, self.factor)

    def undone(self, picture: Picture) -> Picture:
        """A stretched picture (BGR) as it was taken."""
        return stretched(picture, -self.black * self.factor, 1 / self.factor)
