"""The contents of a chequered board's cells, from likelihoods and the places of checkers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from companion.core import NEGLIGIBLE_NATS, CellReading
from vision.checkers.layout import LIGHT

if TYPE_CHECKING:
    from companion.core import Content
    from vision.arrays import Bools, Floats


WHITE, BLACK, EMPTY = range(3)
CONTENTS: tuple[Content, Content, Content] = (1, 0), (0, 1), (0, 0)
"""Contents of a cell in the order of `WHITE`, `BLACK` and `EMPTY`."""
_HIDDEN_NATS = 2.0
"""Largest margin (nats) of a cell beside an edge of squares that something hides, such as a man between two squares."""
LIGHT_NATS = 2.0
"""Prior cost of a checker on a light square. Players put one there once in thousands of moves; but a prior as large as
that would make a square certainly empty on which a man is seen: with 8 nats 9 of 24 men set on light squares of
photographs were not seen, with 2 nats each of 25 is seen or in doubt."""


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

    def readings(self) -> tuple[CellReading, ...]:
        """The cells of an `Observation`."""
        return tuple(CellReading.of(dict(zip(CONTENTS, nats.tolist(), strict=True))) for nats in self.nats)


def read_densities(density: Floats, covered: Bools, hidden: Bools) -> Cells:
    """Cells from log densities (CELLS x 3) of White's checker, Black's and none.

    Cells that other checkers cover are empty; those beside `hidden` edges are doubtful; light squares have a prior.
    """
    three = np.where(covered[:, None], [-NEGLIGIBLE_NATS, -NEGLIGIBLE_NATS, 0.0], density)
    nats = three - three.max(axis=1, keepdims=True)
    nats[hidden] = np.maximum(nats[hidden], -_HIDDEN_NATS)
    nats[LIGHT, :EMPTY] -= LIGHT_NATS
    return Cells(nats - nats.max(axis=1, keepdims=True))
