"""Illumination relative to the calibration picture: estimated as a plane of log brightness, then removed.

A moved lamp or fading daylight changes the light from one end of the board to the other. Shadows and glare do not fit
a plane and are not corrected here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.imaging.appearance import level
from vision.imaging.exposure import BRIGHT, DIM

if TYPE_CHECKING:
    from vision.arrays import Floats, Picture, Singles


_EVERY = 5
"""Only one pixel in this many is used, each way."""
_LEAST_PIXELS = 300
"""Least number of unclipped pixels for an estimate."""
_AGREES = 0.12
"""Largest deviation of an inlier from the plane (natural logarithm of the ratio): grain of the board, noise, and small
shifts of the raster. Checkers mostly deviate by more."""
_ROUNDS = 8
"""Most fits to the inliers; the inliers may start in one stripe of the board and spread over all of it."""
_LEAST_AGREEING = 0.4
"""Least share of inliers: at least half of the board is bare, and some of that may lie in shadows."""
_EVEN = 0.08
"""Largest slope (natural logarithm, sum of both axes) that counts as uniform light. The standard deviations in
`vision.imaging.appearance` cover it, and moved checkers alone give a slope of 0.05."""
_MOST = 0.6
"""Largest plane that is accepted (natural logarithm at a corner): about a stop, the most a moved lamp causes."""


@dataclass(frozen=True, slots=True)
class Illumination:
    """The light of a picture relative to the calibration picture.

    Attributes:
        gain: ratio of brightness (B, G, R), as a median over the board.
        plane: coefficients of 1, x and y (each -1 to 1 across the raster) of the log ratio of brightness to `gain`;
            None if the light is uniform.
    """

    gain: Singles
    plane: Floats | None = None

    @classmethod
    def of(cls, view: Picture, ground: Picture, gain: Singles) -> Illumination:
        """Estimate from a raster, the empty board `ground`, and the `gain` between them."""
        down, across = (one[::_EVERY] for one in _axes(view.shape))
        x, y = np.meshgrid(across, down)
        place = np.column_stack([np.ones(x.size), x.ravel(), y.ravel()])
        seen, bare = (one[::_EVERY, ::_EVERY].reshape(-1, 3) for one in (view, ground))
        usable = ((seen > DIM) & (seen < BRIGHT) & (bare > DIM) & (bare < BRIGHT)).all(axis=1)
        place, seen, bare = place[usable], seen[usable].astype(np.float32), bare[usable].astype(np.float32)
        if len(place) < _LEAST_PIXELS:
            return cls(gain)
        ratio = (np.log(seen / (bare * gain))).mean(axis=1)
        plane, agree = np.zeros(3), np.abs(ratio) < _AGREES
        for _ in range(_ROUNDS):
            if agree.mean() < _LEAST_AGREEING / 2:
                return cls(gain)
            near = place[agree]
            plane = np.linalg.solve(near.T @ near, near.T @ ratio[agree])
            before, agree = agree, np.abs(ratio - place @ plane) < _AGREES
            if (agree == before).all():
                break
        even = np.abs(plane[1:]).sum() < _EVEN or np.abs(plane).sum() > _MOST
        return cls(gain) if even or agree.mean() < _LEAST_AGREEING else cls(gain, plane)

    @property
    def brighter(self) -> float:
        """Ratio of the brightest corner of the raster to `gain`, at least 1."""
        return 1.0 if self.plane is None else max(float(np.exp(self.plane[0] + np.abs(self.plane[1:]).sum())), 1.0)

    def level(self, view: Picture, ceiling: Singles | None = None) -> Picture:
        """Correct a raster, of any scale, to the calibration picture's light; clip it at `ceiling` (B, G, R)."""
        if self.plane is None:
            return level(view, self.gain, ceiling)
        most = np.full(3, 255, np.float32) if ceiling is None else ceiling
        down, across = _axes(view.shape)
        middle, to_right, to_foot = self.plane
        share = np.exp(-(middle + to_right * across + to_foot * down[:, None])).astype(np.float32)
        return np.asarray(np.clip(view * share[..., None] / self.gain, 0, most).astype(np.uint8))


def _axes(shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    """The coordinates (-1 to 1) of a raster's rows and of its columns."""
    return np.linspace(-1, 1, shape[0]), np.linspace(-1, 1, shape[1])
