"""A camera for drawn boards with errors of calibration; its pictures are rectified to the plane of the checkers' tops.

Lengths are in columns (see `training.drawing`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from training.drawing import PinholeView, random_view, render
from training.lighting import DrawnLight, random_lamp
from training.sensor import Sensor
from vision.comparator import CELL_PX
from vision.geometry import project, warp

if TYPE_CHECKING:
    from numpy.random import Generator

    from training.makes import BoardMake
    from training.scenes import DrawnScene, Man
    from vision.arrays import Floats, Picture


DIAMETER_PX = 0.8 * CELL_PX
"""Diameter of a checker in the rectified picture: as on squares of `CELL_PX`."""


@dataclass
class Rectified:
    """A picture rectified to the plane of the checkers' tops, and the homography from the board to its pixels."""

    view: Picture
    to_pixels: Floats

    @classmethod
    def of(cls, picture: Picture, into: Floats, extent: Floats, scale: float, margin: float) -> Rectified:
        """From the homography `into` (top plane to picture), at `scale` pixels a column; margin: in columns."""
        to_pixels = np.array([[scale, 0, margin * scale], [0, scale, margin * scale], [0, 0, 1.0]])
        size = tuple(int(v) for v in np.ceil((extent + 2 * margin) * scale))
        return cls(warp(picture, into @ np.linalg.inv(to_pixels), size), to_pixels)

    def pixels(self, places: Floats) -> Floats:
        """Pixels (n x 2) of places on the board."""
        return project(self.to_pixels, places)


@dataclass
class ErringCamera:
    """A camera with errors of calibration: `offsets` of the corners (4 x 2 pixels), and of the thickness."""

    view: PinholeView
    corners: Floats
    offsets: Floats
    height: float

    def rectified(
        self, picture: Picture, make: BoardMake, jitter: Floats, diameter_px: float = DIAMETER_PX, margin: float = 1.5
    ) -> Rectified:
        """The picture (BGR), rectified with the errors; jitter: further errors, 4 x 2 pixels; margin: in columns."""
        plane = self.view.matrix[:, [0, 1, 3]].copy()
        plane[:, 2] += self.view.matrix[:, 2] * self.height
        picture_transform = cv2.getPerspectiveTransform(
            self.corners.astype(np.float32), (self.corners + self.offsets + jitter).astype(np.float32)
        )
        scale = diameter_px / (2 * make.radius)
        return Rectified.of(picture, picture_transform.astype(np.float64) @ plane, make.extent, scale, margin)


def leaning(camera: ErringCamera, make: BoardMake, man: Man) -> Floats:
    """Offset (2, columns) at which a second checker's top appears from the first one's, in the plane of the latter."""
    x, y, height = camera.view.place
    thick = make.thickness
    return (np.array([man.x, man.y]) - (x, y)) * thick / (height - 2 * thick)


def random_setting(
    chance: Generator, make: BoardMake, least_px: float, most_px: float
) -> tuple[ErringCamera, DrawnLight, Sensor]:
    """A camera, a lamp and a sensor for a board; a column measures between `least_px` and `most_px` pixels."""
    view, corners = random_view(chance, make.extent, least_px, most_px)
    lamp, sensor = random_lamp(chance, make.extent), Sensor.random(chance)
    offsets = chance.normal(0, 1, (4, 2)) * chance.uniform(0, 0.004) * np.ptp(corners, axis=0).mean()
    return ErringCamera(view, corners, offsets, make.thickness * float(np.exp(chance.normal(0, 0.1)))), lamp, sensor


def taken(
    chance: Generator,
    make: BoardMake,
    camera: ErringCamera,
    by: tuple[DrawnLight, Sensor],
    scene: DrawnScene,
    *size: float,
) -> tuple[Rectified, Rectified]:
    """A rectified picture of a scene with jittered corners, and the hidden share of each of its pixels (0 to 255).

    `by`: lamp and sensor; `size`: of a checker, and the margin (see `ErringCamera.rectified`).
    """
    lamp, sensor = by
    lit, hidden = render(chance, make, camera.view, scene, lamp)
    jitter = chance.normal(0, 1, (4, 2)) * chance.uniform(0, 0.0015) * np.ptp(camera.corners, axis=0).mean()
    return camera.rectified(sensor.picture(lit), make, jitter, *size), camera.rectified(hidden, make, jitter, *size)
