"""Locate a calibrated chequered board again after the camera or the board was knocked (see `vision.regain`)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.alignment import apply_homography
from vision.chequered_corners import nearest_board
from vision.geometry import NoPoseError, move_pose
from vision.regain import find_again
from vision.squares import SQUARE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.checkers_calibration import CheckersCalibration

    Floats = NDArray[np.float64]
    Picture = NDArray[np.uint8]

_REACH_SQUARES = 2.5
"""Largest movement that is searched, in squares; a larger one is taken for a board that was set up anew."""
_NUDGE_SQUARES = 0.03
"""Smallest movement that counts, in squares, as in `vision.regain`."""
_BESIDE = [(x * SQUARE, y * SQUARE) for x, y in ((1, 1), (1, -1), (-1, 1), (-1, -1), (2, 0), (-2, 0), (0, 2), (0, -2))]
"""Shifts of wrong alignments to compare with: a chequered board looks alike one square along both edges, and two along
either."""


def regain(calibration: CheckersCalibration, picture: Picture) -> CheckersCalibration | None:
    """Calibration for the new place of the board; None if it did not move or no certain match is found."""
    found = find_again(calibration, picture, _moved_by, _BESIDE, _REACH_SQUARES * SQUARE)
    return found if found is not None else _by_squares(calibration, picture)


def _by_squares(calibration: CheckersCalibration, picture: Picture) -> CheckersCalibration | None:
    """Calibration from the squares' corners, for changed light; None if they are not seen or did not move."""
    if (picture.shape[1], picture.shape[0]) != calibration.size:
        return None
    square_px = float(np.linalg.norm(np.diff(calibration.corners, axis=0), axis=1).max()) * SQUARE
    corners = nearest_board(picture, calibration.corners)
    off = 0.0 if corners is None else float(np.abs(corners - calibration.corners).max()) / square_px
    if corners is None or not _NUDGE_SQUARES < off < _REACH_SQUARES:
        return None
    motion = cv2.getPerspectiveTransform(calibration.corners.astype(np.float32), corners.astype(np.float32))
    try:
        found = _moved_by(calibration, np.asarray(motion, np.float64), picture)
    except NoPoseError:
        return None
    return found if found.outlines.in_place(picture, found.outlined) else None


def _moved_by(calibration: CheckersCalibration, motion: Floats, picture: Picture) -> CheckersCalibration:  # noqa: ARG001
    pose = move_pose(calibration.pose, motion, calibration.size)
    found = replace(calibration, corners=apply_homography(motion, calibration.corners), pose=pose)
    found.carry(calibration)
    return found
