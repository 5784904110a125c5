"""Draws the simulated table as a camera sees it: checkers with thickness and shadow, a hand, sensor noise."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np

from companion.model import Side
from vision.simulated_background import draw_background, light_at
from vision.simulated_hand import hand_sprite
from vision.simulated_layers import UNIT_CIRCLE, Patch, darken, fill, lay
from vision.simulated_view import DIAMETER, THICKNESS, SimulatedView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.camera import Picture
    from vision.simulated_background import Draw, Palette

RADIUS = DIAMETER / 2
SPRITE_SIZE = 192
"""Width and height of a checker's drawn upper face, in pixels."""
SHADOW_SHIFT = (0.30, -0.24)
"""Offset (x, y) of a shadow per height of what casts it; the lamp stands at the top left."""

NOISE_BITS = 8
"""Number of random bits counted for each pixel. Sensor noise is the difference of two such counts: its standard
deviation is 2 grey levels."""
_SHIFTS = 64
"""Each frame cuts both counts out of one larger field, at random offsets of up to this many pixels each way."""

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

    def __init__(
        self, view: SimulatedView, palette: Palette, draw: Draw, width: float, rng: np.random.Generator
    ) -> None:
        """`draw` and `width` as in `draw_background`."""
        self._view = view
        self._rng = rng
        self._background = draw_background(view, palette, draw, width)
        self._faces = {Side.WHITE: _face(palette.white), Side.BLACK: _face(palette.black)}
        self._edges = {Side.WHITE: palette.white, Side.BLACK: palette.black}
        self._still: Picture | None = None
        self._lying: tuple[DrawnChecker, ...] | None = None
        bits = rng.integers(0, 1 << NOISE_BITS, (view.height + _SHIFTS, view.width + _SHIFTS, 3), np.uint8)
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
            self._paint_disc(picture, carried)
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
                self._paint_disc(picture, disc)
        return cv2.GaussianBlur(picture, (3, 3), 0.7, dst=picture)  # type: ignore[return-value]

    def _shade(self, picture: Picture, disc: DrawnChecker) -> None:
        """Draw the shadow of a checker on what lies below; higher checkers cast farther and softer shadows."""
        ground = max(disc.z - THICKNESS, 0.0) if disc.z < CARRIED_AT else 0.0
        dx, dy = (shift * (disc.z - ground + THICKNESS) for shift in SHADOW_SHIFT)
        shadow = self._view.disc(disc.x + dx, disc.y + dy, ground, RADIUS * 1.03)
        darken(picture, shadow, 0.55, 3.0 + 4.0 * (disc.z - ground))

    def _paint_disc(self, picture: Picture, disc: DrawnChecker) -> None:
        below = UNIT_CIRCLE @ self._view.disc(disc.x, disc.y, disc.z, RADIUS).T
        top = self._view.disc(disc.x, disc.y, disc.z + THICKNESS, RADIUS)
        light = light_at(disc.x, disc.y)
        hull = cv2.convexHull(np.vstack([below, UNIT_CIRCLE @ top.T]).astype(np.float32))
        fill(picture, hull.astype(np.float64), tuple(channel * light * 0.55 for channel in self._edges[disc.side]))
        lay(picture, _placed(self._faces[disc.side], top, light))

    def _with_noise(self, picture: Picture) -> Picture:
        height, width = picture.shape[:2]
        for mix in (cv2.add, cv2.subtract):
            down, right = self._rng.integers(0, _SHIFTS, 2)
            mix(picture, self._grain[down : down + height, right : right + width], dst=picture)
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
    glint = 26 * np.exp(-(((x + 0.38) ** 2 + (y - 0.36) ** 2) / 0.10))
    alpha = np.clip((1.0 - radius) * SPRITE_SIZE / 2.2 + 0.5, 0, 1)[..., None]
    lit = np.clip(np.array(colour) * shade[..., None] + glint[..., None], 0, 255)
    return (lit * alpha).astype(np.uint8), np.repeat((255 * (1 - alpha)).astype(np.uint8), 3, axis=2)


def _placed(face: tuple[Picture, Picture], disc: NDArray[np.float64], light: float) -> Patch:
    """Warp a checker's face to its place: `disc` (2 x 3) maps the unit disc to pixels."""
    reach = np.ceil(np.abs(disc[:, :2]).sum(axis=1) * 1.1).astype(int) + 1
    left, top = np.floor(disc[:, 2]).astype(int) - reach
    size = (int(2 * reach[0] + 2), int(2 * reach[1] + 2))
    step = 2.2 / SPRITE_SIZE
    to_unit = np.array([[step, 0, step / 2 - 1.1], [0, step, step / 2 - 1.1], [0, 0, 1]])
    warp = disc @ to_unit
    warp[:, 2] -= (left, top)
    colour = cv2.warpAffine(face[0], warp, size, flags=cv2.INTER_AREA)
    through = cv2.warpAffine(face[1], warp, size, flags=cv2.INTER_AREA, borderValue=(255, 255, 255))
    return Patch(cv2.convertScaleAbs(colour, alpha=light), through, int(left), int(top))  # type: ignore[arg-type]
