"""Locate what makes the board unreadable (a hand, glare) as one of nine parts of the board."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.model import Cause, Part
from vision.appearance import level
from vision.readability import washed_out

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.observation import Observation
    from vision.calibration import Calibration
    from vision.camera import Picture

    Bools = NDArray[np.bool_]

_THIRDS = 3
_ALL_OVER = 0.5
"""Share of the board. Trouble that covers this much or more has no single place."""
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


def with_place(observation: Observation, learned: Calibration, picture: Picture) -> Observation:
    """Add the part of the board to an observation of a picture (BGR) that is unreadable for glare or a hand."""
    if observation.unreadable not in (Cause.GLARE, Cause.HAND):
        return observation
    view = learned.top.straighten(picture)
    glare = observation.unreadable is Cause.GLARE
    trouble = washed_out(view, learned.appearance.ground.picture) if glare else _foreign_mask(learned, view)
    margin = round(learned.top.margin * learned.top.scale)
    return replace(observation, where=part_of(trouble[margin:-margin, margin:-margin]))


def part_of(trouble: Bools) -> Part | None:
    """Part of the playing area (row 0 is the upper edge) that holds the mask's centroid.

    None if the mask is empty or covers at least half of the area.
    """
    if not 0 < trouble.mean() < _ALL_OVER:
        return None
    middle = np.argwhere(trouble).mean(axis=0) / trouble.shape
    row, column = np.minimum(middle * _THIRDS, _THIRDS - 1).astype(int)
    return _PARTS[row][column]


def _foreign_mask(learned: Calibration, view: Picture) -> Bools:
    """Mask of the largest foreign object on the raster: neither empty board nor the colours of checkers."""
    evidence = learned.appearance.evidence(level(view, learned.appearance.gain_of(view)))
    known = np.maximum(evidence.white, evidence.black) > 0
    strange = ((evidence.changed > _FOREIGN_NATS) & ~known & ~learned.strange).astype(np.uint8)
    size = round(_OPENING * learned.rows.diameter) | 1
    thick = cv2.morphologyEx(strange, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(thick)
    sizes = stats[1:, cv2.CC_STAT_AREA]
    return np.asarray(labels == sizes.argmax() + 1) if len(sizes) else np.zeros(thick.shape, bool)
