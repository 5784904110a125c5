"""Fits the outline of a die's upper face, a parallelogram, to its pips and four edges; flat or leaning by its shape.

Dice are small, so a camera sees the upper face of a leaning die as a parallelogram, with the pips at the same places on
it. Each tilt of a grid of hypotheses gets a likelihood: the upper face of a tilted cube is foreshortened, and its sides
are visible at other places. From straight above only the sides show the tilt; from a low camera both do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.dice.faces import PATTERNS, USUAL_PITCH
from vision.dice.view import MIDDLE, SIDE_PX, sample_likeness

if TYPE_CHECKING:
    from vision.arrays import Floats, Singles
    from vision.dice.view import DieView


_OUTWARD = np.array([[1.0, 0], [0, 1], [-1, 0], [0, -1]])
_ALONG = np.column_stack([-_OUTWARD[:, 1], _OUTWARD[:, 0]])
_FAR = np.linspace(0.36, 0.72, 22)
"""Search range of an edge, in sides from the face's middle: outside the pips, nearer than the next die."""
_OFFSETS = np.linspace(-0.32, 0.32, 9)
"""Sample places along an edge, in sides from its middle; they leave out its rounded ends."""
_EDGE_PLACES = _FAR[:, None] * _OUTWARD[:, None, None] + _OFFSETS[:, None, None] * _ALONG[:, None, None]
_BEYOND, _STEP, _LEAST = 0.85, 0.3, 4.0
"""A face ends where its colour has changed by the share `_STEP` of the change along the line (its `_BEYOND` quantile),
and by `_LEAST` grey levels or more: the die's side next to it may be only a little darker."""
_WINDOW = np.stack(np.meshgrid(*[np.linspace(-0.13, 0.13, 7)] * 2), axis=-1).reshape(-1, 2)
"""Offsets searched for a pip around its place, in sides: the next pip begins at 0.15."""
_PIP_SHARE, _PIP_AREA = 0.35, 2.5
"""Least share of the pip's colour of a pixel that counts, and least sum of the shares over the window."""
_EDGE_SPREAD, _PIP_SPREAD, _PITCH_SPREAD = 0.065, 0.015, 0.015
"""Standard deviations in sides: of one place of an edge (raised, as nine places of an edge are not independent), of one
pip, of the pitch."""
_PRIOR_SPREADS = np.array([0.3, 0.3, 0.25, 0.25, 0.25, 0.25, _PITCH_SPREAD])
_SQUARE_SPREAD = 0.35
"""Standard deviations of the prior: of shift (2), stretch (4) and pitch in one round, and of the shape from a
square."""
_PITCHES = 0.2, 0.32
"""Range of the pitch, in sides."""
_ROBUST = 2.5
"""Residual, in standard deviations, from which a place loses weight (Cauchy weights)."""
_ROUNDS, _SOLVES = 2, 3
"""Rounds of measuring, and of reweighted least squares in each."""
_FACE_RING = np.array([[s * 0.4, t] for s in (-1, 1) for t in np.linspace(-0.36, 0.36, 9)])
_FACE_RING = np.vstack([_FACE_RING, _FACE_RING[:, ::-1]])
_START_SIDES = np.array([0.75, 0.85, 0.95, 1.05, 1.15, 1.3])
_START_TURNS = np.arange(12) * (np.pi / 24)
_START_INSIDE, _START_OUTSIDE, _START_GREYS, _START_CAP = 0.43, 0.57, 6.0, 3.0
"""For the square around a single pip: distances of the samples inside and outside its edges (in sides), grey levels
that count as a change, and the largest mean change of one edge."""
_LATTICE = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)], np.float64)


@dataclass(frozen=True, slots=True)
class Outline:
    """Outline of a face in a view.

    Attributes:
        centre: x and y in pixels of the view.
        axes: 2 x 2, its columns are the face's two axes, as long as its sides.
        covariance: 2 x 2, covariance of the elongation and of the skew of the face (see `_shape`).
        colour: of the face, BGR.
    """

    centre: Floats
    axes: Floats
    covariance: Floats
    colour: Singles


def fit_outline(view: DieView, value: int, turn: float) -> Outline:
    """Fit the outline of the face with a known number (1 to 6) in the middle of a view.

    `turn`: angle of the square as which the face was found, in radians.
    """
    starts = [SIDE_PX * _rotation(turn)]
    if value == 1:
        starts.append(_strongest_square(view))
    tried = [_fit_from(view, value, axes) for axes in starts]
    return max(tried, key=lambda one: _edge_scores(view, one.centre, one.axes[None])[0])


def _fit_from(view: DieView, value: int, axes: Floats) -> Outline:
    """Fit the outline from initial axes (2 x 2, columns, in pixels) in the middle of the view."""
    centre, pitch = np.full(2, MIDDLE), USUAL_PITCH
    colour = _colour(view, centre, axes)
    pips, pip_colour = _pips(view, value, centre, axes, colour)
    for _ in range(_ROUNDS):
        edge_rows, edge_off = _edge_rows(view, centre, axes, colour)
        pip_rows, pip_off = _pip_rows(view, centre, axes, pips, pitch, colour, pip_colour)
        prior, prior_off = _prior(pitch)
        rows = np.vstack([edge_rows, pip_rows, prior])
        off = np.concatenate([edge_off, pip_off, prior_off])
        change, covariance = _solve(rows, off, len(off) - len(prior_off))
        centre = centre + axes @ change[:2]
        axes = axes @ (np.eye(2) + change[2:6].reshape(2, 2))
        pitch = float(np.clip(pitch + change[6], *_PITCHES))
        colour = _colour(view, centre, axes)
    return Outline(centre, axes, covariance, colour)


def _solve(rows: Floats, off: Floats, measured: int) -> tuple[Floats, Floats]:
    """Robust least squares: the change (7: shift, stretch, pitch), and covariance of the shape.

    Rows are divided by their standard deviations; those from index `measured` on are the prior.
    """
    weights = np.ones(len(off))
    for _ in range(_SOLVES):
        weighted = rows * weights[:, None]
        change = np.linalg.solve(weighted.T @ rows, weighted.T @ off)
        away = (rows @ change - off)[:measured]
        weights[:measured] = 1 / (1 + (away / _ROBUST) ** 2)
    shape = np.array([[0, 0, 0.5, 0, 0, -0.5, 0], [0, 0, 0, 0.5, 0.5, 0, 0]])
    covariance = shape @ np.linalg.inv((rows * weights[:, None]).T @ rows) @ shape.T
    return np.asarray(change), np.asarray(covariance)


def _edge_rows(view: DieView, centre: Floats, axes: Floats, colour: Singles) -> tuple[Floats, Floats]:
    """Rows (n x 7) and offsets (n), in standard deviations, of the samples at which the face's colour ends."""
    away = np.linalg.norm(view.sample(centre + _EDGE_PLACES @ axes.T) - colour, axis=-1)
    most = np.partition(away, round(_BEYOND * (len(_FAR) - 1)), axis=2)[..., round(_BEYOND * (len(_FAR) - 1))]
    enough = np.maximum(_STEP * most, _LEAST)
    beyond = away > enough[..., None]
    first = beyond.argmax(axis=2)
    after, before = (np.take_along_axis(away, at[..., None], 2)[..., 0] for at in (first, np.maximum(first - 1, 0)))
    back = np.clip((after - enough) / np.maximum(after - before, 1e-3), 0, 1)
    far = _FAR[first] - back * (_FAR[1] - _FAR[0])
    clear = (first > 0) & beyond.any(axis=2)
    edge, offset = np.nonzero(clear)
    out, places = _OUTWARD[edge], 0.5 * _OUTWARD[edge] + _OFFSETS[offset, None] * _ALONG[edge]
    rows = np.column_stack([out, out[:, :1] * places, out[:, 1:] * places, np.zeros(len(out))])
    return rows / _EDGE_SPREAD, (far[clear] - 0.5) / _EDGE_SPREAD


def _pip_rows(
    view: DieView, centre: Floats, axes: Floats, pips: Floats, pitch: float, colour: Singles, pip: Singles
) -> tuple[Floats, Floats]:
    """Rows (2n x 7) and offsets (2n), in standard deviations, of the visible pips (lattice places, n x 2)."""
    seen = view.sample(centre + ((pips * pitch)[:, None] + _WINDOW) @ axes.T) - colour
    way = pip - colour
    share = np.clip(seen @ way / max(float(way @ way), 1.0), 0, 1)
    share[share < _PIP_SHARE] = 0
    total = share.sum(axis=1)
    there = total > _PIP_AREA
    off = (share[there] @ _WINDOW) / total[there, None]
    places, still = pips[there] * pitch, np.zeros((int(there.sum()), 3))
    along = np.column_stack([still[:, 0] + 1, still[:, 0], places, still[:, :2], pips[there, :1]])
    across = np.column_stack([still[:, 0], still[:, 0] + 1, still[:, :2], places, pips[there, 1:]])
    return np.vstack([along, across]) / _PIP_SPREAD, off.T.ravel() / _PIP_SPREAD


def _prior(pitch: float) -> tuple[Floats, Floats]:
    """Rows (9 x 7) and offsets (9), in standard deviations, of the prior."""
    square = np.array([[0, 0, 1, 0, 0, -1, 0], [0, 0, 0, 1, 1, 0, 0]]) / _SQUARE_SPREAD
    off = np.zeros(9)
    off[6] = (USUAL_PITCH - pitch) / _PITCH_SPREAD
    return np.vstack([np.diag(1 / _PRIOR_SPREADS), square]), off


def _pips(view: DieView, value: int, centre: Floats, axes: Floats, colour: Singles) -> tuple[Floats, Singles]:
    """Places on the lattice (n x 2) of the pips of a number, in the turn that fits, and their colour."""
    ways = [_LATTICE[list(places)] for number, places in PATTERNS if number == value]
    colours = [view.sample(centre + USUAL_PITCH * way @ axes.T) for way in ways]
    best = max(range(len(ways)), key=lambda one: np.linalg.norm(colours[one] - colour, axis=1).min())
    return ways[best], np.asarray(np.median(colours[best], axis=0), np.float32)


def _strongest_square(view: DieView) -> Floats:
    """The axes of the square around a single pip whose edges have the most contrast."""
    turned = np.stack([_rotation(turn) for turn in _START_TURNS])
    axes = (SIDE_PX * _START_SIDES[:, None, None, None] * turned).reshape(-1, 2, 2)
    return np.asarray(axes[_edge_scores(view, np.full(2, MIDDLE), axes).argmax()])


def _edge_scores(view: DieView, centre: Floats, axes: Floats) -> Floats:
    """Score (n) of parallelograms (axes, n x 2 x 2): change of colour at their edges, minus its variation inside."""
    inside, outside = (
        (far * _OUTWARD[:, None] + _OFFSETS[:, None] * _ALONG[:, None]).reshape(-1, 2)
        for far in (_START_INSIDE, _START_OUTSIDE)
    )
    within, past = (view.sample(centre + np.einsum("nij,kj->nki", axes, each)) for each in (inside, outside))
    step = np.log1p(((past - within) ** 2).sum(axis=2) / _START_GREYS**2)
    uneven = np.log1p(((within - np.median(within, axis=1, keepdims=True)) ** 2).sum(axis=2) / _START_GREYS**2)
    edges = np.minimum(step.reshape(len(axes), 4, -1).mean(axis=2), _START_CAP).sum(axis=1)
    return np.asarray(edges - 2 * uneven.mean(axis=1))


def _colour(view: DieView, centre: Floats, axes: Floats) -> Singles:
    """Median colour of a face near its edges."""
    seen = np.sort(view.sample(centre + _FACE_RING @ axes.T), axis=0)
    return np.asarray(seen[len(seen) // 2], np.float32)


def _rotation(angle: float) -> Floats:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


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
    inverse = np.linalg.inv(seen.covariance + _SHAPE_SPREAD**2 * np.eye(2))
    shape = -0.5 * np.minimum(np.einsum("ni,ij,nj->n", away, inverse, away), _SHAPE_CAP)
    likeness = view.likeness(seen.colour)
    nats = shape + (_INDEPENDENT * _side_evidence(likeness, seen, down) - _RATIO_COST[:, None]).max(axis=0)
    leaning = nats[1:]
    best = leaning.max()
    return float(nats[0] - (best + np.log(np.exp(leaning - best).mean())))


_GRID_BEHIND = np.stack(np.meshgrid(*[np.linspace(-0.45, 0.45, 7)] * 2), axis=-1).reshape(-1, 2)
_SHIFT_BEHIND, _EDGE_BEHIND = 0.6, 0.62
"""Shift of a face, in sides, whose part outside the face is looked at; and half the width of what is left out, which
contains the face's own edge."""
_LIGHTEST_UPPER = 3.0
"""Largest brightness of the upper face over that of a side: a side may be in its own shadow."""


def behind_nats(view: DieView, seen: Outline) -> float:
    """Mean nats (see `DieView.likeness`) for the die just behind a face, away from the camera; 0 from right above.

    Nothing of a die is behind its upper face. Behind the face of a side is the upper one.
    """
    away = SIDE_PX * _SHIFT_BEHIND * view.drift / max(float(np.linalg.norm(view.drift)), _LEAST_FACING)
    places = _GRID_BEHIND @ seen.axes.T + away
    outside = np.abs(places @ np.linalg.inv(seen.axes).T).max(axis=1) > _EDGE_BEHIND
    nats = sample_likeness(view.likeness(seen.colour, _LIGHTEST_UPPER), seen.centre + places[outside])
    return float(nats.sum() / max(len(nats), 1))


def _shape(square: Floats) -> tuple[Floats, Floats]:
    """For maps of a square (n x 2 x 2): side of the nearest square, and elongation and skew (n x 2) relative to it."""
    cos, sin = (square[:, 0, 0] + square[:, 1, 1]) / 2, (square[:, 1, 0] - square[:, 0, 1]) / 2
    long, askew = (square[:, 0, 0] - square[:, 1, 1]) / 2, (square[:, 0, 1] + square[:, 1, 0]) / 2
    side = np.hypot(cos, sin)
    own = np.column_stack([cos * long + sin * askew, cos * askew - sin * long])
    return side, own / (side**2)[:, None]


def _side_evidence(nats: Singles, seen: Outline, down: Floats) -> Floats:
    """Evidence (nats; _SIDE_RATIOS x n) of the visible sides: mean of each times its area over the face's, summed.

    `nats`: see `DieView.likeness`; `down`: n x 2, shift of the lower face in the view relative to the upper one.
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
