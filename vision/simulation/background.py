"""Draws the simulated table without checkers: a lit wooden table, a frame, and points or squares."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.simulation.layers import fill
from vision.simulation.projection import BOARD_HEIGHT, BOARD_WIDTH, FRAME_HEIGHT, FRAME_WIDTH, SimulatedView

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.arrays import Picture, Singles

    Draw = Callable[[Picture, SimulatedView, "Palette"], None]
    """Draws a playing area over a picture of the table."""

Colour = tuple[int, int, int]
Corners = list[tuple[float, float]]

POINT_LENGTH = 4.55
"""Length of a point in column widths."""

_LAMP, _LAMP_SPREAD = (3.0, 9.5), 150.0
"""Place (x, y) under the lamp in column widths, and twice the variance of its light's fall-off, in squared ones."""
_DIMMEST = 0.62
"""Brightness far from the lamp, relative to the brightest place (1)."""
_SEED = 7
"""Fixed seed: the wood and the weave of the felt are always the same."""


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours of a set (B, G, R, 0 to 255); `squares`: of the squares played on, and of the others."""

    white: Colour = (205, 226, 236)
    black: Colour = (58, 46, 44)
    felt: Colour = (128, 152, 134)
    points: tuple[Colour, Colour] = ((72, 118, 178), (94, 104, 66))
    squares: tuple[Colour, Colour] = ((84, 116, 70), (172, 204, 214))
    frame: Colour = (62, 92, 132)
    table: Colour = (118, 132, 144)


def light_at(x: float, y: float) -> float:
    """Brightness of the lamp's light at (x, y) in column widths, at most 1."""
    return _DIMMEST + (1 - _DIMMEST) * exp(-((x - _LAMP[0]) ** 2 + (y - _LAMP[1]) ** 2) / _LAMP_SPREAD)


def draw_background(view: SimulatedView, palette: Palette, draw: Draw, width: float | None) -> Picture:
    """Draw the lit empty table from the camera `view` (height x width x 3, uint8, BGR).

    `draw` draws the playing area; `width`: of the frame's inside, in column widths; None if there is no frame.
    """
    rng = np.random.default_rng(_SEED)
    picture = _wood(view, palette.table, rng)
    if width is not None:
        _draw_frame_shadow(picture, view, width)
    draw(picture, view, palette)
    _light(picture, _lamplight(view), rng)
    if width is not None:
        _draw_rails(picture, view, palette.frame, width)
    return picture


def draw_points(picture: Picture, view: SimulatedView, palette: Palette) -> None:
    """Draw a backgammon board: felt, twenty-four points and the bar."""
    fill_level(picture, view, box(0, 0, BOARD_WIDTH, BOARD_HEIGHT), palette.felt)
    for column in range(12):
        left = column + (column >= 6)
        for at_top in (False, True):
            edge, tip = (BOARD_HEIGHT, BOARD_HEIGHT - POINT_LENGTH) if at_top else (0.0, POINT_LENGTH)
            corners = [(left + 0.06, edge), (left + 0.94, edge), (left + 0.5, tip)]
            fill_level(picture, view, corners, palette.points[(column + at_top) % 2])
    fill_level(picture, view, box(6, 0, 7, BOARD_HEIGHT), palette.frame)


def draw_squares(picture: Picture, view: SimulatedView, palette: Palette) -> None:
    """Draw a chequered board of eight by eight, with a dark square at White's left."""
    side = BOARD_HEIGHT / 8
    for row in range(8):
        for column in range(8):
            x, y = column * side, row * side
            fill_level(picture, view, box(x, y, x + side, y + side), palette.squares[(row + column) % 2])


def _wood(view: SimulatedView, colour: Colour, rng: np.random.Generator) -> Picture:
    """Draw a wooden table top with its grain along the board."""
    grain = np.ones((view.height, view.width), np.float32)
    for rows, columns, depth in ((60, 5, 0.05), (240, 16, 0.035)):
        streaks = rng.normal(0.0, depth, (rows, columns)).astype(np.float32)
        grain += cv2.resize(streaks, (view.width, view.height), interpolation=cv2.INTER_CUBIC)
    return cv2.merge([cv2.convertScaleAbs(grain, alpha=channel) for channel in colour]).astype(np.uint8, copy=False)


def _light(picture: Picture, light: Singles, rng: np.random.Generator) -> None:
    """Multiply the picture by the light (height x width) and a felt-like texture; in strips, to save memory."""
    for top in range(0, picture.shape[0], 60):
        strip = picture[top : top + 60]
        weave = 1 + 0.012 * rng.standard_normal(strip.shape[:2], np.float32)
        strip[:] = np.clip(strip * (light[top : top + 60] * weave)[..., None], 0, 255)


def _lamplight(view: SimulatedView) -> Singles:
    """Brightness of the lamp's light at each pixel (height x width), interpolated from a coarse grid."""
    step = 16
    across, down = np.meshgrid(np.arange(0, view.width, step) + step / 2, np.arange(0, view.height, step) + step / 2)
    seen = np.stack([across.ravel(), down.ravel(), np.ones(across.size)])
    x, y, w = np.linalg.inv(view.plane()) @ seen
    away = (x / w - _LAMP[0]) ** 2 + (y / w - _LAMP[1]) ** 2
    coarse = (_DIMMEST + (1 - _DIMMEST) * np.exp(-away / _LAMP_SPREAD)).reshape(across.shape).astype(np.float32)
    light: Singles = cv2.resize(coarse, (view.width, view.height)).astype(np.float32, copy=False)
    return light


def _draw_frame_shadow(picture: Picture, view: SimulatedView, width: float) -> None:
    shade = np.full(picture.shape[:2], 255, np.uint8)
    right, top = width + FRAME_WIDTH + 0.35, BOARD_HEIGHT + FRAME_WIDTH - 0.2
    fallen = [(-FRAME_WIDTH, -FRAME_WIDTH - 0.3), (right, -FRAME_WIDTH - 0.3), (right, top), (0.0, top)]
    fill(shade, view.project([(*corner, 0.0) for corner in fallen]), (150.0,))
    soft = cv2.GaussianBlur(shade, (0, 0), 9.0)
    cv2.multiply(picture, cv2.cvtColor(soft, cv2.COLOR_GRAY2BGR), dst=picture, scale=1 / 255)


def _draw_rails(picture: Picture, view: SimulatedView, colour: Colour, width: float) -> None:
    """Draw the frame's four rails as raised boxes, the farthest from the camera first."""
    fw, w, h = FRAME_WIDTH, width, BOARD_HEIGHT
    for x0, y0, x1, y1 in ((-fw, h, w + fw, h + fw), (-fw, 0, 0, h), (w, 0, w + fw, h), (-fw, -fw, w + fw, 0)):
        light = light_at((x0 + x1) / 2, (y0 + y1) / 2)
        for (xa, ya), (xb, yb), shade in (
            ((x0, y0), (x0, y1), 0.8),
            ((x1, y0), (x1, y1), 0.6),
            ((x0, y0), (x1, y0), 0.7),
        ):
            wall = [(xa, ya, 0.0), (xb, yb, 0.0), (xb, yb, FRAME_HEIGHT), (xa, ya, FRAME_HEIGHT)]
            fill(picture, view.project(wall), _lit(colour, light * shade))
        fill_level(picture, view, box(x0, y0, x1, y1), _lit(colour, light * 1.12), FRAME_HEIGHT)


def box(x0: float, y0: float, x1: float, y1: float) -> Corners:
    """The corners of a rectangle from (x0, y0) to (x1, y1)."""
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def _lit(colour: Colour, light: float) -> tuple[float, ...]:
    return tuple(min(255.0, channel * light) for channel in colour)


def fill_level(
    picture: Picture, view: SimulatedView, corners: Corners, colour: tuple[float, ...], height: float = 0.0
) -> None:
    """Fill a level polygon `height` above the felt, all in column widths."""
    fill(picture, view.project([(*corner, height) for corner in corners]), colour)
