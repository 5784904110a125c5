"""Locate a calibrated line of tiles again after the camera or the tiles were knocked (see `vision.regain`)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.alignment import apply_homography
from vision.appearance import Appearance, BackgroundModel
from vision.geometry import move_pose
from vision.raster import Raster
from vision.regain import find_again
from vision.tile_layout import TILE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.geometry import CameraPose
    from vision.tile_calibration import TileCalibration

    Floats = NDArray[np.float64]
    Picture = NDArray[np.uint8]

_TILE_PX = 24
"""Resolution of the raster, in pixels a tile."""
_MARGIN_TILES = 0.4
"""Width of table shown around the line, in tiles. Cubes stand there, so most of the raster must be the line itself."""
_REACH_TILES = 2.5
"""Largest movement that is searched, in tiles; a larger one is taken for a board that was set up anew."""
_BESIDE = [(tiles * TILE, 0.0) for tiles in (-2, -1, 1, 2)]
"""Shifts (x, y, in board units) of wrong alignments to compare with: the line looks alike one or two tiles along it."""


@dataclass(frozen=True)
class TileLine:
    """The line of tiles without cubes, for `vision.regain.find_again`.

    Attributes:
        size: width and height of the pictures.
        corners: of the playing area, 4 x 2 pixels.
        pose: camera pose over that area.
        learned: calibration of the board in its old place.
    """

    size: tuple[int, int]
    corners: Floats
    pose: CameraPose
    learned: TileCalibration

    @cached_property
    def top(self) -> Raster:
        """Raster of the line of tiles and a margin around it."""
        onto = np.eye(4)
        onto[1, 3] = self._foot
        return Raster(self.pose.matrix @ onto, 0.0, TILE, _TILE_PX / TILE, _MARGIN_TILES * TILE)

    @cached_property
    def appearance(self) -> Appearance:
        """Appearance of the line without cubes on the raster `top`."""
        onto = np.eye(3)
        onto[1, 2] = self._foot
        to_learned = np.linalg.inv(self.learned.bed.to_board) @ onto @ self.top.to_board
        flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
        ground = cv2.warpPerspective(self.learned.ground, to_learned, self.top.size, flags=flags)
        return Appearance(BackgroundModel(np.asarray(ground, np.uint8)), self.learned.looks.tables[:2])

    @property
    def _foot(self) -> float:
        """The y of the line's edge on White's side."""
        return self.learned.layout.axis - TILE / 2


def regain(calibration: TileCalibration, picture: Picture) -> TileCalibration | None:
    """Calibration for the new place of the tiles; None if they did not move or no certain match is found."""
    line = TileLine(calibration.size, calibration.corners, calibration.pose, calibration)
    found = find_again(line, picture, _moved_by, _BESIDE, _REACH_TILES * TILE)
    if found is None:
        return None
    again = replace(calibration, corners=found.corners, pose=found.pose)
    again.carry(calibration)
    return again


def _moved_by(line: TileLine, motion: Floats, picture: Picture) -> TileLine:  # noqa: ARG001  # one signature for all kinds
    pose = move_pose(line.pose, motion, line.size)
    return replace(line, corners=apply_homography(motion, line.corners), pose=pose)
