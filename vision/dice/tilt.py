"""Tells a flat die from a leaning one by the shape of its upper face and by where its sides are visible.

Each tilt of a grid of hypotheses gets a likelihood. The upper face of a tilted cube is foreshortened, and its sides are
visible at other places. From straight above only the sides show the tilt; from a low camera both do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.dice.view import sample_likeness

if TYPE_CHECKING:
    from vision.arrays import Floats, Singles
    from vision.dice.outline import Outline
    from vision.dice.view import DieView


_TILTS = (12, 17, 22, 28, 35, 43, 50)
"""Tilts in degrees. Above 45 (55 over a corner) another face is the upper one; less than 12 is hardly distinguishable
from none."""
_WAYS = 12
"""Number of directions of each tilt."""
_SHAPE_SPREAD = 0.04
"""Least standard deviation of a face's elongation and skew: dice are rounded, and the board's corners slightly
wrong."""
_SHAPE_CAP = 15.0
"""Largest squared residual of the shape, in squared standard deviations: a larger one is a wrong measurement."""
_INDEPENDENT = 8.0
"""Number of independent measurements on an area as large as a face: sides, shadows and rounded edges differ from the
model as a whole, and a strip of an eighth of a side counts as one."""
_SIDE_RATIOS, _RATIO_COST = np.array([1.0, 1.08, 1.16]), np.array([0.9, 0.0, 0.9])
"""Ratios of a die's side to that of its visible upper face, whose edges are rounded; and their prior, as nats below the
likeliest."""
_LEAST_FACING = 0.02
"""Least visible area of a side, over the face's; smaller ones are left out."""
_GRID = 5, 4
"""Numbers of sample places on a side: along the edge of the face, and away from it."""


def _turns() -> Floats:
    """Rotations (n x 3 x 3) of every tilt tried; the first is flat."""
    turns = [np.eye(3)]
    for tilt in _TILTS:
        for way in np.arange(_WAYS) * (2 * np.pi / _WAYS):
            axis = np.radians(tilt) * np.array([np.cos(way), np.sin(way), 0.0])
            turns.append(np.asarray(cv2.Rodrigues(axis)[0], np.float64))
    return np.array(turns)


_TURNS = _turns()


def shape_flat_nats(view: DieView, seen: Outline) -> float:
    """Log-likelihood ratio (nats) of lying flat to leaning by 10 degrees or more, from the upper face's outline."""
    project = np.column_stack([np.eye(2), view.drift]) @ _TURNS
    square = np.linalg.inv(project[:, :, :2]) @ seen.axes
    sides, away = _shape(square)
    down = -sides[:, None] * project[:, :, 2]
    inverse = np.linalg.inv(seen.unsure + _SHAPE_SPREAD**2 * np.eye(2))
    shape = -0.5 * np.minimum(np.einsum("ni,ij,nj->n", away, inverse, away), _SHAPE_CAP)
    likeness = view.likeness(seen.colour)
    nats = shape + (_INDEPENDENT * _sides(likeness, seen, down) - _RATIO_COST[:, None]).max(axis=0)
    leaning = nats[1:]
    best = leaning.max()
    return float(nats[0] - (best + np.log(np.exp(leaning - best).mean())))


def _shape(square: Floats) -> tuple[Floats, Floats]:
    """For maps of a square (n x 2 x 2): side of the nearest square, and elongation and skew (n x 2) relative to it."""
    cos, sin = (square[:, 0, 0] + square[:, 1, 1]) / 2, (square[:, 1, 0] - square[:, 0, 1]) / 2
    long, askew = (square[:, 0, 0] - square[:, 1, 1]) / 2, (square[:, 0, 1] + square[:, 1, 0]) / 2
    side = np.hypot(cos, sin)
    own = np.column_stack([cos * long + sin * askew, cos * askew - sin * long])
    return side, own / (side**2)[:, None]


def _sides(nats: Singles, seen: Outline, down: Floats) -> Floats:
    """Likeness of the visible sides to a die: the sum of the mean nats of each, times its area over the face's.

    `down`: n x 2, shift of the lower face in the view relative to the upper one. Returns _SIDE_RATIOS x n.
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
    means = sample_likeness(nats, seen.centre + _SIDE_RATIOS[:, None, None, None, None] * places).mean(axis=(2, 3))
    total = np.zeros((len(_SIDE_RATIOS), *facing.shape))
    total[:, hypothesis, edge] = means * facing[hypothesis, edge] * _SIDE_RATIOS[:, None] ** 2
    return np.asarray(total.sum(axis=2))
