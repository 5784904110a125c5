"""Printed ArUco markers: detection, and the homography between two pictures of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.geometry.pose import project

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vision.arrays import Floats, Picture


FEWEST_MARKERS = 4
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
    """Homography (3 x 3, pixels before to now) of the common markers; None if still, too few or inconsistent."""
    both = sorted(before.keys() & now.keys())
    if len(both) < FEWEST_MARKERS:
        return None
    motion = _homography(before, now, both)
    if motion is None or not all(_agrees(before, now, both, number) for number in both):
        return None
    still = max(float(np.abs(project(motion, before[number]) - before[number]).mean()) for number in both) <= _STILL_PX
    return None if still else motion


def _homography(before: Mapping[int, Floats], now: Mapping[int, Floats], numbers: Sequence[int]) -> Floats | None:
    """The homography that fits these markers best; None if there is none."""
    was, is_now = (np.concatenate([marks[number] for number in numbers]) for marks in (before, now))
    motion = np.asarray(cv2.findHomography(was, is_now)[0], np.float64)
    return motion if motion.shape == (3, 3) else None


def _agrees(before: Mapping[int, Floats], now: Mapping[int, Floats], numbers: Sequence[int], one: int) -> bool:
    """Leave-one-out check: whether marker `one` lies where the homography of the others predicts it."""
    motion = _homography(before, now, [number for number in numbers if number != one])
    if motion is None:
        return False
    side = float(np.linalg.norm(now[one][1] - now[one][0]))
    off = np.linalg.norm(project(motion, before[one]) - now[one], axis=1).max()
    return bool(off <= max(_AGREE_SIDES * side, _AGREE_PX))
