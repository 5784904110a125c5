"""Camera pose relative to the board, and projection from board coordinates to pixels.

Board coordinates: x along White's edge from White's left, y away from White, z up from the bed; the unit is the width
of the playing area (bar included), so x runs from 0 to 1 and y from 0 to `depth`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.core import BoardsideError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vision.arrays import Floats


COLUMNS = 12
FOCAL_PRIOR = 0.85
"""Prior mean of focal length over picture width: the middle of small board cameras and webcams (horizontal angles of
view of 50 to 75 degrees: Pi camera modules 2 and 3 have 62 and 66)."""
FOCAL_SPREAD = 0.18
"""Standard deviation of the natural logarithm of that prior, over the same cameras."""
_OTHER_SPREAD, _OTHER_SHARE = 0.5, 0.4
"""Standard deviation of the natural logarithm of the focal lengths of other cameras than small board cameras and
webcams, and their share: long lenses and cut-out parts of pictures have angles down to 20 degrees, wide ones up to
100."""
_FOCALS = FOCAL_PRIOR * np.exp(np.linspace(-0.99, 0.99, 89))
"""Focal lengths that are tried: angles of view of 25 to 115 degrees."""
_CORNER_SPREAD_PX = 0.75
"""Standard deviation of a corner's reprojection error in pixels, to weigh it against the priors."""
_DEEPEST = 3.0
"""Largest depth of a playing area over its width, and of its width over its depth: five tiles by twelve have 2.4."""
_WIDEST_BAR = 3.0
"""Largest width of a bar, in columns."""
_KNOCK = 0.2
"""Usual distance that a knocked camera moves, in board widths."""


class NoPoseError(BoardsideError):
    """No camera pose fits the corners; the text quotes them."""


@dataclass(frozen=True, slots=True)
class CameraPose:
    """A pinhole camera with square pixels and the principal point in the middle of the picture.

    Attributes:
        matrix: 3 x 4, board coordinates (homogeneous) to picture coordinates (homogeneous, pixels).
        centre: x, y, z of the camera in board coordinates.
        depth: depth of the playing area over its width.
        focal: focal length over picture width.
        misfit_px: root mean square distance in pixels between the given corners and their projections.
    """

    matrix: Floats
    centre: Floats
    depth: float
    focal: float
    misfit_px: float

    def project(self, xyz: Floats) -> Floats:
        """Picture coordinates (n x 2, pixels) of board coordinates (n x 3)."""
        return project(self.matrix, xyz)

    def plane(self, height: float) -> Floats:
        """The 3 x 3 homography from (x, y, 1) in the plane `height` above the bed to the picture."""
        return plane(self.matrix, height)

    @property
    def misfit_nats(self) -> float:
        """Negative log-likelihood of the misfit."""
        return (self.misfit_px / _CORNER_SPREAD_PX) ** 2 / 2


def plane(matrix: Floats, height: float) -> Floats:
    """The 3 x 3 homography from (x, y, 1) in the plane `height` above the bed to the picture; `matrix` is 3 x 4."""
    return np.column_stack([matrix[:, 0], matrix[:, 1], matrix[:, 2] * height + matrix[:, 3]])


def project(matrix: Floats, places: Floats) -> Floats:
    """Picture coordinates (n x 2) of places (n x 3 or n x 2) under a 3 x 4 projection or a 3 x 3 homography."""
    seen = np.column_stack([places, np.ones(len(places))]) @ matrix.T
    return np.asarray(seen[:, :2] / seen[:, 2:])


def estimate_pose(corners: Floats, size: tuple[int, int], depth: float | None = None) -> CameraPose:
    """The likeliest of the `possible_poses` of a small board camera or webcam; same arguments and errors."""
    return usual_pose(possible_poses(corners, size, depth))


def usual_pose(poses: Iterable[CameraPose]) -> CameraPose:
    """The likeliest of some poses of a small board camera or webcam."""

    def cost_nats(pose: CameraPose) -> float:
        return pose.misfit_nats + (math.log(pose.focal / FOCAL_PRIOR) / FOCAL_SPREAD) ** 2 / 2

    return min(poses, key=cost_nats)


def unusual_focal_nats(focal: float) -> float:
    """Negative log-probability of a focal length over picture width, of any camera; up to a constant."""
    longer = math.log(focal / FOCAL_PRIOR)
    usual, other = (math.exp(-((longer / spread) ** 2) / 2) / spread for spread in (FOCAL_SPREAD, _OTHER_SPREAD))
    return -math.log((1 - _OTHER_SHARE) * usual + _OTHER_SHARE * other)


def possible_poses(
    corners: Floats, size: tuple[int, int], depth: float | None = None, focals: Iterable[float] = _FOCALS
) -> list[CameraPose]:
    """The best camera pose for each focal length, in their order, given the corners of the playing area.

    Args:
        corners: 4 x 2 pixels: bottom-left, bottom-right, top-right, top-left as White sits.
        size: width and height of the picture in pixels.
        depth: depth of the playing area over its width if known; otherwise it follows from each focal length. Seen from
            straight above or square on, the corners do not determine both.
        focals: focal lengths over picture width; by default many, shortest first.

    Raises:
        NoPoseError: no camera pose fits these corners.
    """
    shapes = [(focal, depth or _depth_for(corners, size, focal)) for focal in focals]
    found = [_poses(corners, size, *shape) for shape in shapes if 1 / _DEEPEST < shape[1] < _DEEPEST]
    best_of_each = [min(poses, key=lambda pose: pose.misfit_px) for poses in found if poses]
    if not best_of_each:
        raise NoPoseError(_no_pose(corners))
    return best_of_each


def move_pose(before: CameraPose, motion: Floats, size: tuple[int, int]) -> CameraPose:
    """The pose of the same camera after it moved a little; focal length and the board's depth stay. Raises NoPoseError.

    `motion`: 3 x 3 homography of the bed, from pixels before the move to pixels after it. The bed is mapped exactly:
    the remaining misfit is corrected.
    """
    matrix = motion @ before.matrix
    corners = project(matrix, bed_corners(before.depth))
    poses = _poses(corners, size, before.focal, before.depth)
    if not poses:
        raise NoPoseError(_no_pose(corners))

    def cost(pose: CameraPose) -> float:
        return pose.misfit_px / _CORNER_SPREAD_PX + float(np.linalg.norm(pose.centre - before.centre)) / _KNOCK

    pose = min(poses, key=cost)
    return fit_corners_exactly(pose, corners)


def fit_corners_exactly(pose: CameraPose, corners: Floats) -> CameraPose:
    """Correct a pose by a homography so that the playing area's corners project exactly to `corners` (4 x 2 pixels)."""
    seen = project(pose.matrix, bed_corners(pose.depth))
    exact = cv2.getPerspectiveTransform(seen.astype(np.float32), corners.astype(np.float32))
    return replace(pose, matrix=np.asarray(exact @ pose.matrix, np.float64))


def _no_pose(corners: Floats) -> str:
    return f"no camera sees a flat board with its corners at {np.round(corners, 1).tolist()}: mark them again"


def _depth_for(corners: Floats, size: tuple[int, int], focal: float) -> float:
    """The depth at which both sides of the playing area have the same scale under this focal length."""
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    bed = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
    to_rays = np.array([[1, 0, -size[0] / 2], [0, 1, -size[1] / 2], [0, 0, focal * size[0]]])
    along, away = (to_rays @ bed)[:, :2].T
    return float(np.linalg.norm(away) / np.linalg.norm(along))


def lens_matrix(focal: float, size: tuple[int, int]) -> Floats:
    """The 3 x 3 matrix from the camera's coordinates to pixels.

    The optical axis is at the middle of the picture of `size` (width, height); `focal`: focal length over its width.
    """
    width, height = size
    return np.array([[focal * width, 0, width / 2], [0, focal * width, height / 2], [0, 0, 1]])


def bed_corners(depth: float) -> Floats:
    """The corners of the playing area (4 x 3 board coordinates): bottom-left, bottom-right, top-right, top-left."""
    return np.array([[0, 0, 0], [1, 0, 0], [1, depth, 0], [0, depth, 0]], np.float64)


def _poses(corners: Floats, size: tuple[int, int], focal: float, depth: float) -> list[CameraPose]:
    """The poses above the board that fit the corners: planar PnP has two solutions (IPPE, Collins and Bartoli 2014)."""
    lens, bed = lens_matrix(focal, size), bed_corners(depth)
    _, rotations, shifts, _ = cv2.solvePnPGeneric(bed, corners.astype(np.float64), lens, None, flags=cv2.SOLVEPNP_IPPE)
    poses = []
    for vector, shift in zip(rotations, shifts, strict=True):
        rotation = cv2.Rodrigues(vector)[0]
        centre = np.asarray((-rotation.T @ shift).ravel(), np.float64)
        matrix = lens @ np.column_stack([rotation, shift])
        misfit = float(np.sqrt(np.mean(np.sum((project(matrix, bed) - corners) ** 2, axis=1))))
        if np.isfinite(misfit) and centre[2] > 0:
            poses.append(CameraPose(matrix, centre, depth, focal, misfit))
    return poses


def project_to_bed(pose: CameraPose, places: Floats, height: float) -> tuple[Floats, float]:
    """Project places (n x 2 board coordinates) at `height` along the lines of sight onto the bed.

    Returns the places on the bed behind them (n x 2), and the magnification of sizes there (1 or more).
    """
    factor = pose.centre[2] / (pose.centre[2] - height)
    return pose.centre[:2] + factor * (places - pose.centre[:2]), float(factor)


@dataclass(frozen=True, slots=True)
class BoardFit:
    """A pinhole camera above a board; lengths in columns, z up from the bed.

    Attributes:
        focal: focal length over picture width.
        rotation: 3, Rodrigues vector, board to camera.
        shift: 3, translation: the board's bottom-left corner in camera coordinates.
        bar: width of the bar.
        height: height of the playing area.
        pitch: distance between neighbouring checkers of a row.
        size: width and height of the picture in pixels.
    """

    focal: float
    rotation: Floats
    shift: Floats
    bar: float
    height: float
    pitch: float
    size: tuple[int, int]

    @property
    def width(self) -> float:
        """Width of the playing area with the bar, in columns."""
        return COLUMNS + self.bar

    @property
    def possible(self) -> bool:
        """Whether the dimensions are plausible for a board; a fit to something else may have any."""
        return self.width / _DEEPEST < self.height < self.width * _DEEPEST and self.bar < _WIDEST_BAR and self.pitch > 0

    def plane(self, z: float) -> Floats:
        """3 x 3 homography from (x, y) at height z above the bed to pixels."""
        turn = cv2.Rodrigues(self.rotation)[0]
        onto = np.column_stack([turn[:, 0], turn[:, 1], turn[:, 2] * z + self.shift])
        return np.asarray(lens_matrix(self.focal, self.size) @ onto)

    @property
    def camera(self) -> Floats:
        """Position of the camera: x, y, z in columns."""
        centre: Floats = -cv2.Rodrigues(self.rotation)[0].T @ self.shift
        return centre
