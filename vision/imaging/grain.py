"""Where the grain of a surface is seen, such as a table's: anything that lies there would hide it.

Unlike brightness and colour, fine structure is the same in any light: in a shadow, in a lamp's reflection, in haze.
`vision.imaging.board_drawing` compares single edges in the same way; a table has hardly any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.arrays import Bools, Picture, Singles


_LOGARITHM = np.log(np.arange(256, dtype=np.float32) + 8)
"""Logarithm of each grey level plus 8: without the sum, noise in dark places would count as grain."""
_FINEST_PX, _COARSEST_PX = 1.0, 4.0
"""Standard deviations of the Gaussians between which the structure lies that is compared: noise is finer, and light
changes more slowly."""
_SEEN = 0.5
"""Least correlation with the bare surface where its grain is seen. In the areas that 70 hands change, drawn and
path-traced, it is 0.26 at most but for one finger's tip; in those of 40 reflections and shadows 0.43 and more but for
three small ones."""
_LEAST_POWER = 1e-9
"""Added to the product of both variances: a surface without any structure has no correlation."""


class Grain:
    """The grain of a bare surface on a raster."""

    def __init__(self, ground: Picture, reach_px: float) -> None:
        """`ground`: the bare surface (BGR); `reach_px`: standard deviation of the area that is compared at a pixel."""
        self._reach = reach_px
        self._structure = _structure(ground)
        self._power = self._mean(self._structure**2)

    def seen_in(self, view: Picture) -> Bools:
        """Mask of the pixels of a raster (BGR) around which the grain is seen, in any light."""
        structure = _structure(view)
        power = self._mean(structure**2) * self._power
        return np.asarray(self._mean(structure * self._structure) > _SEEN * np.sqrt(power + _LEAST_POWER))

    def _mean(self, image: Singles) -> Singles:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), self._reach))


def _structure(view: Picture) -> Singles:
    """The structure of a raster's logarithm of brightness (height x width)."""
    logarithm = cv2.transform(cv2.LUT(view, _LOGARITHM), np.full((1, 3), 1 / 3, np.float32))
    fine, coarse = (cv2.GaussianBlur(logarithm, (0, 0), spread) for spread in (_FINEST_PX, _COARSEST_PX))
    return np.asarray(fine - coarse, np.float32)
