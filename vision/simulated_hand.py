"""Draws a hand with its forearm for the simulated table."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from vision.simulated_layers import Patch, fill

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.camera import Picture

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


def _limb(
    tip: NDArray[np.float64], tip_width: float, root: NDArray[np.float64], root_width: float
) -> NDArray[np.float64]:
    """Outline of a limb with round ends (n x 2)."""
    angle = np.linspace(0, 2 * np.pi, 25)[:-1]
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    both = np.vstack([tip + circle * tip_width, root + circle * root_width]).astype(np.float32)
    return cv2.convexHull(both).reshape(-1, 2).astype(np.float64)
