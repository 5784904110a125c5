"""Places of checkers on the simulated chequered board: the squares, and the rows beside the board; in column widths.

Cell numbers are those of `companion.observation`: row * 8 + column, row 0 at White's edge. Two more cells are the rows
beside the board for captured checkers of White and of Black.
"""

from __future__ import annotations

from companion.model import Side
from companion.observation import CHECKERS_CELLS, Board
from vision.simulated_places import nearest_place
from vision.simulated_view import BOARD_HEIGHT, DIAMETER, FRAME_WIDTH

COLUMNS = 8
SQUARE = BOARD_HEIGHT / COLUMNS
"""A square's side in column widths of the backgammon board, as both boards use the same checkers."""
WHITE_BESIDE, BLACK_BESIDE = CHECKERS_CELLS, CHECKERS_CELLS + 1
CELLS = CHECKERS_CELLS + 2
PIECES_A_SIDE = 12
_BESIDE_ROW = 5


def is_dark(cell: int) -> bool:
    """Whether a square is played on; the corner at White's left is."""
    return (cell // COLUMNS + cell % COLUMNS) % 2 == 0


STARTING_SQUARES: Board = tuple(
    ((1, 0) if cell // COLUMNS < 3 else (0, 1) if cell // COLUMNS > 4 else (0, 0)) if is_dark(cell) else (0, 0)
    for cell in range(CHECKERS_CELLS)
)

PLACES_IN_SQUARES = (1,) * CHECKERS_CELLS + (PIECES_A_SIDE, PIECES_A_SIDE)
"""Number of checkers side by side in each cell before the next lies on top; a king is two stacked checkers."""


def square_at(side: Side, x: float, y: float) -> int:
    """The cell of a checker of `side` with its centre at (x, y)."""
    edge = FRAME_WIDTH / 2
    if not (-edge < x < BOARD_HEIGHT + edge and -edge < y < BOARD_HEIGHT + edge):
        return WHITE_BESIDE if side is Side.WHITE else BLACK_BESIDE
    column, row = (min(max(int(way // SQUARE), 0), COLUMNS - 1) for way in (x, y))
    return row * COLUMNS + column


def square_slot(cell: int, place: int) -> tuple[float, float]:
    """Centre (x, y) of the `place`-th checker (from 0) of `cell`; captured checkers lie at the right, at their side."""
    place %= PLACES_IN_SQUARES[cell]
    if cell < CHECKERS_CELLS:
        return (cell % COLUMNS + 0.5) * SQUARE, (cell // COLUMNS + 0.5) * SQUARE
    x = BOARD_HEIGHT + FRAME_WIDTH + 0.75 + place // _BESIDE_ROW * 1.04
    from_edge = DIAMETER / 2 + 0.1 + place % _BESIDE_ROW * 1.02
    return x, from_edge if cell == WHITE_BESIDE else BOARD_HEIGHT - from_edge


def square_place_at(cell: int, x: float, y: float, layer: int) -> int:
    """The place (from 0, through all layers) of a checker of `cell` at (x, y) on `layer`."""
    return nearest_place(square_slot, cell, PLACES_IN_SQUARES[cell], x, y, layer)
