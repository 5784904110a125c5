"""Renders a corner of a board: one row of checkers with its neighbours, by ray marching through a height field.

The camera is far away, so a point at height `z` above the plane of the checkers' tops appears shifted by `z * tilt`, as
on the reader's rectified rasters. Lengths are in checker diameters, pictures in linear light.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.arrays import Singles


SCALE = 36
"""Pixels per diameter."""
WIDTH, LENGTH = 2.2, 7.6
"""Width and height of the rendered corner, in diameters; the row runs up its middle from `EDGE`."""
EDGE = 1.15
"""The y of the frame's inner edge, in diameters."""
_USUAL_HEIGHT = 0.6
"""Height (diameters) up to which `_MARCH_STEPS` steps are enough."""
_MARCH_STEPS, _SHADOW_STEPS, _SHADOW_REACH = 24, 12, 1.5
"""Steps of the march along a line of sight; steps towards a lamp, and how far they reach in diameters."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """Light from a direction (unit vector towards it), with its colour (B, G, R)."""

    towards: Singles
    colour: Singles


@dataclass(frozen=True, slots=True)
class Make:
    """Material and shape of the checkers of one side.

    Attributes:
        albedo: B, G, R.
        inlay: B, G, R of the middle of the top.
        inlay_radius: of the inlay, over the checker's radius; 0 if there is none.
        thickness: in diameters.
        bevel: share of the thickness that is rounded off at either end of the wall.
        profile: height of the top over its radius (32 values), as shares of the thickness.
        gloss, shine: strength and exponent of the reflection.
        grain: strength of the texture.
    """

    albedo: Singles
    inlay: Singles
    inlay_radius: float
    thickness: float
    bevel: float
    profile: Singles
    gloss: float
    shine: float
    grain: float


@dataclass(frozen=True, slots=True)
class DrawnPiece:
    """A checker: its centre (x, y in diameters), its layer (0 on the bed) and its material and shape."""

    x: float
    y: float
    layer: int
    make: Make


@dataclass(frozen=True, slots=True)
class Bed:
    """The board under the checkers: albedo (height x width x 3, B, G, R) and height (diameters)."""

    albedo: Singles
    height: Singles


@cache
def grid() -> tuple[Singles, Singles]:
    """The x and y of each pixel, in diameters."""
    y, x = np.mgrid[0 : round(LENGTH * SCALE), 0 : round(WIDTH * SCALE)].astype(np.float32)
    return (x + 0.5) / SCALE, (y + 0.5) / SCALE


@dataclass
class Field:
    """A height field with the material at each pixel."""

    height: Singles
    albedo: Singles
    gloss: Singles
    shine: Singles
    low: Singles
    high: Singles
    thickness: Singles
    bevel: Singles

    @classmethod
    def of(cls, bed: Bed, pieces: list[DrawnPiece], chance: np.random.Generator) -> Field:
        """The field of a bed with checkers on it."""
        shape = bed.height.shape
        nowhere = np.full((*shape, 2), -99, np.float32)
        field = cls(
            bed.height.copy(),
            bed.albedo.copy(),
            np.full(shape, 0.02, np.float32),
            np.full(shape, 8, np.float32),
            nowhere,
            nowhere.copy(),
            np.ones(shape, np.float32),
            np.zeros(shape, np.float32),
        )
        for piece in sorted(pieces, key=lambda one: one.layer):
            field._set(piece, chance)
        return field

    def _set(self, piece: DrawnPiece, chance: np.random.Generator) -> None:
        make = piece.make
        left, top = round((piece.x - 0.55) * SCALE), round((piece.y - 0.55) * SCALE)
        span = round(1.1 * SCALE)
        here = slice(max(top, 0), max(top + span, 0)), slice(max(left, 0), max(left + span, 0))
        if self.height[here].size == 0:
            return
        x, y = (one[here] for one in grid())
        away = np.hypot(x - piece.x, y - piece.y) * 2
        on = away <= 1
        level = np.interp(away, np.linspace(0, 1, 32), make.profile).astype(np.float32)
        self.height[here][on] = (piece.layer + level[on]) * make.thickness
        colour = np.where((away < make.inlay_radius)[..., None], make.inlay, make.albedo)
        turn = chance.uniform(0, 6.28)
        along = (x * np.cos(turn) + y * np.sin(turn)) * chance.uniform(4, 12)
        colour = colour * (1 + make.grain * np.sin(6.28 * along + 2 * np.sin(5 * x) + 3 * np.sin(4 * y)))[..., None]
        self.albedo[here][on] = (colour * chance.uniform(0.94, 1.06))[on]
        self.gloss[here][on], self.shine[here][on] = make.gloss, make.shine
        self.thickness[here][on], self.bevel[here][on] = make.thickness, make.bevel
        (self.high if piece.layer else self.low)[here][on] = piece.x, piece.y


def draw(field: Field, tilt: Singles, plane: float, lamps: list[Lamp]) -> Singles:
    """The picture (B, G, R, linear) of a height field on a raster of the plane at height `plane`."""
    depth = _visible_height(field.height, tilt, plane)
    x, y = grid()
    at_x, at_y = x - (depth - plane) * tilt[0], y - (depth - plane) * tilt[1]
    maps = (at_x * SCALE - 0.5).astype(np.float32), (at_y * SCALE - 0.5).astype(np.float32)

    def take(one: Singles, how: int = cv2.INTER_LINEAR) -> Singles:
        return np.asarray(cv2.remap(one, *maps, how, borderMode=cv2.BORDER_REPLICATE), np.float32)

    surface = take(field.height)
    wall = surface > depth + 0.03
    normal = _normals(field, take, at_x, at_y, depth, wall)
    sight = np.array([-tilt[0], -tilt[1], 1], np.float32)
    sight /= np.linalg.norm(sight)
    albedo, gloss, shine = take(field.albedo), take(field.gloss), take(field.shine)
    picture = np.zeros_like(albedo)
    small = cv2.resize(field.height, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    for lamp in lamps:
        horizon = cv2.resize(_horizon(small, lamp.towards), field.height.shape[::-1], interpolation=cv2.INTER_LINEAR)
        lit = np.clip((depth - take(horizon)) / 0.02 + 1, 0, 1)
        facing = np.maximum(normal @ lamp.towards, 0)
        half = lamp.towards + sight
        mirror = np.maximum(normal @ (half / np.linalg.norm(half)), 0) ** shine
        picture += (lit * facing)[..., None] * albedo * lamp.colour
        picture += (lit * gloss * mirror * (shine + 8) / 25)[..., None] * lamp.colour
    return picture


def _visible_height(height: Singles, tilt: Singles, plane: float) -> Singles:
    """Height of the surface that each pixel of the raster shows, in diameters."""
    most = float(height.max())
    steps = max(_MARCH_STEPS, round(_MARCH_STEPS * most / _USUAL_HEIGHT))
    depth = np.zeros_like(height)
    unhit = np.ones(height.shape, bool)
    for z in np.linspace(most, 0, steps):
        shift = np.array([[1, 0, (z - plane) * tilt[0] * SCALE], [0, 1, (z - plane) * tilt[1] * SCALE]])
        there = cv2.warpAffine(height, shift, height.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
        hit = unhit & (there >= z - 1e-6)
        top = there <= z + most / (steps - 1)
        depth[hit] = np.where(top, there, z)[hit]
        unhit &= ~hit
    return depth


def _horizon(height: Singles, towards: Singles) -> Singles:
    """Least height at each place that is lit from the direction `towards`."""
    flat = float(np.hypot(towards[0], towards[1]))
    horizon = np.full_like(height, -1)
    if flat < 1e-3:
        return horizon
    step = _SHADOW_REACH / _SHADOW_STEPS
    for k in range(1, _SHADOW_STEPS + 1):
        far = (k - 0.5) ** 1.3 * step / _SHADOW_STEPS**0.3
        dx, dy = -far * towards[0] / flat * SCALE / 2, -far * towards[1] / flat * SCALE / 2
        there = cv2.warpAffine(
            height, np.array([[1, 0, dx], [0, 1, dy]]), height.shape[::-1], borderMode=cv2.BORDER_REPLICATE
        )
        horizon = np.maximum(horizon, there - far * towards[2] / flat)
    return horizon


def _normals(field: Field, take, at_x: Singles, at_y: Singles, depth: Singles, wall: Singles) -> Singles:  # noqa: ANN001
    soft = cv2.GaussianBlur(field.height, (0, 0), 0.8)
    dx, dy = (take(cv2.Sobel(soft, cv2.CV_32F, *way, ksize=3, scale=SCALE / 8)) for way in ((1, 0), (0, 1)))
    steep = np.hypot(dx, dy)
    cap = np.minimum(1, 1.5 / np.maximum(steep, 1e-6))
    normal = np.dstack([-dx * cap, -dy * cap, np.ones_like(dx)])
    thick, bevel = take(field.thickness, cv2.INTER_NEAREST), take(field.bevel, cv2.INTER_NEAREST)
    upper = (depth > thick)[..., None] & (take(field.high, cv2.INTER_NEAREST) > -1)
    centre = np.where(upper, take(field.high, cv2.INTER_NEAREST), take(field.low, cv2.INTER_NEAREST))
    out = np.dstack([at_x, at_y]) - centre
    out /= np.maximum(np.linalg.norm(out, axis=2, keepdims=True), 1e-3)
    share = (depth / thick) % 1.0
    bent = np.clip((share - 1 + bevel) / np.maximum(bevel, 1e-3), 0, 1) - np.clip(
        (bevel - share) / np.maximum(bevel, 1e-3), 0, 1
    )
    side = np.dstack([out[..., 0], out[..., 1], bent * 1.2])
    is_piece = centre[..., 0] > -1
    normal = np.where((wall & is_piece)[..., None], side, normal)
    return np.asarray(normal / np.linalg.norm(normal, axis=2, keepdims=True), np.float32)
