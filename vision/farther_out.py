"""Likelihood that a row's first checkers carry others, from their places alone.

Stacked checkers appear a lift farther out. Nothing is learned. Players lay rows roughly straight and even, with an
unknown start and pitch. Their accuracy is unknown, the thickness of checkers is uncertain, and some centres are wrong.
The likelihood sums over all of these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_PLACING_SDS = np.array([0.03, 0.05, 0.08, 0.13])
"""Standard deviations of checkers about their places, in diameters: from careful to careless players."""
_LIFTS = np.array([0.8, 1.0, 1.25, 1.55])
_LIFT_SHARES = np.array([0.2, 0.35, 0.3, 0.15])
"""Factors on the estimated lift, and their prior. The thickness is estimated from a checker's foot, which shadows hide,
and tends to be too small. The second checker is not exactly on the first."""
_START = np.linspace(-0.2, 0.2, 21)
_START_SD = 0.06
"""Offsets of the whole row, in diameters, and their standard deviation."""
_PITCH = np.array([-0.018, -0.006, 0.006, 0.018])
_PITCH_SHARES = np.array([0.15, 0.35, 0.35, 0.15])
"""Excess of the row's pitch, in diameters, and its prior."""
_WRONG_SHARE, _WRONG_RANGE = 0.07, 0.8
"""Share of wrong centres, and the width of their uniform distribution in diameters."""


def log_likelihoods(out: Floats, lift: Floats) -> Floats:
    """Log-likelihood that the first 0, 1, ... of a row's checkers carry another one, relative to none.

    Args:
        out: for each checker from the edge on, distance farther out than its slot (diameters along the lift).
        lift: the same distance for a checker on another one (diameters).

    Returns:
        One value more than there are checkers.
    """
    index = np.arange(len(out))
    stacked = index < np.arange(len(out) + 1)[:, None]
    raised = (lift * _LIFTS[:, None])[None] * stacked[:, None]
    row = _START[:, None, None] + _PITCH[:, None] * (index - index.mean())
    off = (out - raised)[:, :, None, None] - row
    shares = np.log(_LIFT_SHARES)[:, None, None] - 0.5 * (_START[:, None] / _START_SD) ** 2 + np.log(_PITCH_SHARES)
    each = []
    for spread in _PLACING_SDS:
        near = np.exp(-0.5 * (off / spread) ** 2) / (spread * np.sqrt(2 * np.pi))
        each.append(np.log((1 - _WRONG_SHARE) * near + _WRONG_SHARE / _WRONG_RANGE).sum(axis=-1) + shares)
    total = np.stack(each, axis=-1).reshape(len(out) + 1, -1)
    most = total.max()
    totals = np.log(np.exp(total - most).sum(axis=1))
    return np.asarray(totals - totals[0])
