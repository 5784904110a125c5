"""Checks light and focus of a picture in which no board was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.camera import Picture

_WIDTH_PX = 640
"""Width to which larger pictures are reduced."""
_DARK_LEVEL = 30.0
"""Grey level that a twentieth of a picture must reach; below it, noise is as large as the contrast of checkers."""
_WHITE_LEVEL, _WHITE_SHARE = 250, 0.25
"""Grey level of a saturated pixel, and the share of them from which a picture is too bright; automatic exposure keeps
it to a fiftieth."""
_SHARP = 16.0
"""Gradient in grey levels per pixel that the steepest hundredth of a picture (640 wide, scaled to the full range) has
if it is in focus. Pictures of boards have 35 and more, blurred by a third of a checker 8 to 18."""


def likely_cause(picture: Picture) -> str:
    """A hint for the end of an error text: the first thing to improve in a picture (BGR); empty if it looks good."""
    factor = min(1.0, _WIDTH_PX / picture.shape[1])
    grey = cv2.resize(
        cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA
    )
    bright = float(np.percentile(grey, 95))
    if bright < _DARK_LEVEL:
        return ". It is too dark: turn on a lamp"
    if (grey >= _WHITE_LEVEL).mean() > _WHITE_SHARE:
        return ". It is too bright: shade the lamp, or let the camera expose for less"
    light = grey.astype(np.float32) * np.float32(255 / max(bright, 1.0))
    x, y = (cv2.Sobel(light, cv2.CV_32F, *along, ksize=3, scale=1 / 8) for along in ((1, 0), (0, 1)))
    if float(np.percentile(np.hypot(x, y), 99)) < _SHARP:
        return ". It may be out of focus: see to the lens"
    return ""
