"""Where a face ends: whether its four edges make a square, as those of a die that lies flat do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Singles = NDArray[np.float32]

_FROM, _TO, _STEPS = 0.39, 0.7, 32
"""Where an edge is sought from the face's middle outwards, in sides: past the pips, not as far as the next die."""
_OFFSETS = np.linspace(-0.3, 0.3, 11)
"""Along an edge: off its rounded ends."""
_PLATEAU = 0.85
"""Quantile of what differs along a line that stands for the other colour: it need not go on to the line's end."""
_LEAST = 8.0
"""Grey levels by which the other colour differs for its edge to be found."""
_APART = 0.2
"""Two places of an edge tell its slant where they are so far from each other."""
_OUTWARD = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]], np.float32)


def strain(pixels: Singles, square: tuple[float, float, float, float], colour: Singles) -> float | None:
    """How far a face is from a square: 0.1 is a tenth longer than wide, or a tenth of a radian askew.

    Args:
        pixels: the patch, height x width x 3.
        square: x, y, side (pixels) and angle (radians) of the face.
        colour: of the face.

    Returns:
        None where two or more of its edges are not to be seen.
    """
    x, y, side, turn = square
    cos, sin = np.cos(turn), np.sin(turn)
    out = _OUTWARD @ np.array([[cos, sin], [-sin, cos]], np.float32)
    along = np.column_stack([-out[:, 1], out[:, 0]])
    far = np.linspace(_FROM, _TO, _STEPS)
    places = far[:, None] * out[:, None, None] + _OFFSETS[:, None, None] * along[:, None, None]
    u, v = (np.ascontiguousarray(x0 + side * places[..., axis], np.float32) for axis, x0 in enumerate((x, y)))
    flat = u.reshape(4, -1), v.reshape(4, -1)
    seen = cv2.remap(pixels, *flat, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    away = np.linalg.norm(seen.astype(np.float32) - colour, axis=2).reshape(4, len(_OFFSETS), _STEPS)
    plateau = np.quantile(away, _PLATEAU, axis=2)
    beyond = away > plateau[..., None] / 2
    first = far[beyond.argmax(axis=2)]
    clear = (plateau > _LEAST) & ~beyond[..., 0]
    edges = [_line(first[one][clear[one]], _OFFSETS[clear[one]]) for one in range(4)]
    lines = [edge for edge in edges if edge is not None]
    if len(lines) < len(edges):
        return None
    (right, up, left, down) = lines
    stretch = np.log((right[0] + left[0]) / (up[0] + down[0]))
    askew = (right[1] + left[1] - up[1] - down[1]) / 2
    return float(np.hypot(stretch, askew))


def _line(far: NDArray[np.float64], along: NDArray[np.float64]) -> tuple[float, float] | None:
    """Where an edge is in its middle, and how it slants; None where too little of it is seen."""
    if len(far) < len(_OFFSETS) // 2:
        return None
    run, climb = along[None] - along[:, None], far[None] - far[:, None]
    slopes = climb[run > _APART] / run[run > _APART]
    slope = float(np.median(slopes) if len(slopes) else 0.0)
    return float(np.median(far - slope * along)), slope
