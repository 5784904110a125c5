"""Geometry of a chequered board and its checkers, fitted to a known position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from companion.core import CHECKERS_CELLS, BoardsideError, quoted_json
from companion.notation import cell_of, parse_fen
from vision.board import INSIDE, CalibrationError, Placed, Places, fit_of
from vision.checkers.locate import START_SQUARES
from vision.comparator import CellGrid
from vision.geometry import CameraPose, project_to_bed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Board, Content
    from vision.arrays import Floats, Singles
    from vision.geometry import Raster


SIDE = 8
"""Squares along an edge."""
CELLS = SIDE * SIDE
"""Squares of the board."""
SQUARE = 1 / SIDE
"""Width of a square in board units."""
KING = 2
"""Count of a cell in a known position that holds a king."""
_DIAMETERS, _THICKNESSES = np.arange(0.56, 1.0, 0.02), np.arange(0.12, 0.46, 0.02)
"""Values tried: diameter over the square's width, and thickness over the diameter."""
_ROUNDS = 3
"""Searches: every second value, then those near the best ones."""
_ALIKE = 0.3
"""Likeness (0 to 1) of bare dark squares to a side's checkers from which the side cannot be used to fit the size. Sides
that stand out have less than 0.05, black checkers on black squares 0.5 or more."""
START: tuple[Content, ...] = tuple(
    ((1, 0) if row < SIDE // 2 else (0, 1)) if taken else (0, 0)
    for row, squares in enumerate(START_SQUARES)
    for taken in squares
)
"""Starting position of checkers by cell: row 0 at White's edge, column 0 at White's left."""


@dataclass(frozen=True, slots=True)
class SquareLayout(Places):
    """Places and sizes on a chequered board, in board units (the playing area is 1 wide and 1 deep).

    Attributes:
        diameter: of a checker, in squares.
        thickness: of a checker, in diameters.
        depth: of the playing area.
    """

    diameter: float = 0.8
    thickness: float = 0.26
    depth: float = 1.0

    @property
    def checker(self) -> float:
        """Diameter of a checker."""
        return self.diameter * SQUARE

    def slot(self, point: int, index: int) -> tuple[float, float]:  # noqa: ARG002  # one checker a square
        """Middle (x, y) of a cell."""
        return (point % SIDE + 0.5) * SQUARE, (point // SIDE + 0.5) * SQUARE


MIDDLES: Floats = np.array([SquareLayout().slot(cell, 0) for cell in range(CELLS)])
"""Middles of all cells (64 x 2) in board units."""
LIGHT = np.array([(cell // SIDE + cell % SIDE) % 2 == 1 for cell in range(CELLS)])
"""Mask of the light squares (64); the corner at White's left is dark."""
GRID = CellGrid(SIDE, SIDE, LIGHT.reshape(SIDE, SIDE))
"""The 64 squares; light ones are bare."""
PLACES = np.array([(cell % SIDE, cell // SIDE) for cell in range(CELLS)], np.float64)
"""Column and row of each square."""


def placed_on(position: Sequence[Content | None]) -> list[Placed]:
    """Checkers of a known position; a known king counts as two."""
    found = []
    for cell, content in enumerate(position):
        white, black = content or (0, 0)
        found += [Placed(cell, index, 0 if white else 1) for index in range(min(white + black, KING))]
    return found


def men(placed: Sequence[Placed]) -> list[Placed]:
    """Checkers that are not part of a king."""
    crowned = {checker.point for checker in placed if checker.index}
    return [checker for checker in placed if checker.point not in crowned]


def fit_squares(
    likeness: tuple[Singles, Singles], bed: Raster, pose: CameraPose, placed: Sequence[Placed]
) -> tuple[SquareLayout, float]:
    """Fit the checkers' size so that the known ones fill exactly the places that look like them; also returns the fit.

    A side that looks like its squares is left out unless both do, because its squares would be measured instead.
    `likeness`: of each pixel of the raster `bed` to White's and to Black's checkers, 0 to 1. The fit is at most 1.
    """
    trials = [SquareLayout(float(d), float(t)) for d in _DIAMETERS[::2] for t in _THICKNESSES[::2]]
    distinct = _distinct_from_squares(likeness, bed, placed) or placed
    for _ in range(_ROUNDS):
        best = max(trials, key=lambda trial: fit_of(trial, likeness, bed, pose, distinct))
        trials = [
            SquareLayout(float(d), float(t))
            for d in _DIAMETERS[np.abs(_DIAMETERS - best.diameter) < 0.05]
            for t in _THICKNESSES[np.abs(_THICKNESSES - best.thickness) < 0.05]
        ]
    return best, fit_of(best, likeness, bed, pose, placed)


def _distinct_from_squares(likeness: tuple[Singles, Singles], bed: Raster, placed: Sequence[Placed]) -> list[Placed]:
    """Checkers of the sides that differ from bare dark squares."""
    bare = ~LIGHT
    bare[[checker.point for checker in placed]] = False
    if not bare.any():
        return list(placed)
    within = bed.sample(likeness, MIDDLES[bare][:, None] + INSIDE * SquareLayout().checker / 2)
    alike = np.median(within.mean(axis=2), axis=1) >= _ALIKE
    return [checker for checker in placed if not alike[checker.owner]]


def lifts(pose: CameraPose, squares: SquareLayout) -> Floats:
    """Apparent shift from a man's top to a king's, in the plane of the men's tops (64 x 2, board units)."""
    tops, _ = project_to_bed(pose, MIDDLES, squares.top)
    crowns, _ = project_to_bed(pose, MIDDLES, 2 * squares.top)
    # Both are projected onto the bed; in the plane of the tops they lie closer together.
    factor = (pose.centre[2] - squares.top) / pose.centre[2]
    return np.asarray((crowns - tops) * factor)


_PIECES: dict[str, Content] = {"w": (1, 0), "b": (0, 1), "W": (KING, 0), "B": (0, KING)}
"""Content of a square by its letter; capitals are kings."""


def checkers_cells(value: object) -> Board:
    """The cells of `{"squares": {"row,col": "w"}}`, kings in capitals, or of `{"fen": …}`.

    Raises CalibrationError quoting the value.
    """
    fields: dict[str, Any] = value if isinstance(value, dict) else {}
    if "fen" in fields and "squares" not in fields:
        return _of_fen(fields)
    cells: list[Content] = [(0, 0)] * CHECKERS_CELLS
    try:
        for name, piece in dict(fields["squares"]).items():
            row, column = map(int, name.split(","))
            if not (0 <= row < SIDE and 0 <= column < SIDE):
                raise ValueError(name)
            cells[row * SIDE + column] = _PIECES[piece]
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise CalibrationError(
            f'position {quoted_json(value)} is not {{"squares": {{"row,col": "w" or "b", …}}}}: '
            "row 0 at White's edge, column 0 at White's left, capitals for kings"
        ) from error
    return tuple(cells)


def _of_fen(fields: dict[str, Any]) -> Board:
    try:
        pieces = parse_fen(str(fields["fen"]))
    except BoardsideError as error:
        raise CalibrationError(f"position {quoted_json(fields)}: {error}") from error
    cells: list[Content] = [(0, 0)] * CHECKERS_CELLS
    for side, squares in enumerate((pieces.white, pieces.black)):
        for square in squares:
            height = KING if square in pieces.kings else 1
            cells[cell_of(square)] = (height, 0) if side == 0 else (0, height)
    return tuple(cells)
