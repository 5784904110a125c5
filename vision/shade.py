"""Shade: what shows the colours of the empty board, or of a die, under more or less light than they were learned in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    Singles = NDArray[np.float32]

_DEEPEST, _LIGHTEST = 0.2, 1.1
"""A shaded board is not darker than the one share of its light: walls of frames and hands leave 0.4 to 0.6; nor
lighter than the other."""
_GREYS, _SHARE = 8.0, 0.1
"""How far, in grey levels and as a share, a shaded board's colours stray: 0.9 of this in frames' shadows, while
checkers are off by 8 and more."""
_MOST = 0.75
"""So much of a place, in pixels, must be shaded board: the rest may be rims of checkers that lie beside."""


def fit_shading(
    seen: Picture, colours: Singles, lightest: float, rough: Picture | float = 0.0
) -> tuple[Singles, Singles]:
    """Under which light pixels look most like some colours, and how far they are from those then.

    Args:
        seen: height x width x 3, BGR.
        colours: the same, or one for all of them (1 x 1 x 3).
        lightest: share of their light that they are seen in at most.
        rough: grey levels by which the colours stray more than others.

    Returns:
        The share of the colours' light for every pixel, and how far it is off, in what such colours stray by.
    """
    singles = seen.astype(np.float32)
    light = np.einsum("yxc,yxc->yx", colours, colours) + 1
    share = np.clip(np.einsum("yxc,yxc->yx", singles, colours) / light, _DEEPEST, lightest)
    singles -= share[..., None] * colours
    away = np.sqrt(np.einsum("yxc,yxc->yx", singles, singles)) / (_GREYS + _SHARE * share * np.sqrt(light) + rough)
    return np.asarray(share, np.float32), np.asarray(away, np.float32)


def shading_residual(seen: Picture, ground: Picture) -> Singles:
    """How far each pixel is from the empty board in any shadow, in what its colours stray by there."""
    box = np.ones((3, 3), np.uint8)
    rough = np.asarray(cv2.subtract(cv2.dilate(ground, box), cv2.erode(ground, box)).max(axis=2), np.uint8)
    return fit_shading(seen, ground.astype(np.float32), _LIGHTEST, rough)[1]


def is_shaded(seen: Picture, ground: Picture) -> bool:
    """Whether most of a place shows nothing but the empty board, darker than it was learned.

    Every pixel then has its own colour of the board, times a share that is much the same all over the place.
    """
    share, away = fit_shading(seen, ground.astype(np.float32), _LIGHTEST)
    return _quantile(share, _MOST) < _LIGHTEST and _quantile(away, _MOST) < 1.0


def _quantile(values: Singles, share: float) -> float:
    """The value below which that share of some lies, as `numpy.quantile` has it, a tenth of whose time it takes."""
    at = share * (values.size - 1)
    below = min(int(at), values.size - 2)
    low, high = np.partition(values, (below, below + 1), axis=None)[below : below + 2].tolist()
    return float(low + (high - low) * (at - below))
