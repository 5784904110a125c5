"""The look of the empty board, from a known position: what checkers hide is borrowed from points drawn alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.geometry import COLUMNS, CameraPose, rise
from vision.layout import CIRCLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.layout import Placed, Places, PointLayout
    from vision.raster import Raster

    Picture = NDArray[np.uint8]

_HALF = COLUMNS // 2
UNKNOWN = 255
_HALO = 1.12
"""Checkers hide, and shade, a little more than their outline: radius of what is not taken for empty board, over the
checker's."""
_LIGHT_REACH = (0.35, 1.0)
"""How far, in columns, the light beside a hidden place tells of that on it: across the column, where a wall's shadow
may end, and along it."""
_LIGHT_FAITH = 1.0
"""The light is taken to be that of the point copied from as surely as if so many grey levels more were seen of both."""


def hidden_by(placed: Sequence[Placed], layout: Places, pose: CameraPose, bed: Raster) -> Picture:
    """Mask (255 = hidden) of what known checkers hide in a raster of the bed."""
    width, height = bed.size
    mask = np.zeros((height, width), np.uint8)
    feet = np.array([layout.slot(checker.point, checker.index) for checker in placed])
    radius = layout.checker / 2 * _HALO
    tops, scale = rise(pose, feet, layout.top)
    for foot, top in zip(feet, tops, strict=True):
        outline = np.vstack([foot + CIRCLE * radius, top + CIRCLE * radius * scale])
        hull = cv2.convexHull(bed.pixels(outline).astype(np.float32))
        cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 255)
    return np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), np.uint8)


def uncover(bed_view: Picture, hidden: Picture, layout: PointLayout, bed: Raster) -> tuple[Picture, Picture]:
    """The empty bed, from a raster with checkers and the mask of what they hide.

    Points alternate in colour (and often in shape), so a hidden place is copied from the same place of a point an even
    number of columns away, of the same half if one shows it; what no such point shows is filled in from around it.

    Returns:
        The raster, and how little is known of it: `UNKNOWN` where it had to be filled in that way, below half of that
        the share (over 255) by which what was copied may be lighter or darker than it is there.
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
        alike = _alike(column)
        for rows in (slice(0, height // 2), slice(height // 2, height)):
            here = (rows, slice(left[column], left[column] + wide))
            for other in alike:
                there = (rows, slice(left[other], left[other] + wide))
                copy = ~known[here] & seen[there]
                empty[here][copy] = bed_view[there][copy]
                if copy.any():
                    off = _unlike_light(bed_view[here], bed_view[there], seen[here] & seen[there], wide)[copy]
                    doubt[here][copy] = np.minimum(UNKNOWN * off, UNKNOWN // 2)
                known[here] |= copy
    lacking = ~known
    doubt[lacking] = UNKNOWN
    if lacking.any():
        empty = np.asarray(cv2.inpaint(empty, lacking.astype(np.uint8), 3, cv2.INPAINT_TELEA), np.uint8)
    return empty, doubt


def _unlike_light(own: Picture, other: Picture, both: NDArray[np.bool_], wide: int) -> NDArray[np.float32]:
    """By what share a column may be lit otherwise than another drawn like it, from what is seen of both beside a place.

    A frame throws its shadow on the columns beside it; but so do checkers on what is seen beside them, and so the light
    there is no measure of the light under them, only of how far it may be off.
    """
    weight = both.astype(np.float32)[..., None]
    across, along = (share * wide for share in _LIGHT_REACH)
    one, two = (
        cv2.GaussianBlur(view.astype(np.float32) * weight, (0, 0), sigmaX=across, sigmaY=along) + _LIGHT_FAITH
        for view in (own, other)
    )
    return np.asarray(np.abs(one / two - 1).max(axis=2), np.float32)


def _alike(column: int) -> list[int]:
    """The columns drawn like this one, those of its own half first, the nearest first."""
    away = {other: abs(other - column) for other in range(column % 2, COLUMNS, 2)}
    return sorted(away, key=lambda other: (other // _HALF != column // _HALF, away[other]))


def lift(bed_view: Picture, bed: Raster, top: Raster, pose: CameraPose) -> Picture:
    """A raster of the bed as it is seen on the raster of a higher plane of the same scale."""
    factor = rise(pose, np.zeros((1, 2)), top.height)[1]
    x, y = pose.centre[:2]
    onto = np.array([[factor, 0, (1 - factor) * x], [0, factor, (1 - factor) * y], [0, 0, 1]])
    shift = np.linalg.inv(bed.to_board) @ onto @ top.to_board
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpPerspective(bed_view, shift, top.size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
