"""Tone curves: a camera that changes its contrast from picture to picture changes dark and bright tones differently."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.arrays import Floats, Picture, Singles


_LEAST_POWER, _MOST_POWER = 0.15, 0.6
"""Least and largest logarithm of the exponent that is undone. Measured without a change: 90 % within 0.045, all within
0.12."""
_LEAST_OFFSET, _MOST_OFFSET = 16.0, 110.0
"""Least and largest offset, in grey levels, that is undone. Without a change it is 4 at most on framed boards, 12 on
tiles."""
_CLEARLY, _ALIKE = 0.85, 0.1
"""An offset is undone if it leaves this share at most of what a power would leave, and this deviation of the logarithms
at most: in haze it leaves 0.02 to 0.05, where the camera was moved 0.18."""
_GROUPS, _FEWEST_GROUPS = 12, 3
"""Groups of pixels by their tone on the known picture, and the fewest that tell how tones have changed."""
_UNCLIPPED, _LEAST, _MOST = 0.8, 7, 244
"""Share of a group's pixels that must be within the range (grey levels) where no channel is clipped."""
_LEAST_RATIO, _LEAST_STEP = 0.15, 12.0
"""Least difference of the logarithms of two groups' tones, and of their grey levels, to be compared."""
_TONES = np.arange(256.0)


def same_tones(picture: Picture, view: Picture, known: Picture) -> Picture:
    """A picture with the tone curve of a known one; the same picture where the curve has not clearly changed.

    It has not changed where the view would be less like the known one afterwards: a reflection can look like it. Tones
    are taken to have changed by a power, as a camera's contrast does, or by an offset, as in haze, besides a factor.
    Pixels of similar tone in the known view are a group; checkers that come and go hardly move the median of its tones.
    `view`: a part of the picture that has what `known`, of the same size, has in most pixels.
    """
    before, now = (np.asarray(cv2.cvtColor(one, cv2.COLOR_BGR2GRAY), np.uint8) for one in (known, view))
    clear = cv2.bitwise_and(*(cv2.inRange(one, (0, 0, 0), (_MOST, _MOST, _MOST)) for one in (known, view)))
    pairs = _pairs(before, now, np.asarray(clear, np.uint8))
    if len(pairs) < _FEWEST_GROUPS:
        return picture
    power, offset = _without_power(pairs), _without_offset(pairs)
    if power is None and offset is None:
        return picture
    unchanged = _spread(before, now, _table(_TONES))
    by_power, by_offset = (np.inf if one is None else _spread(before, now, one) for one in (power, offset))
    table, most = (power, _CLEARLY * by_power) if by_power <= unchanged else (None, unchanged)
    if by_offset <= min(most, _ALIKE):
        table = offset
    return picture if table is None else np.asarray(cv2.LUT(picture, table), np.uint8)


def _without_power(pairs: Floats) -> Picture | None:
    """A table of the tones without the power by which they have changed; None if it has hardly, or too much."""
    power = max(_usual_slope(np.log(np.maximum(pairs, 1)), _LEAST_RATIO), 1e-3)
    return _table(255 * (_TONES / 255) ** (1 / power)) if _LEAST_POWER < abs(np.log(power)) < _MOST_POWER else None


def _without_offset(pairs: Floats) -> Picture | None:
    """A table of the tones without the offset by which they have changed; None if it has hardly, or too much."""
    slope = _usual_slope(pairs, _LEAST_STEP)
    offset = float(np.median(pairs[:, 1] - slope * pairs[:, 0]))
    return _table((_TONES - offset) * 255 / (255 - offset)) if _LEAST_OFFSET < abs(offset) < _MOST_OFFSET else None


def _table(curve: Floats) -> Picture:
    return np.clip(np.rint(curve), 0, 255).astype(np.uint8)


def _pairs(before: Picture, now: Picture, clear: Picture) -> Floats:
    """The usual tone of each group before and now (n x 2). `clear`: where nothing is clipped."""
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
    return np.array(places).reshape(-1, 2)


def _usual_slope(pairs: Floats, least: float) -> float:
    """Median slope between pairs (n x 2: before, now) `least` apart or more, weighted by that; 1 if there are none."""
    x, y = pairs.T
    first, second = np.triu_indices(len(x), 1)
    apart = x[second] - x[first]
    told = apart > least
    if not told.any():
        return 1.0
    slopes, weights = (y[second] - y[first])[told] / apart[told], apart[told]
    order = slopes.argsort()
    return float(slopes[order][np.searchsorted(weights[order].cumsum(), weights.sum() / 2)])


def _spread(before: Picture, now: Picture, table: Picture) -> float:
    """Median deviation of the logarithms of grey levels, through a table, from the earlier ones, without any factor."""
    logs = np.log(np.maximum(np.arange(256), _LEAST)).astype(np.float32)
    away = cv2.LUT(now, logs[table]) - cv2.LUT(before, logs)
    return float(np.median(np.abs(away - np.median(away))))


def _median(counts: Singles) -> float:
    """Median of levels that are counted, interpolated within a level."""
    return float(np.interp(counts.sum() / 2, np.cumsum(counts), np.arange(len(counts)) + 0.5))
