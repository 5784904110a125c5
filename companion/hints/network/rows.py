"""Positions as rows of counts, for numpy: many at once.

A row has 52 counts: 26 of the player on roll, then 26 of the opponent, each in their own numbers: 0 off, 1 to 24 the
points, 25 the bar. The opponent's checkers on the roller's point p are at 51 - p.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from companion.core import CHECKERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Side
    from companion.rules import BackgammonPosition

HALF = 26
"""Counts of one player."""
BAR = 25
CELLS = 2 * HALF
Rows = npt.NDArray[np.int8]
"""Shape (positions, CELLS)."""


def rows_of(positions: Sequence[BackgammonPosition], on_roll: Side) -> Rows:
    """The rows of positions with `on_roll` to roll."""
    halves = b"".join(p.view(on_roll)[:HALF] + p.view(on_roll.opponent)[:HALF] for p in positions)
    return np.frombuffer(halves, np.int8).reshape(-1, CELLS).copy()


def turned(rows: Rows) -> Rows:
    """The same positions with the other player to roll."""
    return np.concatenate((rows[:, HALF:], rows[:, :HALF]), axis=1)


def hindmost(counts: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    """The highest occupied number, 0 with all off; `counts` have the numbers first: shape (HALF, ...)."""
    occupied = counts[:0:-1] > 0
    return np.where(occupied.any(axis=0), BAR - occupied.argmax(axis=0), 0)


def in_contact(rows: Rows) -> npt.NDArray[np.bool_]:
    """Whether the players still have to pass each other, for each row."""
    return np.asarray(hindmost(rows.reshape(-1, 2, HALF).transpose(2, 1, 0)).sum(axis=0) > BAR - 1)


def is_over(rows: Rows) -> npt.NDArray[np.bool_]:
    """Whether a player has borne off everything, for each row."""
    return np.asarray((rows[:, 0] == CHECKERS) | (rows[:, HALF] == CHECKERS))
