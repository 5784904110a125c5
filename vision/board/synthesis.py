"""Synthetic views of the empty board: hidden parts copied from points of one design; noise and gain of the sensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.board.layout import CIRCLE, HALF
from vision.geometry import COLUMNS, CameraPose, project_to_bed, warp
from vision.imaging import colour_table, level, to_lab8

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Bools, Picture, Singles
    from vision.board.layout import Placed, Places, PointLayout
    from vision.geometry import Raster


UNKNOWN = 255
"""Uncertainty of a pixel that could not be copied from a similar point."""
_HALF_UNKNOWN = 0.5
"""Doubt about the light, as a share, from which a pixel is not used (see `vision.imaging.BackgroundModel`)."""
_HALO = 1.12
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
_LIGHT_PRIOR = 1.0
"""Grey levels added to both columns' light before their ratio is taken: a prior for equal light."""


def hidden_mask(placed: Sequence[Placed], layout: Places, pose: CameraPose, bed: Raster) -> Picture:
    """Mask (255 = hidden) of the pixels that known checkers hide in a raster of the bed."""
    width, height = bed.size
    mask = np.zeros((height, width), np.uint8)
    feet = np.array([layout.slot(checker.point, checker.index) for checker in placed])
    radius = layout.checker / 2 * _HALO
    tops, scale = project_to_bed(pose, feet, layout.top)
    for foot, top in zip(feet, tops, strict=True):
        outline = np.vstack([foot + CIRCLE * radius, top + CIRCLE * radius * scale])
        hull = cv2.convexHull(bed.pixels(outline).astype(np.float32))
        cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 255)
    return np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), np.uint8)


def inpaint_bed(bed_view: Picture, hidden: Picture, layout: PointLayout, bed: Raster) -> tuple[Picture, Picture]:
    """Reconstruct the empty bed from a raster with checkers and the mask of what they hide.

    Points alternate in colour (and often in shape). So a hidden place is copied from the same place of a point an even
    number of columns away, in the same half of the board if possible. If checkers cover all of those, it is copied from
    the points opposite. Places that no such point shows are inpainted.

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
    for column in range(COLUMNS):
        alike = _similar_columns(column)
        for rows in (slice(0, height // 2), slice(height // 2, height)):
            here = (rows, slice(left[column], left[column] + wide))
            for other in alike:
                there = (rows, slice(left[other], left[other] + wide))
                copy = ~known[here] & seen[there]
                empty[here][copy] = bed_view[there][copy]
                if copy.any():
                    off = _light_difference_of_columns(bed_view[here], bed_view[there], seen[here] & seen[there], wide)[
                        copy
                    ]
                    doubt[here][copy] = np.minimum(UNKNOWN * off, UNKNOWN // 2)
                known[here] |= copy
    columns = [slice(start, start + wide) for start in left]
    _copy_across(empty, known, doubt, columns)
    lacking = ~known
    doubt[lacking] = UNKNOWN
    if lacking.any():
        empty = np.asarray(cv2.inpaint(empty, lacking.astype(np.uint8), 3, cv2.INPAINT_TELEA), np.uint8)
    return empty, doubt


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


def warp_to_plane(bed_view: Picture, bed: Raster, top: Raster, pose: CameraPose) -> Picture:
    """Warp a raster of the bed to where it is seen on the raster of a higher plane of the same scale."""
    factor = project_to_bed(pose, np.zeros((1, 2)), top.height)[1]
    x, y = pose.centre[:2]
    onto = np.array([[factor, 0, (1 - factor) * x], [0, factor, (1 - factor) * y], [0, 0, 1]])
    shift = np.linalg.inv(bed.to_board) @ onto @ top.to_board
    return warp(bed_view, shift, top.size)


_FLICKER, _GRAIN = 0.02, 2.5
"""Standard deviation of the remaining brightness factor after levelling, and of the sensor noise in grey levels."""
_SHIFTS = 64
"""Number of offsets, each way, at which one field of noise is reused: drawing new noise would dominate the run time."""


class SimulatedSensor:
    """Simulates the sensor for views of one size: gain, noise, saturation. Deterministic for a seeded generator."""

    def __init__(self, shape: tuple[int, ...], gain: Singles, chance: np.random.Generator) -> None:
        height, width, channels = shape
        self._gain, self._chance = gain, chance
        self._grain = chance.standard_normal((height + _SHIFTS, width + _SHIFTS, channels), np.float32)
        self._grain *= _GRAIN

    def take(self, canvas: Singles) -> Picture:
        """Picture (BGR, uint8) of a view (float32): times the gain, with noise, clipped, and levelled again."""
        height, width = canvas.shape[:2]
        down, right = self._chance.integers(0, _SHIFTS, 2)
        gain = (self._gain * self._chance.normal(1.0, _FLICKER)).astype(np.float32)
        taken = (canvas.reshape(height, -1) * np.tile(gain, width)).reshape(canvas.shape)  # long rows are much faster
        taken += self._grain[down : down + height, right : right + width]
        return level(np.clip(taken, 0, 255, out=taken).astype(np.uint8), self._gain)


_CORE = 0.98
"""Radius of the part that counts as a checker's own colour, in checker radii."""


def checker_colours(view: Picture, placed: Sequence[Placed], layout: Places, top: Raster) -> tuple[Singles, Singles]:
    """Colour tables (see `colour_table`) of White and Black, from the tops of the known checkers in `view` (BGR)."""
    colours = to_lab8(view)
    radius = layout.checker / 2 * top.scale * _CORE
    tables = []
    for side in (0, 1):
        mask = np.zeros(view.shape[:2], np.uint8)
        for checker in placed:
            if checker.owner == side:
                x, y = top.pixels(np.array(layout.slot(checker.point, checker.index)))
                cv2.circle(mask, (round(float(x)), round(float(y))), round(float(radius)), 255, -1)
        tables.append(colour_table(colours[mask > 0]))
    return tables[0], tables[1]
