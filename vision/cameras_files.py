"""Cameras that read files: a folder of pictures, or a video."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.camera import CameraLost, Frame
from vision.picture_file import PictureError, load_picture

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp"})
FRAME_INTERVAL_S = 0.1
"""Seconds from one picture of a folder to the next: ten frames a second, as the live cameras."""


class FolderCamera:
    """Returns each picture of a folder once, sorted by file name."""

    def __init__(self, folder: Path, interval_s: float = FRAME_INTERVAL_S) -> None:
        """Raises CameraLost if the folder does not exist or holds no picture."""
        self.name = f"folder {folder}"
        self._picture_s = interval_s
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
        return Frame(image, (self._number - 1) * self._picture_s, self._number)

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
