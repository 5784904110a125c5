"""Shadow detection: pixels that have known colours times less (or a little more) light."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.arrays import Picture, Singles


_DEEPEST, _LIGHTEST = 0.2, 1.1
"""Range of the light on a shaded board, as a share of its light in the calibration picture. Walls of frames and hands
leave 0.4 to 0.6."""
_GREYS, _SHARE = 8.0, 0.1
"""Scale of the residual of shaded colours: grey levels, plus a share of the brightness. In shadows of frames residuals
reach 0.9 of it; those of checkers are 8 and more."""


def fit_shading(
    seen: Picture, colours: Singles, lightest: float, rough: Picture | float = 0.0
) -> tuple[Singles, Singles]:
    """Fit each pixel as a known colour times a share of light, by least squares.

    Args:
        seen: height x width x 3, BGR.
        colours: the known colours, of the same shape or 1 x 1 x 3.
        lightest: the largest share of light.
        rough: added to the scale of the residual, in grey levels.

    Returns:
        The share of light of each pixel, and its residual in units of the expected spread (height x width each).
    """
    singles = seen.astype(np.float32)
    light = np.einsum("yxc,yxc->yx", colours, colours) + 1
    share = np.clip(np.einsum("yxc,yxc->yx", singles, colours) / light, _DEEPEST, lightest)
    singles -= share[..., None] * colours
    away = np.sqrt(np.einsum("yxc,yxc->yx", singles, singles)) / (_GREYS + _SHARE * share * np.sqrt(light) + rough)
    return np.asarray(share, np.float32), np.asarray(away, np.float32)


def shading_residual(seen: Picture, ground: Picture) -> Singles:
    """Residual of each pixel from the shaded empty board, in units of the expected spread; more is allowed at edges."""
    box = np.ones((3, 3), np.uint8)
    rough = np.asarray(cv2.subtract(cv2.dilate(ground, box), cv2.erode(ground, box)).max(axis=2), np.uint8)
    return fit_shading(seen, ground.astype(np.float32), _LIGHTEST, rough)[1]
