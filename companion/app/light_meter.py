"""Light and focus meter: measures frames while a page requests it, and classifies brightness and sharpness."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from companion.interface import Focus, Lighting, LightReading
from vision.imaging import picture_figures

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.cameras import Frame
    from vision.imaging import PictureFigures

EVERY_S = 0.4
"""Seconds between two measurements."""
WANTED_S = 5.0
"""Seconds for which frames are measured after a request."""
MOST_CLIPPED = 0.03
"""Share of saturated pixels; a reflection as large as one checker, on a board that fills the picture, is 0.003."""
DARK_LEVEL, DIM_LEVEL = 40.0, 80.0
"""Grey levels that a tenth of the picture must reach: below the first, noise hides the points; below the second, more
light makes readings surer."""
SHARP, SOFT = 0.85, 0.6
"""Sharpness relative to the best seen."""


class LightMeter:
    """Measures a camera's frames. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` returns seconds."""
        self._clock = clock
        self._lock = threading.Lock()
        self._wanted_until_s = self._measured_s = float("-inf")
        self._best = 0.0
        self._size: tuple[int, ...] = ()
        self._last: PictureFigures | None = None

    def see(self, frame: Frame) -> None:
        """Measure a frame if somebody has asked lately; call it for every frame."""
        now_s = self._clock()
        if now_s > self._wanted_until_s or now_s - self._measured_s < EVERY_S:
            return
        figures = picture_figures(frame.image)
        with self._lock:
            self._measured_s = now_s
            if frame.image.shape != self._size:
                self._size, self._best = frame.image.shape, 0.0
            self._last, self._best = figures, max(self._best, figures.sharpness)

    def read(self) -> LightReading | None:
        """The reading of the newest frame; None: none yet. A call has frames measured for WANTED_S seconds."""
        with self._lock:
            now_s = self._clock()
            if now_s > self._wanted_until_s:
                self._last = None  # too old
            self._wanted_until_s = now_s + WANTED_S
            if self._last is None:
                return None
            sharpness = self._last.sharpness / self._best if self._best > 0 else 0.0
            return LightReading(_lighting(self._last), self._last.bright / 255, _focus(sharpness), sharpness)


def _lighting(figures: PictureFigures) -> Lighting:
    if figures.clipped > MOST_CLIPPED:
        return Lighting.CLIPPED
    if figures.bright < DARK_LEVEL:
        return Lighting.DARK
    return Lighting.DIM if figures.bright < DIM_LEVEL else Lighting.GOOD


def _focus(sharpness: float) -> Focus:
    if sharpness >= SHARP:
        return Focus.SHARP
    return Focus.SOFT if sharpness >= SOFT else Focus.BLURRED
