"""Exposure: the gain between two pictures of one board, and a cache of the models for each gain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.arrays import Bools, Floats, Picture, Singles


_EVERY = 7
"""Only one pixel in this many is used."""
DIM, BRIGHT = 20, 235
"""Grey levels outside this range may be clipped by the sensor and are not used."""
_LOGS = np.full(256, np.nan, np.float32)
_LOGS[DIM + 1 : BRIGHT] = np.log(np.arange(DIM + 1, BRIGHT))
"""Logarithm of each grey level within that range, NaN outside."""
_FEW, _AGREES = 100, 0.15
"""Least number of pixels for an estimate; largest deviation of an inlier's ratio, as natural logarithm."""
_MOST_ALIKE = 0.5
"""Share of inliers that is reached when the light changed uniformly and less than half of the board is covered."""
_DIM_OFF = 8.0
"""Largest deviation of dark inliers in grey levels, from noise and JPEG."""
_GAINS = np.exp(np.linspace(-1.2, 1.2, 25))
"""Gains of the grid search: 0.3 to 3.3, in steps of a tenth (natural logarithm)."""
_ENOUGH = 30
"""Least number of inliers from which a channel's gain is refined after the grid search."""

_BRIGHT_SHARE = 96
"""Percentile of the greatest channel that is brought to white: as a longer exposure would, and few pixels saturate."""


def brightening(picture: Picture, corners: Floats) -> float:
    """Factor that brings the area within the corners (4 x 2 pixels) to full brightness.

    In a dim picture the steps between dark colours are small, in grey levels.
    """
    inside = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.rint(corners).astype(np.int32), 1)
    found = np.maximum.reduce(cv2.split(picture))[inside > 0]
    return 255 / max(float(np.percentile(found, _BRIGHT_SHARE)), 1.0) if found.size else 1.0


def brightened(picture: Picture, factor: float) -> Picture:
    """The picture times that factor, saturated at white."""
    return np.asarray(cv2.convertScaleAbs(picture, alpha=factor), np.uint8)


def match_gain(view: Picture, ground: Picture) -> Singles:
    """How much brighter (B, G, R) a raster is than the empty board where both show the same.

    The median of the ratio, restricted to inliers: checkers, dice and hands on less than half of the board have no
    effect. If much of the board is saturated, checkers may cover most of the rest. So a gain with few inliers is
    compared with one that counts saturated pixels as inliers too; the gain with more inliers is returned.
    """
    gain = _matched(view, ground)
    few = [one.reshape(-1, 3)[:: _EVERY**2].astype(np.float32) for one in (view, ground)]
    share = _alike_under(few[0], few[1], gain).mean()
    if share > _MOST_ALIKE:
        return gain
    other = _matched_saturated(few[0], few[1])
    return other if _alike_under(few[0], few[1], other).mean() > share else gain


def _matched(view: Picture, ground: Picture) -> Singles:
    """The gain (B, G, R) from the pixels that are unclipped in all channels."""
    a, b = (_LOGS.take(np.ascontiguousarray(one.reshape(-1, 3)[::_EVERY].T)) for one in (view, ground))
    ratio = a - b
    ratio = ratio.take(np.flatnonzero(np.isfinite(ratio.sum(axis=0))), axis=1)
    if ratio.shape[1] < _FEW:
        return np.ones(3, np.float32)
    middle = np.median(ratio, axis=1, keepdims=True)
    for _ in range(2):
        agree = np.flatnonzero((np.abs(ratio - middle) < _AGREES).all(axis=0))
        if len(agree) < _FEW:
            break
        middle = np.median(ratio.take(agree, axis=1), axis=1, keepdims=True)
    return np.asarray(np.exp(middle[:, 0]), np.float32)


def _alike_under(view: Singles, ground: Singles, gain: Singles) -> Bools:
    """Mask (n) of the pixels (n x 3) of `view` that equal `ground` times `gain`, clipped at white."""
    expected = np.minimum(ground * gain, 255)
    return np.asarray((np.abs(view - expected) <= _DIM_OFF + _AGREES * expected).all(axis=1))


def _matched_saturated(view: Singles, ground: Singles) -> Singles:
    """The gain (B, G, R) with the most inliers, saturated pixels included."""
    gains = [np.full(3, gain, np.float32) for gain in _GAINS]
    best = max(gains, key=lambda gain: int(_alike_under(view, ground, gain).sum()))
    alike = _alike_under(view, ground, best)
    for channel in range(3):
        a, b = view[alike, channel], ground[alike, channel]
        unclipped = (a > DIM) & (a < BRIGHT) & (b > DIM) & (b < BRIGHT)
        if unclipped.sum() >= _ENOUGH:
            best[channel] = np.median(a[unclipped] / b[unclipped])
    return best


_STEP, _SLACK = 0.06, 0.1
"""Step of the gains that have a model of their own (natural logarithm), and the part of a step that is rounded down
instead of up. The step is finer than the spread of the slots' features."""
_KEPT = 4
"""Number of models in the cache. Each takes about 4 MB; light that flickers or fades needs two."""

T = TypeVar("T")


class ExposureCache(Generic[T]):
    """A least-recently-used cache of one board's models, one for each step of gain.

    All channels count as bright as the brightest. The result depends only on the gain, never on earlier calls. When
    lamps flicker around the border between two steps, both models stay in the cache.
    """

    def __init__(self, make: Callable[[Singles], T], kept: int = _KEPT) -> None:
        """`make(gain)` makes the model for pictures brighter by `gain` (B, G, R); `kept` is the size of the cache."""
        self._make = make
        self._kept = kept
        self._made: dict[int, T] = {}

    def transferred(self, make: Callable[[Singles], T]) -> ExposureCache[T]:
        """A copy for the same board in another place: it keeps the cached models, `make` makes new ones."""
        copy = ExposureCache(make, self._kept)
        copy._made = dict(self._made)
        return copy

    def under(self, gain: Singles) -> T:
        """The model for pictures brighter by `gain` (B, G, R) than the calibration picture."""
        step = max(int(np.ceil(np.log(gain).max() / _STEP - _SLACK)), 0)  # darker pictures do not saturate
        model = self._made.pop(step, None)
        if model is None:
            if len(self._made) >= self._kept:
                self._made.pop(next(iter(self._made)))
            model = self._make(np.full(3, np.exp(step * _STEP), np.float32))
        self._made[step] = model  # at the end: the first entry is the least recently used
        return model


def saturation_level(gain: Singles) -> Singles:
    """Grey level (B, G, R), after division by `gain`, at which the sensor saturates."""
    return np.minimum(255 / gain, 255).astype(np.float32)
