"""Where on the board what keeps it from being read is: a hand over the lower left, glare at the upper right."""

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
"""Share of the board from which on trouble is not in a part of it but all over."""
_STRANGE_NATS = 5.0
"""How far from the empty board a pixel is that something lies over: three spreads of noise."""
_OPENING = 0.6
"""What is thinner than this, in checkers, is no hand but their shadows and sides."""
_PARTS = (
    (Part.UPPER_LEFT, Part.UPPER, Part.UPPER_RIGHT),
    (Part.LEFT, Part.MIDDLE, Part.RIGHT),
    (Part.LOWER_LEFT, Part.LOWER, Part.LOWER_RIGHT),
)


def with_place(observation: Observation, learned: Calibration, picture: Picture) -> Observation:
    """The observation of a picture (BGR) with the part of the board added that glare or something strange is over."""
    if observation.unreadable not in (Cause.GLARE, Cause.HAND):
        return observation
    view = learned.top.straighten(picture)
    glare = observation.unreadable is Cause.GLARE
    trouble = washed_out(view, learned.appearance.ground.picture) if glare else _strange(learned, view)
    margin = round(learned.top.margin * learned.top.scale)
    return replace(observation, where=part_of(trouble[margin:-margin, margin:-margin]))


def part_of(trouble: Bools) -> Part | None:
    """The part of a playing area (row 0 is its upper edge) that holds the middle of the trouble; None for none of it.

    It is none, too, where the trouble is all over the board.
    """
    if not 0 < trouble.mean() < _ALL_OVER:
        return None
    middle = np.argwhere(trouble).mean(axis=0) / trouble.shape
    row, column = np.minimum(middle * _THIRDS, _THIRDS - 1).astype(int)
    return _PARTS[row][column]


def _strange(learned: Calibration, view: Picture) -> Bools:
    """The largest thing on the raster that is neither empty board nor coloured as checkers are."""
    evidence = learned.appearance.evidence(level(view, learned.appearance.gain_of(view)))
    known = np.maximum(evidence.white, evidence.black) > 0
    strange = ((evidence.changed > _STRANGE_NATS) & ~known & ~learned.strange).astype(np.uint8)
    size = round(_OPENING * learned.rows.diameter) | 1
    thick = cv2.morphologyEx(strange, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(thick)
    sizes = stats[1:, cv2.CC_STAT_AREA]
    return np.asarray(labels == sizes.argmax() + 1) if len(sizes) else np.zeros(thick.shape, bool)
