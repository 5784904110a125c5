"""The rasters that a framed board is read on: so many pixels a column, and a little of the frame round it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.raster import Raster

if TYPE_CHECKING:
    from vision.geometry import CameraPose
    from vision.layout import Layout

_COLUMN_PX = 20
"""Raster pixels a column: a checker is then some 18 across, and a whole board 270 by 230."""
FINER = 2
"""Second layers and slots that look alike are read on a raster of so many times that."""
_MARGIN_COLUMNS = 0.5
"""The raster shows so much of the frame round the playing area, in columns."""


def board_raster(pose: CameraPose, layout: Layout, height: float, times: int = 1) -> Raster:
    """The raster of the plane `height` (board units) above the bed, `times` as fine as the coarse one."""
    return Raster.of(pose, height, times * _COLUMN_PX / layout.column, _MARGIN_COLUMNS * layout.column)


def finer(pixel: float) -> float:
    """A coordinate of the coarse raster on the finer one."""
    return (pixel + 0.5) * FINER - 0.5
