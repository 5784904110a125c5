"""The gain between two pictures of one board: how much brighter one is, with checkers, hands and white-outs on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    Floats = NDArray[np.float32]
    Bools = NDArray[np.bool_]

_EVERY = 7
"""One pixel in so many is enough to match gains by."""
DIM, BRIGHT = 20, 235
"""Values outside this range are cut off by the sensor and say nothing of the light."""
_LOGS = np.full(256, np.nan, np.float32)
_LOGS[DIM + 1 : BRIGHT] = np.log(np.arange(DIM + 1, BRIGHT))
"""Logarithm of each grey level within that range."""
_FEW, _AGREES = 100, 0.15
"""Fewer pixels say nothing of the gain; how far (natural logarithm) one that does may be off it."""
_MOST_ALIKE = 0.5
"""Share of the board that is alike where light has changed evenly and neither hands nor checkers cover most of it."""
_DIM_OFF = 8.0
"""Grey levels that dark pixels are off by at most, from noise and JPEG."""
_GAINS = np.exp(np.linspace(-1.2, 1.2, 25))
"""From under a third to over three times as bright, in steps of a tenth."""
_ENOUGH = 30
"""Pixels that tell a channel's gain where few are left."""


def match_gain(view: Picture, ground: Picture) -> Floats:
    """How much brighter (B, G, R) a raster is than the ground where both show the same things.

    The median of the ratio, narrowed to the pixels that agree with it: checkers, dice and hands that cover less than
    half of the board do not disturb it. Where much of the board is washed out, what is left of it may be mostly
    covered: a gain that leaves most of the board unlike is held against one that speaks of washed out pixels, too.
    """
    gain = _matched(view, ground)
    few = [one.reshape(-1, 3)[:: _EVERY**2].astype(np.float32) for one in (view, ground)]
    share = _alike_under(few[0], few[1], gain).mean()
    if share > _MOST_ALIKE:
        return gain
    other = _matched_washed_out(few[0], few[1])
    return other if _alike_under(few[0], few[1], other).mean() > share else gain


def _matched(view: Picture, ground: Picture) -> Floats:
    """The gain (B, G, R) told by the pixels that no channel cuts off."""
    a, b = (_LOGS.take(np.ascontiguousarray(one.reshape(-1, 3)[::_EVERY].T)) for one in (view, ground))
    ratio = a - b
    ratio = ratio.take(np.flatnonzero(np.isfinite(ratio.sum(axis=0))), axis=1)
    if ratio.shape[1] < _FEW:
        return np.ones(3, np.float32)
    middle = _medians(ratio)
    for _ in range(2):
        agree = np.flatnonzero((np.abs(ratio - middle) < _AGREES).all(axis=0))
        if len(agree) < _FEW:
            break
        middle = _medians(ratio.take(agree, axis=1))
    return np.asarray(np.exp(middle[:, 0]), np.float32)


def _alike_under(view: Floats, ground: Floats, gain: Floats) -> Bools:
    """Which pixels (n x 3) are those of a ground that is brighter by a gain, cut off at white."""
    expected = np.minimum(ground * gain, 255)
    return np.asarray((np.abs(view - expected) <= _DIM_OFF + _AGREES * expected).all(axis=1))


def _matched_washed_out(view: Floats, ground: Floats) -> Floats:
    """The gain (B, G, R) under which most pixels are alike, whether washed out or not."""
    gains = [np.full(3, gain, np.float32) for gain in _GAINS]
    best = max(gains, key=lambda gain: int(_alike_under(view, ground, gain).sum()))
    alike = _alike_under(view, ground, best)
    for channel in range(3):
        a, b = view[alike, channel], ground[alike, channel]
        told = (a > DIM) & (a < BRIGHT) & (b > DIM) & (b < BRIGHT)
        if told.sum() >= _ENOUGH:
            best[channel] = np.median(a[told] / b[told])
    return best


def _medians(rows: Floats) -> Floats:
    """The median of each row (n x 1), as `numpy.median` has it, in a fifth of its time."""
    half = rows.shape[1] // 2
    low = half - 1 + rows.shape[1] % 2
    middle = np.partition(rows, (low, half), axis=1)[:, low : half + 1]
    return np.asarray(middle.mean(axis=1, keepdims=True), np.float32)
