"""Estimates and inverts a change of tone curve, as by a camera that adapts its contrast from picture to picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.arrays import Floats, Picture, Singles


_LEAST_POWER, _MOST_POWER = 0.15, 0.6
"""Range of the exponent's absolute logarithm in which a power is inverted. Measured without a change: 90 % below 0.045,
all below 0.12."""
_LEAST_OFFSET, _MOST_OFFSET = 16.0, 110.0
"""Range of the absolute offset, in grey levels, in which it is inverted. Measured where nothing had changed: at most 4
on framed boards, 12 on tiles."""
_CLEAR_GAIN, _MOST_DEVIATION = 0.85, 0.1
"""An offset is inverted if it leaves at most this share of the `_median_deviation` that a power leaves, and at most
this deviation: in haze it leaves 0.02 to 0.05, where the camera was moved 0.18."""
_GROUPS, _FEWEST_GROUPS = 12, 3
"""Groups of pixels by their tone in the known picture, and the fewest from which a change is estimated."""
_UNCLIPPED, _LEAST, _MOST = 0.8, 7, 244
"""Share of a group's pixels that must be within the range (grey levels) where no channel is clipped."""
_LEAST_RATIO, _LEAST_STEP = 0.15, 12.0
"""Least difference of two groups' tones for a slope between them: as logarithms, and as grey levels."""
_DARK_PERCENTILE = 0.1
"""Percentile of the least channel that is the darkest grey level. Of 313 pictures of tiles, taken in eight kinds of
light and blur and less that level, three fewer are read with 1, and a sixth fewer with 10."""
_DOWN, _ACROSS = 4, 6
"""Parts of a view, along its height and width, whose medians tell how the light changes over it."""
_TONES = np.arange(256.0)


def same_tones(picture: Picture, view: Picture, known: Picture) -> Picture:
    """A picture with the tone curve of a known one; the same picture where the curve has not clearly changed.

    Two models are fitted, each with a free factor: a power, as from a camera's contrast, and an offset, as from haze.
    A model is rejected if it makes the view less like the known one; a reflection can cause that. The fit uses median
    tones of groups of pixels that had similar tones, so that checkers that come and go have little effect.
    `view`: a part of the picture (BGR) that mostly shows the same as `known`, which has the same size.
    """
    before, now = (np.asarray(cv2.cvtColor(one, cv2.COLOR_BGR2GRAY), np.uint8) for one in (known, view))
    clear = cv2.bitwise_and(*(cv2.inRange(one, (0, 0, 0), (_MOST, _MOST, _MOST)) for one in (known, view)))
    pairs = _group_tones(before, now, np.asarray(clear, np.uint8))
    if len(pairs) < _FEWEST_GROUPS:
        return picture
    power, offset = _inverse_power(pairs), _inverse_offset(pairs)
    if power is None and offset is None:
        return picture
    unchanged = _median_deviation(before, now, _table(_TONES))
    by_power, by_offset = (np.inf if one is None else _median_deviation(before, now, one) for one in (power, offset))
    table, most = (power, _CLEAR_GAIN * by_power) if by_power <= unchanged else (None, unchanged)
    if by_offset <= min(most, _MOST_DEVIATION):
        table = offset
    return picture if table is None else np.asarray(cv2.LUT(picture, table), np.uint8)


def black_level(picture: Picture) -> float:
    """The darkest grey level of a picture, or of pixels (... x 3), but for a few; haze and stray light raise it."""
    return float(np.percentile(picture.min(axis=-1), _DARK_PERCENTILE))


def stretched(picture: Picture, black: Floats | float, factor: float) -> Picture:
    """A picture (BGR) less the grey level `black` (one, or B, G, R), times a factor, clipped."""
    levels = (_TONES[:, None] - np.broadcast_to(black, 3)) * factor
    return np.asarray(cv2.LUT(picture, _table(levels)[None]), np.uint8)


def _inverse_power(pairs: Floats) -> Picture | None:
    """Lookup table (256) that inverts the power by which tones have changed; None if it is too near to 1 or too far."""
    power = max(_median_slope(np.log(np.maximum(pairs, 1)), _LEAST_RATIO), 1e-3)
    return _table(255 * (_TONES / 255) ** (1 / power)) if _LEAST_POWER < abs(np.log(power)) < _MOST_POWER else None


def _inverse_offset(pairs: Floats) -> Picture | None:
    """Lookup table (256) that inverts the offset by which tones have changed; None if it is too small or too large."""
    slope = _median_slope(pairs, _LEAST_STEP)
    offset = float(np.median(pairs[:, 1] - slope * pairs[:, 0]))
    return _table((_TONES - offset) * 255 / (255 - offset)) if _LEAST_OFFSET < abs(offset) < _MOST_OFFSET else None


def _table(curve: Floats) -> Picture:
    return np.clip(np.rint(curve), 0, 255).astype(np.uint8)


def _group_tones(before: Picture, now: Picture, clear: Picture) -> Floats:
    """The median tone of each group before and now (n x 2). `clear`: mask of the pixels that are not clipped."""
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


def _median_slope(pairs: Floats, least: float) -> float:
    """Median slope between pairs (n x 2: before, now) at least `least` apart, weighted by that; 1 if there are none."""
    x, y = pairs.T
    first, second = np.triu_indices(len(x), 1)
    apart = x[second] - x[first]
    apart_enough = apart > least
    if not apart_enough.any():
        return 1.0
    slopes, weights = (y[second] - y[first])[apart_enough] / apart[apart_enough], apart[apart_enough]
    order = slopes.argsort()
    return float(slopes[order][np.searchsorted(weights[order].cumsum(), weights.sum() / 2)])


def _median_deviation(before: Picture, now: Picture, table: Picture) -> float:
    """Median deviation of log grey levels, mapped by a table, from the earlier ones.

    A factor does not count, nor one that changes along a plane, as in the light of a lamp beside the board, if that
    leaves less.
    """
    logs = np.log(np.maximum(np.arange(256), _LEAST)).astype(np.float32)
    away = cv2.LUT(now, logs[table]) - cv2.LUT(before, logs)
    slope = cv2.resize(_plane_through(away), away.shape[::-1], interpolation=cv2.INTER_LINEAR)
    return min(float(np.median(np.abs(one - np.median(one)))) for one in (away, away - slope))


def _plane_through(values: Singles) -> Singles:
    """The plane (_DOWN x _ACROSS) nearest to the medians of the parts of a map."""
    bands = (np.array_split(band, _ACROSS, axis=1) for band in np.array_split(values, _DOWN))
    medians = np.array([np.median(part) for band in bands for part in band])
    y, x = (axis.ravel() for axis in np.indices((_DOWN, _ACROSS)))
    place = np.column_stack([np.ones_like(x), x, y])
    plane = place @ np.linalg.lstsq(place, medians, rcond=None)[0]
    return np.asarray(plane.reshape(_DOWN, _ACROSS), np.float32)


def _median(counts: Singles) -> float:
    """Median grey level of a histogram, interpolated within a level."""
    return float(np.interp(counts.sum() / 2, np.cumsum(counts), np.arange(len(counts)) + 0.5))
