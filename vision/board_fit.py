"""Fit a framed board's layout, and improve its corners, from a picture of a known position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.corners import estimate_corner_offsets, refine_corners
from vision.geometry import estimate_pose, rise
from vision.known_position import KnownPosition
from vision.layout import INSIDE, Layout, fit_layout, likeness_within
from vision.raster import Raster

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from vision.geometry import CameraPose
    from vision.layout import Placed

    Floats = NDArray[np.float64]
    Picture = NDArray[np.uint8]

_SEARCH_PX = 480
"""Width in pixels of the raster on which the layout is fitted."""
_ROUNDS = 2
"""Rounds of corner correction from the checkers' offsets. The layout is fitted again after each."""
_LEAST_FIT = 0.15
"""Fit below which corner correction is not tried: the position is another one."""
_LARGEST_LOSS = 0.02
"""Largest loss of fit that corrected corners may cause."""
_LEAST_LIKENESS = 0.2
"""Least likeness at the place of every known checker. Measured: 0.36 for checkers in glare, less than 0.02 for places
that are empty in other positions."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A board fitted to a picture.

    Attributes:
        corners: 4 x 2 pixels, as given or corrected.
        known: the known position, with the layout and the camera of these corners.
        fit: quality of the fit, -1 to 1; at most 0 if one of the known checkers is missing.
    """

    corners: Floats
    known: KnownPosition
    fit: float


def fit_board(
    picture: Picture, corners: Floats, placed: Sequence[Placed], mirror: bool, stacked: Collection[int] = ()
) -> Fitted:
    """Fit a board to a known position and correct its corners if the known checkers are clearly off.

    Args:
        picture: BGR.
        corners: of the playing area, 4 x 2 pixels.
        placed: the known checkers on the points.
        mirror: whether White's home board is at the left.
        stacked: points with a second layer.
    """
    best = _fitted(picture, corners, placed, mirror)
    for _ in range(_ROUNDS):
        if best.fit < _LEAST_FIT:
            break
        layout = best.known.layout
        better = estimate_corner_offsets(*best.known.checker_offsets(stacked), layout.depth, layout.checker)
        if better is None:
            break
        again = _fitted(picture, _project_bed(best.known.pose, better), placed, mirror)
        if again.fit < best.fit - _LARGEST_LOSS:
            break
        best = again
    return best


def _project_bed(pose: CameraPose, corners: Floats) -> Floats:
    """Project places on the bed (board coordinates) to pixels."""
    return pose.project(np.column_stack([corners, np.zeros(len(corners))]))


def _fitted(picture: Picture, corners: Floats, placed: Sequence[Placed], mirror: bool) -> Fitted:
    """Fit with the corners as given, or with corners refined for the best fit."""
    size = (picture.shape[1], picture.shape[0])
    pose = estimate_pose(corners, size)
    layout, fit, better = _fit_layout(picture, pose, placed, mirror)
    if better is not None:
        corners = _project_bed(pose, better)
        pose = estimate_pose(corners, size)
        layout, fit, _ = _fit_layout(picture, pose, placed, mirror)
    return Fitted(corners, KnownPosition.of(picture, placed, layout, pose), fit)


def _fit_layout(
    picture: Picture, pose: CameraPose, placed: Sequence[Placed], mirror: bool
) -> tuple[Layout, float, Floats | None]:
    """Fit the layout to a likeness map of each side's checkers.

    The colours come from checkers in the outer columns, whose places hardly depend on the layout.

    Returns:
        The layout; its fit (see `Fitted`), at most 0 if a known checker is missing, because another position may fit
        well on average; and refined corners (board coordinates), or None.
    """
    bed = Raster.of(pose, 0.0, _SEARCH_PX, 0.05)
    view = np.asarray(cv2.cvtColor(bed.straighten(picture).astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float64)
    layout = Layout(depth=pose.depth, mirror=mirror)
    feet = np.array([layout.slot(checker.point, checker.index) for checker in placed])
    tops, scale = rise(pose, feet, layout.top)
    columns = np.array([layout.column_of(checker.point) for checker in placed])
    owners = np.array([checker.owner for checker in placed])
    likeness = []
    for side in (0, 1):
        own = (owners == side) & np.isin(columns, (0, 1, 10, 11))
        own = own if own.any() else owners == side
        pixels = bed.sample([view], tops[own][:, None] + INSIDE * layout.checker / 2 * scale * 0.6)[0].reshape(-1, 3)
        middle = np.median(pixels, axis=0)
        spread = np.maximum(1.48 * np.median(np.abs(pixels - middle), axis=0), (10, 6, 6)) * 1.5
        likeness.append(np.exp(-0.5 * (((view - middle) / spread) ** 2).sum(axis=2)))
    both = likeness[0], likeness[1]
    layout, fit = fit_layout(both, bed, pose, placed, mirror)
    least = float(likeness_within(layout, both, bed, pose, placed).min())
    better = refine_corners(layout, both, bed, pose, placed)
    return layout, fit if least >= _LEAST_LIKENESS else min(fit, 0.0), better
