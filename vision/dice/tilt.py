"""How far a die leans: the shape of its upper face and where its sides are seen, against every way it may stand.

Of a cube that leans the upper face is seen foreshortened, and its sides reach otherwise than below it. A camera that
looks from straight above tells leaning by the sides, one that looks along the board by both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.dice.view import sample_likeness

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.dice.outline import Outline
    from vision.dice.view import DieView

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]

_TILTS = (12, 17, 22, 28, 35, 43, 50)
"""Degrees; past 45 (55 corner first) another face is the upper one. Less than 12 is hardly told from none."""
_WAYS = 12
"""Directions of each tilt."""
_SHAPE_SPREAD = 0.04
"""How far, as a share, a face is off its shape at best: dice are rounded, and corners of boards a little off."""
_SHAPE_CAP = 15.0
"""A shape that fits no better than this (squared spreads) was not seen right, and says nothing more."""
_WITNESSES = 8.0
"""So many pixels are independent witnesses on an area of a face: sides, shadows and rounded edges differ from what is
expected of them as a whole, and a strip of an eighth of a side counts as one witness."""
_LARGER, _RARELY = np.array([1.0, 1.08, 1.16]), np.array([0.9, 0.0, 0.9])
"""Sides of dice over what is seen of their upper face, whose edges are rounded, and how much less likely (nats) each
is than the likeliest."""
_LEAST_FACING = 0.02
"""Sides whose area, over the face's, is less than this are left out."""
_GRID = 5, 4
"""Places a side is looked at: along the edge of the face, and away from it."""


@dataclass(frozen=True, slots=True)
class Lean:
    """How far a die leans.

    Attributes:
        flat_nats: how much likelier it is that it lies flat than that it leans by 10 degrees or more.
        tilt: the likeliest tilt, in degrees.
        unsure: spread of the tilt, in degrees.
    """

    flat_nats: float
    tilt: float
    unsure: float


def _turns() -> tuple[Floats, Floats]:
    """Rotations (n x 3 x 3) of every tilt tried, and the tilts in degrees; the first is flat."""
    turns, tilts = [np.eye(3)], [0.0]
    for tilt in _TILTS:
        for way in np.arange(_WAYS) * (2 * np.pi / _WAYS):
            axis = np.radians(tilt) * np.array([np.cos(way), np.sin(way), 0.0])
            turns.append(np.asarray(cv2.Rodrigues(axis)[0], np.float64))
            tilts.append(float(tilt))
    return np.array(turns), np.array(tilts)


_TURNS, _TILT = _turns()


def lean(view: DieView, seen: Outline) -> Lean:
    """How far the die leans whose upper face is seen there."""
    project = np.column_stack([np.eye(2), view.drift]) @ _TURNS
    square = np.linalg.inv(project[:, :, :2]) @ seen.axes
    sides, away = _shape(square)
    down = -sides[:, None] * project[:, :, 2]
    inverse = np.linalg.inv(seen.unsure + _SHAPE_SPREAD**2 * np.eye(2))
    shape = -0.5 * np.minimum(np.einsum("ni,ij,nj->n", away, inverse, away), _SHAPE_CAP)
    likeness = view.likeness(seen.colour)
    nats = shape + (_WITNESSES * _sides(likeness, seen, down) - _RARELY[:, None]).max(axis=0)
    leaning = nats[1:]
    best = leaning.max()
    against = best + np.log(np.exp(leaning - best).mean())
    weights = np.exp(nats - nats.max()) * np.where(_TILT > 0, 1 / len(leaning), 1.0)
    weights /= weights.sum()
    middle = float(weights @ _TILT)
    spread = float(np.sqrt(weights @ (_TILT - middle) ** 2))
    return Lean(float(nats[0] - against), float(_TILT[nats.argmax()]), spread)


def _shape(square: Floats) -> tuple[Floats, Floats]:
    """Of 2 x 2 maps of a square: the side of the square they are nearest to, and how far (n x 2) they are from it.

    The two are how much longer than wide, and how much askew it is, in the square's own axes.
    """
    cos, sin = (square[:, 0, 0] + square[:, 1, 1]) / 2, (square[:, 1, 0] - square[:, 0, 1]) / 2
    long, askew = (square[:, 0, 0] - square[:, 1, 1]) / 2, (square[:, 0, 1] + square[:, 1, 0]) / 2
    side = np.hypot(cos, sin)
    own = np.column_stack([cos * long + sin * askew, cos * askew - sin * long])
    return side, own / (side**2)[:, None]


def _sides(nats: Singles, seen: Outline, down: Floats) -> Floats:
    """How much the sides of a die look like it, in all: mean nats of each, times its area over the face's.

    `down`: n x 2, where the lower face is seen from the upper one. Sides turned away are not seen and say nothing. For
    every one of _LARGER (its length x n).
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
    told = np.zeros((len(_LARGER), *facing.shape))
    told[:, hypothesis, edge] = means * facing[hypothesis, edge] * _LARGER[:, None] ** 2
    return np.asarray(told.sum(axis=2))
