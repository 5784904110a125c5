"""Find men that lie where four squares meet: none of the squares shows more than a quarter of one.

Crossings of four empty squares are compared as squares are: with bare crossings of the known position, and its men.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from companion.core import CellReading
from vision.checkers.layout import GRID, LIGHT, PLACES, SIDE
from vision.comparator import BLACK, CELL_PX, EMPTY, OTHER, PATCH_PX, WHITE, ReferenceLook, patches_at

if TYPE_CHECKING:
    from companion.core import Observation
    from vision.arrays import Bools, Ints, Picture, Singles
    from vision.checkers.reader import Changes, SquaresReader


_MAN_NATS = -2.0
"""Log-odds (nats) of a man to none from which one may lie there. On rendered boards and photographs 1,655 bare
crossings had -3.1 at most, and of 384 with a man up to 0.28 squares off 382 more than 0."""
_ROW, _COLUMN = (half.ravel() for half in np.mgrid[: SIDE - 1, : SIDE - 1])
_AROUND = (_ROW * SIDE + _COLUMN)[:, None] + np.array([0, 1, SIDE, SIDE + 1])
"""The four squares (n x 4) around each crossing."""
_PAIRS = np.array([squares[~LIGHT[squares]] for squares in _AROUND])
"""The two dark ones (n x 2)."""
_MIDDLES = np.column_stack([_COLUMN, _ROW]) + 0.5
"""Each crossing (n x 2) as a place; see `PLACES`."""
_KINDS = (_ROW + _COLUMN) % 2
"""Kind of each crossing: dark squares meet in one or the other diagonal."""
_MIDDLE = slice(PATCH_PX // 2 - CELL_PX // 4, PATCH_PX // 2 + CELL_PX // 4)
_MAN_SHARE = 0.5
"""Crossings that differ from bare ones by less than this share of what a man changes are bare. Of 1,641 bare
ones 98 % differ by less, at most by 0.76; those with a man differ by 0.70 and more."""
_EITHER = CellReading.of({(0, 0): 0.0, (1, 0): 0.0, (0, 1): 0.0})
"""Reading of a dark square that a man on its corner may belong to."""


class Crossings:
    """Reads the crossings of one board."""

    def __init__(self, squares: SquaresReader) -> None:
        self._squares = squares
        self._bare = (squares.held[_AROUND] == EMPTY).all(axis=1)
        self._comparable = np.isin(_KINDS, _KINDS[self._bare])

    def with_doubts(self, seen: Observation, changes: Changes) -> Observation:
        """Copy of an observation of all squares, in doubt where a man seems to lie between two dark ones."""
        read = np.array([cell.best != (0, 0) for cell in seen.cells])
        near = ~read[_AROUND].any(axis=1) & changes.changed[_AROUND].any(axis=1) & self._comparable
        crossings = np.flatnonzero(near)
        if not crossings.size:
            return seen
        patches = patches_at(changes.lit, GRID.pixels(_MIDDLES[crossings]))
        differs = self._differs(patches, _KINDS[crossings])
        crossings, patches = crossings[differs], patches[differs]
        if not crossings.size:
            return seen
        logs = self._known.compared(patches, len(PLACES) + crossings)
        man = np.logaddexp(logs[:, WHITE], logs[:, BLACK]) - logs[:, EMPTY] > _MAN_NATS
        between = tuple((int(one), int(two)) for one, two in _PAIRS[crossings[man]])
        cells = list(seen.cells)
        for square in {square for pair in between for square in pair}:
            cells[square] = _EITHER
        return replace(seen, cells=tuple(cells), between=between)

    def _differs(self, patches: Picture, kinds: Ints) -> Bools:
        """Mask of the crossings that differ from bare ones of their kind by a good part of what a man changes."""
        bare, contrast = self._looks
        return np.asarray(np.abs(_middles(patches) - bare[kinds]).mean(axis=1) > _MAN_SHARE * contrast[kinds])

    @cached_property
    def _looks(self) -> tuple[Singles, Singles]:
        """The bare crossings' middle, by kind, and how much a man of the side that is more like it changes it."""
        known = self._known_patches
        crossings, squares = _middles(known[len(PLACES) :]), _middles(known[: len(PLACES)])
        men = [squares[self._squares.held == side].mean(axis=0) for side in (WHITE, BLACK)]
        bare, contrast = np.zeros((2, crossings.shape[1]), np.float32), np.zeros(2, np.float32)
        for kind in np.unique(_KINDS[self._bare]):
            bare[kind] = crossings[self._bare & (kind == _KINDS)].mean(axis=0)
            contrast[kind] = min(np.abs(man - bare[kind]).mean() for man in men)
        return bare, contrast

    @cached_property
    def _known_patches(self) -> Picture:
        """Patches of the known position's squares and crossings."""
        squares = self._squares
        return patches_at(squares.in_light(squares.learned), GRID.pixels(np.vstack([PLACES, _MIDDLES])))

    @cached_property
    def _known(self) -> ReferenceLook:
        """The known position's squares and crossings."""
        held = np.concatenate([self._squares.held, np.where(self._bare, EMPTY, OTHER)])
        kinds = np.concatenate([LIGHT, 2 + _KINDS])
        return ReferenceLook(self._known_patches, np.vstack([PLACES, _MIDDLES]), kinds, held)


def _middles(patches: Picture) -> Singles:
    """The middle of each patch (n x values), in which a man on a crossing shows little else."""
    return patches[:, _MIDDLE, _MIDDLE].reshape(len(patches), -1).astype(np.float32)
