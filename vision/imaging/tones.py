"""Tone curves: a camera that changes its contrast from picture to picture changes dark and bright tones differently."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.arrays import Picture, Singles


_LEAST_CHANGE, _MOST_CHANGE = 0.15, 0.6
"""Least and largest logarithm of the exponent that is undone. Measured without a change: 90 % within 0.045, all within
0.12."""
_GROUPS, _FEWEST_GROUPS = 12, 3
"""Groups of pixels by their tone on the known picture, and the fewest that tell the exponent."""
_UNCLIPPED, _LEAST, _MOST = 0.8, 7, 244
"""Share of a group's pixels that must be within the range (grey levels) where no channel is clipped."""
_LEAST_APART = 0.15
"""Least difference of the logarithms of two groups' tones to be compared."""


def same_tones(picture: Picture, view: Picture, known: Picture) -> Picture:
    """A picture with the tone curve of a known one; the same picture where the curve has not clearly changed.

    It has not changed where the view would be less like the known one afterwards: a reflection can look like it. Tones
    are taken to have changed by a power, besides a factor. Pixels of similar tone in the known view are a group;
    checkers that come and go hardly move the median of its tones. `view`: a part of the picture that has what `known`,
    of the same size, has in most pixels.
    """
    before, now = (np.asarray(cv2.cvtColor(one, cv2.COLOR_BGR2GRAY), np.uint8) for one in (known, view))
    clear = cv2.bitwise_and(*(cv2.inRange(one, (0, 0, 0), (_MOST, _MOST, _MOST)) for one in (known, view)))
    change = _exponent(before, now, np.asarray(clear, np.uint8))
    if not _LEAST_CHANGE < abs(np.log(change)) < _MOST_CHANGE:
        return picture
    if _spread(before, now, change) > _spread(before, now, 1.0):
        return picture
    table = np.rint(255 * (np.arange(256) / 255) ** (1 / change)).astype(np.uint8)
    return np.asarray(cv2.LUT(picture, table), np.uint8)


def _exponent(before: Picture, now: Picture, clear: Picture) -> float:
    """The power by which grey levels have changed; 1 where that cannot be told. `clear`: where nothing is clipped."""
    lit = cv2.bitwise_and(clear, cv2.inRange(cv2.min(before, now), np.array(_LEAST), np.array(255)))
    all_pixels, clear_pixels = (
        cv2.calcHist([before, now], [0, 1], mask, [256, 256], [0, 256, 0, 256]) for mask in (None, lit)
    )
    below = np.cumsum(all_pixels.sum(axis=1))
    group = (np.minimum(below / below[-1], 1 - 1e-6) * _GROUPS).astype(int)
    places = []
    for one in range(_GROUPS):
        own = clear_pixels[group == one]
        if own.sum() > _UNCLIPPED * all_pixels[group == one].sum():
            levels = np.flatnonzero(group == one)
            places.append((levels[0] + _median(own.sum(axis=1)), _median(own.sum(axis=0))))
    if len(places) < _FEWEST_GROUPS:
        return 1.0
    x, y = np.log(np.maximum(np.array(places).T, 1))
    first, second = np.triu_indices(len(x), 1)
    apart = x[second] - x[first]
    told = apart > _LEAST_APART
    if not told.any():
        return 1.0
    slopes, weights = (y[second] - y[first])[told] / apart[told], apart[told]
    order = slopes.argsort()
    return float(max(slopes[order][np.searchsorted(weights[order].cumsum(), weights.sum() / 2)], 1e-3))


def _spread(before: Picture, now: Picture, change: float) -> float:
    """Median deviation of the logarithms of grey levels from the earlier ones, without the change and any factor."""
    logs = np.log(np.maximum(np.arange(256), _LEAST)).astype(np.float32)
    away = cv2.LUT(now, logs) / change - cv2.LUT(before, logs)
    return float(np.median(np.abs(away - np.median(away))))


def _median(counts: Singles) -> float:
    """Median of levels that are counted, interpolated within a level."""
    return float(np.interp(counts.sum() / 2, np.cumsum(counts), np.arange(len(counts)) + 0.5))
