"""Places of checkers on the simulated backgammon board: points, bar, and beside the board; in column widths."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from companion.model import Side
from companion.observation import BACKGAMMON_CELLS, BLACK_BAR, BLACK_OFF, WHITE_BAR, WHITE_OFF
from vision.simulated_view import BOARD_HEIGHT, BOARD_WIDTH, DIAMETER, FRAME_WIDTH, ROW_PITCH

if TYPE_CHECKING:
    from collections.abc import Callable

MIDDLE = BOARD_HEIGHT / 2

PLACES_A_ROW = tuple(
    {WHITE_BAR: 4, BLACK_BAR: 4, WHITE_OFF: 15, BLACK_OFF: 15}.get(c, 5) for c in range(BACKGAMMON_CELLS)
)
"""Number of checkers side by side in each cell before the next lies on top of the first."""

_OFF_ROW = 5
"""Borne-off checkers in a row along y."""


def cell_at(side: Side, x: float, y: float) -> int:
    """The cell of a checker of `side` with its centre at (x, y)."""
    at_top = y > MIDDLE
    if not (-FRAME_WIDTH / 2 < x < BOARD_WIDTH + FRAME_WIDTH / 2 and -FRAME_WIDTH < y < BOARD_HEIGHT + FRAME_WIDTH):
        return WHITE_OFF if side is Side.WHITE else BLACK_OFF
    if 6 <= x < 7:
        return WHITE_BAR if side is Side.WHITE else BLACK_BAR
    column = min(max(int(x if x < 6 else x - 1), 0), 11)
    return 12 + column if at_top else 11 - column


def slot(cell: int, place: int) -> tuple[float, float]:
    """Centre (x, y) of the `place`-th checker (from 0) of `cell`; after a full row the places repeat."""
    place %= PLACES_A_ROW[cell]
    if cell in (WHITE_BAR, BLACK_BAR):
        away = (place + 0.5) * ROW_PITCH
        return 6.5, MIDDLE + away if cell == WHITE_BAR else MIDDLE - away
    if cell in (WHITE_OFF, BLACK_OFF):
        x = BOARD_WIDTH + FRAME_WIDTH + 0.75 + place // _OFF_ROW * 1.04
        from_edge = DIAMETER / 2 + 0.1 + place % _OFF_ROW * 1.02
        return x, from_edge if cell == WHITE_OFF else BOARD_HEIGHT - from_edge
    column = cell - 12 if cell >= 12 else 11 - cell
    from_edge = DIAMETER / 2 + place * ROW_PITCH
    return column + 0.5 + (column >= 6), BOARD_HEIGHT - from_edge if cell >= 12 else from_edge


def place_at(cell: int, x: float, y: float, layer: int) -> int:
    """The place (from 0, through all layers) of a checker of `cell` at (x, y) on `layer`."""
    return nearest_place(slot, cell, PLACES_A_ROW[cell], x, y, layer)


def nearest_place(
    slot: Callable[[int, int], tuple[float, float]], cell: int, row: int, x: float, y: float, layer: int
) -> int:
    """The place of `cell` nearest to (x, y) on `layer`; `row` is the number of places per layer."""
    return layer * row + min(range(row), key=lambda place: hypot(x - slot(cell, place)[0], y - slot(cell, place)[1]))
