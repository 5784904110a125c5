"""A chequered board drawn for tests, from straight above: black checkers on black squares, lamps, shadows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.checkers.layout import CELLS, LIGHT, SIDE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from companion.core import Content

    Picture = NDArray[np.uint8]
    Singles = NDArray[np.float32]

SQUARE_PX, MARGIN_PX = 64, 60
SIZE = SIDE * SQUARE_PX + 2 * MARGIN_PX
LIGHT_SQUARE, DARK_SQUARE, FRAME = (150, 200, 215), (38, 33, 30), (110, 140, 170)
WHITE_PIECE, BLACK_PIECE = (165, 195, 205), (36, 36, 42)
_FINE = 2

CORNERS = np.array(
    [
        [MARGIN_PX, SIZE - MARGIN_PX],
        [SIZE - MARGIN_PX, SIZE - MARGIN_PX],
        [SIZE - MARGIN_PX, MARGIN_PX],
        [MARGIN_PX] * 2,
    ],
    np.float64,
)
"""Bottom-left, bottom-right, top-right, top-left of the squares."""


def drawn(board: Sequence[Content | None], seed: int = 1, light: Singles | None = None) -> Picture:
    """The board with those contents, men a little off their middles, under a light that may differ over it.

    Args:
        board: what lies on each cell.
        seed: of where men stand and of the sensor's noise.
        light: SIZE x SIZE shares of light; what is above 1 mirrors a lamp.
    """
    chance = np.random.default_rng(seed)
    picture = np.full((SIZE * _FINE, SIZE * _FINE, 3), FRAME, np.float32)
    for cell in range(CELLS):
        left, top = _corner(cell)
        colour = LIGHT_SQUARE if LIGHT[cell] else DARK_SQUARE
        picture[top : top + SQUARE_PX * _FINE, left : left + SQUARE_PX * _FINE] = colour
    for cell, content in enumerate(board):
        if content and any(content):
            off = np.clip(chance.normal(0, 0.05, 2), -0.1, 0.1) + 0.5
            _set(picture, _corner(cell) + off * SQUARE_PX * _FINE, WHITE_PIECE if content[0] else BLACK_PIECE)
    small = cv2.resize(picture, (SIZE, SIZE), interpolation=cv2.INTER_AREA)
    if light is not None:
        small = small * np.minimum(light, 1)[..., None] + 120 * np.maximum(light - 1, 0)[..., None]
    noisy = cv2.GaussianBlur(small, (0, 0), 0.7) + chance.normal(0, 1.5, small.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def _corner(cell: int) -> NDArray[np.intp]:
    row, column = divmod(cell, SIDE)
    return (np.array([column, SIDE - 1 - row]) * SQUARE_PX + MARGIN_PX) * _FINE


def _set(picture: Singles, middle: NDArray[np.float64], colour: tuple[int, int, int]) -> None:
    """A disc with a bevelled rim, lit from the upper left."""
    radius = 0.39 * SQUARE_PX * _FINE
    x, y = np.rint(middle).astype(int).tolist()
    cv2.circle(picture, (x, y), round(radius), tuple(0.8 * value for value in colour), -1, cv2.LINE_AA)
    cv2.ellipse(picture, (x, y), (round(radius) - 2,) * 2, 0, 150, 300, tuple(1.25 * v for v in colour), 4, cv2.LINE_AA)
    cv2.circle(picture, (x, y), round(radius * 0.93), colour, -1, cv2.LINE_AA)
