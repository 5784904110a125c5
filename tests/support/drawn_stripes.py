"""A raster of a board of coloured stripes, bare or with checkers, for tests of light and colours."""

from __future__ import annotations

import cv2
import numpy as np

HEIGHT, WIDTH = 237, 281


def striped_board(brightest: int) -> np.ndarray:
    """A board (BGR) of stripes of several colours below a grey level, with grain."""
    chance = np.random.default_rng(3)
    colours = chance.integers(60, brightest, (24, 3))
    board = np.repeat(colours[np.arange(WIDTH) * 24 // WIDTH][None], HEIGHT, axis=0)
    return np.clip(board + chance.normal(0, 2, board.shape), 0, 255).astype(np.uint8)


def with_checkers(picture: np.ndarray, *colours: tuple[int, int, int]) -> np.ndarray:
    """The picture with thirty checkers in these colours (BGR), in turn."""
    checkers = picture.copy()
    chance = np.random.default_rng(4)
    for number in range(30):
        x, y = int(chance.integers(10, WIDTH - 10)), int(chance.integers(10, HEIGHT - 10))
        cv2.circle(checkers, (x, y), 9, colours[number % len(colours)], -1)
    return checkers
