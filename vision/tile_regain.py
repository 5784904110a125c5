"""Finding a learned line of tiles again after the camera or the tiles were knocked (see `vision.regain`)."""

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
"""Raster pixels a tile."""
_MARGIN_TILES = 0.4
"""The raster shows so much of the table round the line, where cubes stand: most of it must be the line itself."""
_REACH_TILES = 2.5
"""How far from its old place the line is sought; what moved farther was not knocked but put somewhere else."""
_BESIDE = [(tiles * TILE, 0.0) for tiles in (-2, -1, 1, 2)]
"""A line of tiles looks much like itself one tile and two along it: only its ends tell."""


@dataclass(frozen=True)
class Line:
    """The line of tiles alone, as a board that can be found again (`vision.regain.Learned`).

    Attributes:
        size: width and height of the pictures.
        corners: of the area that the spaces cover, 4 x 2 pixels.
        pose: the camera over that area.
        learned: what was learned of it, in its old place.
    """

    size: tuple[int, int]
    corners: Floats
    pose: CameraPose
    learned: TileCalibration

    @cached_property
    def top(self) -> Raster:
        """The raster of the table along the line, whose playing area the line is."""
        onto = np.eye(4)
        onto[1, 3] = self._foot
        return Raster(self.pose.matrix @ onto, 0.0, TILE, _TILE_PX / TILE, _MARGIN_TILES * TILE)

    @cached_property
    def appearance(self) -> Appearance:
        """The line without cubes, on that raster."""
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
    """The calibration for where the tiles lie now; None where they did not move, or are not found again for certain."""
    line = Line(calibration.size, calibration.corners, calibration.pose, calibration)
    found = find_again(line, picture, _moved_by, _BESIDE, _REACH_TILES * TILE)
    if found is None:
        return None
    again = replace(calibration, corners=found.corners, pose=found.pose)
    again.carry(calibration)
    return again


def _moved_by(line: Line, motion: Floats, picture: Picture) -> Line:  # noqa: ARG001  # every kind is moved so
    pose = move_pose(line.pose, motion, line.size)
    return replace(line, corners=apply_homography(motion, line.corners), pose=pose)
