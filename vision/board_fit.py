"""Fitting a framed board: its layout and better corners, from a picture of a known position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.corners import set_right, told_by
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
"""Width of the raster that the layout is fitted on."""
_ROUNDS = 2
"""Corners are moved so often by what the checkers tell; the layout is fitted anew in between."""
_HOPELESS = 0.15
"""A fit that no better corners mend: the position is another one."""
_WORSE = 0.02
"""By how much the fit may suffer from corners that set the checkers right."""
_LEAST_LIKENESS = 0.2
"""How much every known checker's place must look like that side's: checkers in glare do by 0.36, the places that are
empty in other positions by less than 0.02."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Where a board lies.

    Attributes:
        corners: 4 x 2 pixels, as they were given or set right.
        known: the position, with the board and the camera by these corners.
        fit: how well it fits, -1 to 1; 0 at most where one of the known checkers is not there.
    """

    corners: Floats
    known: KnownPosition
    fit: float


def fit_board(
    picture: Picture, corners: Floats, placed: Sequence[Placed], mirror: bool, stacked: Collection[int] = ()
) -> Fitted:
    """Fit a board to a known position, and set its corners right where the known checkers tell them plainly.

    Args:
        picture: BGR.
        corners: of the playing area, 4 x 2 pixels.
        placed: the known checkers on the points.
        mirror: whether White's home is at the left.
        stacked: points with a second layer.
    """
    best = _fitted(picture, corners, placed, mirror)
    for _ in range(_ROUNDS):
        if best.fit < _HOPELESS:
            break
        layout = best.known.layout
        better = told_by(*best.known.off(stacked), layout.depth, layout.checker)
        if better is None:
            break
        again = _fitted(picture, _seen(best.known.pose, better), placed, mirror)
        if again.fit < best.fit - _WORSE:
            break
        best = again
    return best


def _seen(pose: CameraPose, corners: Floats) -> Floats:
    """Places on the bed (board coordinates) in the picture."""
    return pose.project(np.column_stack([corners, np.zeros(len(corners))]))


def _fitted(picture: Picture, corners: Floats, placed: Sequence[Placed], mirror: bool) -> Fitted:
    """With the corners as they are, or set right by how well the layout then fits."""
    size = (picture.shape[1], picture.shape[0])
    pose = estimate_pose(corners, size)
    layout, fit, better = _layout(picture, pose, placed, mirror)
    if better is not None:
        corners = _seen(pose, better)
        pose = estimate_pose(corners, size)
        layout, fit, _ = _layout(picture, pose, placed, mirror)
    return Fitted(corners, KnownPosition.of(picture, placed, layout, pose), fit)


def _layout(
    picture: Picture, pose: CameraPose, placed: Sequence[Placed], mirror: bool
) -> tuple[Layout, float, Floats | None]:
    """The layout, from how much each pixel looks like the checkers whose places hardly depend on the layout.

    Its fit goes with it (see `Fitted`; another position may fit well on the whole, and so one checker that is not there
    spoils it), and better corners (board coordinates) where there are such.
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
    better = set_right(layout, both, bed, pose, placed)
    return layout, fit if least >= _LEAST_LIKENESS else min(fit, 0.0), better
