"""What follows from checkers that are missing from the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import all_home, missing_checkers
from vision.board import BLACK, CERTAIN_NATS, WHITE

if TYPE_CHECKING:
    from companion.core import CellReading


def lacks_checkers(
    on_board: tuple[CellReading, ...], borne_off: tuple[CellReading, ...], known: tuple[int, int]
) -> bool:
    """Whether a side for certain lacks checkers that cannot be borne off: in a gleam or shadow they look like points.

    `known`: White's and Black's checkers on the board at calibration.
    """
    contents = tuple(cell.best for cell in on_board)
    return any(
        known[side] > sum(_most(cell, side) for cell in (*on_board, borne_off[side]))
        for side in (WHITE, BLACK)
        if not all_home(contents, side)
    )


def _most(cell: CellReading, side: int) -> int:
    """Most checkers of a side that a cell may hold."""
    return max((content[side] for content, nats in cell.likelihoods if nats > -CERTAIN_NATS), default=0)


def bearing_off_unseen(on_board: tuple[CellReading, ...], borne_off: tuple[CellReading, ...]) -> list[int]:
    """The sides that bear off with their borne-off checkers out of view: their number on the board is unknown."""
    contents = tuple(cell.best for cell in on_board)
    return [
        side
        for side in (WHITE, BLACK)
        if not borne_off[side].seen and missing_checkers(contents, side) > 0 and all_home(contents, side)
    ]
