"""Find men that lie where four squares meet: none of the squares shows more than a quarter of one.

Crossings of four empty squares are compared as squares are: with bare crossings of the known position, and its men.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from companion.core import CellReading
from vision.checkers.layout import LIGHT, SIDE
from vision.checkers.reader import GRID, PLACES
from vision.comparator import BLACK, EMPTY, OTHER, WHITE, ReferenceLook, patches_at

if TYPE_CHECKING:
    from companion.core import Observation
    from vision.checkers.reader import Changes, SquaresReader


_MAN_NATS = -2.0
"""Log-odds of a man to none from which one may lie there. On rendered boards and photographs 1,641 bare crossings had
-4.2 at most, and 380 with a man up to 0.28 squares off -0.1 at least."""
_ROW, _COLUMN = (half.ravel() for half in np.mgrid[: SIDE - 1, : SIDE - 1])
_AROUND = (_ROW * SIDE + _COLUMN)[:, None] + np.array([0, 1, SIDE, SIDE + 1])
"""The four squares (n x 4) around each crossing."""
_PAIRS = np.array([squares[~LIGHT[squares]] for squares in _AROUND])
"""The two dark ones (n x 2)."""
_MIDDLES = np.column_stack([_COLUMN, _ROW]) + 0.5
"""Each crossing (n x 2) as a place; see `PLACES`."""
_KINDS = 2 + (_ROW + _COLUMN) % 2
"""Kind of bed: dark squares meet in one or the other diagonal."""
_EITHER = CellReading.of({(0, 0): 0.0, (1, 0): 0.0, (0, 1): 0.0})
"""Reading of a dark square that a man on its corner may belong to."""


class Crossings:
    """Reads the crossings of one board."""

    def __init__(self, squares: SquaresReader) -> None:
        self._squares = squares
        self._bare = (squares.held[_AROUND] == EMPTY).all(axis=1)
        self._comparable = np.isin(_KINDS, _KINDS[self._bare])

    def doubted(self, seen: Observation, changes: Changes) -> Observation:
        """The reading of all squares, in doubt where a man lies between two dark ones."""
        read = np.array([cell.best != (0, 0) for cell in seen.cells])
        near = ~read[_AROUND].any(axis=1) & changes.changed[_AROUND].any(axis=1) & self._comparable
        crossings = np.flatnonzero(near)
        if not crossings.size:
            return seen
        places = len(PLACES) + crossings
        patches = patches_at(changes.lit, GRID.pixels(_MIDDLES[crossings]))
        logs = self._known.compared(patches, places)
        man = np.logaddexp(logs[:, WHITE], logs[:, BLACK]) - logs[:, EMPTY] > _MAN_NATS
        between = tuple((int(one), int(two)) for one, two in _PAIRS[crossings[man]])
        cells = list(seen.cells)
        for square in {square for pair in between for square in pair}:
            cells[square] = _EITHER
        return replace(seen, cells=tuple(cells), between=between)

    @cached_property
    def _known(self) -> ReferenceLook:
        """The known position's squares and crossings."""
        squares = self._squares
        held = np.concatenate([squares.held, np.where(self._bare, EMPTY, OTHER)])
        places = np.vstack([PLACES, _MIDDLES])
        patches = patches_at(squares.in_light(squares.learned), GRID.pixels(places))
        return ReferenceLook(patches, places, np.concatenate([LIGHT, _KINDS]), held)
