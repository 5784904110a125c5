"""The boards of a simulated table, one for each game: a backgammon board and a chequered board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.model import BoardsideError
from companion.observation import BACKGAMMON_CELLS, Board
from vision.simulated_background import draw_points, draw_squares
from vision.simulated_places import PLACES_A_ROW, cell_at, place_at, slot
from vision.simulated_squares import PLACES_IN_SQUARES, STARTING_SQUARES, square_at, square_place_at, square_slot
from vision.simulated_view import BOARD_HEIGHT, BOARD_WIDTH, SimulatedView

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.model import Side
    from vision.simulated_background import Draw

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
        width: of the playing area, in column widths; the height is the same for all boards.
        rows: number of checkers side by side in each cell; cells after those of `start` are beside the board.
        cell_at: (side, x, y) to the cell of a checker.
        slot: (cell, place) to the centre of that place.
        place_at: (cell, x, y, layer) to the place of a checker.
        draw: draws the playing area.
    """

    start: Board
    view: SimulatedView
    width: float
    rows: tuple[int, ...]
    cell_at: Callable[[Side, float, float], int]
    slot: Callable[[int, int], tuple[float, float]]
    place_at: Callable[[int, float, float, int], int]
    draw: Draw

    def corners(self, view: SimulatedView) -> list[tuple[float, float]]:
        """Pixels of the playing area's corners: bottom left, bottom right, top right, top left as White sits."""
        area = [(0, 0, 0), (self.width, 0, 0), (self.width, BOARD_HEIGHT, 0), (0, BOARD_HEIGHT, 0)]
        return [(float(x), float(y)) for x, y in view.project(area)]


SIMULATED_BOARDS = {
    "backgammon": SimulatedBoard(
        STARTING_BOARD, SimulatedView(), BOARD_WIDTH, PLACES_A_ROW, cell_at, slot, place_at, draw_points
    ),
    "checkers": SimulatedBoard(
        STARTING_SQUARES,
        SimulatedView(target=(6.6, 5.1)),
        BOARD_HEIGHT,
        PLACES_IN_SQUARES,
        square_at,
        square_slot,
        square_place_at,
        draw_squares,
    ),
}


def simulated_board_for(game: str) -> SimulatedBoard:
    """The simulated board of a game. Raises UnknownSimulatedBoardError."""
    if game not in SIMULATED_BOARDS:
        raise UnknownSimulatedBoardError(
            f"no simulated table for {game!r}: there is one for {' and '.join(SIMULATED_BOARDS)}"
        )
    return SIMULATED_BOARDS[game]
