"""Pictures from files: one picture, a folder or a video as a camera, and a film made from timed pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.core import BoardsideError, read_bytes
from vision.cameras.base import CameraLost, Frame
from vision.cameras.picture_size import jpeg_scans, picture_size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from vision.arrays import Picture


MOST_BYTES = 100_000_000
MOST_PIXELS = 50_000_000
"""Largest file, and largest picture: four times as many pixels as a Pi's best camera; decoded they take 150 MB."""
_MOST_SCANS = 100
"""Most scans of a progressive JPEG: each takes time for all pixels; cameras write ten."""


class PictureError(BoardsideError):
    """A picture is missing or cannot be decoded."""


def load_picture(path: Path) -> Picture:
    """Load a picture: height x width x 3, uint8, BGR. Raises PictureError naming the file."""
    try:
        content = read_bytes(path, MOST_BYTES)
    except OSError as error:
        raise PictureError(f"picture {path} cannot be read ({error.strerror}): check the name") from error
    size = picture_size(content)
    if size is not None and size[0] * size[1] > MOST_PIXELS:
        most = f"{MOST_PIXELS // 10**6} million"
        raise PictureError(f"picture {path} has {size[0]} x {size[1]} pixels, more than {most}: take it smaller")
    decodable = size is not None and jpeg_scans(content) <= _MOST_SCANS
    picture = _decoded(content) if decodable else None
    if picture is None:
        raise PictureError(f"picture {path} is not a whole JPEG, PNG, BMP or WebP: take it again")
    return picture


def _decoded(content: bytes) -> Picture | None:
    try:
        picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:  # a decoder may refuse a file by an assertion
        return None
    return None if picture is None else np.asarray(picture, np.uint8)


SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp"})
FRAME_INTERVAL_S = 0.1
"""Seconds from one picture of a folder to the next: ten frames a second, as the live cameras."""


class FolderCamera:
    """Returns each picture of a folder once, sorted by file name."""

    def __init__(self, folder: Path, interval_s: float = FRAME_INTERVAL_S) -> None:
        """Raises CameraLost if the folder does not exist or holds no picture."""
        self.name = f"folder {folder}"
        self._interval_s = interval_s
        self._pictures = _pictures_in(folder)
        self._number = 0

    def read(self) -> Frame | None:
        """Return the next picture, or None after the last. Raises CameraLost naming a file that cannot be decoded."""
        if self._number == len(self._pictures):
            return None
        path = self._pictures[self._number]
        try:
            image = load_picture(path)
        except PictureError as error:
            raise CameraLost(str(error)) from error
        self._number += 1
        return Frame(image, (self._number - 1) * self._interval_s, self._number)

    def close(self) -> None:
        """Do nothing: no file stays open."""


def _pictures_in(folder: Path) -> Sequence[Path]:
    if not folder.is_dir():
        raise CameraLost(f"there is no folder {folder}: give the name of a folder with pictures")
    pictures = sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)
    if not pictures:
        raise CameraLost(f"folder {folder} holds no picture: expected files ending in {', '.join(sorted(SUFFIXES))}")
    return pictures


class FilmCamera:
    """Returns the frames of a video file, with the times stored in the file."""

    def __init__(self, path: Path) -> None:
        """Raises CameraLost if the file does not exist or is not a video."""
        self.name = f"film {path}"
        self._path = path
        if not path.is_file():
            raise CameraLost(f"there is no film {path}: check the name")
        self._capture = cv2.VideoCapture(str(path))
        self._number = 0
        if not self._capture.isOpened():
            raise CameraLost(f"{path} is not a video that can be played: expected MP4, AVI, MKV or the like")

    def read(self) -> Frame | None:
        """Return the next frame, or None at the end. Raises CameraLost if the first frame cannot be decoded."""
        read, image = self._capture.read()
        if not read:
            if self._number == 0:
                raise CameraLost(f"no frame of {self._path} can be decoded: the file is damaged or empty")
            return None
        self._number += 1
        at_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000  # of the frame just read
        return Frame(np.asarray(image, np.uint8), at_s, self._number)

    def close(self) -> None:
        """Release the file."""
        self._capture.release()


FRAMES_A_SECOND = 10.0
NOISE_LEVELS = 2.0
"""Standard deviation of the noise added to each repetition, in grey levels: that of a small sensor indoors."""
_MARGIN_PX = 64
"""Pixels by which the noise field exceeds the picture along x and y; each frame uses a random window of it."""


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

    def _noisy(self, picture: Picture) -> Picture:
        """Add noise: a random window of one large noise field, which is faster than new random numbers."""
        height, width, channels = picture.shape
        needed = height + _MARGIN_PX, width + _MARGIN_PX
        if self._noise is None or self._noise.shape[0] < needed[0] or self._noise.shape[1] < needed[1]:
            field = self._rng.normal(0, NOISE_LEVELS, (*needed, channels))
            self._noise = np.rint(field).astype(np.int16)
        y, x = self._rng.integers(_MARGIN_PX, size=2)
        window = self._noise[y : y + height, x : x + width]
        return np.asarray(cv2.add(picture, window, dtype=cv2.CV_8U), np.uint8)
