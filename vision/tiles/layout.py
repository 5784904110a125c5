"""Geometry of a board of tiles: a line of twelve tiles, spaces on both sides, and cubes in two files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.board import CIRCLE, column_of
from vision.geometry import COLUMNS, project_to_bed

if TYPE_CHECKING:
    from vision.arrays import Floats
    from vision.geometry import CameraPose


TILE = 1 / COLUMNS
"""Side of a tile in board units: a twelfth of the width of the playing area."""
FILES = 2
"""Files of cubes in a space."""
_ROUND = 0.57
"""Radius, in sides of a cube, of the disc that stands for its top: sqrt(1 / pi), a disc of equal area."""


@dataclass(frozen=True, slots=True)
class TileLayout:
    """Places on a board of tiles, in board coordinates (the line of tiles is 1 long).

    Attributes:
        depth: of the playing area; the line of tiles runs along its middle.
        cube: side of a cube, in tiles.
        thickness: height of a cube over its side.
        files: distance of a file of cubes from the middle of its space, in cubes.
        edge: from a tile's edge to the centres of the first cubes, in cubes.
        step: from one pair of cubes to the next, in cubes.
        mirror: whether White's home is at the left.
    """

    depth: float
    cube: float = 0.25
    thickness: float = 1.0
    files: float = 0.6
    edge: float = 0.9
    step: float = 1.2
    mirror: bool = False

    @property
    def column(self) -> float:
        """Width of a space in board units."""
        return TILE

    @property
    def checker(self) -> float:
        """Side of a cube in board units."""
        return self.cube * TILE

    @property
    def top(self) -> float:
        """Height of a cube's top above the table in board units."""
        return self.thickness * self.checker

    @property
    def axis(self) -> float:
        """The y of the line's middle."""
        return self.depth / 2

    def column_of(self, point: int) -> int:
        """The column (0 at White's left) of a point (0 is White's 1 point)."""
        return column_of(point, self.mirror)

    def column_x(self, column: int) -> float:
        """The x of a column's middle."""
        return (column + 0.5) * TILE

    def hit_place(self, side: int) -> tuple[float, bool]:
        """Place of a side's (0 White, 1 Black) hit cubes: x, and whether on White's side of the line."""
        return 1 + TILE, side == 1

    def reach(self, point: int, along: float) -> float:
        """The y of a place in a space, `along` board units from the edge of its tile."""
        return self.axis + (along + TILE / 2) * outwards(point)

    def slot(self, point: int, index: int) -> tuple[float, float]:
        """Centre (x, y) of a space's cube number `index`, counted in pairs from the tile outwards."""
        pair, file = divmod(index, FILES)
        x = self.column_x(self.column_of(point)) + (2 * file - 1) * self.files * self.checker
        return x, self.reach(point, (self.edge + pair * self.step) * self.checker)


def outwards(point: int) -> int:
    """Direction along y in which a space leads away from the tiles: -1 on White's side, 1 on Black's."""
    return -1 if point < COLUMNS else 1


def outlines(layout: TileLayout, pose: CameraPose, places: Floats, size: float = 1.0) -> Floats:
    """Silhouettes of cubes on the table in board coordinates: n x 48 x 2 points, whose convex hull is the outline.

    Args:
        layout: gives the cubes' size.
        pose: camera pose.
        places: n x 2, where the cubes stand.
        size: scale factor of the cubes.
    """
    tops, factor = project_to_bed(pose, places, layout.top)
    ring = CIRCLE * _ROUND * layout.checker * size
    return np.concatenate([places[:, None] + ring, tops[:, None] + ring * factor], axis=1)
