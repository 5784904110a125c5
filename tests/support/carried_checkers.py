"""Moves or copies checkers within a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.board import CIRCLE

if TYPE_CHECKING:
    from labelled import Scene

    from vision.backgammon.calibration import Calibration
    from vision.cameras import Picture


def outline(calibration: Calibration, place: np.ndarray, wider: float = 1.0, layer: int = 0) -> np.ndarray:
    """Pixels (n x 2) of the outlines of a checker's foot and top, for a checker at a place on the board.

    `layer`: number of checkers under it.
    """
    circle = place + CIRCLE * calibration.layout.checker / 2 * wider
    heights = np.array([layer, layer + 1]) * calibration.layout.top
    return np.vstack([calibration.pose.project(np.column_stack([circle, np.full(len(circle), z)])) for z in heights])


def carried(
    picture: Picture, bare: Picture, calibration: Calibration, source: np.ndarray, target: np.ndarray
) -> Picture:
    """The picture (BGR) with the checker at `source` moved to `target`; `bare`: picture without the checker."""
    made = copied(picture, calibration, source, target)
    under = mask_of(picture, outline(calibration, source, 1.25))
    made[under] = bare[under]
    return made


def with_sixth_in_row(scene: Scene) -> Picture:
    """The starting position with White's second checker of the 24 point as a sixth in the row on the 6 point."""
    calibration = scene.eye.calibration
    bare = next(frame for frame in scene.frames if frame.points[23] < 2 and not frame.hand)
    second, sixth = (np.array(calibration.layout.slot(point, index)) for point, index in ((23, 1), (5, 5)))
    return carried(scene.start, bare.picture, calibration, second, sixth)


def copied(
    picture: Picture, calibration: Calibration, source: np.ndarray, target: np.ndarray, layer: int = 0
) -> Picture:
    """The picture (BGR) with a copy of the checker at `source` put at `target`, on `layer` other checkers."""
    one, two = outline(calibration, source), outline(calibration, target, layer=layer)
    corners = [
        np.ascontiguousarray(points[len(one) // 2 :: len(one) // 8][:4].astype(np.float32)) for points in (one, two)
    ]
    warped = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(*corners), picture.shape[1::-1])
    there = mask_of(picture, two)
    made = picture.copy()
    made[there] = warped[there]
    return made


def mask_of(picture: Picture, points: np.ndarray) -> np.ndarray:
    """Mask of the pixels within the convex hull of points (n x 2), such as an `outline`."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, cv2.convexHull(points.astype(np.float32)).astype(np.int32), 255)
    return mask > 0
