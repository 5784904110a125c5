"""The view of a die: the picture around it rectified in the plane of its upper face, and the empty board beneath."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.board import discs
from vision.dice.cube import hull_mask
from vision.geometry import project, warp
from vision.imaging import level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Bools, Floats, Picture, Singles
    from vision.board import Layout, Slot
    from vision.dice.cube import Cube
    from vision.geometry import CameraPose, Raster
    from vision.imaging import BackgroundModel, PixelEvidence


SIDE_PX = 32.0
"""Resolution of a view, in pixels per side of the die: that of large dice in the pictures."""
SIZE = 128
"""Width and height of a view in pixels: it contains a leaning die with all its sides."""
MIDDLE = (SIZE - 1) / 2
"""Coordinate of the middle of a view, in pixels."""
_HALF = 2
"""Factor by which likeness maps are coarser than the view: the empty board has no higher resolution."""
LIGHTEST_SIDE = 1.2
"""Largest brightness of a die's sides over that of its upper face."""
_CAP_NATS = 2.0
"""Largest evidence of one pixel for the die or for the board, in nats."""
_CHECKER = 0.56
"""Radius around a checker's centre, in diameters, within which the likeness is 0: dice may look like checkers."""


@dataclass(frozen=True)
class BoardScene:
    """A picture of a learned board, as far as reading dice needs it.

    Attributes:
        pose: the camera.
        layout: dimensions of the board.
        top: the raster of the plane of the checkers' tops.
        background: the empty board on that raster.
        diameter: of a checker in raster pixels.
        foreign: mask of the raster pixels that differed from the empty board already in the calibration picture.
        picture: BGR.
        brightness: its gain and saturation level (B, G, R; see `vision.imaging.level`).
        evidence: what each raster pixel shows.
        read: the slots of all rows.
    """

    pose: CameraPose
    layout: Layout
    top: Raster
    background: BackgroundModel
    diameter: float
    foreign: Bools
    picture: Picture
    brightness: tuple[Singles, Singles]
    evidence: PixelEvidence
    read: list[list[Slot]]

    @cached_property
    def checkers(self) -> list[tuple[int, int]]:
        """Raster pixels (x, y) of the detected checkers."""
        return discs(self.read)


@dataclass(frozen=True, slots=True)
class DieView:
    """The picture around a die, rectified in the plane of its upper face.

    Attributes:
        seen: SIZE x SIZE, BGR, levelled to the brightness of the empty board.
        ground: the empty board there, `_HALF` times coarser.
        known: mask of the known pixels of `ground`.
        drift: apparent shift (x, y in pixels) of a place per pixel of height above the plane.
        discs: the detected checkers: x and y of the centre and radius of each, in pixels.
    """

    seen: Picture
    ground: Picture
    known: Bools
    drift: Floats
    discs: tuple[tuple[float, float, float], ...]

    @classmethod
    def of(cls, cube: Cube, others: Sequence[Cube], scene: BoardScene) -> DieView:
        """The view of the die at `cube`, which is as if it lay flat; where `others` are, the board is not known."""
        pose, top, pixel = scene.pose, scene.top, cube.side / SIDE_PX
        corner = cube.x - MIDDLE * pixel, cube.y + MIDDLE * pixel
        to_board = np.array([[pixel, 0, corner[0]], [0, -pixel, corner[1]], [0, 0, 1]])
        to_picture = pose.plane(cube.side) @ to_board
        to_raster = np.linalg.inv(top.to_picture) @ to_picture
        coarse = to_raster @ np.array([[_HALF, 0, (_HALF - 1) / 2], [0, _HALF, (_HALF - 1) / 2], [0, 0, 1]])
        ground, half = scene.background, (SIZE // _HALF, SIZE // _HALF)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        known = cv2.warpPerspective(ground.known, coarse, half, flags=flags) > 0.5
        to_ground = np.linalg.inv(coarse)
        for other in others:
            seen = project(to_ground, other.seen_on(top, pose.centre).astype(np.float64))
            known &= hull_mask(np.asarray(seen, np.float32), known.shape) == 0
        slope = (np.array([cube.x, cube.y]) - pose.centre[:2]) / (pose.centre[2] - cube.side)
        return cls(
            level(warp(scene.picture, to_picture, (SIZE, SIZE)), *scene.brightness),
            warp(ground.picture, coarse, half),
            known,
            np.array([slope[0], -slope[1]]),
            _discs(np.linalg.inv(to_raster), scene.checkers, _CHECKER * scene.diameter),
        )

    def sample(self, places: Floats) -> Singles:
        """Colours (..., 3) at places (..., 2: x, y in pixels)."""
        u, v = (np.ascontiguousarray(places[..., axis], np.float32).reshape(1, -1) for axis in (0, 1))
        taken = cv2.remap(self.seen, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(taken.reshape(*places.shape[:-1], 3), np.float32)

    def likeness(self, colour: Singles, lightest: float = LIGHTEST_SIDE) -> Singles:
        """Log-likelihood ratio (nats) of a die of that colour to the board, on pixels `_HALF` times coarser.

        It does not depend on the light: the board and the sides of the die may be shaded. `lightest`: largest
        brightness of the die over that of the colour.
        """
        size = self.ground.shape[1::-1]
        seen = np.asarray(cv2.resize(self.seen, size, interpolation=cv2.INTER_AREA), np.uint8)
        board = shading_residual(seen, self.ground)
        die = _shading_residual(seen, np.asarray(colour, np.float32)[None, None], lightest)
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
    """The checkers that extend into a view: centre (x, y) and radius, from their centres on the board's raster."""
    if not found:
        return ()
    centres = np.array(found, np.float64)
    ends = np.stack([centres, centres + np.array([radius, 0])]).reshape(-1, 1, 2)
    at, beside = cv2.perspectiveTransform(ends, to_view).reshape(2, -1, 2)
    reach = np.linalg.norm(beside - at, axis=1)
    near = (at > -reach[:, None]).all(axis=1) & (at < SIZE + reach[:, None]).all(axis=1)
    return tuple((float(x), float(y), float(r)) for (x, y), r in zip(at[near], reach[near], strict=True))


_DEEPEST, _LIGHTEST = 0.2, 1.1
"""Range of the light on a shaded board, as a share of its light in the calibration picture. Walls of frames and hands
leave 0.4 to 0.6."""
_GREYS, _SHARE = 8.0, 0.1
"""Scale of the residual of shaded colours: grey levels, plus a share of the brightness. In shadows of frames residuals
reach 0.9 of it; those of checkers are 8 and more."""


def _shading_residual(seen: Picture, colours: Singles, lightest: float, rough: Picture | float = 0.0) -> Singles:
    """Residual of each pixel, in units of the expected spread, from a known colour times a share of light.

    The share is fitted by least squares, up to `lightest`. `colours`: one for each pixel, or one for all (1 x 1 x 3);
    `rough`: added to the spread, in grey levels.
    """
    singles = seen.astype(np.float32)
    light = np.einsum("yxc,yxc->yx", colours, colours) + 1
    share = np.clip(np.einsum("yxc,yxc->yx", singles, colours) / light, _DEEPEST, lightest)
    singles -= share[..., None] * colours
    away = np.sqrt(np.einsum("yxc,yxc->yx", singles, singles)) / (_GREYS + _SHARE * share * np.sqrt(light) + rough)
    return np.asarray(away, np.float32)


def shading_residual(seen: Picture, ground: Picture) -> Singles:
    """Residual of each pixel from the shaded empty board, in units of the expected spread; more is allowed at edges."""
    rough = cv2.morphologyEx(ground, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).max(axis=2)
    return _shading_residual(seen, ground.astype(np.float32), _LIGHTEST, np.asarray(rough, np.uint8))
