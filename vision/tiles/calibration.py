"""Calibration of a board of tiles from one picture of a known position."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import cv2
import numpy as np

from companion.core import CHECKERS
from vision.board import (
    START,
    UNKNOWN,
    BoardInView,
    CalibrationError,
    inpaint_bed,
    placed_checkers,
    refuse_too_few,
)
from vision.geometry import Raster, possible_poses, warp
from vision.imaging import Appearance, BackgroundModel, ExposureCache, saturation_level
from vision.tiles.colours import AROUND, TOPS, TileEvidence, TileLooks
from vision.tiles.comparison import CubeComparison
from vision.tiles.contrast import ContrastStretch
from vision.tiles.cubes import CubeFinder
from vision.tiles.edges import pose_with_square_tiles
from vision.tiles.layout import TILE, KnownCubes, TileLayout, likeness

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from companion.core import Content
    from vision.arrays import Bools, Floats, Picture, Singles
    from vision.board import Placed, SavedCalibration
    from vision.geometry import CameraPose


_CUBE_PX = 9
"""Resolution of the raster, in pixels a cube: about what small cameras resolve with the whole line in the picture."""
_MARGIN_TILES, _ENDS_TILES = 0.75, 2.0
"""Margin of the raster around the playing area, and more of it at the ends, where hit cubes wait; in tiles."""
_TILE_PX = 24
"""Resolution of the raster by which a moved board is found, in pixels a tile."""
_AROUND_TILES = 0.4
"""Width of table shown around the line on it, in tiles. Cubes stand there, so most of it must be the line itself."""
_SEARCH_PX = 44
"""Resolution of the raster for fitting the layout, in pixels a tile."""
_LEAST_SEEN = 0.35
"""Least mean difference from the table that every known cube must show, 0 to 1."""
_NOT_SEEN = (
    "the known position is not visible inside these corners: check that the cubes stand in that position, in two files "
    "outwards from the tiles, and that all of it is in the picture"
)
_ROUNDS = 3
"""Largest number of corner corrections; corners marked some pixels off are right after two."""
_CORE, _RIM, _HALO = 0.8, 1.25, 4.0
"""Sizes, in cubes, of the areas around a known cube: its own colours, what may show it, and what it may shade. A lamp
30 degrees high throws shadows of nearly two cubes."""
_NEARBY_TILES = 1.0
"""Distance, in tiles, up to which the brightness of the table is compared; cubes reach two thirds of it."""
_TILE_RIM = 0.04
"""Distance, in tiles, by which tiles and the dark line along them reach beyond their nominal edge."""


@dataclass(frozen=True)
class TileCalibration(BoardInView):
    """Calibration of a board of tiles.

    Attributes:
        layout: size and files of the cubes.
        view: rectified picture of the known position (BGR).
        ground: the same without cubes.
        parts: labels of the raster's pixels; see `TileLooks.of`.
        points: contents of the 24 spaces in the known position.
        contrast: stretch of all pictures, this one too, before they are read.
        doubt: uncertainty of `ground` where the table was hidden; see `BackgroundModel`.
    """

    layout: TileLayout
    view: Picture
    ground: Picture
    parts: Picture
    points: tuple[Content, ...]
    contrast: ContrastStretch
    doubt: Picture
    kind = "tiles"
    shapes: ClassVar = {"rasters": "h w 7", "points": "24 2", "doubt?": "h w"}

    @cached_property
    def bed(self) -> Raster:
        """Raster of the table on which pictures are read."""
        return tile_raster(self.pose, self.layout)

    @cached_property
    def cubes(self) -> CubeFinder:
        """Finder of cubes on that raster. Raises CalibrationError if the known position's cubes are not seen."""
        untested = CubeFinder(self.layout, self.pose, self.bed)
        found = untested.with_doubts(self.looks.evidence(self.view), placed_checkers(self.points, row=CHECKERS))
        if found is None:
            raise CalibrationError(_NOT_SEEN)
        return found

    @cached_property
    def comparison(self) -> CubeComparison:
        """Comparison of places with the known position's cubes."""
        found, placed = self.cubes.find(self.looks.evidence(self.view)), placed_checkers(self.points, row=CHECKERS)
        known, sides = [found.spaces[one.point][one.index] for one in placed], np.array([one.owner for one in placed])
        return CubeComparison(self.cubes, self.view, self.ground, known, sides)

    @cached_property
    def looks(self) -> TileLooks:
        """Appearance in the light of the calibration picture."""
        return TileLooks.of(self.view, self.ground, self.parts, self.doubt)

    @cached_property
    def exposures(self) -> ExposureCache[tuple[Singles, TileLooks]]:
        """Cache of the board's appearance at other brightnesses (see `expose`)."""
        return ExposureCache(self.expose)

    @cached_property
    def top(self) -> Raster:
        """Raster of the line of tiles and a little around it, by which a moved board is found."""
        onto = np.eye(4)
        onto[1, 3] = self._near_edge
        return Raster(self.pose.matrix @ onto, 0.0, TILE, _TILE_PX / TILE, _AROUND_TILES * TILE)

    @cached_property
    def appearance(self) -> Appearance:
        """Appearance of the line without cubes on the raster `top`."""
        onto = np.eye(3)
        onto[1, 2] = self._near_edge
        to_bed = np.linalg.inv(self.bed.to_board) @ onto @ self.top.to_board
        ground = warp(self.ground, to_bed, self.top.size)
        return Appearance(BackgroundModel(ground), self.looks.tables[:2])

    @property
    def _near_edge(self) -> float:
        """The y of the line's edge on White's side."""
        return self.layout.axis - TILE / 2

    def moved(self, motion: Floats) -> TileCalibration:
        """The same board in another place, by a homography (3 x 3) from old to new pixels. Raises NoPoseError."""
        found = self.transformed(motion)
        vars(found)["looks"] = self.looks
        vars(found)["exposures"] = self.exposures.transferred(found.expose)
        return found

    def expose(self, gain: Singles) -> tuple[Singles, TileLooks]:
        """The level (B, G, R) at which pictures brighter by `gain` (B, G, R) saturate, and the appearance in them."""
        ceiling = saturation_level(gain)
        if (ceiling >= 255).all():
            return ceiling, self.looks
        view, ground = (np.minimum(one, ceiling).astype(np.uint8) for one in (self.view, self.ground))
        return ceiling, TileLooks.of(view, ground, self.parts, self.doubt, float(ceiling.max()))

    def evidence(self, levelled: Picture, saturated: Bools, most: Singles) -> TileEvidence:
        """Evidence of a levelled raster; its pixels in the mask `saturated` would be at `most` (B, G, R) or above."""
        plain = self.looks.evidence(levelled)
        if not saturated.any():
            return plain
        ceiling, looks = self.exposures.under((255 / np.maximum(most, 1)).astype(np.float32))
        if looks is self.looks:
            return plain
        near = cv2.dilate(saturated.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        return plain.replaced(near, looks.evidence(np.minimum(levelled, ceiling).astype(np.uint8)))

    def contents(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """See `BoardInView`."""
        rasters = np.dstack((self.view, self.ground, self.parts))
        meta = {"layout": asdict(self.layout), "contrast": asdict(self.contrast)}
        return meta, {"rasters": rasters, "points": np.array(self.points), "doubt": self.doubt}

    @classmethod
    def restored(cls, kept: SavedCalibration) -> TileCalibration:
        """See `BoardInView`."""
        meta, rasters = kept.meta, kept.arrays["rasters"]
        earlier = {"black": 0.0, "factor": meta.get("brighter")}  # of files from before haze was removed
        layout, contrast = TileLayout(**meta["layout"]), ContrastStretch(**meta.get("contrast", earlier))
        view, ground, parts = rasters[..., :3].copy(), rasters[..., 3:6].copy(), rasters[..., 6].copy()
        points = tuple((int(white), int(black)) for white, black in kept.arrays["points"])
        doubt = kept.arrays.get("doubt", np.zeros_like(parts))  # none in files from before it was known
        return cls(*kept.in_view, layout, view, ground, parts, points, contrast, doubt)


def learn_tiles(
    picture: Picture, corners: Floats, mirror: bool = False, points: Sequence[Content] = START, *, any_hit: bool = False
) -> TileCalibration:
    """Calibrate a board of tiles from a picture of a known position; `points`: contents of the 24 spaces.

    `corners`: of the playing area, 4 x 2 pixels, bottom-left, bottom-right, top-right, top-left as White sits;
    `mirror`: whether White's home is at the left; `any_hit`: whether hit cubes wait beyond the end of the line. Raises
    CalibrationError if the position is not seen there, or has fewer than two cubes of one colour.
    """
    size = (picture.shape[1], picture.shape[0])
    placed = placed_checkers(points, row=CHECKERS)
    refuse_too_few(placed, "cubes", " beside the tiles")
    corners = np.asarray(corners, np.float64)
    contrast = ContrastStretch.of(picture, corners)
    picture = contrast.applied(picture)
    corners, pose, known, layout, fit = _fit_corners(picture, corners, placed, mirror)
    if known.least_visibility(layout) < _LEAST_SEEN:
        raise CalibrationError(_NOT_SEEN)
    bed = tile_raster(pose, layout)
    on_bed = KnownCubes((np.empty((0, 0), np.float32),) * 3, bed, pose, placed)
    core, rim, halo = (on_bed.covered(layout, size=share) for share in (_CORE, _RIM, _HALO))
    parts = np.where(core > 0, core, np.where((halo > 0) & (rim == 0), AROUND, 0)).astype(np.uint8)
    parts[on_bed.covered(layout, size=_CORE, tops=True) > 0] += TOPS
    view = bed.rectify(picture)
    shaded = halo > 0
    for rows, columns in CubeFinder(layout, pose, bed).zones if any_hit else ():
        shaded[rows, columns] = True
    ground, doubt = _without_cubes(view, rim > 0, shaded, on_bed, layout)
    return TileCalibration(size, corners, pose, fit, layout, view, ground, parts, tuple(points), contrast, doubt)


def tile_raster(pose: CameraPose, layout: TileLayout) -> Raster:
    """Raster of the table on which a board of tiles is read."""
    return Raster.of(pose, 0.0, _CUBE_PX / layout.checker, _MARGIN_TILES * TILE, _ENDS_TILES * TILE)


def _without_cubes(
    view: Picture, covered: Bools, shaded: Bools, known: KnownCubes, layout: TileLayout
) -> tuple[Picture, Picture]:
    """Picture of table and tiles without cubes: tiles copied from others of their colour, the table inpainted.

    Also its uncertainty, see `BackgroundModel`: where the table was inpainted, it may be lighter or darker by as much
    as it varies nearby.
    """
    bed = known.bed
    near, far = (known.visible_edge(layout.axis + way * TILE / 2) for way in (-1, 1))
    width, height = bed.size
    y = bed.depth + bed.margin - (np.arange(height)[:, None] + np.zeros(width)) / bed.scale
    tiles = (y > near - _TILE_RIM * TILE) & (y < far + _TILE_RIM * TILE)
    on_top = np.abs(y - layout.axis) < TILE / 2
    borrowed = inpaint_bed(view, ((covered | (shaded & ~on_top)) * 255).astype(np.uint8), layout, bed)[0]
    unknown = shaded | covered | tiles
    table = np.asarray(cv2.inpaint(view, unknown.astype(np.uint8), 5, cv2.INPAINT_TELEA), np.uint8)
    ground = np.where(unknown[..., None], np.where(tiles[..., None], borrowed, table), view).astype(np.uint8)
    varies = _variation(view, ~unknown, round(_NEARBY_TILES * TILE * bed.scale))
    return ground, np.where(unknown & ~tiles, np.minimum(UNKNOWN * varies, UNKNOWN // 2), 0).astype(np.uint8)


def _variation(view: Picture, seen: Bools, reach: int) -> Singles:
    """Standard deviation of the brightness over its mean, of the seen pixels up to `reach` pixels from each pixel."""
    size = (2 * reach + 1, 2 * reach + 1)
    light = view.mean(axis=2, dtype=np.float32) * seen
    share, mean, square = (cv2.blur(one.astype(np.float32), size) for one in (seen, light, light * light))
    share = np.maximum(share, 1e-3)
    middle, spread = mean / share, square / share - (mean / share) ** 2
    return np.asarray(np.sqrt(np.maximum(spread, 0)) / np.maximum(middle, 1), np.float32)


def _fit_corners(
    picture: Picture, corners: Floats, placed: Sequence[Placed], mirror: bool
) -> tuple[Floats, CameraPose, KnownCubes, TileLayout, float]:
    """Corners, pose, known cubes, layout and fit; the corners are corrected as long as the fit improves."""
    size = (picture.shape[1], picture.shape[0])
    pose = pose_with_square_tiles(picture, corners, placed, mirror)
    known, layout, fit = _fit(picture, pose, placed, mirror)
    for _ in range(_ROUNDS):
        better = known.corners(layout)
        if better is None:
            break
        moved = pose.project(np.column_stack([better, np.zeros(len(better))]))
        (again,) = possible_poses(moved, size, focals=[pose.focal])
        fitted = _fit(picture, again, placed, mirror)
        if fitted[2] <= fit:
            break
        corners, pose, (known, layout, fit) = moved, again, fitted
    return corners, pose, known, layout, fit


def _fit(
    picture: Picture, pose: CameraPose, placed: Sequence[Placed], mirror: bool
) -> tuple[KnownCubes, TileLayout, float]:
    bed = Raster.of(pose, 0.0, _SEARCH_PX / TILE, _MARGIN_TILES * TILE)
    first = TileLayout(pose.depth, mirror=mirror)
    known = KnownCubes(likeness(bed.rectify(picture), bed, first, placed), bed, pose, placed)
    return known, *known.fit_layout(first)
