"""Finding a learned chequered board again after the camera or the board was knocked (see `vision.regain`)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vision.alignment import carried
from vision.geometry import moved
from vision.regain import find_again
from vision.squares import SQUARE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.checkers_calibration import CheckersCalibration

    Floats = NDArray[np.float64]
    Picture = NDArray[np.uint8]

_REACH_SQUARES = 2.5
"""How far from its old place the board is sought; what moved farther was not knocked but put somewhere else."""
_BESIDE = [(x * SQUARE, y * SQUARE) for x, y in ((1, 1), (1, -1), (-1, 1), (-1, -1), (2, 0), (-2, 0), (0, 2), (0, -2))]
"""A chequered board looks like itself one square along both edges, and two along either."""


def regain(calibration: CheckersCalibration, picture: Picture) -> CheckersCalibration | None:
    """The calibration for where the board lies now; None where it did not move, or is not found again for certain."""
    return find_again(calibration, picture, _moved_by, _BESIDE, _REACH_SQUARES * SQUARE)


def _moved_by(calibration: CheckersCalibration, motion: Floats, picture: Picture) -> CheckersCalibration:  # noqa: ARG001
    pose = moved(calibration.pose, motion, calibration.size)
    found = replace(calibration, corners=carried(motion, calibration.corners), pose=pose)
    found.carry(calibration)
    return found
