"""A die as a cube that stands on the bed: where a camera sees its corners, and what must lie over the board there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.core import Half
from vision.dice.search import face_height

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.board import Layout
    from vision.dice.search import Face
    from vision.geometry import CameraPose, Raster

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]

_SLACK = 1.5
"""Raster pixels by which outlines of dice are wider than they are drawn."""


@dataclass(frozen=True, slots=True)
class Cube:
    """A die as a cube standing on the bed.

    Attributes:
        face: what was read.
        side: in board units.
        x, y: its middle on the board.
        corners: 8 x 3, those of the upper face first, in board units.
    """

    face: Face
    side: float
    x: float
    y: float
    corners: Floats

    @classmethod
    def under(cls, face: Face, pose: CameraPose, checker: float) -> Cube:
        """The cube whose upper face was found; that plane was not quite the face's own."""
        eye, plane = pose.centre, face_height(checker)
        factor = (eye[2] - face.side) / (eye[2] - plane)
        side = face.side * factor
        middle = eye[:2] + factor * (np.array([face.x, face.y]) - eye[:2])
        angles = np.pi / 4 - face.turn + np.arange(4) * np.pi / 2
        around = middle + side * np.sqrt(0.5) * np.column_stack([np.cos(angles), np.sin(angles)])
        corners = np.vstack([np.column_stack([around, np.full(4, height)]) for height in (side, 0.0)])
        return cls(face, side, float(middle[0]), float(middle[1]), corners)

    def seen_on(self, top: Raster, eye: Floats) -> Singles:
        """The corners as they appear on a raster (8 x 2 pixels)."""
        factor = (eye[2] - top.height) / (eye[2] - self.corners[:, 2:])
        return np.asarray(top.pixels(eye[:2] + factor * (self.corners[:, :2] - eye[:2])), np.float32)

    def half(self, layout: Layout) -> Half | None:
        """On which half of the board it lies; None on the bar."""
        if abs(self.x - 0.5) < layout.bar / 2:
            return None
        return Half.LEFT if self.x < 0.5 else Half.RIGHT


def holds(corners: Singles, others: Singles) -> bool:
    """Whether the middle of another die's upper face lies within a die's outline (see `Cube.seen_on`)."""
    x, y = others[:4].mean(axis=0)
    return cv2.pointPolygonTest(cv2.convexHull(corners), (float(x), float(y)), True) > -_SLACK


def drawn(corners: Singles, size: tuple[int, ...]) -> Bools:
    """The pixels (height x width) that the outline of corners covers."""
    mask = np.zeros(size, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(cv2.convexHull(corners)).astype(np.int32), 1)
    return mask > 0
