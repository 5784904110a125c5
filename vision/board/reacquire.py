"""Relocate a learned board after a nudge or a knock: registration of its empty board (the ground) with the picture."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from vision.board.base import LocatedInPicture
from vision.geometry import (
    AlignmentFit,
    NoPoseError,
    agreement,
    corner_distances,
    distinct_alignments,
    grey,
    halved,
    project,
    search_alignments,
)
from vision.imaging import Edges, cause_of_light, level

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vision.arrays import Floats, Picture, Singles
    from vision.geometry import Raster
    from vision.imaging import Appearance


class RelocatableBoard(LocatedInPicture, Protocol):
    """A calibrated board of any kind, as far as relocation needs it."""

    @property
    def top(self) -> Raster:
        """The raster on which it is read."""

    @property
    def appearance(self) -> Appearance:
        """Appearance with the empty board, on that raster."""


Board = TypeVar("Board", bound=RelocatableBoard)

_BLURS_PX = 2.0, 1.0
"""Standard deviations of the blur in successive registrations, in pixels."""
_PLACES = 4
"""Number of rough places that are refined."""
_SAME_PX = 2.0
"""Places at less than this distance, in pixels of either raster, are the same."""
_LEAD = 0.08
"""Least lead in edge agreement over any other place. Measured: places a column off agree by 0.18 to 0.6 less."""
_FRAME_AGREES = 0.53
"""Least edge agreement of the frame and beside it. Measured: 0.60 to 0.83 in place, at most 0.47 elsewhere."""
_BOARD_AGREES = 0.53
"""Least edge agreement of the whole board. Measured: 0.66 to 0.85 in place, at most 0.66 elsewhere."""
_LEAST_MOVE_PX = 0.7
"""Raster pixels (20 a column). Smaller moves are ignored: they do not affect reading, and estimates on unmoved boards
vary by up to 0.5 (mean of the corners)."""
_NEAR_PX = 6.0
"""Raster pixels. For a smaller move no search is needed, because no similar place is so near."""
_HALF = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1]])
"""Homography from raster pixels to pixels at half scale."""


def reacquire_board(
    learned: Board,
    picture: Picture,
    move: Callable[[Board, Floats, Picture], Board],
    beside: Sequence[tuple[float, float]],
    reach: float,
) -> Board | None:
    """Locate a calibrated board again after a move.

    Args:
        learned: the calibrated board, with its old place.
        picture: BGR, of the same size; may show checkers, dice or a hand on the board.
        move: returns the board moved by a homography of the bed (3 x 3, old to new pixels), given the picture too; may
            raise NoPoseError.
        beside: translations (x to the right, y away from White; board units) under which the board is nearly
            self-similar. The accepted alignment must fit clearly better than these.
        reach: search range about the old place, in board units.

    Returns:
        None if the board has not moved, is not found with certainty, or leaves the picture.
    """
    if (picture.shape[1], picture.shape[0]) != learned.size:
        return None
    top = learned.top
    ground = grey(learned.appearance.background.picture)
    place = _refined(_coarse_and_fine(ground, grey(top.rectify(picture))), np.eye(3))
    moved_px = corner_distances(place, np.eye(3), ground.shape)
    if moved_px.mean() <= _LEAST_MOVE_PX:
        return None
    nearby = _verified(learned, picture, move, top, place) if moved_px.max() <= _NEAR_PX else None
    if nearby is not None:
        return nearby
    wide = replace(top, margin=top.margin + reach)
    place_found = _search(ground, grey(wide.rectify(picture)), _frame(top), np.array(beside) * top.scale)
    return None if place_found is None else _verified(learned, picture, move, wide, place_found)


def _search(ground: Singles, view: Singles, frame: Singles, beside_px: Floats) -> Floats | None:
    """The alignment (3 x 3, ground to view pixels) of the empty board in the view; None if it is ambiguous."""
    rough = _candidates(halved(ground), halved(view), halved(frame), beside_px / 2)
    fits = _coarse_and_fine(ground, view)
    exact = (_refined(fits, np.linalg.inv(_HALF) @ place @ _HALF) for place in rough)
    places = list(distinct_alignments(exact, ground.shape, _SAME_PX))
    return places[0] if len(places) == 1 else None


def _candidates(ground: Singles, view: Singles, frame: Singles, beside_px: Floats) -> list[Floats]:
    """The best alignment (3 x 3, ground to view pixels) and those nearly as good, at half scale.

    Translations of the best one by `beside_px`, under which the board is nearly self-similar, are tried too.
    """
    exact = _coarse_and_fine(ground, view)
    places = [_refined(exact, start) for start in search_alignments(ground, view, _PLACES)]
    best = max(places, key=lambda place: _edge_agreement(ground, view, place, frame))
    for right, up in beside_px:
        beside = np.array([[1.0, 0.0, right], [0.0, 1.0, -up], [0.0, 0.0, 1.0]])
        places.append(_refined(exact, best @ beside))
    places = list(distinct_alignments([best, *places], ground.shape, _SAME_PX))
    fits = [_edge_agreement(ground, view, place, frame) for place in places]
    return [place for place, fit in zip(places, fits, strict=True) if fit > max(fits) - _LEAD]


def _edge_agreement(ground: Singles, view: Singles, place: Floats, frame: Singles) -> float:
    """Mean of the edge agreements of the whole board and of the frame alone."""
    return (agreement(ground, view, place) + agreement(ground, view, place, frame)) / 2


def _coarse_and_fine(ground: Singles, view: Singles) -> list[AlignmentFit]:
    """Fits of the empty board to the view, from coarse to fine."""
    return [AlignmentFit.of(ground, view, blur_px) for blur_px in _BLURS_PX]


def _refined(fits: Sequence[AlignmentFit], place: Floats) -> Floats:
    for fit in fits:
        place = fit.refined(place)
    return place


def _verified(
    learned: Board, picture: Picture, move: Callable[[Board, Floats, Picture], Board], plane: Raster, place: Floats
) -> Board | None:
    """The board at its new place (homography from its raster to `plane`); None if it does not look right there."""
    motion = plane.to_picture @ place @ np.linalg.inv(learned.top.to_picture)
    corners = project(motion, learned.corners)
    if not ((corners >= 0) & (corners <= np.array(learned.size) - 1)).all():
        return None
    try:
        found = move(learned, motion, picture)
    except NoPoseError:
        return None
    return found if _in_place(found, picture) else None


def _in_place(found: RelocatableBoard, picture: Picture) -> bool:
    """Whether the board and its frame are visible at the new place."""
    ground = found.appearance.background
    view = found.top.rectify(picture)
    if cause_of_light(view, ground.picture) is not None:
        return False
    levelled = level(view, found.appearance.gain_of(view))
    if Edges.of(ground.steep).cause(found.appearance.evidence(levelled).steep) is not None:
        return False
    learned, seen, still = grey(ground.picture), grey(levelled), np.eye(3)
    return (
        agreement(learned, seen, still) >= _BOARD_AGREES
        and agreement(learned, seen, still, _frame(found.top)) >= _FRAME_AGREES
    )


def _frame(top: Raster) -> Singles:
    """Mask of the raster's pixels beside the playing area, with its edge."""
    band = round(top.margin * top.scale * 1.2)
    frame = np.ones(top.size[::-1], np.float32)
    frame[band:-band, band:-band] = 0
    return frame
