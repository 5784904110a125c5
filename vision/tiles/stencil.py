"""What shows of a cube on a raster."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from vision.arrays import Ints, Picture, Singles


@dataclass(frozen=True, slots=True)
class Stencil:
    """Visible silhouette of a cube on the raster: mask (0 or 1), its number of pixels, its upper left corner.

    `top`: mask of the part that shows the cube's top.
    """

    mask: Singles
    top: Singles
    area: float
    x: int
    y: int

    def moved(self, right: int, down: int) -> Stencil:
        """Copy, shifted by whole pixels."""
        return replace(self, x=self.x + right, y=self.y + down)

    @property
    def window(self) -> tuple[slice, slice]:
        """The part (rows, columns) of the raster that the mask covers."""
        height, width = self.mask.shape
        return slice(self.y, self.y + height), slice(self.x, self.x + width)

    def centred(self, x: int, y: int) -> Stencil:
        """Copy with its middle at a pixel."""
        height, width = self.mask.shape
        return replace(self, x=x - width // 2, y=y - height // 2)

    def fits(self, shape: tuple[int, ...], around: int = 0) -> bool:
        """Whether it lies within a raster of that shape, with `around` pixels on every side."""
        rows, columns = self.window
        ends = shape[0] - rows.stop, shape[1] - columns.stop
        return bool(min(rows.start, columns.start, *ends) >= around)

    def pixels(self, view: Picture) -> Ints:
        """Indices of the mask's pixels in a flattened raster of the shape of `view`, in which it fits."""
        rows, columns = np.nonzero(self.mask)
        return np.asarray((rows + self.y) * view.shape[1] + columns + self.x)
