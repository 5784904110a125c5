"""What shows of a cube on a raster."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.arrays import Singles


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
