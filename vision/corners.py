"""Corners set right: marked or found corners are a little off; the known checkers tell by how much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import cv2
import numpy as np

from vision.geometry import bed_corners
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

_CARE = 0.08
"""Spread of where known checkers are seen against their places, in diameters: players lay them with some care."""
_CORNERS_OFF = 0.02
"""Spread of where corners are told, in board widths."""
_FAR_OFF = 2.0
"""Spreads from which on a checker off its place counts for less."""
_PLAINLY = 40.0
"""Gain (twice the nats) from which on checkers move corners: corners that are right gain up to 39 in 33 of 34 boards,
by how their checkers happen to lie; corners 2 % off 46 and more in 19 of 24."""
_ROUNDS = 5
"""Least squares are solved so often, each time with less regard for what is far off."""


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
    corners = bed_corners(layout.depth)[:, :2]

    def fit(moved: Floats) -> float:
        onto = np.asarray(cv2.getPerspectiveTransform(corners.astype(np.float32), moved.astype(np.float32)), np.float64)
        return fit_of(layout, likeness, _Shifted(bed, onto), pose, placed) - _COST * float(
            ((moved - corners) ** 2).sum()
        )

    return climbed(corners, fit, _STEPS, _FARTHEST, _WORTH)


def told_by(places: Floats, off: Floats, depth: float, checker: float) -> Floats | None:
    """Where the corners lie rather (4 x 2 board coordinates), by how far known checkers lie off; None where it is open.

    Least squares over the checkers (those far off count for less: Huber) and the corners' own ways.

    Args:
        places: n x 2, where the checkers belong, in board coordinates by the corners as they are.
        off: n x 2, how far from there they are seen.
        depth: of the playing area.
        checker: diameter of a checker.
    """
    corners = bed_corners(depth)[:, :2]
    if len(places) < corners.size:
        return None
    care, weight, ways = _CARE * checker, np.ones(len(places)), _ways(corners, places)
    for _ in range(_ROUNDS):
        normal = np.einsum("nik,nil,n->kl", ways, ways, weight) / care**2 + np.eye(corners.size) / _CORNERS_OFF**2
        moved = np.linalg.solve(normal, np.einsum("nik,ni,n->k", ways, off, weight) / care**2)
        left = off - ways @ moved
        weight = 1 / np.maximum(np.linalg.norm(left, axis=1) / care / _FAR_OFF, 1)
    gain = _unlikely(off / care) - _unlikely(left / care) - float((moved**2).sum()) / _CORNERS_OFF**2
    return corners + moved.reshape(corners.shape) if gain > _PLAINLY else None


def _ways(corners: Floats, places: Floats) -> Floats:
    """How far places (n) go (x, y) for each step of a corner: n x 2 x 8."""
    tiny = 1e-3
    found = []
    for corner, axis in np.ndindex(4, 2):
        moved = corners.copy()
        moved[corner, axis] += tiny
        onto = cv2.getPerspectiveTransform(corners.astype(np.float32), moved.astype(np.float32))
        found.append((cv2.perspectiveTransform(places[None], onto)[0] - places) / tiny)
    return np.stack(found, axis=-1)


def _unlikely(spreads: Floats) -> float:
    """Huber's loss of how many spreads (n x 2) checkers lie off, twice the nats of a normal distribution."""
    away = np.linalg.norm(spreads, axis=1)
    return float(np.where(away < _FAR_OFF, away**2, 2 * _FAR_OFF * away - _FAR_OFF**2).sum())


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
