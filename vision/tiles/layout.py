"""Geometry of a board of tiles: twelve in a line, spaces on both sides, cubes in two files; fitted to a position."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from vision.board import CIRCLE, POINTS, PointLayout
from vision.geometry import COLUMNS, bed_corners, fit_measures, project_to_bed
from vision.imaging import bins_of, colour_table, to_lab8
from vision.tiles.locate import THICKNESS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.arrays import Bools, Floats, Picture, Singles
    from vision.board import Placed
    from vision.geometry import CameraPose, Raster

    Labels = NDArray[np.uint8]


TILE = 1 / COLUMNS
"""Side of a tile in board units: a twelfth of the width of the playing area."""
FILES = 2
"""Files of cubes in a space."""
_ROUND = 0.57
"""Radius, in sides of a cube, of the disc that stands for its top: sqrt(1 / pi), a disc of equal area."""
OF_TOP = len(CIRCLE)
"""First point of a cube's outline (see `outlines`) that belongs to its top."""


@dataclass(frozen=True, slots=True)
class TileLayout(PointLayout):
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
    def axis(self) -> float:
        """The y of the line's middle."""
        return self.depth / 2

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
    """Direction along y from the tiles into a space: -1 on White's side, 1 on Black's."""
    return -1 if point < COLUMNS else 1


def outlines(layout: TileLayout, pose: CameraPose, places: Floats, size: float = 1.0) -> Floats:
    """Silhouettes of cubes on the table in board coordinates: n x 48 x 2 points, whose convex hull is the outline.

    Those from `OF_TOP` on are the outline of the top. `places`: n x 2, where the cubes stand; `size`: scale factor of
    the cubes.
    """
    tops, factor = project_to_bed(pose, places, layout.top)
    ring = CIRCLE * _ROUND * layout.checker * size
    return np.concatenate([places[:, None] + ring, tops[:, None] + ring * factor], axis=1)


def fill_outline(raster: NDArray[Any], outline: Floats, value: int) -> None:
    """Fill the convex hull of an outline (n x 2, in pixels) on a raster."""
    points = np.rint(outline * (1 << _SHIFT)).astype(np.int32)
    cv2.fillConvexPoly(raster, cv2.convexHull(points), value, cv2.LINE_8, _SHIFT)


_WINDOW_TILES = 0.7, 0.02, 1.6
"""Area searched for a space's cubes at first: half its width, and its ends measured from the tile outwards, in tiles.
Seen from the side, cubes appear a quarter of a tile off."""
_BESIDE_TILES = 0.14
"""Width of the tiles' edges and of the shadows beside them, in tiles. From 0.07 to 0.2, between 224 and 227 of 264
pictures are read."""
_UNKNOWN = 0.5
"""Likeness on the line of tiles, which counts neither for a cube nor against it: seen from the side, tops lean over it.
"""
_TABLE_VARIES = np.array([12.0, 6.0, 6.0], np.float32)
"""Standard deviations of the table's L, a and b (8-bit) from place to place: grain and remains of gleams."""
_STANDS_OUT = 0.5
"""Difference from the table nearby (0 to 1) above which a pixel shows a thing or its shadow. Elsewhere the table may
have a cube's colour, as yellow cubes have that of wood in warm light."""
_RANGES = {
    "cube": (0.02, 0.14, 0.42),
    "thickness": (0.1, 0.6, 1.4),
    "files": (0.05, 0.5, 0.9),
    "edge": (0.08, 0.5, 2.0),
    "step": (0.05, 1.0, 1.7),
}
"""First search step and range of each measure, in the units of `TileLayout`. Cubes measure a seventh to two fifths of a
tile, or ten would not fit in two files; the height varies because the corners determine the camera's tilt only
roughly."""
_FIRST_TRIALS = (0.18, 0.22, 0.26, 0.31), (0.6, 0.9, 1.2, 1.5), (1.05, 1.2, 1.4)
"""Values of `cube`, `edge` and `step` in the initial grid search."""
_THICKNESS_SPREAD, _COST = 0.12, 0.01
"""Standard deviation and weight of the prior that a cube is as high as wide; from above its height hardly shows."""
_CORNER_STEPS = 0.006, 0.006, 0.003, 0.003, 0.0015, 0.0015, 0.0007, 0.0007
"""Steps of the search for a corner, in board widths; a cube measures about 0.02."""
_FARTHEST = 0.02
"""Largest shift of a corner, in board widths."""
_WORTH = 0.02
"""Least gain of fit for which corners are changed."""
_SHIFT = 4
"""Fractional bits of the coordinates given to `cv2.fillConvexPoly`."""


def likeness(
    view: Picture, bed: Raster, layout: TileLayout, placed: Sequence[Placed]
) -> tuple[Singles, Singles, Singles]:
    """Maps (height x width, 0 to 1) of likeness to White's cubes, likeness to Black's, and difference from the table.

    A cube's colours are those found only in its side's spaces (shadows occur in the other side's too) and unlike the
    table nearby, which may be lit unevenly. Under the cubes it is filled in, without the colours of the tiles beside
    them. `view`: raster of the bed, BGR; only depth and `mirror` of the layout are used.
    """
    colours = to_lab8(view)
    owners = {checker.point: checker.owner for checker in placed}
    parts = [np.zeros(view.shape[:2], np.uint8) for _ in range(3)]
    for point in range(POINTS):
        window = np.rint(bed.pixels(_window(layout, point))).astype(np.int32)
        cv2.fillConvexPoly(parts[owners.get(point, 2)], window, 1)
    parts[2][(parts[0] | parts[1]) > 0] = 0
    hidden = parts[0] | parts[1]
    cv2.fillConvexPoly(hidden, np.rint(bed.pixels(_line(layout, _BESIDE_TILES))).astype(np.int32), 1)
    table = cv2.inpaint(view, hidden, 3, cv2.INPAINT_TELEA)
    away = (colours.astype(np.float32) - to_lab8(np.asarray(table, np.uint8))) / _TABLE_VARIES
    unlike = 1 - np.exp(-0.5 * (away**2).sum(axis=2))
    density = [_density_of_things(colours, part > 0, unlike > _STANDS_OUT) for part in parts]
    index = bins_of(colours)
    line = np.zeros_like(hidden)
    cv2.fillConvexPoly(line, np.rint(bed.pixels(_line(layout, _WINDOW_TILES[1]))).astype(np.int32), 1)
    found = []
    for side in (0, 1):
        other = np.maximum(density[1 - side], density[2])
        own = np.clip(1 - other / density[side], 0, 1).ravel()[index]
        found.append(np.where(line > 0, _UNKNOWN, own * unlike * parts[side]).astype(np.float32))
    return found[0], found[1], unlike.astype(np.float32)


def _density_of_things(colours: Picture, part: Bools, stands_out: Bools) -> Singles:
    """Density of the colours of what stands out in a part of the raster, relative to the whole part."""
    things = part & stands_out
    share = max(int(things.sum()), 1) / max(int(part.sum()), 1)
    return np.asarray(share * np.exp(colour_table(colours[things])), np.float32)


def _line(layout: TileLayout, beside_tiles: float) -> Floats:
    """Corners (4 x 2) of the line of tiles with a rim of that width, in tiles."""
    beside = beside_tiles * TILE
    left, right = -beside, 1 + beside
    near, far = (layout.reach(point, beside) for point in (0, POINTS - 1))
    return np.array([[left, near], [right, near], [right, far], [left, far]])


def _window(layout: TileLayout, point: int) -> Floats:
    half, first, last = (part * TILE for part in _WINDOW_TILES)
    x = layout.column_x(layout.column_of(point))
    near, far = layout.reach(point, first), layout.reach(point, last)
    return np.array([[x - half, near], [x + half, near], [x + half, far], [x - half, far]])


@dataclass(frozen=True)
class KnownCubes:
    """The cubes of a known position on a raster of the bed; `alike`: see `likeness`."""

    alike: tuple[Singles, Singles, Singles]
    bed: Raster
    pose: CameraPose
    placed: Sequence[Placed]

    def covered(
        self, layout: TileLayout, onto: Floats | None = None, size: float = 1.0, *, tops: bool = False
    ) -> Labels:
        """Labels of the raster's pixels: 1 under White's known cubes, 2 under Black's, 0 elsewhere.

        `onto` is a 3 x 3 homography applied to the outlines in board coordinates; `size` scales the cubes; `tops`: only
        their tops count.
        """
        labels = np.zeros(self.bed.size[::-1], np.uint8)
        around = outlines(layout, self.pose, layout.centres(self.placed), size)[:, OF_TOP if tops else 0 :]
        if onto is not None:
            around = np.asarray(cv2.perspectiveTransform(around, onto), np.float64)
        for checker, outline in zip(self.placed, self.bed.pixels(around), strict=True):
            fill_outline(labels, outline, checker.owner + 1)
        return labels

    def fit(self, layout: TileLayout, onto: Floats | None = None) -> float:
        """Overlap of the known cubes' outlines with the pixels that look like them (1 if exact), less a prior cost."""
        labels = self.covered(layout, onto)
        gained = sum(float((2 * alike[labels == side + 1] - 1).sum()) for side, alike in enumerate(self.alike[:2]))
        return gained / self._largest_gain - _COST * ((layout.thickness - 1) / _THICKNESS_SPREAD) ** 2

    def visible_edge(self, y: float) -> float:
        """The y on the bed at which the long edge `y` of the tiles is seen: at its foot or at the rim of its face."""
        rim = project_to_bed(self.pose, np.array([[0.5, y]]), THICKNESS * TILE)[0][0, 1]
        return float(min(y, rim) if y < self.bed.depth / 2 else max(y, rim))

    def least_visibility(self, layout: TileLayout) -> float:
        """Mean difference from the table (0 to 1) of the known cube that differs least."""
        return min(float(self.alike[2][replace(self, placed=(one,)).covered(layout) > 0].mean()) for one in self.placed)

    @cached_property
    def _largest_gain(self) -> float:
        """Gain of covering every pixel that looks like a cube."""
        return max(sum(float((2 * alike - 1).clip(0).sum()) for alike in self.alike[:2]), 1.0)

    def fit_layout(self, first: TileLayout) -> tuple[TileLayout, float]:
        """Fit the layout by grid search and coordinate search; returns it with its fit."""
        trials = [replace(first, cube=cube, edge=edge, step=step) for cube, edge, step in product(*_FIRST_TRIALS)]
        best, fit = fit_measures(trials, self.fit, _RANGES)
        plain: dict[str, Any] = {name: float(getattr(best, name)) for name in _RANGES}
        return replace(best, **plain), fit

    def corners(self, layout: TileLayout) -> Floats | None:
        """Corners of the playing area (4 x 2 board coordinates) by coordinate ascent; None if no others fit better."""
        corners = bed_corners(layout.depth)[:, :2].astype(np.float32)

        def fit(moved: Singles) -> float:
            onto = np.asarray(cv2.getPerspectiveTransform(corners, moved), np.float64)
            return self.fit(layout, onto)

        best, score = corners, fit(corners)
        enough = score + _WORTH
        for step in _CORNER_STEPS:
            for corner, axis, sign in np.ndindex(4, 2, 2):
                trial = best.copy()
                trial[corner, axis] += step if sign else -step
                found = fit(trial)
                if found > score and np.abs(trial - corners).max() <= _FARTHEST:
                    best, score = trial, found
        return best.astype(np.float64) if score > enough else None
