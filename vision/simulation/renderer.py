"""Render the simulated table: board, checkers and a hand."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import cv2
import numpy as np

from companion.core import Side
from vision.simulation.background import Palette, draw_background, light_at
from vision.simulation.layers import UNIT_CIRCLE, Patch, convex_hull, darken, fill, lay
from vision.simulation.projection import DIAMETER, THICKNESS, SimulatedView

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from vision.arrays import Floats, Picture
    from vision.simulation.boards import SimulatedBoard

    Draw = Callable[[Picture, SimulatedView, "Palette"], None]


_SKIN, _SLEEVE = (118.0, 150.0, 204.0), (116.0, 92.0, 70.0)
_REACH, _HALF_WIDTH = 16.0, 3.2
"""Length of the arm from the fingertips, and half its width, in column widths: it extends past the picture's edge."""
_LIMBS = (
    (((0.55, 0.1), 0.26), ((0.75, 1.6), 0.34), _SKIN),
    (((-0.30, 0.2), 0.24), ((-0.35, 1.9), 0.36), _SKIN),
    (((0.05, -0.1), 0.23), ((0.1, 1.8), 0.36), _SKIN),
    (((0.95, 0.9), 0.24), ((0.8, 2.0), 0.36), _SKIN),
    (((-0.1, 1.7), 0.60), ((0.3, 3.2), 0.85), _SKIN),
    (((0.6, 1.8), 0.55), ((0.5, 3.2), 0.80), _SKIN),
    (((0.4, 3.0), 0.80), ((0.9, 5.6), 0.72), _SKIN),
    (((0.85, 5.3), 1.05), ((2.0, 16.0), 1.35), _SLEEVE),
)
"""Fingers, palm, wrist, sleeve: two ends, each (across, along) with its half width, in column widths, and a colour."""


@lru_cache(maxsize=4)
def hand_sprite(from_below: bool, scale: float) -> tuple[Patch, Patch]:
    """Draw the hand's shadow and the hand, with the fingertips at pixel (0, 0).

    Args:
        from_below: whether the arm comes from the picture's lower edge, else from its upper edge.
        scale: pixels per column width.
    """
    size = (round((_REACH + 1) * scale), round(2 * _HALF_WIDTH * scale), 3)
    colour: Picture = np.zeros(size, np.uint8)
    cover: Picture = np.zeros(size, np.uint8)
    origin = np.array([_HALF_WIDTH * scale, scale])
    for (tip, tip_width), (root, root_width), skin in _LIMBS:
        outline = _limb(np.array(tip), tip_width, np.array(root), root_width)
        fill(cover, outline * scale + origin, (255.0, 255.0, 255.0))
        for shrink, shade in ((1.0, 0.72), (0.8, 0.88), (0.5, 1.0)):
            inner = _limb(np.array(tip), tip_width * shrink, np.array(root), root_width * shrink)
            fill(colour, inner * scale + origin, tuple(shade * channel for channel in skin))
    corner = (-round(origin[0]), -round(origin[1]))
    if not from_below:
        colour, cover = np.ascontiguousarray(colour[::-1, ::-1]), np.ascontiguousarray(cover[::-1, ::-1])
        corner = (corner[0], round(origin[1]) - size[0])
    dark = cv2.convertScaleAbs(cv2.GaussianBlur(cover, (0, 0), 9.0), alpha=0.42)
    return _cut_out(np.zeros_like(colour), dark, corner), _cut_out(_soft(colour), _soft(cover), corner)


def _soft(layer: Picture) -> Picture:
    return cv2.GaussianBlur(layer, (0, 0), 2.0).astype(np.uint8, copy=False)


def _cut_out(colour: Picture, cover: NDArray[Any], corner: tuple[int, int]) -> Patch:
    return Patch(colour, cv2.bitwise_not(cover).astype(np.uint8, copy=False), *corner)


def _limb(tip: Floats, tip_width: float, root: Floats, root_width: float) -> Floats:
    """Outline of a limb with round ends (n x 2)."""
    angle = np.linspace(0, 2 * np.pi, 25)[:-1]
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    return convex_hull(np.vstack([tip + circle * tip_width, root + circle * root_width]))


RADIUS = DIAMETER / 2
SPRITE_SIZE = 192
"""Width and height of a checker's drawn upper face, in pixels."""
SHADOW_SHIFT = (0.30, -0.24)
"""Offset (x, y) of a shadow per height of the object that casts it; the lamp stands at the top left."""
NOISE_BITS = 8
"""Number of random bits counted for each pixel. Sensor noise is the difference of two such binomial counts, with a
standard deviation of 2 grey levels."""
_SHIFTS, _STRIP = 64, 96
"""Each strip of a frame, this many rows high, crops both counts from one larger field, at random offsets up to
`_SHIFTS` pixels along x and y."""
CARRIED_AT = 1.1
"""Height at which a hand carries a checker, in column widths."""


class DrawnChecker(NamedTuple):
    """One checker to draw: its side, centre and the height of its underside (column widths)."""

    side: Side
    x: float
    y: float
    z: float


class Painter:
    """Draws pictures of one set under one camera; caches what does not change. Not thread-safe."""

    def __init__(self, view: SimulatedView, palette: Palette, board: SimulatedBoard, rng: np.random.Generator) -> None:
        self._view = view
        self._rng = rng
        self._piece = board.piece
        self._background = draw_background(view, palette, board.draw, board.area[2] if board.framed else None)
        self._faces = {Side.WHITE: _face(palette.white), Side.BLACK: _face(palette.black)}
        self._edges = {Side.WHITE: palette.white, Side.BLACK: palette.black}
        self._still: Picture | None = None
        self._lying: tuple[DrawnChecker, ...] | None = None
        bits = rng.integers(0, 1 << NOISE_BITS, (_STRIP + _SHIFTS, view.width + _SHIFTS, 3), np.uint8)
        self._grain = np.bitwise_count(bits, out=bits)

    def paint(
        self, lying: Sequence[DrawnChecker], carried: DrawnChecker | None, hand: tuple[float, float, Side] | None
    ) -> Picture:
        """Draw the table with new sensor noise (height x width x 3, uint8, BGR).

        Args:
            lying: the checkers on the table, lower layers first.
            carried: the checker in a hand, or None.
            hand: (x, y) of the fingers and the side whose hand it is, or None.
        """
        if self._still is None or self._lying != tuple(lying):
            self._lying = tuple(lying)
            self._still = self._paint_still(self._lying)
        picture = self._still.copy()
        if carried is not None:
            self._shade(picture, carried)
            self._paint_piece(picture, carried)
        if hand is not None:
            x, y, side = hand
            ((across, down),) = self._view.project([(x, y, CARRIED_AT)])
            shadow, arm = hand_sprite(side is Side.WHITE, self._view.scale)
            lay(picture, shadow.moved(across + 18, down + 16))
            lay(picture, arm.moved(across, down))
        return self._with_noise(picture)

    def _paint_still(self, lying: tuple[DrawnChecker, ...]) -> Picture:
        picture = self._background.copy()
        for level in sorted({disc.z for disc in lying}):
            discs = [disc for disc in lying if disc.z == level]
            for disc in discs:
                self._shade(picture, disc)
            for disc in sorted(discs, key=lambda d: -d.y):
                self._paint_piece(picture, disc)
        return cv2.GaussianBlur(picture, (3, 3), 0.7, dst=picture)  # type: ignore[return-value]

    def _shade(self, picture: Picture, disc: DrawnChecker) -> None:
        """Draw the shadow of a checker on the surface below; that of a higher checker is farther away and softer."""
        piece = self._piece
        ground = max(disc.z - piece.thickness, 0.0) if disc.z < CARRIED_AT else 0.0
        dx, dy = (shift * (disc.z - ground + piece.thickness) for shift in SHADOW_SHIFT)
        shadow = self._view.disc(disc.x + dx, disc.y + dy, ground, piece.diameter / 2 * 1.03)
        darken(picture, shadow, 3.0 * piece.diameter / DIAMETER + 4.0 * (disc.z - ground))

    def _paint_piece(self, picture: Picture, piece: DrawnChecker) -> None:
        (self._paint_cube if self._piece.cube else self._paint_disc)(picture, piece)

    def _paint_cube(self, picture: Picture, cube: DrawnChecker) -> None:
        side, light = self._piece.diameter, light_at(cube.x, cube.y)
        foot = self._view.square(cube.x, cube.y, cube.z, side)
        top = self._view.square(cube.x, cube.y, cube.z + self._piece.thickness, side)
        colour = self._edges[cube.side]
        fill(picture, convex_hull(np.vstack([foot, top])), tuple(channel * light * 0.6 for channel in colour))
        fill(picture, convex_hull(top), tuple(min(255.0, channel * light) for channel in colour))

    def _paint_disc(self, picture: Picture, disc: DrawnChecker) -> None:
        below = UNIT_CIRCLE @ self._view.disc(disc.x, disc.y, disc.z, RADIUS).T
        top = self._view.disc(disc.x, disc.y, disc.z + THICKNESS, RADIUS)
        light = light_at(disc.x, disc.y)
        hull = convex_hull(np.vstack([below, UNIT_CIRCLE @ top.T]))
        fill(picture, hull, tuple(channel * light * 0.55 for channel in self._edges[disc.side]))
        lay(picture, _placed(self._faces[disc.side], top, light))

    def _with_noise(self, picture: Picture) -> Picture:
        for top in range(0, picture.shape[0], _STRIP):
            strip = picture[top : top + _STRIP]
            height, width = strip.shape[:2]
            for mix in (cv2.add, cv2.subtract):
                down, right = self._rng.integers(0, _SHIFTS, 2)
                mix(strip, self._grain[down : down + height, right : right + width], dst=strip)
        return picture


def _face(colour: tuple[int, int, int]) -> tuple[Picture, Picture]:
    """Draw a checker's upper face in the square around the unit disc: premultiplied colours, and transparency."""
    axis = (np.arange(SPRITE_SIZE) + 0.5) / SPRITE_SIZE * 2.2 - 1.1
    x, y = np.meshgrid(axis, axis)
    radius = np.hypot(x, y)
    slope = np.where(radius > 0.8, 1.6 * (radius - 0.8) / 0.2, 0.12 * radius) - 0.5 * np.exp(
        -(((radius - 0.6) / 0.05) ** 2)
    )
    toward_lamp = (-0.62 * x + 0.55 * y) / np.maximum(radius, 1e-6)
    shade = 0.94 + 0.16 * slope * toward_lamp
    from_glint = (x + 0.38) ** 2 + (y - 0.36) ** 2
    glint = 26 * np.exp(-(from_glint / 0.10))
    alpha = np.clip((1.0 - radius) * SPRITE_SIZE / 2.2 + 0.5, 0, 1)[..., None]
    shaded = np.array(colour) * shade[..., None]
    lit = np.clip(shaded + glint[..., None], 0, 255)
    return (lit * alpha).astype(np.uint8), np.repeat((255 * (1 - alpha)).astype(np.uint8), 3, axis=2)


def _placed(face: tuple[Picture, Picture], disc: Floats, light: float) -> Patch:
    """Warp a checker's face to its place: `disc` (2 x 3) maps the unit disc to pixels."""
    reach = np.ceil(np.abs(disc[:, :2]).sum(axis=1) * 1.1).astype(int) + 1
    left, top = np.floor(disc[:, 2]).astype(int) - reach
    size = (int(2 * reach[0] + 2), int(2 * reach[1] + 2))
    step = 2.2 / SPRITE_SIZE
    to_unit = np.array([[step, 0, step / 2 - 1.1], [0, step, step / 2 - 1.1], [0, 0, 1]])
    warp = disc @ to_unit
    warp[:, 2] -= (left, top)
    colour = cv2.warpAffine(face[0], warp, size)
    through = cv2.warpAffine(face[1], warp, size, borderValue=(255, 255, 255))
    return Patch(cv2.convertScaleAbs(colour, alpha=light), through, int(left), int(top))  # type: ignore[arg-type]
