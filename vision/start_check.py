"""Verify that a fitted board carries a starting position: all thirty checkers, and none elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vision.discs import colour_at, to_lab
from vision.geometry import project
from vision.locate import Located, shrink
from vision.plane_view import view_plane
from vision.stacks import FEWEST_LAB_APART, colour_distance
from vision.start_edges import seen_edges
from vision.start_fit import FIRST, RIM_HEIGHT, first_fit, outline_centres
from vision.start_places import BLACK, COLUMNS, HALF, WHITE, start_places
from vision.start_refine import MARGIN, SCALE, refine, roundness_at
from vision.start_search import at_full_size, find_start

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.camera import Picture
    from vision.start_fit import BoardFit
    from vision.start_places import StartPlaces

    Floats = NDArray[np.float64]

ROUND = 0.3
"""Least visible share of a checker's rim. A checker behind its neighbour's side and in its shadow shows more."""
OUTER_RANKS = 3
"""Number of places checked in each empty column, from the edge."""


def agreement(picture: Picture, fit: BoardFit, places: StartPlaces) -> float:
    """Share of places, 0 to 1, that match the starting position.

    Occupied places must be round and nearer to their side's colour than to the other's. The outer places of empty
    columns must not be both round and of a side's colour.
    """
    view = view_plane(picture, fit.plane(RIM_HEIGHT * fit.pitch), (fit.width, fit.height), SCALE, MARGIN)
    taken, empty = outline_centres(fit, places), _empty_places(fit, places)
    lab = to_lab(view.image)
    radius = 0.5 * fit.pitch * SCALE
    colours = np.array([colour_at(lab, x, y, radius) for x, y in view.place(np.concatenate([taken, empty]))])
    roundness = roundness_at(view, np.concatenate([taken, empty]), fit.pitch)
    sides = np.stack([np.nanmedian(colours[: len(taken)][places.colour == side], axis=0) for side in (WHITE, BLACK)])
    apart = float(colour_distance(sides[WHITE], sides[BLACK]))
    if apart < FEWEST_LAB_APART:
        return 0.0
    distance = np.stack([colour_distance(colours, side) for side in sides], axis=1)
    own = distance[np.arange(len(taken)), places.colour]
    other = distance[np.arange(len(taken)), 1 - places.colour]
    right = (roundness[: len(taken)] > ROUND) & (own < other)
    usual = float(np.nanmedian(own))
    looks_taken = (roundness[len(taken) :] > 2 * ROUND) & (distance[len(taken) :].min(axis=1) < 2 * usual + 2.0)
    return float(right.mean() * (1 - looks_taken.mean()))


def _empty_places(fit: BoardFit, places: StartPlaces) -> Floats:
    """The outer places of every column that is empty at the start: n x 2 columns."""
    taken = set(zip(places.column.tolist(), places.top.tolist(), strict=True))
    empty = []
    for column in range(COLUMNS):
        x = column + 0.5 + (fit.bar if column >= HALF else 0.0)
        for rank in range(OUTER_RANKS):
            inward = (FIRST + rank) * fit.pitch
            empty += [(x, y) for top, y in ((False, inward), (True, fit.height - inward)) if (column, top) not in taken]
    return np.array(empty)


def find_framed_board(image: Picture, mirror: bool) -> Located | None:
    """The best candidate for a framed board with the starting position; None if none is found."""
    small, factor = shrink(image)
    sighting = find_start(small, mirror)
    if sighting is None:
        return None
    places = start_places(mirror)
    size = image.shape[1], image.shape[0]
    fit = refine(image, first_fit(at_full_size(sighting, factor), size), places).fit
    near, far = seen_edges(image, fit)
    playing_area = np.array([[0.0, near], [fit.width, near], [fit.width, far], [0.0, far]])
    return Located(project(fit.plane(0.0), playing_area), round(agreement(image, fit, places), 3))
