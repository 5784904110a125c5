"""Estimate how far a die leans, from the shape of its upper face and the places of its sides.

A leaning cube's upper face is foreshortened and its sides lie elsewhere. Seen from straight above the sides show it,
seen at a slant both do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.dice_view import sample_likeness

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.dice_outline import Outline
    from vision.dice_view import DieView

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]

_TILTS = (12, 17, 22, 28, 35, 43, 50)
"""Tilts tried, in degrees. Beyond 45 (55 corner first) another face is the upper one; below 12 they hardly differ from
flat."""
_DIRECTIONS = 12
"""Directions of each tilt."""
_SHAPE_SPREAD = 0.04
"""Relative standard deviation of a face's shape: rounded dice, and small errors of the board's corners."""
_SHAPE_CAP = 15.0
"""Largest squared Mahalanobis distance of a shape that counts; beyond, it was measured wrongly."""
_EFFECTIVE_PIXELS = 8.0
"""Number of independent pixels in the area of a face: sides, shadows and rounded edges err as a whole. An eighth of a
side counts as one."""
_LARGER, _SIZE_NATS = np.array([1.0, 1.08, 1.16]), np.array([0.9, 0.0, 0.9])
"""Sides of dice over their visible upper faces, whose edges are rounded, and prior costs of these (nats)."""
_LEAST_FACING = 0.02
"""Least area of a visible side, over the face's."""
_GRID = 5, 4
"""Samples on a side: along the edge of the face, and away from it."""


@dataclass(frozen=True, slots=True)
class Lean:
    """Tilt of a die.

    Attributes:
        flat_nats: log-likelihood ratio of flat to leaning by 10 degrees or more.
        tilt: likeliest tilt, in degrees.
        unsure: standard deviation of the tilt, in degrees.
    """

    flat_nats: float
    tilt: float
    unsure: float


def _turns() -> tuple[Floats, Floats]:
    """Rotations (n x 3 x 3) and tilts in degrees of all hypotheses; the first is flat."""
    turns, tilts = [np.eye(3)], [0.0]
    for tilt in _TILTS:
        for way in np.arange(_DIRECTIONS) * (2 * np.pi / _DIRECTIONS):
            axis = np.radians(tilt) * np.array([np.cos(way), np.sin(way), 0.0])
            turns.append(np.asarray(cv2.Rodrigues(axis)[0], np.float64))
            tilts.append(float(tilt))
    return np.array(turns), np.array(tilts)


_TURNS, _TILT = _turns()


def estimate_lean(view: DieView, seen: Outline) -> Lean:
    """Estimate the tilt of a die from its upper face."""
    project = np.column_stack([np.eye(2), view.drift]) @ _TURNS
    square = np.linalg.inv(project[:, :, :2]) @ seen.axes
    sides, away = _shape(square)
    down = -sides[:, None] * project[:, :, 2]
    inverse = np.linalg.inv(seen.unsure + _SHAPE_SPREAD**2 * np.eye(2))
    shape = -0.5 * np.minimum(np.einsum("ni,ij,nj->n", away, inverse, away), _SHAPE_CAP)
    likeness = view.likeness(seen.colour)
    nats = shape + (_EFFECTIVE_PIXELS * _sides(likeness, seen, down) - _SIZE_NATS[:, None]).max(axis=0)
    leaning = nats[1:]
    best = leaning.max()
    against = best + np.log(np.exp(leaning - best).mean())
    weights = np.exp(nats - nats.max()) * np.where(_TILT > 0, 1 / len(leaning), 1.0)
    weights /= weights.sum()
    middle = float(weights @ _TILT)
    spread = float(np.sqrt(weights @ (_TILT - middle) ** 2))
    return Lean(float(nats[0] - against), float(_TILT[nats.argmax()]), spread)


def _shape(square: Floats) -> tuple[Floats, Floats]:
    """Size of the square nearest to each 2 x 2 map, and the map's deviation (n x 2) from it.

    The deviation is elongation and skew in the square's own axes.
    """
    cos, sin = (square[:, 0, 0] + square[:, 1, 1]) / 2, (square[:, 1, 0] - square[:, 0, 1]) / 2
    long, askew = (square[:, 0, 0] - square[:, 1, 1]) / 2, (square[:, 0, 1] + square[:, 1, 0]) / 2
    side = np.hypot(cos, sin)
    own = np.column_stack([cos * long + sin * askew, cos * askew - sin * long])
    return side, own / (side**2)[:, None]


def _sides(nats: Singles, seen: Outline, down: Floats) -> Floats:
    """Evidence of a die's visible sides: mean nats of each times its area over the face's.

    `down`: n x 2, shift from upper to lower face in pixels. Hidden sides contribute nothing. Returns len(_LARGER) x n.
    """
    first, second = seen.axes.T / 2
    corners = np.array([first - second, first + second, second - first, -first - second])
    edges = np.roll(corners, -1, axis=0) - corners
    area, turned = abs(np.linalg.det(seen.axes)), np.sign(np.linalg.det(seen.axes))
    facing = turned * (edges[None, :, 1] * down[:, None, 0] - edges[None, :, 0] * down[:, None, 1]) / area
    hypothesis, edge = np.nonzero(facing > _LEAST_FACING)
    along, away = ((np.arange(count) + 0.5) / count for count in _GRID)
    start = corners[edge, None] + along[:, None] * edges[edge, None]
    places = start[:, None] + away[:, None, None] * down[hypothesis, None, None]
    means = sample_likeness(nats, seen.centre + _LARGER[:, None, None, None, None] * places).mean(axis=(2, 3))
    nats_of_sides = np.zeros((len(_LARGER), *facing.shape))
    nats_of_sides[:, hypothesis, edge] = means * facing[hypothesis, edge] * _LARGER[:, None] ** 2
    return np.asarray(nats_of_sides.sum(axis=2))
