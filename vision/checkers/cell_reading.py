"""The contents of a chequered board's cells, from likelihoods and the places of checkers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from companion.core import NEGLIGIBLE_NATS, CellReading
from vision.board import CERTAIN_NATS
from vision.checkers.cell_search import REACH
from vision.checkers.layout import LIGHT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.core import Content
    from vision.checkers.cell_search import CellCandidates

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

WHITE, BLACK, EMPTY = range(3)
CONTENTS: tuple[Content, Content, Content] = (1, 0), (0, 1), (0, 0)
"""Contents of a cell in the order of `WHITE`, `BLACK` and `EMPTY`."""
_KING_NATS = 0.7
"""Prior cost of a king: kings are fewer than men."""
_FOREIGN_NATS = 2.0
"""Largest margin (nats) of a cell that holds something else, and of one whose checker lies between two squares."""
_CARELESS, _EITHER_NATS = 0.2, 3.0
"""Standard deviation of checkers' places, in squares; and the lead (nats) of man over king or king over man below which
both are considered."""
LIGHT_NATS = 8.0
"""Prior cost of a checker on a light square: a player puts one there once in thousands of moves, and pale checkers can
hardly be told from pale squares. A clearly seen one leads by thirty."""


@dataclass(frozen=True, slots=True)
class Cells:
    """Contents read from the cells.

    Attributes:
        nats: 64 x 3, log-likelihood of White's, Black's and none, the greatest 0.
    """

    nats: Floats

    @property
    def margins(self) -> Floats:
        """Lead (nats) of each cell's likeliest content."""
        return np.asarray(-np.sort(self.nats, axis=1)[:, -2])

    @property
    def sure(self) -> bool:
        """Whether no cell is doubtful."""
        return bool((self.margins >= CERTAIN_NATS).all())

    def readings(self) -> tuple[CellReading, ...]:
        """The cells of an `Observation`."""
        return tuple(CellReading.of(dict(zip(CONTENTS, nats.tolist(), strict=True))) for nats in self.nats)


def read_densities(density: Floats, found: CellCandidates, foreign: Bools) -> Cells:
    """Cells from log densities (CELLS x 3) of White's checker, Black's and none.

    Foreign cells and both cells of a checker between them are doubtful; light squares have a prior.
    """
    three = np.where(found.covered[:, None], [-NEGLIGIBLE_NATS, -NEGLIGIBLE_NATS, 0.0], density)
    nats = three - three.max(axis=1, keepdims=True)
    nats[foreign] = np.maximum(nats[foreign], -_FOREIGN_NATS)
    nats[LIGHT, :EMPTY] -= LIGHT_NATS
    nats -= nats.max(axis=1, keepdims=True)
    _doubt_strays(nats, found)
    return Cells(nats)


def _doubt_strays(nats: Floats, found: CellCandidates) -> None:
    """Let a checker between two squares belong to either; its distance depends on whether it is a man or a king."""
    man = -((found.as_man / _CARELESS) ** 2) / 2
    king = -((found.as_king / _CARELESS) ** 2) / 2 - _KING_NATS
    off = (man > king - _EITHER_NATS) & (found.as_man > REACH)
    off |= (king > man - _EITHER_NATS) & (found.as_king > REACH)
    off &= found.near != np.arange(len(nats))
    for cell in np.flatnonzero(off & (nats.argmax(axis=1) != EMPTY)):
        owner = int(nats[cell].argmax())
        nats[cell, EMPTY] = max(nats[cell, EMPTY], -_FOREIGN_NATS)
        other = nats[int(found.near[cell])]
        other[owner] = max(other[owner], -_FOREIGN_NATS)
