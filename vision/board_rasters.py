"""Rasters for reading a framed board: scale and margin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.raster import Raster

if TYPE_CHECKING:
    from vision.geometry import CameraPose
    from vision.layout import Layout

_COLUMN_PX = 20
"""Raster pixels a column. A checker is then about 18 pixels wide, and a board 270 by 230."""
FINER = 2
"""Scale of the finer raster, for second layers and contours, relative to the coarse one."""
_MARGIN_COLUMNS = 0.5
"""Part of the frame that the raster shows round the playing area, in columns."""


def board_raster(pose: CameraPose, layout: Layout, height: float, times: int = 1) -> Raster:
    """Raster of the plane `height` (board units) above the bed, at `times` the coarse scale."""
    return Raster.of(pose, height, times * _COLUMN_PX / layout.column, _MARGIN_COLUMNS * layout.column)


def finer(pixel: float) -> float:
    """Convert a pixel coordinate of the coarse raster to the finer one."""
    return (pixel + 0.5) * FINER - 0.5
