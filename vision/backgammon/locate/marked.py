"""Improve marked corners by the outlines of the known checkers, whose colours need not be known.

Corners marked by hand are 1 to 3 % of the board's width off: up to half a checker. Across the columns the checkers are
looked for farther than that. Along a row they repeat, so the rows' ends are matched first, with each edge moved.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.backgammon.locate.refine import (
    PITCH_PRIOR,
    SCALE,
    first_fit,
    outline_centres,
    outline_view,
    refine,
    roundness_by_radius,
    seen_corners,
)
from vision.backgammon.locate.search import Sighting, sample_nearest
from vision.board import Layout, brighten
from vision.geometry import COLUMNS, estimate_pose

if TYPE_CHECKING:
    from vision.arrays import Floats, Picture
    from vision.board import CheckerPlaces
    from vision.geometry import BoardFit


_MOVES = (0.0, -0.35, 0.35, -0.7, 0.7)
"""Distances, in pitches, by which each edge is moved inwards or outwards to match the rows' ends."""
_AROUND_ACROSS, _AROUND_ALONG = 1.0, 0.3
"""Sizes, in columns, of the area about a place in which the roundest spot counts while the rows' ends are matched."""
_END_WEIGHT = 0.5
"""Weight of roundness just before and behind the rows, over that of roundness in them."""
_CLEARLY = 0.02
"""Least gain in mean roundness (0 to 1) for which an edge is moved."""


def refine_marked(picture: Picture, corners: Floats, places: CheckerPlaces) -> list[Floats]:
    """Corners (each 4 x 2 pixels) fitted to the outlines, from the marked ones and from those with edges moved.

    Args:
        picture: height x width x 3, uint8, BGR.
        corners: of the playing area as marked: bottom-left, bottom-right, top-right, top-left as White sits.
        places: of the known checkers.

    Raises:
        NoPoseError: no camera pose fits the corners.
    """
    size, bright = (picture.shape[1], picture.shape[0]), brighten(picture)
    pose = estimate_pose(corners, size)
    bar = Layout(pose.depth).bar / Layout(pose.depth).column
    width = COLUMNS + bar
    height = pose.depth * width / PITCH_PRIOR
    bed = pose.plane(0.0) @ np.diag([1 / width, PITCH_PRIOR / width, 1.0])

    def start(bed: Floats) -> BoardFit:
        return first_fit(Sighting(bed, bar, height, 0.0), size)

    starts = [start(bed)]
    if not starts[0].possible:
        return []
    near, far = _edges_moved(bright, starts[0], places)
    if near or far:
        starts.append(start(bed @ np.array([[1, 0, 0], [0, 1 + (far - near) / height, near], [0, 0, 1]])))
    fits = [refine(bright, one, places, corners) for one in starts]
    return [seen_corners(bright, fit) for fit in fits if fit is not None]


def _edges_moved(picture: Picture, fit: BoardFit, places: CheckerPlaces) -> tuple[float, float]:
    """Distances, in pitches away from White, by which the near and the far edge match the rows' ends best."""
    view = outline_view(picture, fit)
    around = np.ones((round(_AROUND_ALONG * SCALE) | 1, round(_AROUND_ACROSS * SCALE) | 1), np.uint8)
    roundest = np.minimum(np.max(roundness_by_radius(view, fit.pitch), axis=0), 1.0)
    roundest = np.asarray(cv2.dilate(roundest, around), np.float32)
    rows, ends = outline_centres(fit, places), outline_centres(fit, places.ends())

    def score(near: float, far: float) -> float:
        def roundness(centres: Floats) -> float:
            away = fit.pitch * (near + (far - near) * centres[:, 1] / fit.height)
            moved = np.stack([centres[:, 0], centres[:, 1] + away], axis=1)
            return float(sample_nearest(roundest, view.place(moved)).mean())

        return roundness(rows) - _END_WEIGHT * roundness(ends)

    best = max(product(_MOVES, _MOVES), key=lambda moves: score(*moves))
    return best if score(*best) > score(0.0, 0.0) + _CLEARLY else (0.0, 0.0)
