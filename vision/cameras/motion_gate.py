"""The motion gate: decides from a stream of frames when the picture is still, in spite of sensor noise.

The still frames until then are averaged: this reduces noise and the flicker of lamps without a longer wait.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Picture, Singles
    from vision.cameras.base import Frame


HOLD_S = 0.15
"""Seconds without motion before a frame is read. Shorter stops of a hand over the board are ignored; at ten frames a
second the third still frame is read."""
_ACROSS = 96
"""Blocks across the picture: a checker covers two or more, and the average over a block has little noise."""
_LEAST_CHANGE = 2.5
"""Smallest change of a block, in grey levels, that counts: half of what the shadow of a hand causes."""
_OVERSAMPLING = 4
"""Pixels per block, along x and y, in the first of the two averaging steps."""
_NOISE_FACTOR = 8.0
"""Smallest change of a block as a multiple of the median change over all blocks (noise and flicker). It is about five
standard deviations of the noise, which three of 7000 blocks never exceed at once."""
_MOVING_BLOCKS = 3
"""Changed blocks that count as motion: a checker that is set down changes four or more."""
_MOST_AVERAGED = 8
"""Most frames that are averaged, because they are held in memory."""


class MotionGate:
    """Decides for each frame of one camera whether the picture has been still for `hold_s` seconds."""

    def __init__(self, hold_s: float = HOLD_S) -> None:
        self._hold_s = hold_s
        self._last: Singles | None = None
        self._shape: tuple[int, ...] = ()
        self._still_since_s: float | None = None
        self._still_frames: list[Picture] = []

    def still(self, frame: Frame) -> bool:
        """Whether the picture is still as of this frame; frames must come in order of time."""
        blocks = _blocks(frame.image)
        moving = self._last is None or self._shape != frame.image.shape or _moved(self._last, blocks)
        self._last, self._shape = blocks, frame.image.shape
        if moving or self._still_since_s is None:
            self._still_since_s = frame.at_s
            self._still_frames = [frame.image]
        elif self._still_frames and len(self._still_frames) < _MOST_AVERAGED:
            self._still_frames.append(frame.image)
        return frame.at_s - self._still_since_s >= self._hold_s

    def averaged(self, frame: Frame) -> Frame:
        """A frame for which `still` has just returned True, with the mean of the frames since the last motion.

        Later calls without motion in between return the frame itself, and no frames are held in memory.
        """
        still_frames, self._still_frames = self._still_frames, []
        return replace(frame, image=_mean(still_frames)) if len(still_frames) > 1 else frame


def _mean(pictures: Sequence[Picture]) -> Picture:
    total = pictures[0].astype(np.uint16)
    for picture in pictures[1:]:
        total = np.asarray(cv2.add(total, picture, dtype=cv2.CV_16U), np.uint16)
    return np.asarray(cv2.convertScaleAbs(total, alpha=1 / len(pictures)), np.uint8)


def _blocks(image: Picture) -> Singles:
    """Mean brightness of the picture's blocks; in two steps, because rounding the means to 8 bits would hide noise."""
    height, width = image.shape[:2]
    size = (_ACROSS, max(1, round(_ACROSS * height / width)))
    small = cv2.resize(image, (size[0] * _OVERSAMPLING, size[1] * _OVERSAMPLING), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.float32)


def _moved(before: Singles, after: Singles) -> bool:
    """Whether something moved between two frames; a uniform change of brightness does not count."""
    gain = float(np.median((after + 1) / (before + 1)))
    change = after - before * gain
    median = float(np.median(np.abs(change)))
    return int((np.abs(change) > max(_LEAST_CHANGE, _NOISE_FACTOR * median)).sum()) >= _MOVING_BLOCKS
