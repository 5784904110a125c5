"""The simulated table's measures, and its pinhole camera on White's side.

Board coordinates are in column widths: x runs from the left frame to the right as White sits, y from White's edge to
Black's, z up from the felt. The bar is the column from 6 to 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import cos, radians, sin
from typing import TYPE_CHECKING

import numpy as np

from vision.geometry import plane, project

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from vision.arrays import Floats

BOARD_WIDTH, BOARD_HEIGHT = 13.0, 10.6
FRAME_WIDTH, FRAME_HEIGHT = 0.6, 0.32
DIAMETER, THICKNESS = 0.88, 0.30
ROW_PITCH = 1.02 * DIAMETER


@dataclass(frozen=True, slots=True)
class Piece:
    """What is played with: `diameter` (of a cube its side) and `thickness` in column widths."""

    diameter: float = DIAMETER
    thickness: float = THICKNESS
    cube: bool = False


CHECKER = Piece()


@dataclass(frozen=True)
class SimulatedView:
    """Pose and picture size of the simulated camera.

    Attributes:
        width, height: picture size in pixels.
        tilt_deg: angle between the line of sight and the vertical, with the camera towards White's side.
        roll_deg: rotation about the line of sight.
        distance: from the camera to `target`, in column widths.
        scale: pixels per column width at `target`.
        target: (x, y) on the table in the middle of the picture.
    """

    width: int = 1280
    height: int = 960
    tilt_deg: float = 20.0
    roll_deg: float = 0.8
    distance: float = 30.0
    scale: float = 67.0
    target: tuple[float, float] = (7.7, 5.1)

    @cached_property
    def matrix(self) -> Floats:
        """3 x 4 projection from homogeneous board coordinates (x, y, z, 1) to homogeneous pixels."""
        tilt, roll = radians(self.tilt_deg), radians(self.roll_deg)
        axes = np.array([[1, 0, 0], [0, -cos(tilt), -sin(tilt)], [0, sin(tilt), -cos(tilt)]])
        turn = np.array([[cos(roll), -sin(roll), 0], [sin(roll), cos(roll), 0], [0, 0, 1]])
        rotation = turn @ axes
        eye = np.array([self.target[0], self.target[1] - self.distance * sin(tilt), self.distance * cos(tilt)])
        focal = self.scale * self.distance
        lens = np.array([[focal, 0, (self.width - 1) / 2], [0, focal, (self.height - 1) / 2], [0, 0, 1]])
        matrix: Floats = lens @ rotation @ np.column_stack([np.eye(3), -eye])
        return matrix

    def project(self, points: ArrayLike) -> Floats:
        """Pixels (n x 2) of board points (n x 3, column widths)."""
        return project(self.matrix, np.asarray(points, np.float64))

    def plane(self, height: float = 0.0) -> Floats:
        """3 x 3 homography from (x, y) at `height` above the felt to pixels."""
        return plane(self.matrix, height)

    def square(self, x: float, y: float, z: float, side: float) -> Floats:
        """Pixels (4 x 2) of a level square of `side` around (x, y, z)."""
        half = side / 2
        return self.project([(x + i * half, y + j * half, z) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))])

    def disc(self, x: float, y: float, z: float, radius: float) -> Floats:
        """2 x 3 affine map from the unit disc to the pixels of a level disc of `radius` around (x, y, z)."""
        centre, right, up = self.project([(x, y, z), (x + radius, y, z), (x, y + radius, z)])
        return np.column_stack([right - centre, up - centre, centre])
