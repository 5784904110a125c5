"""Loads pictures from files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.model import BoardsideError

if TYPE_CHECKING:
    from pathlib import Path

    from vision.camera import Picture


class PictureError(BoardsideError):
    """A picture is missing or cannot be decoded."""


def load_picture(path: Path) -> Picture:
    """Load a picture: height x width x 3, uint8, BGR. Raises PictureError naming the file."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise PictureError(f"picture {path} cannot be read ({error.strerror}): check the name") from error
    picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR) if content else None
    if picture is None:
        raise PictureError(f"picture {path} is not a whole JPEG, PNG or other known picture: take it again")
    return np.asarray(picture, np.uint8)
