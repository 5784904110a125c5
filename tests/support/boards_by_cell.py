"""Boards of backgammon by the numbers of checkers in some cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import BACKGAMMON_CELLS

if TYPE_CHECKING:
    from companion.core import Board


def board_of(white: dict[int, int], black: dict[int, int]) -> Board:
    """A board with these numbers of checkers by cell."""
    return tuple((white.get(cell, 0), black.get(cell, 0)) for cell in range(BACKGAMMON_CELLS))
