"""How many of a row's checkers lie a lift farther out than the row: what places alone say of a second layer.

Nothing is learned here: players lay rows about straight and even, with a start and a pitch of their own; how careful
they are is not known, nor the checkers' thickness well, and now and then a centre is found wrong. All of that is
summed over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_CARE = np.array([0.03, 0.05, 0.08, 0.13])
"""Spreads of where checkers lie, in diameters: from careful players to careless ones."""
_LIFTS = np.array([0.8, 1.0, 1.25, 1.55])
_LIFT_SHARES = np.array([0.2, 0.35, 0.3, 0.15])
"""What the true lift may be over the told one, and how often: a checker's thickness is told from its foot, which
shadows hide, and rather too small than too large; the second one is not laid exactly on the first."""
_START = np.linspace(-0.2, 0.2, 21)
_START_SPREAD = 0.06
"""Where the whole row may lie farther out, in diameters."""
_PITCH = np.array([-0.018, -0.006, 0.006, 0.018])
_PITCH_SHARES = np.array([0.15, 0.35, 0.35, 0.15])
"""How much wider its steps may be, in diameters, and how often."""
_ASTRAY, _ANYWHERE = 0.07, 0.8
"""Share of centres that are found wrong, and over how many diameters they then spread."""


def log_likelihoods(out: Floats, lift: Floats) -> Floats:
    """Log-likelihood that the first 0, 1, … of a row's checkers bear another one, relative to none.

    Args:
        out: for each checker from the edge on, how much farther out than its slot it lies (diameters along the lift).
        lift: how much farther out it would lie on another one (diameters).

    Returns:
        One more than there are checkers.
    """
    index = np.arange(len(out))
    bear = index < np.arange(len(out) + 1)[:, None]
    raised = (lift * _LIFTS[:, None])[None] * bear[:, None]
    row = _START[:, None, None] + _PITCH[:, None] * (index - index.mean())
    off = (out - raised)[:, :, None, None] - row
    shares = np.log(_LIFT_SHARES)[:, None, None] - 0.5 * (_START[:, None] / _START_SPREAD) ** 2 + np.log(_PITCH_SHARES)
    each = []
    for spread in _CARE:
        near = np.exp(-0.5 * (off / spread) ** 2) / (spread * np.sqrt(2 * np.pi))
        each.append(np.log((1 - _ASTRAY) * near + _ASTRAY / _ANYWHERE).sum(axis=-1) + shares)
    total = np.stack(each, axis=-1).reshape(len(out) + 1, -1)
    most = total.max()
    told = np.log(np.exp(total - most).sum(axis=1))
    return np.asarray(told - told[0])
