"""Random makes and positions for path-traced boards, and what the pictures of them show."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from training.makes import AROUND, TEXEL
from training.points import POINTS, ROW, random_board

if TYPE_CHECKING:
    from numpy.random import Generator

    from training.points import Board

LEAST_FROM_BOARD, LEAST_BETWEEN_SIDES = 0.06, 0.2
"""Least difference of men from most of the board, and from the other side's, in square roots of the albedo."""
_ALIKE = 0.5
"""Share of boards of which one side's men have nearly the colour of a point."""
_FREE_POINTS, _FULL, _STACKED = 0.3, 0.4, 0.5
"""Shares of points without checkers, of full rows, and of these with a second layer."""


@dataclass
class Look:
    """Ground truth of a later picture. Pixels are those of the middle of a top.

    Attributes:
        rows: owner (0 White, 1 Black) and number of checkers at each place from the edge on, by point.
        places: of each place the point, its index, the owner, the number of checkers, and the pixels (x, y) of the
            lowest checker and of the uppermost one.
        bar: of each checker on the bar its owner and pixel.
        dice: pixels.
    """

    rows: dict[int, tuple[int, list[int]]]
    places: list[tuple[int, int, int, int, float, float, float, float]] = field(default_factory=list)
    bar: list[tuple[int, float, float]] = field(default_factory=list)
    dice: list[tuple[float, float]] = field(default_factory=list)


def any_board(chance: Generator) -> Board:
    """A random make with visible men; in half of them, one side's men have nearly the colour of a point."""
    while True:
        board = random_board(chance)
        if chance.random() < _ALIKE:
            side = int(chance.integers(2))
            x, y = (round((one + AROUND) * TEXEL) for one in board.slot(int(chance.integers(POINTS)), 1))
            ink = board.make.bed[y - 4 : y + 5, x - 4 : x + 5].reshape(-1, 3).mean(axis=0)
            colour = ink * np.exp(chance.normal(0, 0.12)) * np.exp(chance.normal(0, 0.03, 3))
            board.make.men[side].albedo = np.clip(colour, 0.015, 1).astype(np.float32)
        white, black = (np.sqrt(men.albedo) for men in board.make.men)
        if np.abs(white - black).max() > LEAST_BETWEEN_SIDES and is_visible(board):
            return board


def is_visible(board: Board) -> bool:
    """Whether the men of both sides differ from most of the board."""
    make = board.make
    bed = np.sqrt(make.bed[AROUND * TEXEL : -AROUND * TEXEL, AROUND * TEXEL : -AROUND * TEXEL].reshape(-1, 3))
    return all(np.percentile(np.abs(bed - np.sqrt(men.albedo)).max(axis=1), 30) > LEAST_FROM_BOARD for men in make.men)


def random_rows(chance: Generator) -> dict[int, tuple[int, list[int]]]:
    """Rows on most points, many of them full, and many of those with a second layer from the edge on."""
    rows = {}
    for point in range(POINTS):
        if chance.random() < _FREE_POINTS:
            continue
        count = ROW if chance.random() < _FULL else int(chance.integers(1, ROW))
        more = int(chance.choice([1, 1, 2, 3, 4, 5])) if count == ROW and chance.random() < _STACKED else 0
        rows[point] = int(chance.integers(2)), [2 if slot < more else 1 for slot in range(count)]
    return rows
