"""The board of tiles on the simulated table: twelve tiles in a line, spaces on both sides, and cubes in two files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import BACKGAMMON_CELLS, BLACK_BAR, BLACK_OFF, WHITE_BAR, WHITE_OFF, Side
from vision.simulation.background import box, fill_level
from vision.simulation.layers import convex_hull, fill
from vision.simulation.projection import BOARD_HEIGHT, BOARD_WIDTH, Piece

if TYPE_CHECKING:
    from vision.arrays import Picture
    from vision.simulation.background import Palette
    from vision.simulation.projection import SimulatedView

COLUMNS = 12
TILE = BOARD_WIDTH / COLUMNS
"""Side of a tile in column widths of the framed board."""
DEPTH = 5 * TILE
"""Depth of the playing area: two tiles of table on each side of the line."""
AXIS = BOARD_HEIGHT / 2
"""The y of the line's middle."""
HEIGHT = 0.12 * TILE
"""Thickness of a tile."""
_GAP = 0.012 * TILE
CUBE = Piece(0.3 * TILE, 0.3 * TILE, cube=True)
_FILES = 2
_APART, _FROM_TILE, _STEP = 0.6 * CUBE.diameter, 0.9 * CUBE.diameter, 1.2 * CUBE.diameter
"""From a space's middle to a file of cubes, from the tile to the first pair, and from one pair to the next."""
PLACES_IN_SPACES = tuple(
    {WHITE_BAR: 6, BLACK_BAR: 6, WHITE_OFF: 15, BLACK_OFF: 15}.get(cell, 12) for cell in range(BACKGAMMON_CELLS)
)
"""Number of cubes in each cell's first layer."""
_OFF_ROW = 5


def space_at(side: Side, x: float, y: float) -> int:
    """The cell of a cube of `side` at (x, y): hit cubes wait beyond the right end, borne-off ones beyond the left."""
    if x > BOARD_WIDTH + 0.1 * TILE:
        return WHITE_BAR if side is Side.WHITE else BLACK_BAR
    if x < -0.1 * TILE:
        return WHITE_OFF if side is Side.WHITE else BLACK_OFF
    column = min(max(int(x // TILE), 0), COLUMNS - 1)
    return COLUMNS + column if y > AXIS else COLUMNS - 1 - column


def space_slot(cell: int, place: int) -> tuple[float, float]:
    """Centre (x, y, column widths) of the `place`-th cube (from 0) of `cell`; further layers repeat the places."""
    place %= PLACES_IN_SPACES[cell]
    if cell in (WHITE_OFF, BLACK_OFF):
        column, row = divmod(place, _OFF_ROW)
        away = TILE / 2 + (0.5 + row) * _STEP
        return -0.6 * TILE - column * _STEP, AXIS - away if cell == WHITE_OFF else AXIS + away
    pair, file = divmod(place, _FILES)
    if cell in (WHITE_BAR, BLACK_BAR):  # White's wait on Black's side
        away = 0.5 * TILE + pair * _STEP
        return BOARD_WIDTH + 0.55 * TILE + file * _STEP, AXIS + away if cell == WHITE_BAR else AXIS - away
    column = cell - COLUMNS if cell >= COLUMNS else COLUMNS - 1 - cell
    away = TILE / 2 + _FROM_TILE + pair * _STEP
    x = (column + 0.5) * TILE + (2 * file - 1) * _APART
    return x, AXIS + away if cell >= COLUMNS else AXIS - away


def across(cell: int) -> int:
    """The space at the same place of a mirrored line; cubes beside it keep their usual places."""
    return cell if cell >= 2 * COLUMNS else (COLUMNS if cell < COLUMNS else 3 * COLUMNS) - 1 - cell


def draw_tiles(picture: Picture, view: SimulatedView, palette: Palette) -> None:
    """Draw the line of tiles: raised squares of two colours in turn."""
    for column in range(COLUMNS):
        colour = palette.points[column % 2]
        x0, x1 = column * TILE + _GAP, (column + 1) * TILE - _GAP
        square = box(x0, AXIS - TILE / 2 + _GAP, x1, AXIS + TILE / 2 - _GAP)
        raised = view.project([(*corner, z) for corner in square for z in (0.0, HEIGHT)])
        fill(picture, convex_hull(raised), tuple(0.55 * channel for channel in colour))
        fill_level(picture, view, square, colour, HEIGHT)
