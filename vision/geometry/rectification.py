"""Rectification: a plane over the board resampled to a raster with a fixed scale."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import cv2
import numpy as np

from vision.geometry.pose import plane, project

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.arrays import Bools, Floats, Picture
    from vision.geometry.pose import CameraPose


T = TypeVar("T", bound=np.generic)
PixelT = TypeVar("PixelT", np.uint8, np.float32)


def warp(picture: NDArray[PixelT], to_picture: Floats, size: Sequence[int]) -> NDArray[PixelT]:
    """Resample a picture to `size` (width, height); its edge is repeated.

    `to_picture`: 3 x 3 homography of the new pixels to those of `picture`.
    """
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpPerspective(picture, to_picture, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, picture.dtype)


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangular part of a raster: columns `left` to `right`, rows `top` to `bottom`, ends excluded."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def round(cls, places: Floats, reach: float, size: tuple[int, int]) -> Window:
        """The bounding box of places (n x 2), widened by `reach` pixels, in a raster of `size` (width, height)."""
        least, most = np.floor(places.min(axis=0) - reach), np.ceil(places.max(axis=0) + reach) + 1
        left, top = (max(int(one), 0) for one in least)
        right, bottom = (min(int(one), end) for one, end in zip(most, size, strict=True))
        return cls(left, top, max(right, left + 1), max(bottom, top + 1))

    @property
    def corner(self) -> Floats:
        """Its upper left pixel (x, y)."""
        return np.array([self.left, self.top], np.float64)

    def of(self, values: NDArray[T]) -> NDArray[T]:
        """The part of a map of the whole raster (height x width, or with more axes) in this window."""
        return values[self.top : self.bottom, self.left : self.right]


@dataclass(frozen=True)
class Raster:
    """Rectifies pictures to one plane; row 0 is beyond the far edge (White sits at the bottom).

    Attributes:
        matrix: 3 x 4 projection of the camera.
        height: of the plane above the bed, in board units.
        depth: of the playing area, in board units.
        scale: raster pixels per board unit.
        margin: shown around the playing area, in board units.
        ends: shown in addition at the left and at the right, in board units.
    """

    matrix: Floats
    height: float
    depth: float
    scale: float
    margin: float
    ends: float = 0.0

    @classmethod
    def of(cls, pose: CameraPose, height: float, scale: float, margin: float, ends: float = 0.0) -> Raster:
        """The raster of the plane `height` above the bed, for pictures of the camera `pose`."""
        return cls(pose.matrix, height, pose.depth, scale, margin, ends)

    @property
    def beside(self) -> float:
        """Width of the strip at the left and at the right of the playing area, in board units."""
        return self.margin + self.ends

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return round((1 + 2 * self.beside) * self.scale), round((self.depth + 2 * self.margin) * self.scale)

    @cached_property
    def to_board(self) -> Floats:
        """3 x 3 homography, raster pixels to board coordinates in the plane."""
        return np.array([[1 / self.scale, 0, -self.beside], [0, -1 / self.scale, self.depth + self.margin], [0, 0, 1]])

    @cached_property
    def to_picture(self) -> Floats:
        """3 x 3 homography, raster pixels to picture pixels."""
        return plane(self.matrix, self.height) @ self.to_board

    @cached_property
    def from_bed(self) -> Floats:
        """3 x 3 homography, board coordinates on the bed to the raster pixels where they are seen."""
        return np.asarray(np.linalg.inv(self.to_picture) @ plane(self.matrix, 0.0), np.float64)

    def feet(self, tops: Floats) -> Floats:
        """The pixels (n x 2) where the bed below pixels of this plane is seen, such as feet of checkers below tops."""
        return project(self.from_bed @ self.to_board, tops)

    def rectify(self, picture: Picture, window: Window | None = None) -> Picture:
        """Rectify a picture (BGR or one channel) to this raster, or to a part of it."""
        to_picture, size = self.to_picture, self.size
        if window is not None:
            to_picture = to_picture @ np.array([[1, 0, window.left], [0, 1, window.top], [0, 0, 1]], np.float64)
            size = window.right - window.left, window.bottom - window.top
        return warp(picture, to_picture, size)

    def in_view(self, size: tuple[int, int]) -> Bools:
        """Mask (height x width) of the raster pixels that lie inside pictures of `size` (width, height)."""
        taken = self._mapped(self.to_picture)
        taken = taken[..., :2] / taken[..., 2:]
        return np.asarray(((taken >= 0) & (taken < np.array(size))).all(axis=-1))

    def places(self) -> Floats:
        """Board coordinates of all pixels: height x width x 2."""
        return self._mapped(self.to_board)[..., :2]

    def _mapped(self, matrix: Floats) -> Floats:
        """Homogeneous coordinates of all pixels under a homography: height x width x 3."""
        width, height = self.size
        y, x = np.mgrid[0:height, 0:width]
        return np.asarray(np.stack([x, y, np.ones_like(x)], axis=-1) @ matrix.T)

    def pixels(self, places: Floats) -> Floats:
        """Raster coordinates (..., 2) of board coordinates (..., 2)."""
        places = np.asarray(places, np.float64)
        return np.stack(
            [(places[..., 0] + self.beside) * self.scale, (self.depth + self.margin - places[..., 1]) * self.scale],
            axis=-1,
        )

    def sample(self, maps: Sequence[NDArray[T]], places: Floats) -> NDArray[T]:
        """Values of each map (one channel or more) at the pixels nearest to board coordinates (..., 2)."""
        width, height = self.size
        u = np.rint((places[..., 0] + self.beside) * self.scale).clip(0, width - 1)
        v = np.rint((self.depth + self.margin - places[..., 1]) * self.scale).clip(0, height - 1)
        here = (v * width + u).astype(np.intp)
        return np.stack([one.reshape(width * height, *one.shape[2:]).take(here, axis=0) for one in maps])


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
    """Rectify the playing area of a board, of `size` (width, height) in board units, and `margin` around it.

    `plane`: 3 x 3, board coordinates to pixels of `picture`; `scale`: pixels per board unit.
    """
    width, height = size
    from_board = np.array([[scale, 0, margin * scale], [0, -scale, (height + margin) * scale], [0, 0, 1]])
    to_picture = plane @ np.linalg.inv(from_board)
    shape = round((width + 2 * margin) * scale), round((height + 2 * margin) * scale)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    image = np.asarray(cv2.warpPerspective(picture, to_picture, shape, flags=flags), np.uint8)
    return PlaneView(image, from_board, to_picture)
