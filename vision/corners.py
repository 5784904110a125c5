"""Correct corners that are slightly off, from the positions of the known checkers."""

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
"""Four corners in either precision."""

_STEPS = (0.008, 0.004, 0.002, 0.001)
"""Steps tried for each coordinate, in board widths. Corners marked by hand are 0.01 to 0.02 off."""
_FARTHEST = 0.03
"""Largest change of a coordinate, in board widths."""
_COST = 40.0
"""Penalty on the fit for moving a corner, per squared board width: 0.004 for a move of 0.01."""
_LEAST_FIT_GAIN = 0.032
"""Least gain in fit for which refined corners are used. Measured: correct corners gain up to 0.03 from how the checkers
happen to lie, corners 1 % off mostly 0.04 to 0.1."""

_PLACING_SD = 0.08
"""Standard deviation of checkers about their places, in diameters."""
_CORNER_SD = 0.02
"""Prior standard deviation of the given corners, in board widths."""
_HUBER_THRESHOLD = 2.0
"""Threshold of the Huber loss, in standard deviations."""
_LEAST_GAIN = 40.0
"""Least gain (twice the nats) for which checkers move corners. Measured: correct corners gain up to 39 on 33 of 34
boards; corners 2 % off gain 46 and more on 19 of 24."""
_ROUNDS = 5
"""Iterations of the reweighted least squares."""


@dataclass(frozen=True, slots=True)
class _Shifted:
    """A raster read through a homography of the board, as if the corners were elsewhere."""

    bed: Raster
    onto: Floats

    def sample(self, maps: Sequence[Floats], places: Floats) -> Floats:
        """As `Raster.sample`."""
        there = np.concatenate([places, np.ones((*places.shape[:-1], 1))], axis=-1) @ self.onto.T
        return self.bed.sample(maps, there[..., :2] / there[..., 2:])


def refine_corners(
    layout: Places, likeness: tuple[Floats, Floats], bed: Raster, pose: CameraPose, placed: Sequence[Placed]
) -> Floats | None:
    """Refine the playing area's corners for the best fit (4 x 2 board coordinates); None if they are right.

    Args:
        layout: fitted with the given corners.
        likeness: see `vision.layout.fit_layout`.
        bed: the raster of the bed for the given corners.
        pose: the camera for the given corners.
        placed: the known checkers.
    """
    corners = bed_corners(layout.depth)[:, :2]

    def fit(moved: Floats) -> float:
        onto = np.asarray(cv2.getPerspectiveTransform(corners.astype(np.float32), moved.astype(np.float32)), np.float64)
        return fit_of(layout, likeness, _Shifted(bed, onto), pose, placed) - _COST * float(
            ((moved - corners) ** 2).sum()
        )

    return climbed(corners, fit, _STEPS, _FARTHEST, _LEAST_FIT_GAIN)


def estimate_corner_offsets(places: Floats, offsets: Floats, depth: float, checker: float) -> Floats | None:
    """Estimate corrected corners (4 x 2 board coordinates) from checkers' offsets; None if the gain is too small.

    Huber-weighted least squares over the checkers, with a normal prior on each corner.

    Args:
        places: n x 2, nominal places of the checkers in board coordinates, for the given corners.
        offsets: n x 2, seen place minus nominal place.
        depth: of the playing area.
        checker: diameter of a checker.
    """
    corners = bed_corners(depth)[:, :2]
    if len(places) < corners.size:
        return None
    placing_sd, weight, jacobian = _PLACING_SD * checker, np.ones(len(places)), _jacobian(corners, places)
    for _ in range(_ROUNDS):
        normal = (
            np.einsum("nik,nil,n->kl", jacobian, jacobian, weight) / placing_sd**2
            + np.eye(corners.size) / _CORNER_SD**2
        )
        moved = np.linalg.solve(normal, np.einsum("nik,ni,n->k", jacobian, offsets, weight) / placing_sd**2)
        residuals = offsets - jacobian @ moved
        weight = 1 / np.maximum(np.linalg.norm(residuals, axis=1) / placing_sd / _HUBER_THRESHOLD, 1)
    gain = (
        _huber_loss(offsets / placing_sd)
        - _huber_loss(residuals / placing_sd)
        - float((moved**2).sum()) / _CORNER_SD**2
    )
    return corners + moved.reshape(corners.shape) if gain > _LEAST_GAIN else None


def _jacobian(corners: Floats, places: Floats) -> Floats:
    """Jacobian of places (n) by the corners' eight coordinates: n x 2 x 8."""
    tiny = 1e-3
    found = []
    for corner, axis in np.ndindex(4, 2):
        moved = corners.copy()
        moved[corner, axis] += tiny
        onto = cv2.getPerspectiveTransform(corners.astype(np.float32), moved.astype(np.float32))
        found.append((cv2.perspectiveTransform(places[None], onto)[0] - places) / tiny)
    return np.stack(found, axis=-1)


def _huber_loss(residuals: Floats) -> float:
    """Huber loss of residuals (n x 2, in standard deviations), scaled to twice the nats of a normal distribution."""
    away = np.linalg.norm(residuals, axis=1)
    return float(np.where(away < _HUBER_THRESHOLD, away**2, 2 * _HUBER_THRESHOLD * away - _HUBER_THRESHOLD**2).sum())


def climbed(
    corners: Corners, fit: Callable[[Corners], float], steps: Sequence[float], farthest: float, worth: float
) -> Corners | None:
    """Refine corners (4 x 2) by coordinate ascent with decreasing steps.

    Args:
        corners: where to begin.
        fit: quality of corners; higher is better.
        steps: each is tried twice on every coordinate.
        farthest: largest change of a coordinate.
        worth: least gain in fit; the result is None if the gain is not greater.
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
