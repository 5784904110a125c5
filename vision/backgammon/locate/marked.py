"""Improve marked corners by the outlines of the known checkers, whose colours need not be known.

Corners marked by hand are 1 to 3 % of the board's width off: up to half a checker. Across the columns the checkers are
looked for farther than that. Along a row they repeat, so the rows' ends are matched, with each edge moved.
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
from vision.geometry import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.arrays import Floats, Picture
    from vision.board import CheckerPlaces
    from vision.geometry import BoardFit, CameraPose


_MOVES = (0.0, -0.35, 0.35, -0.7, 0.7)
"""Distances, in pitches, by which each edge is moved inwards or outwards to match the rows' ends."""
_AROUND_ACROSS, _AROUND_ALONG = 1.0, 0.3
"""Sizes, in columns, of the area about a place whose greatest roundness counts while the rows' ends are matched."""
_MARGIN = 2.0
"""Margin of the rectified picture, in columns: it holds the places before a row whose edge is moved outwards."""
_END_WEIGHT = 0.5
"""Weight of roundness just before and behind the rows, over that of roundness in them."""
_CLEARLY, _MOST = 0.02, 3
"""Least gain in mean roundness (0 to 1) for which edges are moved, and the most ways of doing so that are followed."""


def refine_marked(picture: Picture, corners: Floats, pose: CameraPose, places: CheckerPlaces) -> Iterator[Floats]:
    """Corners (each 4 x 2 pixels) fitted to the outlines, from the marked ones and from some with edges moved.

    `corners` as marked: bottom-left, bottom-right, top-right, top-left as White sits; `pose`: for these; `places`: of
    the known checkers.
    """
    size, bright, usual = (picture.shape[1], picture.shape[0]), brighten(picture), Layout(pose.depth)
    bar = usual.bar / usual.column
    width = COLUMNS + bar
    height = pose.depth * width / PITCH_PRIOR
    bed = pose.plane(0.0) @ np.diag([1 / width, PITCH_PRIOR / width, 1.0])

    def start(near: float, far: float) -> BoardFit:
        moved = np.array([[1, 0, 0], [0, 1 + (far - near) / height, near], [0, 0, 1]])
        return first_fit(Sighting(bed @ moved, bar, height, 0.0), size)

    as_marked = start(0.0, 0.0)
    if not as_marked.possible:
        return
    yield from _refined(bright, as_marked, places, corners)
    for edges in _edges_moved(bright, as_marked, places):
        yield from _refined(bright, start(*edges), places, corners)


def _refined(picture: Picture, start: BoardFit, places: CheckerPlaces, corners: Floats) -> Iterator[Floats]:
    """The corners after refinement from `start`, unless the fit becomes implausible; `corners`: as marked."""
    fit = refine(picture, start, places, corners)
    if fit is not None and np.isfinite(found := seen_corners(picture, fit)).all():
        yield found


def _edges_moved(picture: Picture, fit: BoardFit, places: CheckerPlaces) -> list[tuple[float, float]]:
    """Distances, in pitches away from White, by which near and far edge match the rows' ends better; the best first."""
    view = outline_view(picture, fit, _MARGIN)
    around = np.ones((round(_AROUND_ALONG * SCALE) | 1, round(_AROUND_ACROSS * SCALE) | 1), np.uint8)
    roundest = np.minimum(roundness_by_radius(view, fit.pitch).max(axis=0), 1.0)
    roundest = np.asarray(cv2.dilate(roundest, around), np.float32)
    rows, ends = outline_centres(fit, places), outline_centres(fit, places.ends())

    def score(near: float, far: float) -> float:
        def roundness(centres: Floats) -> float:
            away = fit.pitch * (near + (far - near) * centres[:, 1] / fit.height)
            moved = np.stack([centres[:, 0], centres[:, 1] + away], axis=1)
            return float(sample_nearest(roundest, view.place(moved)).mean())

        return roundness(rows) - _END_WEIGHT * roundness(ends)

    scores = {moves: score(*moves) for moves in product(_MOVES, _MOVES)}
    least = scores[0.0, 0.0] + _CLEARLY
    return [one for one in sorted(scores, key=lambda one: -scores[one])[:_MOST] if scores[one] > least]
