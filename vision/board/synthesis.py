"""Synthetic views: a plane seen on another; noise and gain of the sensor; colours of known checkers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.geometry import project_to_bed, warp
from vision.imaging import colour_table, level, to_lab8

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Picture, Singles
    from vision.board.layout import Placed, Places
    from vision.geometry import CameraPose, Raster


def warp_to_plane(bed_view: Picture, bed: Raster, top: Raster, pose: CameraPose) -> Picture:
    """Warp a raster of the bed to where it is seen on the raster of a higher plane of the same scale."""
    factor = project_to_bed(pose, np.zeros((1, 2)), top.height)[1]
    x, y = pose.centre[:2]
    onto = np.array([[factor, 0, (1 - factor) * x], [0, factor, (1 - factor) * y], [0, 0, 1]])
    shift = np.linalg.inv(bed.to_board) @ onto @ top.to_board
    return warp(bed_view, shift, top.size)


_FLICKER, _GRAIN = 0.02, 2.5
"""Standard deviation of the remaining brightness factor after levelling, and of the sensor noise in grey levels."""
_SHIFTS = 64
"""Number of offsets, each way, at which one field of noise is reused: drawing new noise would dominate the run time."""


class SimulatedSensor:
    """Simulates the sensor for views of one size: gain, noise, saturation. Deterministic for a seeded generator."""

    def __init__(self, shape: tuple[int, ...], gain: Singles, chance: np.random.Generator) -> None:
        height, width, channels = shape
        self._gain, self._chance = gain, chance
        self._grain = chance.standard_normal((height + _SHIFTS, width + _SHIFTS, channels), np.float32)
        self._grain *= _GRAIN

    def take(self, canvas: Singles) -> Picture:
        """Picture (BGR, uint8) of a view (float32): times the gain, with noise, clipped, and levelled again."""
        height, width = canvas.shape[:2]
        down, right = self._chance.integers(0, _SHIFTS, 2)
        gain = (self._gain * self._chance.normal(1.0, _FLICKER)).astype(np.float32)
        taken = (canvas.reshape(height, -1) * np.tile(gain, width)).reshape(canvas.shape)  # long rows are much faster
        taken += self._grain[down : down + height, right : right + width]
        return level(np.clip(taken, 0, 255, out=taken).astype(np.uint8), self._gain)


_CORE = 0.98
"""Radius of the part that counts as a checker's own colour, in checker radii."""


def checker_colours(view: Picture, placed: Sequence[Placed], layout: Places, top: Raster) -> tuple[Singles, Singles]:
    """Colour tables (see `colour_table`) of White and Black, from the tops of the known checkers in `view` (BGR)."""
    colours = to_lab8(view)
    radius = layout.checker / 2 * top.scale * _CORE
    tables = []
    for side in (0, 1):
        mask = np.zeros(view.shape[:2], np.uint8)
        for x, y in top.pixels(layout.centres([one for one in placed if one.owner == side])):
            cv2.circle(mask, (round(float(x)), round(float(y))), round(float(radius)), 255, -1)
        tables.append(colour_table(colours[mask > 0]))
    return tables[0], tables[1]
