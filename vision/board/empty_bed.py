"""The empty board under a known position: hidden parts copied from points of the same design."""

from __future__ import annotations

import contextlib
import math
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.board.layout import CIRCLE, HALF
from vision.geometry import COLUMNS, CameraPose, project_to_bed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Bools, Picture, Singles
    from vision.board.layout import Placed, Places, PointLayout
    from vision.geometry import Raster


UNKNOWN = 255
"""Uncertainty of a pixel that could not be copied from a similar point."""
_HALF_UNKNOWN = 0.5
"""Doubt about the light, as a share, from which a pixel is not used (see `vision.imaging.BackgroundModel`)."""
HALO = 1.12
"""Radius that counts as hidden, over the checker's: a checker hides and shades a little more than its outline."""
_LIGHT_REACH = (0.35, 1.0)
"""Standard deviation of the blur that compares the light of two columns, in column widths: across the column (short, as
the shadow of the frame may end there) and along it."""
_ACROSS_REACH = (2.0, 0.35)
"""As `_LIGHT_REACH`, between the two sides of the board: long across the columns, whose edge the frame shades alike."""
_LEAST_SHARE = 0.02
"""Least share of pixels near a place that both sides must show, for their light there to be compared."""
_LIKER = 0.85
"""Largest ratio of the differences of both pairings of opposite points (straight, and neighbours swapped) for which the
better one is used. Measured on two views of each of 17 boards: 0.1 to 0.8."""
_DISPLACED = 0.15
"""Largest displacement of two points of one design from an exact pitch, in column widths. Measured on a photographed
tournament board: 0.1."""
_EXPLAINED = 0.7
"""Largest share of the difference (one less the correlation) that a displacement may leave. Measured on a tournament
board: 0.02 to 0.7 for nine of ten pairs of columns; on boards of exact pitch with a misplaced checker: 0.8 to 1."""
_FIT = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 15, 1e-4)
"""The fit of a displacement ends after so many steps, or when one improves the correlation by less than this."""
_FIT_BLUR_PX = 5
"""Size of the Gaussian kernel that smooths both columns for that fit, OpenCV's usual one."""
_LIGHT_PRIOR = 1.0
"""Grey levels added to both columns' light before their ratio is taken: a prior for equal light."""


def hidden_mask(placed: Sequence[Placed], layout: Places, pose: CameraPose, bed: Raster, halo: float = HALO) -> Picture:
    """Mask (255 = hidden) of the pixels that known checkers hide in a raster of the bed; `halo`: see `HALO`."""
    width, height = bed.size
    mask = np.zeros((height, width), np.uint8)
    feet = layout.centres(placed)
    radius = layout.checker / 2 * halo
    tops, scale = project_to_bed(pose, feet, layout.top)
    for foot, top in zip(feet, tops, strict=True):
        outline = np.vstack([foot + CIRCLE * radius, top + CIRCLE * radius * scale])
        hull = cv2.convexHull(bed.pixels(outline).astype(np.float32))
        cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 255)
    return np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), np.uint8)


def inpaint_bed(bed_view: Picture, hidden: Picture, layout: PointLayout, bed: Raster) -> tuple[Picture, Picture]:
    """Reconstruct the empty bed from a raster with checkers and the mask of what they hide.

    Points alternate in colour (and often in shape). So a hidden place is copied from the same place of a point an even
    number of columns away, in the same half of the board if possible; that point is registered first. If checkers cover
    all of those, it is copied from the points opposite. Places that no such point shows are inpainted.

    Returns:
        The raster (BGR), and its uncertainty (0 to 255): 0 where it was seen; `UNKNOWN` where it was inpainted; where
        it was copied, at most half of `UNKNOWN`: the share (of 255) by which it may be lighter or darker there.
    """
    empty = bed_view.copy()
    known = hidden == 0
    seen = known.copy()
    doubt = np.zeros(known.shape, np.uint8)
    height = bed.size[1]
    wide = round(layout.column * bed.scale) + 1
    left = [
        round(float(bed.pixels(np.array([layout.column_x(c) - layout.column / 2, 0.0]))[0])) for c in range(COLUMNS)
    ]
    columns = [slice(start, start + wide) for start in left]
    for number, column in enumerate(columns):
        alike = [columns[other] for other in _similar_columns(number)]
        for rows in (slice(0, height // 2), slice(height // 2, height)):
            here = (rows, column)
            for other in alike:
                if not (~known[here] & seen[rows, other]).any():
                    continue
                view, shown = _registered_column(bed_view[rows], seen[rows], column, other)
                copy = ~known[here] & shown
                empty[here][copy] = view[copy]
                off = _light_difference_of_columns(bed_view[here], view, seen[here] & shown, wide)[copy]
                doubt[here][copy] = np.minimum(UNKNOWN * off, UNKNOWN // 2)
                known[here] |= copy
    _copy_across(empty, known, doubt, columns)
    lacking = ~known
    doubt[lacking] = UNKNOWN
    if lacking.any():
        empty = np.asarray(cv2.inpaint(empty, lacking.astype(np.uint8), 3, cv2.INPAINT_TELEA), np.uint8)
    return empty, doubt


def _registered_column(view: Picture, seen: Bools, column: slice, other: slice) -> tuple[Picture, Bools]:
    """Another column where its drawing matches this column's, and the mask of its seen pixels.

    Real points are not drawn at an exact pitch. The displacement is fitted to what is seen of both columns. It is zero
    if that is too little, or if no displacement of at most `_DISPLACED` explains enough (`_EXPLAINED`): shadows, and
    checkers that are not where the given position has them, differ without being displaced.
    """
    wide = column.stop - column.start
    most = _DISPLACED * wide
    margin = math.ceil(most) + 1
    around = slice(other.start - margin, other.stop + margin)
    pattern, image = (np.ascontiguousarray(view[:, one]) for one in (column, around))
    own, its = (np.where(seen[:, one], 255, 0).astype(np.uint8) for one in (column, around))
    to_image = np.array([[1, 0, margin], [0, 1, 0]], np.float32)
    fitted = to_image.copy()
    with contextlib.suppress(cv2.error):  # raised where nothing is seen of both, or nothing is drawn there
        cv2.findTransformECCWithMask(pattern, image, own, its, fitted, cv2.MOTION_TRANSLATION, _FIT, _FIT_BLUR_PX)
    unmoved, shown = view[:, other], seen[:, other]
    if not 0 < np.abs(fitted - to_image).max() < most:
        return unmoved, shown
    flags, size = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, (wide, len(view))
    moved = np.asarray(cv2.warpAffine(image, fitted, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    shown_moved = np.asarray(cv2.warpAffine(its, fitted, size, flags=flags)) == 255
    both = seen[:, column] & shown & shown_moved
    before, after = (1 - np.corrcoef(pattern[both].ravel(), one[both].ravel())[0, 1] for one in (unmoved, moved))
    return (moved, shown_moved) if after < _EXPLAINED * before else (unmoved, shown)


def _copy_across(empty: Picture, known: Bools, doubt: Picture, columns: Sequence[slice]) -> None:
    """Fill unknown pixels of `columns` from the opposite points of the same design; changes the three arrays in place.

    Pixels known on both sides decide whether the points opposite have that design, or those beside them.
    """
    kinds = _design_masks(known.shape, columns)
    lacking = [kind & ~known for kind in kinds]
    if not any(one.any() for one in lacking):
        return
    height = known.shape[0]
    views = [_opposite(empty, known, columns, beside) for beside in (0, 1)]
    differences = []
    for other, shown in views:
        both = known & shown
        both[height // 4 : height - height // 4] = False
        differences.append([_relative_difference(empty, other, both & kind) for kind in kinds])
    totals = [sum(map(sum, one)) for one in differences]
    alike = int(np.argmin(totals))
    if not totals[alike] <= _LIKER * totals[1 - alike]:
        return
    other, shown = views[alike]
    off = _light_difference_of_sides(empty, other, known & shown, columns[0].stop - columns[0].start)
    for one, (_, usual) in zip(lacking, differences[alike], strict=True):
        copy = one & shown & (off + usual < _HALF_UNKNOWN)
        empty[copy] = other[copy]
        doubt[copy] = UNKNOWN * (off[copy] + usual)
        known |= copy


def _design_masks(shape: tuple[int, ...], columns: Sequence[slice]) -> list[Bools]:
    """Masks (height x width) of the four sets of points with one design: every other column of either side."""
    found = []
    for rows in (slice(0, shape[0] // 2), slice(shape[0] // 2, shape[0])):
        for first in (0, 1):
            mask = np.zeros(shape, bool)
            for column in columns[first::2]:
                mask[rows, column] = True
            found.append(mask)
    return found


def _opposite(empty: Picture, known: Bools, columns: Sequence[slice], beside: int) -> tuple[Picture, Bools]:
    """The opposite side mirrored onto each column, and the mask of its known pixels; `beside` 1 swaps neighbours."""
    other, shown = np.zeros_like(empty), np.zeros_like(known)
    for number, column in enumerate(columns):
        there = columns[number ^ beside]
        other[:, column], shown[:, column] = empty[::-1, there], known[::-1, there]
    return other, shown


def _relative_difference(one: Picture, other: Picture, both: Bools) -> tuple[float, float]:
    """Mean and median relative difference of two views over the mask `both`; 1 where it is empty."""
    if not both.any():
        return 1.0, 1.0
    own, its = (view[both].astype(np.float32) + _LIGHT_PRIOR for view in (one, other))
    away = (1 - np.minimum(own, its) / np.maximum(own, its)).max(axis=1)
    return float(away.mean()), float(np.median(away))


def _light_difference_of_sides(one: Picture, other: Picture, both: Bools, wide: int) -> Singles:
    """Relative difference of local light (height x width) of two sides; infinite where few pixels are in `both`."""
    weight = both.astype(np.float32)[..., None]
    share = _blurred(weight, _ACROSS_REACH, wide)[..., None]
    own, its = (_blurred(view * weight, _ACROSS_REACH, wide) + _LIGHT_PRIOR * share for view in (one, other))
    off = np.abs(own / np.maximum(its, 1e-6) - 1).max(axis=2)
    return np.asarray(np.where(share[..., 0] < _LEAST_SHARE, np.inf, off), np.float32)


def _light_difference_of_columns(own: Picture, other: Picture, both: Bools, wide: int) -> Singles:
    """Relative difference of local light (height x width) of two columns, from the pixels in the mask `both`.

    Frames cast shadows on nearby columns, but checkers also cast shadows beside them. So the difference is used only as
    an uncertainty, not as a correction.
    """
    weight = both.astype(np.float32)[..., None]
    one, two = (_blurred(view * weight, _LIGHT_REACH, wide) + _LIGHT_PRIOR for view in (own, other))
    return np.asarray(np.abs(one / two - 1).max(axis=2), np.float32)


def _blurred(view: Singles, reach: tuple[float, float], wide: int) -> Singles:
    """A view after a Gaussian blur; `reach`: its standard deviations across and along the columns, in column widths."""
    across, along = (share * wide for share in reach)
    return np.asarray(cv2.GaussianBlur(view, (0, 0), sigmaX=across, sigmaY=along), np.float32)


def _similar_columns(column: int) -> list[int]:
    """The columns with the design of this one: first those of its own half, nearest first."""
    away = {other: abs(other - column) for other in range(column % 2, COLUMNS, 2)}
    return sorted(away, key=lambda other: (other // HALF != column // HALF, away[other]))
