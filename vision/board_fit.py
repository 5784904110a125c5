"""Fitting a framed board: its layout and better corners, from a picture of a known position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.corners import set_right
from vision.geometry import rise
from vision.layout import INSIDE, Layout, fit_layout, likeness_within
from vision.raster import Raster

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.geometry import CameraPose
    from vision.layout import Placed

    Floats = NDArray[np.float64]
    Picture = NDArray[np.uint8]

_SEARCH_PX = 480
"""Width of the raster that the layout is fitted on."""
_LEAST_LIKENESS = 0.2
"""How much every known checker's place must look like that side's: checkers in glare do by 0.36, the places that are
empty in other positions by less than 0.02."""


def fit_board(
    picture: Picture, pose: CameraPose, placed: Sequence[Placed], mirror: bool
) -> tuple[Layout, float, Floats | None]:
    """The layout, from how much each pixel looks like the checkers whose places hardly depend on the layout.

    Its fit is 0 at most where one of the known checkers is not there: another position may fit well on the whole.
    Better corners (board coordinates) go with it where there are such.
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
