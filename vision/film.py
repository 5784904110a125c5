"""A recorded game as frames: each picture is repeated for the time it was shown, with new noise in each repetition."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.camera import Frame
from vision.picture_file import load_picture

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

FRAMES_A_SECOND = 10.0
NOISE_LEVELS = 2.0
"""Standard deviation of the noise added to each repetition, in grey levels: that of a small sensor indoors."""
_MARGIN_PX = 64
"""The noise field is larger than the picture by this many pixels each way; each frame uses a random window of it."""


class Film:
    """Iterates over the frames of a film.

    Args:
        pictures: (file, time it is first shown, seconds it is shown), in order of time.
        seed: of the noise; the same seed gives the same frames.
    """

    def __init__(self, pictures: Sequence[tuple[Path, float, float]], seed: int = 1) -> None:
        self._pictures = pictures
        self._rng = np.random.default_rng(seed)
        self._noise: NDArray[np.int16] | None = None

    def __iter__(self) -> Iterator[Frame]:
        """Yield the frames in order. Raises PictureError naming a file that cannot be read."""
        number = 0
        for path, at_s, hold_s in self._pictures:
            picture = load_picture(path)
            for shown in range(max(1, round(hold_s * FRAMES_A_SECOND))):
                image = picture if shown == 0 else self._noisy(picture)
                yield Frame(image, at_s + shown / FRAMES_A_SECOND, number)
                number += 1

    def _noisy(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Add noise: a random window of one large noise field, which is faster than new random numbers."""
        height, width, channels = picture.shape
        needed = height + _MARGIN_PX, width + _MARGIN_PX
        if self._noise is None or self._noise.shape[0] < needed[0] or self._noise.shape[1] < needed[1]:
            field = self._rng.normal(0, NOISE_LEVELS, (*needed, channels))
            self._noise = np.rint(field).astype(np.int16)
        y, x = self._rng.integers(_MARGIN_PX, size=2)
        window = self._noise[y : y + height, x : x + width]
        return np.asarray(cv2.add(picture, window, dtype=cv2.CV_8U), np.uint8)
