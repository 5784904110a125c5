"""Finding a learned board again after the camera or the board was knocked.

Everything learned is kept on straightened rasters, so only where these lie in the picture has to be found anew: the
empty board is laid over the new picture, straightened as before, first roughly, then exactly. Points repeat every
second column, so a place one or two columns off fits half as well: the right one must fit clearly better, and the
frame must be in place.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, TypeVar

import cv2
import numpy as np

from vision.alignment import agreement, apply_homography, distance, grey, mean_distance, refine, search
from vision.appearance import level
from vision.board_of import LocatedInPicture
from vision.geometry import NoPoseError, move_pose
from vision.readability import Edges, cause_of_light
from vision.tray import tray_raster

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from vision.appearance import Appearance
    from vision.calibration import Calibration
    from vision.raster import Raster

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Picture = NDArray[np.uint8]


class Learned(LocatedInPicture, Protocol):
    """A learned board, whatever its kind, as far as finding it again asks."""

    @property
    def top(self) -> Raster:
        """The raster it is read on."""

    @property
    def appearance(self) -> Appearance:
        """Its empty board, on that raster."""


Board = TypeVar("Board", bound=Learned)

_REACH_COLUMNS = 3.5
"""How far from its old place the board is sought; what moved farther was not knocked but put somewhere else."""
_BLURS_PX = 2.0, 1.0
_PLACES = 4
"""Rough places that are looked at closely."""
_SAME_PX = 2.0
"""Places that differ by less, in pixels of either raster, are one."""
_LEAD = 0.08
"""By how much the place's edges must agree better than any other's: a column off they agree by 0.18 to 0.6 less."""
_FRAME_AGREES = 0.53
"""Least agreement of the edges of the frame and beside it: 0.60 to 0.83 in place, at most 0.47 elsewhere."""
_BOARD_AGREES = 0.53
"""The same for the whole board: 0.66 to 0.85 in place, 0.66 at most elsewhere."""
_NUDGE_PX = 0.7
"""A place that differs by less than this, in pixels of the raster (20 a column), is the same: reading does not suffer,
and places found on unmoved boards differ by up to 0.5 (the corners' mean)."""
_NEAR_PX = 6.0
"""Up to so much off, a place needs no search: no other is so near that looks like it."""
_HALF = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1]])
"""From pixels of the raster to those of the coarse one."""


def regain(calibration: Calibration, picture: Picture) -> Calibration | None:
    """The calibration of a framed board for where it lies now, after a nudge or a knock (see `find_again`)."""
    column = calibration.layout.column
    beside = [(columns * column, 0.0) for columns in (-2, -1, 1, 2)]
    return find_again(calibration, picture, moved_by, beside, _REACH_COLUMNS * column)


def find_again(
    learned: Board,
    picture: Picture,
    move: Callable[[Board, Floats, Picture], Board],
    beside: Sequence[tuple[float, float]],
    reach: float,
) -> Board | None:
    """A learned board for where it lies now, after a nudge or a knock.

    Args:
        learned: the board as it was learned, with its old place.
        picture: BGR, of the same size; checkers, dice or even a hand on the board do not matter.
        move: the board for another place, from the motion (see `moved_by`) and the picture; may raise NoPoseError.
        beside: steps along the board (x to the right, y away from White; board units) after which it looks much like
            itself: the right place must fit clearly better.
        reach: how far from its old place it is sought, in board units.

    Returns:
        None where the board is still in its place, is not found again for certain, or leaves the picture.
    """
    if (picture.shape[1], picture.shape[0]) != learned.size:
        return None
    top = learned.top
    ground = grey(learned.appearance.ground.picture)
    place = _exact(ground, grey(top.straighten(picture)), np.eye(3))
    if mean_distance(place, np.eye(3), ground.shape) <= _NUDGE_PX:
        return None
    near = distance(place, np.eye(3), ground.shape) <= _NEAR_PX
    nudged = _accepted(learned, picture, move, top, place) if near else None
    if nudged is not None:
        return nudged
    wide = replace(top, margin=top.margin + reach)
    place_found = _search(ground, grey(wide.straighten(picture)), _frame(top), np.array(beside) * top.scale)
    return None if place_found is None else _accepted(learned, picture, move, wide, place_found)


def _search(ground: Singles, view: Singles, frame: Singles, beside_px: Floats) -> Floats | None:
    """The one place where the ground lies in the view (ground to view pixels)."""
    rough = _candidates(_halved(ground), _halved(view), _halved(frame), beside_px / 2)
    places = _distinct([_exact(ground, view, np.linalg.inv(_HALF) @ place @ _HALF) for place in rough], ground.shape)
    return places[0] if len(places) == 1 else None


def moved_by(calibration: Calibration, motion: Floats, picture: Picture) -> Calibration:
    """The calibration for another place of the camera or the board. Raises NoPoseError.

    What was learned is kept on straightened rasters and stays as it is; of the table beside the board, what was out of
    the picture is taken from this one.

    Args:
        calibration: for the old place.
        motion: 3 x 3, from where a place on the bed was in the picture to where it is now.
        picture: BGR, taken from the new place.
    """
    pose = move_pose(calibration.pose, motion, calibration.size)
    found = replace(calibration, corners=apply_homography(motion, calibration.corners), pose=pose)
    unseen = ~tray_raster(calibration.top, calibration.layout).in_view(calibration.size)
    table = calibration.table.copy()
    table[unseen] = tray_raster(found.top, found.layout).straighten(picture)[unseen]
    found = replace(found, table=table)
    found.carry(calibration)
    return found


def _halved(light: Singles) -> Singles:
    return np.asarray(cv2.resize(light, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)


def _candidates(ground: Singles, view: Singles, frame: Singles, beside_px: Floats) -> list[Floats]:
    """Where the ground may lie in the view (ground to view pixels): the best place, and others nearly as good.

    Those found are held against the places beside the best where the board looks much like itself.
    """
    places = [_exact(ground, view, start) for start in search(ground, view, _PLACES)]
    best = max(places, key=lambda place: _fit(ground, view, place, frame))
    for right, up in beside_px:
        beside = np.array([[1.0, 0.0, right], [0.0, 1.0, -up], [0.0, 0.0, 1.0]])
        places.append(_exact(ground, view, best @ beside))
    places = _distinct([best, *places], ground.shape)
    fits = [_fit(ground, view, place, frame) for place in places]
    return [place for place, fit in zip(places, fits, strict=True) if fit > max(fits) - _LEAD]


def _distinct(places: Sequence[Floats], shape: tuple[int, ...]) -> list[Floats]:
    """The places without those that are the same as one before them."""
    kept: list[Floats] = []
    for place in places:
        if all(distance(place, other, shape) > _SAME_PX for other in kept):
            kept.append(place)
    return kept


def _fit(ground: Singles, view: Singles, place: Floats, frame: Singles) -> float:
    """How well the edges agree there, those of the frame counting as much as all."""
    return (agreement(ground, view, place) + agreement(ground, view, place, frame)) / 2


def _exact(ground: Singles, view: Singles, place: Floats) -> Floats:
    for blur_px in _BLURS_PX:
        place = refine(ground, view, place, blur_px)
    return place


def _accepted(
    learned: Board, picture: Picture, move: Callable[[Board, Floats, Picture], Board], plane: Raster, place: Floats
) -> Board | None:
    """The board in its new place (its raster to `plane`), None where it does not look right there."""
    motion = plane.to_picture @ place @ np.linalg.inv(learned.top.to_picture)
    if not _within(apply_homography(motion, learned.corners), learned.size):
        return None
    try:
        found = move(learned, motion, picture)
    except NoPoseError:
        return None
    return found if _in_place(found, picture) else None


def _within(corners: Floats, size: tuple[int, int]) -> bool:
    """Whether the whole playing area is in the picture."""
    return bool(((corners >= 0) & (corners <= np.array(size) - 1)).all())


def _in_place(found: Learned, picture: Picture) -> bool:
    """Whether the board, and its frame above all, is where it is taken to be."""
    ground = found.appearance.ground
    view = found.top.straighten(picture)
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
    """The pixels of a raster beside the playing area, its edge included."""
    band = round(top.margin * top.scale * 1.2)
    frame = np.ones(top.size[::-1], np.float32)
    frame[band:-band, band:-band] = 0
    return frame
