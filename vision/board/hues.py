"""Hues: colours without their brightness, and how much of a board's differences of hue a picture has kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.comparator import log_colours

if TYPE_CHECKING:
    from vision.arrays import Floats, Picture


_EVERY = 3
"""Sampling step along x and y, in pixels."""
_VIVID_SHARE, _LEAST_HUES = 0.3, 0.08
"""Share of a board's pixels with the hues farthest from the median pixel's, and their least mean distance from it
(natural logarithm) that can be measured."""


def hues_of(colours: Floats | Picture) -> Floats:
    """Hues (... x 3) of colours (BGR, grey levels): log-colours without the mean of the three."""
    logs = log_colours(colours)
    return np.asarray(logs - logs.mean(axis=-1, keepdims=True))


class BoardHues:
    """The most differing hues on a raster of a board; the colour of the light has no effect on them."""

    def __init__(self, known: Picture) -> None:
        """From the raster (BGR) of the empty board."""
        differences = _differences(known)
        strength = (differences * differences).sum(axis=1)
        self._vivid = np.flatnonzero(strength >= np.quantile(strength, 1 - _VIVID_SHARE))
        self._known, strength = differences[self._vivid], strength[self._vivid]
        self._measurable = bool(np.sqrt(strength).mean() >= _LEAST_HUES)
        self._known /= strength[:, None] if self._measurable else 1

    def left(self, view: Picture) -> float | None:
        """Share of the hues that is left on a later raster (BGR) of the same size: near 0 in a camera's night mode.

        None if the known hues hardly differ.
        """
        if not self._measurable:
            return None
        return float(np.median((_differences(view)[self._vivid] * self._known).sum(axis=1)))


def _differences(raster: Picture) -> Floats:
    """Differences (n x 3) of the hues of a raster's pixels from the median pixel's."""
    found = hues_of(np.asarray(cv2.blur(raster, (_EVERY, _EVERY))[::_EVERY, ::_EVERY], np.uint8)).reshape(-1, 3)
    return np.asarray(found - np.median(found, axis=0))
