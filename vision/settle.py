"""The settle gate: from a stream of frames to "the picture is still", sensor noise and all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.camera import Frame

    Singles = NDArray[np.float32]

HOLD_S = 0.15
"""The picture must keep still so long: a hand that stops over the board for less than this is not looked at, and at ten
frames a second the third still frame is read."""
_ACROSS = 96
"""Blocks across the picture: a checker spans two or more of them, and averaging over a block leaves little of the
noise."""
_LEAST_STEP = 2.5
"""Grey levels by which a block must change to have changed, whatever the noise: half of what a shadow of a hand
makes."""
_STEP = 4
_NOISE_STEPS = 8.0
"""The same as a multiple of what the middle block changes by (noise and flicker alike): five spreads of noise, which
three of 7000 blocks never reach at once."""
_MOVING_BLOCKS = 3
"""So many changed blocks make a movement: a checker that is set down changes four or more."""


class MotionGate:
    """Says of each frame of one camera whether the picture has been still for a moment."""

    def __init__(self, hold_s: float = HOLD_S) -> None:
        self._hold_s = hold_s
        self._last: Singles | None = None
        self._still_since_s: float | None = None

    def still(self, frame: Frame) -> bool:
        """Whether the picture has settled as of this frame; frames must come in order of time."""
        blocks = _blocks(frame.image)
        moving = self._last is None or self._last.shape != blocks.shape or _moved(self._last, blocks)
        self._last = blocks
        if moving or self._still_since_s is None:
            self._still_since_s = frame.at_s
        return frame.at_s - self._still_since_s >= self._hold_s


def _blocks(image: NDArray[np.uint8]) -> Singles:
    """Mean brightness of the picture's blocks; averaged in two steps, so that rounding does not hide the noise."""
    height, width = image.shape[:2]
    size = (_ACROSS, max(1, round(_ACROSS * height / width)))
    small = cv2.resize(image, (size[0] * _STEP, size[1] * _STEP), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.float32)


def _moved(before: Singles, after: Singles) -> bool:
    """Whether something moved between two frames; light that changes all over the picture alike does not count."""
    gain = float(np.median((after + 1) / (before + 1)))
    change = after - before * gain
    usual = float(np.median(np.abs(change)))
    return int((np.abs(change) > max(_LEAST_STEP, _NOISE_STEPS * usual)).sum()) >= _MOVING_BLOCKS
