"""Corners set right: marked or found corners are a little off; the known checkers tell by how much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import cv2
import numpy as np

from vision.layout import fit_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from vision.geometry import CameraPose
    from vision.layout import Placed, Places
    from vision.raster import Raster

    Floats = NDArray[np.float64]

Corners = TypeVar("Corners", "NDArray[np.float64]", "NDArray[np.float32]")
"""Four corners, whichever precision the fit is worked out in."""

_STEPS = (0.008, 0.004, 0.002, 0.001)
"""Steps by which a corner is tried, in board widths: corners marked by hand are one or two hundredths off."""
_FARTHEST = 0.03
_COST = 40.0
"""What a corner's way costs, a squared board width: 0.004 of the fit for a hundredth."""
_WORTH = 0.032
"""The fit must gain so much for other corners to be believed: corners that are right gain up to 0.03 from the way the
checkers happen to lie, corners 1 % off mostly 0.04 to 0.1."""


@dataclass(frozen=True, slots=True)
class _Shifted:
    """A raster read as if the playing area's corners lay elsewhere."""

    bed: Raster
    onto: Floats

    def sample(self, maps: Sequence[Floats], places: Floats) -> Floats:
        """As `Raster.sample`."""
        there = np.concatenate([places, np.ones((*places.shape[:-1], 1))], axis=-1) @ self.onto.T
        return self.bed.sample(maps, there[..., :2] / there[..., 2:])


def set_right(
    layout: Places, likeness: tuple[Floats, Floats], bed: Raster, pose: CameraPose, placed: Sequence[Placed]
) -> Floats | None:
    """Where the playing area's corners lie rather (4 x 2 board coordinates); None where they lie right.

    Args:
        layout: fitted with the corners as they are.
        likeness: see `vision.layout.fit_layout`.
        bed: the raster of the bed, by the corners as they are.
        pose: the camera, likewise.
        placed: the known checkers.
    """
    corners = np.array([[0, 0], [1, 0], [1, layout.depth], [0, layout.depth]], np.float64)

    def fit(moved: Floats) -> float:
        onto = np.asarray(cv2.getPerspectiveTransform(corners.astype(np.float32), moved.astype(np.float32)), np.float64)
        return fit_of(layout, likeness, _Shifted(bed, onto), pose, placed) - _COST * float(
            ((moved - corners) ** 2).sum()
        )

    return climbed(corners, fit, _STEPS, _FARTHEST, _WORTH)


def climbed(
    corners: Corners, fit: Callable[[Corners], float], steps: Sequence[float], farthest: float, worth: float
) -> Corners | None:
    """Corners (4 x 2) moved one coordinate at a time to where they fit best, by ever smaller steps.

    Args:
        corners: where to begin.
        fit: how well corners fit, more is better.
        steps: each is tried twice on every coordinate.
        farthest: no coordinate is moved farther than this.
        worth: better corners must fit that much better, otherwise the answer is None.
    """
    best, score = corners, fit(corners)
    enough = score + worth
    for step in steps:
        for _ in range(2):
            for corner, axis, sign in np.ndindex(4, 2, 2):
                trial = best.copy()
                trial[corner, axis] += step if sign else -step
                found = fit(trial)
                if found > score and np.abs(trial - corners).max() <= farthest:
                    best, score = trial, found
    return best if score > enough else None
