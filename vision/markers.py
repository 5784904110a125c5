"""Printed ArUco markers (4 x 4 squares) beside the board, to find a moved board quickly.

They are optional. A board found by markers is read only if its own edges are seen there too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import cv2
import numpy as np

from vision.alignment import apply_homography
from vision.board_of import LearnedBoard
from vision.board_round import BoardDecorator
from vision.geometry import NoPoseError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from vision.calibration_file import SavedCalibration
    from vision.camera import Picture

    Floats = NDArray[np.float64]

FEWEST = 4
"""Least number of markers for a motion. Each is checked against the motion of the others, three at least, because a
single marker may have been pushed."""
_AGREE_SIDES, _AGREE_PX = 0.1, 3.0
"""Largest distance of a marker's corners from where the others predict them: in sides of the marker, or in pixels if
that is more."""
_STILL_PX = 1.5
"""Mean motion of a marker's corners, in pixels, up to which the picture counts as not moved."""


def find_markers(picture: Picture) -> dict[int, Floats]:
    """Find the markers of OpenCV's dictionary DICT_4X4_50 that occur once: corners (4 x 2 pixels) by number."""
    known = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    options = cv2.aruco.DetectorParameters()
    options.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    corners, numbers, _ = cv2.aruco.ArucoDetector(known, options).detectMarkers(grey)
    found = [int(number) for number in np.ravel(numbers)] if len(corners) else []
    return {
        number: np.asarray(corner, np.float64).reshape(4, 2)
        for number, corner in zip(found, corners, strict=True)
        if found.count(number) == 1
    }


def motion_of(before: Mapping[int, Floats], now: Mapping[int, Floats]) -> Floats | None:
    """The homography (3 x 3) from pixels before to pixels now; None if nothing moved or the markers disagree."""
    both = sorted(before.keys() & now.keys())
    if len(both) < FEWEST:
        return None
    motion = _homography(before, now, both)
    if motion is None or not all(_agrees(before, now, both, number) for number in both):
        return None
    still = (
        max(float(np.abs(apply_homography(motion, before[number]) - before[number]).mean()) for number in both)
        <= _STILL_PX
    )
    return None if still else motion


def _homography(before: Mapping[int, Floats], now: Mapping[int, Floats], numbers: Sequence[int]) -> Floats | None:
    """The homography that fits these markers best; None if there is none."""
    was, is_now = (np.concatenate([marks[number] for number in numbers]) for marks in (before, now))
    motion = np.asarray(cv2.findHomography(was, is_now)[0], np.float64)
    return motion if motion.shape == (3, 3) else None


def _agrees(before: Mapping[int, Floats], now: Mapping[int, Floats], numbers: Sequence[int], one: int) -> bool:
    """Whether a marker lies where the motion of the others predicts it."""
    motion = _homography(before, now, [number for number in numbers if number != one])
    if motion is None:
        return False
    side = float(np.linalg.norm(now[one][1] - now[one][0]))
    off = np.linalg.norm(apply_homography(motion, before[one]) - now[one], axis=1).max()
    return bool(off <= max(_AGREE_SIDES * side, _AGREE_PX))


@runtime_checkable
class MovableBoard(LearnedBoard, Protocol):
    """A learned board that can be moved to another place by a homography of the picture."""

    def moved(self, motion: Floats, picture: Picture) -> MovableBoard:
        """The board where `motion` (3 x 3, pixels before to now) has moved it. Raises NoPoseError."""

    def regain(self, picture: Picture) -> MovableBoard | None:
        """See `LearnedBoard`."""


class MarkerTrackedBoard(BoardDecorator[MovableBoard]):
    """A board that markers beside it help to find again."""

    def __init__(self, bare: MovableBoard, markers: Mapping[int, Floats]) -> None:
        """`markers`: from `find_markers`, in a picture in which `bare` lies in its present place."""
        super().__init__(bare)
        self.markers = markers

    @property
    def summary(self) -> dict[str, Any]:
        """The board's summary, and the numbers of the markers."""
        return {**self.inner.summary, "markers": sorted(self.markers)}

    def regain(self, picture: Picture) -> MarkerTrackedBoard | None:
        """Find the moved board by its markers, otherwise by its own appearance."""
        motion = motion_of(self.markers, find_markers(picture))
        try:
            found = None if motion is None else self.inner.moved(motion, picture)
        except NoPoseError:
            found = None
        if found is not None and motion is not None:
            there = {number: apply_homography(motion, corners) for number, corners in self.markers.items()}
            return MarkerTrackedBoard(found.regain(picture) or found, there)
        again = self.inner.regain(picture)
        return None if again is None else MarkerTrackedBoard(again, {**self.markers, **find_markers(picture)})

    def save(self, path: Path, **extra: object) -> None:
        """Write to a file, with the markers and `extra` entries. Raises CalibrationError."""
        corners_by_number = {number: corners.tolist() for number, corners in self.markers.items()}
        self.inner.save(path, markers=corners_by_number, **extra)


def with_markers(board: LearnedBoard, picture: Picture) -> LearnedBoard:
    """Add the markers of the calibration picture to a board, if it can use them and there are enough."""
    if not isinstance(board, MovableBoard):
        return board
    markers = find_markers(picture)
    return MarkerTrackedBoard(board, markers) if len(markers) >= FEWEST else board


def with_saved_markers(board: LearnedBoard, kept: SavedCalibration) -> LearnedBoard:
    """Add the markers of a calibration file to a board, if the file has any."""
    saved = kept.entry("markers")
    if saved is None or not isinstance(board, MovableBoard):
        return board
    return MarkerTrackedBoard(board, {int(number): np.array(corners, np.float64) for number, corners in saved.items()})
