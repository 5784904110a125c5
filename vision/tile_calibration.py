"""What one look at a known position of cubes beside twelve tiles teaches."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from companion.census import CHECKERS
from vision.calibration import START
from vision.calibration_file import CalibrationError, opened, write
from vision.empty_board import uncover
from vision.exposures import Exposures, ceiling_of
from vision.geometry import CameraPose, estimate_pose
from vision.layout import placed_checkers
from vision.raster import Raster
from vision.tile_cubes import Cubes
from vision.tile_layout import TILE, TileLayout
from vision.tile_looks import TileLooks
from vision.tile_start import Start, likeness

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from companion.observation import Content
    from vision.layout import Placed

    Floats = NDArray[np.float64]
    Picture = NDArray[np.uint8]

KIND = "tiles"
"""What files name this kind of board, as the sheets' field `board` does."""
_CUBE_PX = 9
"""Raster pixels a cube: about what small cameras see of it when the whole line is in the picture."""
_MARGIN_TILES, _ENDS_TILES = 0.75, 2.0
"""The raster shows so much round the area of the spaces, and so much more at the ends, where cubes wait."""
_SEARCH_PX = 44
"""Pixels a tile of the raster that the layout is fitted on."""
_LEAST_FIT = 0.4
"""Least fit of a layout (see `Start.fit`) to be taken for a line of tiles with its cubes."""
_LEAST_SEEN = 0.35
"""What share of every known cube must look like something that is not the table."""
_NOT_SEEN = (
    "the known position is not seen inside these corners: check that the cubes stand at it, in two files outwards from "
    "the tiles, and that all of it is in the picture"
)
_ROUNDS = 3
"""Corners marked by hand, some pixels off, are right after two."""
_CORE, _RIM, _HALO = 0.8, 1.25, 4.0
"""Sizes, over a cube's, of what is taken for its own colours; of what may show it; and of what it may shade (a lamp 30
degrees high throws shadows of nearly two cubes)."""
_TILE_RIM = 0.04
"""Tiles and the dark line along them end so far, in tiles, beyond where they should."""


@dataclass(frozen=True, slots=True)
class TileExposure:
    """A learned board under one brightness: `ceiling` is the grey level (B, G, R) that the sensor cuts off at."""

    ceiling: NDArray[np.float32]
    looks: TileLooks


@dataclass(frozen=True)
class TileCalibration:
    """A learned board of tiles.

    Attributes:
        size: width and height of the pictures it holds for.
        corners: 4 x 2 pixels, bottom-left, bottom-right, top-right, top-left of the spaces' area as White sits.
        pose: the camera.
        layout: the cubes' size and files.
        fit: how well the known position fits, at most 1.
        view: the known position on the raster.
        ground: the same without cubes.
        parts: see `TileLooks.of`.
        points: what lay in the spaces then.
    """

    size: tuple[int, int]
    corners: Floats
    pose: CameraPose
    layout: TileLayout
    fit: float
    view: Picture
    ground: Picture
    parts: Picture
    points: tuple[Content, ...]

    @cached_property
    def bed(self) -> Raster:
        """The raster of the table on which everything is read."""
        return tile_raster(self.pose, self.layout)

    @cached_property
    def cubes(self) -> Cubes:
        """Finds the cubes on that raster. Raises CalibrationError where those of the known position are not seen."""
        unproven = Cubes(self.layout, self.pose, self.bed)
        found = unproven.proven(self.looks.evidence(self.view), placed_checkers(self.points, row=CHECKERS))
        if found is None:
            raise CalibrationError(_NOT_SEEN)
        return found

    @cached_property
    def looks(self) -> TileLooks:
        """The looks in the light it was learned in."""
        return TileLooks.of(self.view, self.ground, self.parts)

    @cached_property
    def exposures(self) -> Exposures[TileExposure]:
        """The board under each brightness of pictures."""
        return Exposures(self._expose)

    def carry(self, other: TileCalibration) -> None:
        """Take over what was worked out for another place of the tiles: looks know of no place."""
        vars(self)["looks"] = other.looks
        vars(self)["exposures"] = other.exposures.transferred(self._expose)

    def under(self, gain: NDArray[np.float32]) -> TileExposure:
        """The board as pictures show it that are brighter (B, G, R) by `gain` than the one that it was learned from."""
        return self.exposures.under(gain)

    def _expose(self, gain: NDArray[np.float32]) -> TileExposure:
        ceiling = ceiling_of(gain)
        return TileExposure(ceiling, self._cut_off(ceiling))

    def _cut_off(self, ceiling: NDArray[np.float32]) -> TileLooks:
        if (ceiling >= 255).all():
            return self.looks
        view, ground = (np.minimum(one, ceiling).astype(np.uint8) for one in (self.view, self.ground))
        return TileLooks.of(view, ground, self.parts)

    def save(self, path: Path, **extra: object) -> None:
        """Write to a file, with `extra` entries (see `calibration_file.write`). Raises CalibrationError."""
        pose = {"depth": self.pose.depth, "focal": self.pose.focal, "misfit_px": self.pose.misfit_px}
        meta = {"size": self.size, "layout": asdict(self.layout), "fit": self.fit, "pose": pose}
        arrays: dict[str, NDArray[Any]] = {
            "corners": self.corners,
            "matrix": self.pose.matrix,
            "centre": self.pose.centre,
            "rasters": np.dstack((self.view, self.ground, self.parts)),
            "points": np.array(self.points),
        }
        write(path, KIND, meta, arrays, **extra)

    @classmethod
    def load(cls, path: Path) -> TileCalibration:
        """Read from a file. Raises CalibrationError where it is missing, damaged or of another version."""
        with opened(path) as kept:
            meta, file = kept.meta, kept.arrays
            pose = CameraPose(file["matrix"], file["centre"], **meta["pose"])
            rasters = file["rasters"]
            layout, fit = TileLayout(**meta["layout"]), float(meta["fit"])
            view, ground, parts = rasters[..., :3].copy(), rasters[..., 3:6].copy(), rasters[..., 6].copy()
            points = tuple((int(white), int(black)) for white, black in file["points"])
            return cls(tuple(meta["size"]), file["corners"], pose, layout, fit, view, ground, parts, points)


def learn_tiles(
    picture: Picture, corners: Floats, mirror: bool = False, points: Sequence[Content] = START, *, waiting: bool = False
) -> TileCalibration:
    """Learn a board of tiles from a picture of a known position.

    Args:
        picture: BGR.
        corners: of the area that the spaces cover, 4 x 2 pixels, bottom-left, bottom-right, top-right, top-left as
            White sits.
        mirror: whether White's home is at the left.
        points: what lies in each of the 24 spaces, White's 1 point first; the starting position if not told.
        waiting: whether hit cubes wait beyond the end.

    Raises:
        CalibrationError: the position is not seen there, or shows too few cubes of one colour.
    """
    size = (picture.shape[1], picture.shape[0])
    placed = placed_checkers(points, row=CHECKERS)
    if min(sum(checker.owner == side for checker in placed) for side in (0, 1)) < 2:
        raise CalibrationError(
            "the position has fewer than two cubes of one colour beside the tiles: learn the board from another one"
        )
    corners, pose, start, layout, fit = _set_right(picture, np.asarray(corners, np.float64), placed, mirror)
    if fit < _LEAST_FIT or start.least_seen(layout) < _LEAST_SEEN:
        raise CalibrationError(_NOT_SEEN)
    bed = tile_raster(pose, layout)
    known = Start((np.empty((0, 0), np.float32),) * 3, bed, pose, placed)
    core, rim, halo = (known.covered(layout, size=share) for share in (_CORE, _RIM, _HALO))
    parts = np.where(core > 0, core, np.where((halo > 0) & (rim == 0), 3, 0)).astype(np.uint8)
    view = bed.straighten(picture)
    shaded = halo > 0
    for rows, columns in Cubes(layout, pose, bed).zones if waiting else ():
        shaded[rows, columns] = True
    ground = _ground(view, rim > 0, shaded, known, layout)
    return TileCalibration(size, corners, pose, layout, fit, view, ground, parts, tuple(points))


def tile_raster(pose: CameraPose, layout: TileLayout) -> Raster:
    """The raster of the table that a board of tiles is read on."""
    return Raster.of(pose, 0.0, _CUBE_PX / layout.checker, _MARGIN_TILES * TILE, _ENDS_TILES * TILE)


def _ground(
    view: Picture, covered: NDArray[np.bool_], shaded: NDArray[np.bool_], start: Start, layout: TileLayout
) -> Picture:
    """Table and tiles without cubes: tiles as others of their colour look, the table as it looks round about."""
    bed = start.bed
    near, far = (start.seen_to(layout.axis + way * TILE / 2) for way in (-1, 1))
    width, height = bed.size
    y = bed.depth + bed.margin - (np.arange(height)[:, None] + np.zeros(width)) / bed.scale
    tiles = (y > near - _TILE_RIM * TILE) & (y < far + _TILE_RIM * TILE)
    on_top = np.abs(y - layout.axis) < TILE / 2
    borrowed = uncover(view, ((covered | (shaded & ~on_top)) * 255).astype(np.uint8), layout, bed)[0]
    unknown = shaded | covered | tiles
    table = np.asarray(cv2.inpaint(view, unknown.astype(np.uint8), 5, cv2.INPAINT_TELEA), np.uint8)
    return np.where(unknown[..., None], np.where(tiles[..., None], borrowed, table), view).astype(np.uint8)


def _set_right(
    picture: Picture, corners: Floats, placed: Sequence[Placed], mirror: bool
) -> tuple[Floats, CameraPose, Start, TileLayout, float]:
    """Corners, camera and layout, with the corners moved as long as the known cubes fit better for it."""
    size = (picture.shape[1], picture.shape[0])
    pose = estimate_pose(corners, size)
    start, layout, fit = _fit(picture, pose, placed, mirror)
    for _ in range(_ROUNDS):
        better = start.corners(layout)
        if better is None:
            break
        moved = pose.project(np.column_stack([better, np.zeros(len(better))]))
        again = estimate_pose(moved, size)
        fitted = _fit(picture, again, placed, mirror)
        if fitted[2] <= fit:
            break
        corners, pose, (start, layout, fit) = moved, again, fitted
    return corners, pose, start, layout, fit


def _fit(picture: Picture, pose: CameraPose, placed: Sequence[Placed], mirror: bool) -> tuple[Start, TileLayout, float]:
    bed = Raster.of(pose, 0.0, _SEARCH_PX / TILE, _MARGIN_TILES * TILE)
    first = TileLayout(pose.depth, mirror=mirror)
    start = Start(likeness(bed.straighten(picture), bed, first, placed), bed, pose, placed)
    return start, *start.fit_layout(first)
