"""Fit a camera and the board's dimensions to the thirty checkers of a starting position."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.geometry import FOCAL_PRIOR, FOCAL_SPREAD, project
from vision.least_squares import least_squares
from vision.start_places import COLUMNS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.start_places import StartPlaces
    from vision.start_search import Sighting

    Floats = NDArray[np.float64]

PITCH_PRIOR, PITCH_SPREAD = 0.92, 0.06
"""Prior mean and standard deviation of the distance of neighbours in a stack, in columns: a checker is nearly as wide
as its column."""
FIRST = 0.53
"""Distance of the first checker's centre from the edge, in pitches. It touches the edge, or nearly."""
RIM_HEIGHT = 0.16
"""Height of a checker's visible outline, in pitches, between foot and upper rim (thickness about 0.25)."""
PLACING_ERROR = 0.07
"""Scale of the placing error of checkers, in columns (Cauchy loss)."""


@dataclass(frozen=True, slots=True)
class BoardFit:
    """A pinhole camera above a board; lengths in columns, z up from the bed.

    Attributes:
        focal: focal length over picture width.
        rotation: 3, Rodrigues vector, board to camera.
        shift: 3, the board's bottom-left corner in camera coordinates.
        bar: width of the bar.
        height: height of the playing area.
        pitch: distance of neighbours in a stack.
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

    def plane(self, z: float) -> Floats:
        """3 x 3 homography from (x, y) at height z above the bed to pixels."""
        turn = cv2.Rodrigues(self.rotation)[0]
        width, height = self.size
        lens = np.array([[self.focal * width, 0, width / 2], [0, self.focal * width, height / 2], [0, 0, 1]])
        plane: Floats = lens @ np.column_stack([turn[:, 0], turn[:, 1], turn[:, 2] * z + self.shift])
        return plane

    @property
    def camera(self) -> Floats:
        """Position of the camera: x, y, z in columns."""
        centre: Floats = -cv2.Rodrigues(self.rotation)[0].T @ self.shift
        return centre


def outline_centres(fit: BoardFit, places: StartPlaces) -> Floats:
    """Centres of the outlines of the thirty checkers: 30 x 2 columns."""
    return places.positions(fit.bar, fit.height, fit.pitch, FIRST * fit.pitch)


def first_fit(sighting: Sighting, size: tuple[int, int]) -> BoardFit:
    """Initial fit from a rough sighting in a picture of this size, with a typical focal length."""
    lens = np.array([[FOCAL_PRIOR * size[0], 0, size[0] / 2], [0, FOCAL_PRIOR * size[0], size[1] / 2], [0, 0, 1]])
    across, away, shift = (np.linalg.inv(lens) @ sighting.homography).T
    unit = math.copysign(np.linalg.norm(across), shift[2])
    across, away, shift = across / unit, away / unit, shift / unit
    pitch = float(np.linalg.norm(away))
    left, _, right = np.linalg.svd(np.column_stack([across, away / pitch, np.cross(across, away / pitch)]))
    rotation = cv2.Rodrigues(left @ right)[0].ravel()
    return BoardFit(FOCAL_PRIOR, rotation, shift, sighting.bar, sighting.height * pitch, pitch, size)


def fit_board(start: BoardFit, places: StartPlaces, seen: Floats, weights: Floats) -> BoardFit:
    """Least-squares fit of the board to the seen checkers.

    Args:
        start: initial fit.
        places: nominal places of the checkers.
        seen: 30 x 2 pixels.
        weights: 30, weight of each (0: not seen).
    """
    vector = np.array([math.log(start.focal), *start.rotation, *start.shift, start.bar, start.height, start.pitch])
    column_px = _column_px(start)

    def misfits(values: Floats) -> Floats:
        fit = _from_vector(values, start)
        off = project(fit.plane(RIM_HEIGHT * fit.pitch), outline_centres(fit, places)) - seen
        far = np.hypot(*off.T) / column_px / PLACING_ERROR
        # Cauchy loss as a residual: quadratic near the place, almost constant far from it.
        shrink = np.sqrt(np.log1p(far**2)) / np.maximum(far, 1e-9) * weights
        priors = (
            (values[0] - math.log(FOCAL_PRIOR)) / FOCAL_SPREAD,
            (fit.pitch - PITCH_PRIOR) / PITCH_SPREAD,
            min(fit.bar, 0.0) / 0.01,
        )
        return np.concatenate([(off / column_px / PLACING_ERROR * shrink[:, None]).ravel(), priors])

    return _from_vector(least_squares(misfits, vector), start)


def _column_px(fit: BoardFit) -> float:
    """Width in pixels of a column in the middle of the board."""
    middle = np.array([[fit.width / 2 - 0.5, fit.height / 2], [fit.width / 2 + 0.5, fit.height / 2]])
    left, right = project(fit.plane(0.0), middle)
    return float(np.hypot(*(right - left)))


def _from_vector(values: Floats, like: BoardFit) -> BoardFit:
    bar, height, pitch = (float(v) for v in values[7:10])
    return replace(
        like,
        focal=math.exp(min(max(values[0], -3.0), 3.0)),
        rotation=values[1:4],
        shift=values[4:7],
        bar=bar,
        height=height,
        pitch=pitch,
    )
