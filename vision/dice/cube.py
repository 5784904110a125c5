"""A die as a cube that stands flat on the bed: its corners in board units and on the raster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.core import Half
from vision.dice.search import face_height

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Floats, Picture, Singles
    from vision.board import Layout
    from vision.dice.search import Face
    from vision.geometry import CameraPose, Raster


_SLACK = 1.5
"""Raster pixels by which the outline of a die is widened for the test whether another face lies inside."""


@dataclass(frozen=True, slots=True)
class Cube:
    """A die as a cube standing on the bed.

    Attributes:
        face: the upper face that was found.
        side: in board units.
        x, y: middle, in board units.
        corners: 8 x 3 board units, those of the upper face first.
    """

    face: Face
    side: float
    x: float
    y: float
    corners: Floats

    @classmethod
    def under(cls, face: Face, pose: CameraPose, checker: float) -> Cube:
        """The cube under a face, which was measured in the plane `face_height`; `checker`: diameter in board units."""
        eye, plane = pose.centre, face_height(checker)
        factor = (eye[2] - face.side) / (eye[2] - plane)
        side = face.side * factor
        middle = eye[:2] + factor * (np.array([face.x, face.y]) - eye[:2])
        angles = np.pi / 4 - face.turn + np.arange(4) * np.pi / 2
        around = middle + side * np.sqrt(0.5) * np.column_stack([np.cos(angles), np.sin(angles)])
        corners = np.vstack([np.column_stack([around, np.full(4, height)]) for height in (side, 0.0)])
        return cls(face, side, float(middle[0]), float(middle[1]), corners)

    def seen_on(self, top: Raster, eye: Floats) -> Singles:
        """The corners as seen by the camera at `eye` on a raster (8 x 2 pixels)."""
        factor = (eye[2] - top.height) / (eye[2] - self.corners[:, 2:])
        return np.asarray(top.pixels(eye[:2] + factor * (self.corners[:, :2] - eye[:2])), np.float32)

    def half(self, layout: Layout) -> Half | None:
        """The half of the board on which it lies; None on the bar."""
        if abs(self.x - 0.5) < layout.bar / 2:
            return None
        return Half.LEFT if self.x < 0.5 else Half.RIGHT


def within_another(cube: Cube, others: Sequence[Cube], top: Raster, eye: Floats) -> bool:
    """Whether the middle of a die's upper face lies within the outline of another die, as that of one of its sides."""
    x, y = cube.seen_on(top, eye)[:4].mean(axis=0)
    outlines = (cv2.convexHull(other.seen_on(top, eye)) for other in others)
    return any(cv2.pointPolygonTest(outline, (float(x), float(y)), True) > -_SLACK for outline in outlines)


def hull_mask(corners: Singles, size: tuple[int, ...]) -> Picture:
    """Mask (height x width, 0 or 1) of the convex hull of corners (n x 2 pixels)."""
    mask = np.zeros(size, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(cv2.convexHull(corners)).astype(np.int32), 1)
    return mask
