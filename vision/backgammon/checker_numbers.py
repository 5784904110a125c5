"""What follows from the numbers of checkers on the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import CHECKERS, all_home, missing_checkers
from vision.board import BLACK, CERTAIN_NATS, WHITE

if TYPE_CHECKING:
    from companion.core import CellReading


def is_miscounted(
    on_board: tuple[CellReading, ...], borne_off: tuple[CellReading, ...], known: tuple[int, int]
) -> bool:
    """Whether a side for certain has too many checkers, or lacks some that cannot be borne off.

    In a gleam or shadow checkers look like points, and points like checkers. `known`: White's and Black's checkers on
    the board at calibration.
    """
    contents = tuple(cell.best for cell in on_board)
    counts = [[_range(cell, side) for cell in (*on_board, borne_off[side])] for side in (WHITE, BLACK)]
    return any(
        sum(least for least, _ in counts[side]) > CHECKERS
        or (sum(most for _, most in counts[side]) < known[side] and not all_home(contents, side))
        for side in (WHITE, BLACK)
    )


def _range(cell: CellReading, side: int) -> tuple[int, int]:
    """Fewest and most checkers of a side that a cell may hold."""
    numbers = [content[side] for content, nats in cell.likelihoods if nats > -CERTAIN_NATS] or [0]
    return min(numbers), max(numbers)


def bearing_off_unseen(on_board: tuple[CellReading, ...], borne_off: tuple[CellReading, ...]) -> list[int]:
    """The sides that bear off with their borne-off checkers out of view: their number on the board is unknown."""
    contents = tuple(cell.best for cell in on_board)
    return [
        side
        for side in (WHITE, BLACK)
        if not borne_off[side].seen and missing_checkers(contents, side) > 0 and all_home(contents, side)
    ]
