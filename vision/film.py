"""A filmed game as frames: each picture shown for as long as it was held, with fresh noise each time."""

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
"""Spread of the noise added to each repetition: that of a small sensor indoors."""


class Film:
    """Iterates over the frames of a film.

    Args:
        pictures: (file, time it is first shown, seconds it is shown), in order of time.
        seed: of the noise; the same seed gives the same film.
    """

    def __init__(self, pictures: Sequence[tuple[Path, float, float]], seed: int = 1) -> None:
        self._pictures = pictures
        self._chance = np.random.default_rng(seed)
        self._noise: NDArray[np.int16] | None = None

    def __iter__(self) -> Iterator[Frame]:
        """The frames in order. Raises PictureError naming a file that cannot be read."""
        number = 0
        for path, at_s, hold_s in self._pictures:
            picture = load_picture(path)
            for shown in range(max(1, round(hold_s * FRAMES_A_SECOND))):
                image = picture if shown == 0 else self._noisy(picture)
                yield Frame(image, at_s + shown / FRAMES_A_SECOND, number)
                number += 1

    def _noisy(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The picture with noise: a chance window of one large field; drawing it afresh would take longer."""
        height, width, channels = picture.shape
        if self._noise is None or self._noise.shape[0] < height + 64 or self._noise.shape[1] < width + 64:
            field = self._chance.normal(0, NOISE_LEVELS, (height + 64, width + 64, channels))
            self._noise = np.rint(field).astype(np.int16)
        y, x = self._chance.integers(64, size=2)
        window = self._noise[y : y + height, x : x + width]
        return np.asarray(cv2.add(picture, window, dtype=cv2.CV_8U), np.uint8)
