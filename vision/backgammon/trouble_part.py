"""The ninth of a framed board that glare or a hand makes unreadable, to tell the players where."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.core import Part
from vision.imaging import ellipse, washed_out

if TYPE_CHECKING:
    from vision.arrays import Bools, Picture
    from vision.backgammon.calibration import Calibration
    from vision.imaging import PixelEvidence


_THIRDS = 3
_ALL_OVER = 0.5
"""Share of the playing area from which trouble is not attributed to one part."""
_FOREIGN_NATS = 5.0
"""Least evidence, in nats, that a pixel differs from the empty board to count as foreign: about three standard
deviations of noise."""
_OPENING = 0.6
"""Diameter of the morphological opening, in checker diameters. It removes shadows and sides of checkers, which are
thinner than a hand."""
_PARTS = (
    (Part.UPPER_LEFT, Part.UPPER, Part.UPPER_RIGHT),
    (Part.LEFT, Part.MIDDLE, Part.RIGHT),
    (Part.LOWER_LEFT, Part.LOWER, Part.LOWER_RIGHT),
)


def part_with_glare(learned: Calibration, view: Picture) -> Part | None:
    """The part of a raster (BGR) with its saturated pixels; see `part_of`."""
    return part_of(learned.inside(washed_out(view, learned.appearance.background.picture)))


def part_with_hand(learned: Calibration, evidence: PixelEvidence, explained: Bools) -> Part | None:
    """The part with the largest thing that has neither the empty board's nor a checker's colours; see `part_of`.

    `explained`: mask of what is no hand, whatever its colour.
    """
    known = np.maximum(evidence.white, evidence.black) > 0
    foreign = ((evidence.changed > _FOREIGN_NATS) & ~known & ~explained).astype(np.uint8)
    thick = cv2.morphologyEx(foreign, cv2.MORPH_OPEN, ellipse(_OPENING * learned.rows.diameter))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(thick)
    if count == 1:
        return None
    return part_of(learned.inside(labels == stats[1:, cv2.CC_STAT_AREA].argmax() + 1))


def part_of(trouble: Bools) -> Part | None:
    """Ninth of the playing area with the centroid of the mask `trouble` (height x width; row 0 is the upper edge).

    None if the mask is empty or covers at least half of the area.
    """
    if not 0 < trouble.mean() < _ALL_OVER:
        return None
    middle = np.argwhere(trouble).mean(axis=0) / trouble.shape
    row, column = np.minimum(middle * _THIRDS, _THIRDS - 1).astype(int)
    return _PARTS[row][column]
