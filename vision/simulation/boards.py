"""The boards a simulated table can have: where checkers lie and how the board is drawn.

Cell numbers are those of `companion.core.observation`. On a chequered board two more cells are the rows beside it for
captured checkers of White and of Black.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from math import hypot
from typing import TYPE_CHECKING

from companion.core import (
    BACKGAMMON_CELLS,
    BLACK_BAR,
    BLACK_OFF,
    CHECKERS_CELLS,
    USUAL_LAYOUT,
    WHITE_BAR,
    WHITE_OFF,
    Board,
    BoardLayout,
    BoardsideError,
    Side,
)
from vision.simulation.background import Palette, draw_points, draw_squares
from vision.simulation.projection import (
    BOARD_HEIGHT,
    BOARD_WIDTH,
    CHECKER,
    DIAMETER,
    FRAME_WIDTH,
    ROW_PITCH,
    Piece,
    SimulatedView,
)
from vision.simulation.tiles import (
    AXIS,
    CUBE,
    DEPTH,
    PLACES_IN_SPACES,
    across,
    draw_tiles,
    space_at,
    space_slot,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.arrays import Picture

    Draw = Callable[[Picture, SimulatedView, "Palette"], None]


MIDDLE = BOARD_HEIGHT / 2

PLACES_A_ROW = tuple(
    {WHITE_BAR: 4, BLACK_BAR: 4, WHITE_OFF: 15, BLACK_OFF: 15}.get(c, 5) for c in range(BACKGAMMON_CELLS)
)
"""Number of checkers in each cell's first layer."""

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
    """Centre (x, y, column widths) of the `place`-th checker (from 0) of `cell`; further layers repeat the places."""
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


COLUMNS = 8

SQUARE = BOARD_HEIGHT / COLUMNS
"""A square's side in column widths of the backgammon board, as both boards use the same checkers."""

WHITE_BESIDE, BLACK_BESIDE = CHECKERS_CELLS, CHECKERS_CELLS + 1

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
"""Number of checkers in each cell's first layer; a king is two stacked checkers."""


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


STARTING_BOARD: Board = tuple(
    {0: (0, 2), 5: (5, 0), 7: (3, 0), 11: (0, 5), 12: (5, 0), 16: (0, 3), 18: (0, 5), 23: (2, 0)}.get(cell, (0, 0))
    for cell in range(BACKGAMMON_CELLS)
)


class UnknownSimulatedBoardError(BoardsideError):
    """There is no simulated board for this game."""


@dataclass(frozen=True)
class SimulatedBoard:
    """A board of the simulated table: how it is drawn, and where its cells are.

    Attributes:
        start: content of each cell at the start of a game, for the cells of an observation.
        view: the camera.
        area: of play, in column widths: left, bottom, right, top as White sits.
        rows: number of pieces in the first layer of each cell; cells after those of `start` are beside the board.
        cell_at: (side, x, y) to the cell of a piece.
        slot: (cell, place) to the centre of that place.
        draw: draws the playing area.
        piece: what is played with.
        framed: whether a frame lies around the playing area.
    """

    start: Board
    view: SimulatedView
    area: tuple[float, float, float, float]
    rows: tuple[int, ...]
    cell_at: Callable[[Side, float, float], int]
    slot: Callable[[int, int], tuple[float, float]]
    draw: Draw
    piece: Piece = CHECKER
    framed: bool = True

    def corners(self, view: SimulatedView) -> list[tuple[float, float]]:
        """Pixels of the playing area's corners: bottom left, bottom right, top right, top left as White sits."""
        left, bottom, right, top = self.area
        area = [(left, bottom, 0), (right, bottom, 0), (right, top, 0), (left, top, 0)]
        return [(float(x), float(y)) for x, y in view.project(area)]

    def place_at(self, cell: int, x: float, y: float, layer: int) -> int:
        """The place (from 0, through all layers) of a piece of `cell` at (x, y) on `layer`."""
        row, centres = self.rows[cell], partial(self.slot, cell)
        return layer * row + min(range(row), key=lambda place: hypot(x - centres(place)[0], y - centres(place)[1]))


def mirrored_points(board: SimulatedBoard) -> SimulatedBoard:
    """A framed board with White's home on the left: everything is mirrored, borne-off checkers too."""
    (left, _, right, _), (target_x, target_y) = board.area, board.view.target

    def opposite(x: float) -> float:
        return left + right - x

    def mirrored_slot(cell: int, place: int) -> tuple[float, float]:
        x, y = board.slot(cell, place)
        return opposite(x), y

    return replace(
        board,
        view=replace(board.view, target=(opposite(target_x), target_y)),
        cell_at=lambda side, x, y: board.cell_at(side, opposite(x), y),
        slot=mirrored_slot,
    )


def mirrored_tiles(board: SimulatedBoard) -> SimulatedBoard:
    """Tiles with White's home on the left; cubes beside the line keep their usual places."""
    return replace(
        board,
        cell_at=lambda side, x, y: across(board.cell_at(side, x, y)),
        slot=lambda cell, place: board.slot(across(cell), place),
    )


FRAMED_BOARD = SimulatedBoard(
    STARTING_BOARD, SimulatedView(), (0.0, 0.0, BOARD_WIDTH, BOARD_HEIGHT), PLACES_A_ROW, cell_at, slot, draw_points
)
SQUARES = SimulatedBoard(
    STARTING_SQUARES,
    SimulatedView(target=(6.6, 5.1)),
    (0.0, 0.0, BOARD_HEIGHT, BOARD_HEIGHT),
    PLACES_IN_SQUARES,
    square_at,
    square_slot,
    draw_squares,
)
LINE_OF_TILES = SimulatedBoard(
    STARTING_BOARD,
    SimulatedView(target=(6.6, 5.1)),
    (0.0, AXIS - DEPTH / 2, BOARD_WIDTH, AXIS + DEPTH / 2),
    PLACES_IN_SPACES,
    space_at,
    space_slot,
    draw_tiles,
    CUBE,
    framed=False,
)
SIMULATED_BOARDS = {
    ("points", False): FRAMED_BOARD,
    ("points", True): mirrored_points(FRAMED_BOARD),
    ("tiles", False): LINE_OF_TILES,
    ("tiles", True): mirrored_tiles(LINE_OF_TILES),
    ("squares", False): SQUARES,
}
"""By kind of board and whether White's home is on the left."""
GAMES = ("backgammon", "checkers")


def simulated_board_for(game: str, layout: BoardLayout = USUAL_LAYOUT) -> SimulatedBoard:
    """The simulated board of a game. Raises UnknownSimulatedBoardError."""
    if game not in GAMES:
        raise UnknownSimulatedBoardError(f"no simulated table for {game!r}: there is one for {' and '.join(GAMES)}")
    return SIMULATED_BOARDS[layout.kind(game), layout.mirrored and game != "checkers"]
