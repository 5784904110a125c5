"""Exposure: the gain between two pictures of one board, and a cache of the models for each gain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.arrays import Bools, Picture, Singles


_EVERY = 7
"""Sampling step, in pixels."""
DIM, BRIGHT = 20, 235
"""Grey levels outside this range may be clipped by the sensor and are not used."""
NEARLY_WHITE = 3
"""A channel may be clipped from this many grey levels below saturation. With 20 a pale bed is not used, and of 59
pictures of framed boards in the shadows of blinds (three tenths) 5 fewer are read."""
SATURATED = 255 - NEARLY_WHITE
"""Grey level from which a sensor of full range may have clipped a channel."""
_LOGS = np.full(256, np.nan, np.float32)
_LOGS[DIM + 1 : BRIGHT] = np.log(np.arange(DIM + 1, BRIGHT))
"""Logarithm of each grey level within that range, NaN outside."""
_FEWEST_PIXELS, _RATIO_TOLERANCE = 100, 0.15
"""Least number of pixels for an estimate; tolerance of an inlier's ratio, as natural logarithm."""
_ENOUGH_INLIERS = 0.5
"""Least share of inliers of an accepted gain: reached if the light changed uniformly and half of the board is free."""
_GREY_TOLERANCE = 8.0
"""Further tolerance of an inlier, in grey levels: noise and JPEG, which matter in dark pixels."""
_GAINS = np.exp(np.linspace(-1.2, 1.2, 25))
"""Gains of the grid search: 0.3 to 3.3, in steps of a tenth (natural logarithm)."""
_FEWEST_INLIERS = 30
"""Least number of inliers from which a channel's gain is refined after the grid search."""


def match_gain(view: Picture, ground: Picture) -> Singles:
    """Gain (B, G, R) from the empty board's raster `ground` to `view` (both BGR): a robust median of the ratio.

    Only inliers count, so that checkers, dice and hands on less than half of the board have no effect. If much of the
    board is saturated, checkers may cover most of the rest. So if there are few inliers, a second gain is estimated
    with saturated pixels as possible inliers, and the gain with more inliers is returned.
    """
    gain = _gain_of_unclipped(view, ground)
    sampled = [one.reshape(-1, 3)[:: _EVERY**2].astype(np.float32) for one in (view, ground)]
    share = _inliers(sampled[0], sampled[1], gain).mean()
    if share > _ENOUGH_INLIERS:
        return gain
    other = _gain_by_grid_search(sampled[0], sampled[1])
    return other if _inliers(sampled[0], sampled[1], other).mean() > share else gain


def _gain_of_unclipped(view: Picture, ground: Picture) -> Singles:
    """The gain (B, G, R) by the pixels that are clipped in no channel; 1 if there are too few."""
    a, b = (_LOGS.take(np.ascontiguousarray(one.reshape(-1, 3)[::_EVERY].T)) for one in (view, ground))
    ratio = a - b
    ratio = ratio.take(np.flatnonzero(np.isfinite(ratio.sum(axis=0))), axis=1)
    if ratio.shape[1] < _FEWEST_PIXELS:
        return np.ones(3, np.float32)
    middle = np.median(ratio, axis=1, keepdims=True)
    for _ in range(2):
        agree = np.flatnonzero((np.abs(ratio - middle) < _RATIO_TOLERANCE).all(axis=0))
        if len(agree) < _FEWEST_PIXELS:
            break
        middle = np.median(ratio.take(agree, axis=1), axis=1, keepdims=True)
    return np.asarray(np.exp(middle[:, 0]), np.float32)


def _inliers(view: Singles, ground: Singles, gain: Singles) -> Bools:
    """Mask (n) of the pixels (n x 3) of `view` that equal `ground` times `gain`, clipped at white."""
    expected = np.minimum(ground * gain, 255)
    return np.asarray((np.abs(view - expected) <= _GREY_TOLERANCE + _RATIO_TOLERANCE * expected).all(axis=1))


def _gain_by_grid_search(view: Singles, ground: Singles) -> Singles:
    """The gain (B, G, R) with the most inliers, saturated pixels included: grid search, then a median per channel."""
    gains = [np.full(3, gain, np.float32) for gain in _GAINS]
    best = max(gains, key=lambda gain: int(_inliers(view, ground, gain).sum()))
    alike = _inliers(view, ground, best)
    for channel in range(3):
        a, b = view[alike, channel], ground[alike, channel]
        unclipped = (a > DIM) & (a < BRIGHT) & (b > DIM) & (b < BRIGHT)
        if unclipped.sum() >= _FEWEST_INLIERS:
            best[channel] = np.median(a[unclipped] / b[unclipped])
    return best


_STEP, _SLACK = 0.06, 0.1
"""Step of the cached gains (natural logarithm), finer than the spread of the slots' features; and the fraction of a
step up to which gains are rounded down instead of up."""
_KEPT = 4
"""Number of models in the cache. Each takes about 4 MB; light that flickers or fades needs two."""

T = TypeVar("T")


class ExposureCache(Generic[T]):
    """A least-recently-used cache of one board's models, one for each step of gain.

    All channels get the gain of the brightest one. The result depends only on the gain, never on earlier calls. When
    lamps flicker around the border between two steps, both models stay in the cache.
    """

    def __init__(self, make: Callable[[Singles], T], kept: int = _KEPT) -> None:
        """`make(gain)` makes the model for pictures brighter by `gain` (B, G, R); `kept` is the size of the cache."""
        self._make = make
        self._kept = kept
        self._made: dict[int, T] = {}

    def transferred(self, make: Callable[[Singles], T]) -> ExposureCache[T]:
        """A copy for the same board in another place, with the cached models; `make` makes further ones."""
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


def saturated(view: Picture, white: Singles | float = SATURATED) -> Bools:
    """Mask of the pixels of a picture (BGR) that reach grey level `white` (one, or B, G, R) in a channel."""
    below = np.ceil(np.broadcast_to(white, 3)).astype(float) - 1
    return np.asarray(cv2.inRange(view, np.zeros(3), below) == 0)


def saturation_level(gain: Singles) -> Singles:
    """Grey level (B, G, R) of saturated pixels after division by `gain`."""
    return np.minimum(255 / gain, 255).astype(np.float32)
