"""A die as seen from above: the picture round it in the plane of its upper face, and the empty board that it hides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import cv2
import numpy as np

from vision.imaging import fit_shading, level, shading_residual

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.board import Layout
    from vision.cameras import Picture
    from vision.dice.cube import Cube
    from vision.geometry import CameraPose, Raster
    from vision.imaging import Appearance

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Brightness = tuple[Singles, Singles]

SIDE_PX = 32.0
"""Pixels of a view that a die's side has: as many as the pictures themselves have of large dice."""
SIZE = 128
"""Pixels of a view each way: a die that leans and all of its sides lie within."""
MIDDLE = (SIZE - 1) / 2
_HALF = 2
"""What lies there is told on pixels so many times coarser: the empty board is known no finer."""
_LIGHTEST_DIE = 1.2
"""Light that may be on a die's sides, over that on its upper face."""
_CAP_NATS = 2.0
"""One pixel counts at most so much for the die, or for the board."""
_CHECKER = 0.56
"""Radius round a checker's centre, in diameters, within which nothing is said: dice may look like checkers."""


class CheckerDiameter(Protocol):
    """How large checkers are on a raster."""

    @property
    def diameter(self) -> float:
        """Diameter of a checker in raster pixels."""


class DiceScene(Protocol):
    """A learned board, as far as finding dice on it needs it."""

    @property
    def pose(self) -> CameraPose:
        """The camera's pose over the board."""

    @property
    def layout(self) -> Layout:
        """Where the points are."""

    @property
    def top(self) -> Raster:
        """The raster of the plane of the checkers' tops."""

    @property
    def appearance(self) -> Appearance:
        """The empty board on that raster, and the checkers' colours."""

    @property
    def rows(self) -> CheckerDiameter:
        """How large checkers are on that raster."""

    @property
    def foreign_at_calibration(self) -> NDArray[np.bool_]:
        """Pixels of that raster that differed from the empty board when it was learned."""


@dataclass(frozen=True, slots=True)
class DieView:
    """The picture round a die, rectified in the plane of its upper face.

    Attributes:
        seen: SIZE x SIZE, BGR, as bright as the empty board.
        ground: the empty board there, `_HALF` times coarser.
        known: where that was ever seen, as coarse.
        drift: x and y (pixels of the view) by which a place seems moved for every pixel of height above the plane.
        discs: the checkers found: x and y of the centre and radius of each, in pixels of the view.
    """

    seen: Picture
    ground: Picture
    known: Bools
    drift: Floats
    discs: tuple[tuple[float, float, float], ...]

    @classmethod
    def of(
        cls,
        picture: Picture,
        cube: Cube,
        learned: DiceScene,
        found: Sequence[tuple[int, int]],
        brightness: Brightness,
    ) -> DieView:
        """The view of a die that stands about where `cube` does.

        Args:
            picture: BGR.
            cube: the die, as if it lay flat.
            learned: the board.
            found: centres of the checkers on the board's raster.
            brightness: gain (B, G, R) of the picture, and its ceiling (see `level`).
        """
        pose, top, pixel = learned.pose, learned.top, cube.side / SIDE_PX
        corner = cube.x - MIDDLE * pixel, cube.y + MIDDLE * pixel
        to_board = np.array([[pixel, 0, corner[0]], [0, -pixel, corner[1]], [0, 0, 1]])
        to_picture = pose.plane(cube.side) @ to_board
        to_raster = np.linalg.inv(top.to_picture) @ to_picture
        coarse = to_raster @ np.array([[_HALF, 0, (_HALF - 1) / 2], [0, _HALF, (_HALF - 1) / 2], [0, 0, 1]])
        ground, half = learned.appearance.background, (SIZE // _HALF, SIZE // _HALF)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        seen = cv2.warpPerspective(picture, to_picture, (SIZE, SIZE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        under = cv2.warpPerspective(ground.picture, coarse, half, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        known = cv2.warpPerspective(ground.known, coarse, half, flags=flags)
        slope = (np.array([cube.x, cube.y]) - pose.centre[:2]) / (pose.centre[2] - cube.side)
        discs = _discs(np.linalg.inv(to_raster), found, _CHECKER * learned.rows.diameter)
        return cls(
            level(np.asarray(seen, np.uint8), *brightness),
            np.asarray(under, np.uint8),
            np.asarray(known > 0.5),
            np.array([slope[0], -slope[1]]),
            discs,
        )

    def sample(self, places: Floats) -> Singles:
        """Colours (..., 3) at places (..., 2: x, y in pixels)."""
        u, v = (np.ascontiguousarray(places[..., axis], np.float32).reshape(1, -1) for axis in (0, 1))
        taken = cv2.remap(self.seen, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(taken.reshape(*places.shape[:-1], 3), np.float32)

    def likeness(self, colour: Singles) -> Singles:
        """For every pixel (`_HALF` times coarser) how much more it looks like that die than like the board (nats).

        Under whatever light: the board may lie in the die's shadow, and so may the die's sides.
        """
        size = self.ground.shape[1::-1]
        seen = np.asarray(cv2.resize(self.seen, size, interpolation=cv2.INTER_AREA), np.uint8)
        board = shading_residual(seen, self.ground)
        _, die = fit_shading(seen, np.asarray(colour, np.float32)[None, None], _LIGHTEST_DIE)
        nats = np.minimum(board**2 / 2, _CAP_NATS) - np.minimum(die**2 / 2, _CAP_NATS)
        nats[~self.known] = 0
        for x, y, radius in self.discs:
            cv2.circle(nats, (round(x / _HALF), round(y / _HALF)), round(radius / _HALF), 0.0, -1)
        return np.asarray(nats, np.float32)


def sample_likeness(nats: Singles, places: Floats) -> Singles:
    """Values of `DieView.likeness` at places (..., 2: x, y in pixels of the view); 0 beyond it."""
    u, v = (np.ascontiguousarray((places[..., axis] + 0.5) / _HALF - 0.5, np.float32).reshape(1, -1) for axis in (0, 1))
    return np.asarray(cv2.remap(nats, u, v, cv2.INTER_LINEAR).reshape(places.shape[:-1]), np.float32)


def _discs(to_view: Floats, found: Sequence[tuple[int, int]], radius: float) -> tuple[tuple[float, float, float], ...]:
    """The checkers whose discs reach into a view, from the board's raster."""
    if not found:
        return ()
    centres = np.array(found, np.float64)
    ends = np.stack([centres, centres + np.array([radius, 0])]).reshape(-1, 1, 2)
    at, beside = cv2.perspectiveTransform(ends, to_view).reshape(2, -1, 2)
    reach = np.linalg.norm(beside - at, axis=1)
    near = (at > -reach[:, None]).all(axis=1) & (at < SIZE + reach[:, None]).all(axis=1)
    return tuple((float(x), float(y), float(r)) for (x, y), r in zip(at[near], reach[near], strict=True))
