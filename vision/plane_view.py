"""A rectified view of a plane of the board at a chosen scale, far edge at the top."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.geometry import project

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.camera import Picture

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PlaneView:
    """A rectified picture and its homographies.

    Attributes:
        image: height x width x 3, BGR.
        from_board: 3 x 3, board coordinates (x right, y away from White) to pixels of `image`.
        to_picture: 3 x 3, pixels of `image` to pixels of the original picture.
    """

    image: Picture
    from_board: Floats
    to_picture: Floats

    def place(self, board: Floats) -> Floats:
        """Pixels of `image` (n x 2) of board coordinates (n x 2)."""
        return project(self.from_board, board)

    def back(self, pixels: Floats) -> Floats:
        """Pixels of the original picture (n x 2) of pixels of `image` (n x 2)."""
        return project(self.to_picture, pixels)


def view_plane(picture: Picture, plane: Floats, size: tuple[float, float], scale: float, margin: float) -> PlaneView:
    """Rectify a plane of the board.

    Args:
        picture: height x width x 3, BGR.
        plane: 3 x 3, board coordinates to pixels of `picture`.
        size: width and height of the playing area in board units.
        scale: pixels per board unit.
        margin: board units shown around the playing area.
    """
    width, height = size
    from_board = np.array([[scale, 0, margin * scale], [0, -scale, (height + margin) * scale], [0, 0, 1]])
    to_picture = plane @ np.linalg.inv(from_board)
    shape = round((width + 2 * margin) * scale), round((height + 2 * margin) * scale)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    image = np.asarray(cv2.warpPerspective(picture, to_picture, shape, flags=flags), np.uint8)
    return PlaneView(image, from_board, to_picture)
