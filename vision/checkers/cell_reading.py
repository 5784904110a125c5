"""Read the cells of a chequered board by colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.core import NEGLIGIBLE_NATS, CellReading
from vision.board import CERTAIN_NATS, Figures
from vision.checkers.cell_search import REACH
from vision.checkers.layout import CELLS, LIGHT, SIDE
from vision.checkers.likelihood import BESIDE, BLACK, BLACK_KING, EMPTY, WHITE, WHITE_KING

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.core import Content
    from vision.checkers.cell_search import CellCandidates, Reach
    from vision.checkers.likelihood import CellModel
    from vision.imaging import PixelEvidence

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

CONTENTS: tuple[Content, Content, Content] = (1, 0), (0, 1), (0, 0)
"""Contents of a cell in the order of `WHITE`, `BLACK` and `EMPTY`."""
_KING_NATS = 0.7
"""Prior cost of a king: kings are fewer than men."""
_STRANGER_SPREADS = 60.0
"""Squared Mahalanobis distance (twelve features) above which a cell holds neither a checker nor empty board, as for the
rows of backgammon."""
_FOREIGN_NATS = 2.0
"""Largest margin (nats) of such a cell, and of one whose checker lies between two squares."""
_BESIDE_NEXT, _BESIDE_ALONE = 0.7, 6.0
"""Cost of an empty cell that looks shaded by a checker: with a checker beside it, and without."""
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
        foreign: mask of the cells that hold something else.
        found: places of their checkers.
    """

    nats: Floats
    foreign: Bools
    found: CellCandidates

    @property
    def taken(self) -> Bools:
        """Mask of the cells that most likely hold a checker."""
        return np.asarray((self.nats.argmax(axis=1) != EMPTY) & ~self.foreign)

    @property
    def margins(self) -> Floats:
        """Lead (nats) of each cell's likeliest content."""
        return np.asarray(-np.sort(self.nats, axis=1)[:, -2])

    @property
    def sure(self) -> bool:
        """Whether no cell is doubtful."""
        return bool((self.margins >= CERTAIN_NATS).all())

    def doubting(self, other: Cells, from_nats: float = CERTAIN_NATS) -> Cells:
        """Copy that is doubtful where another reading differs with at least this margin."""
        at_odds = (self.nats.argmax(axis=1) != other.nats.argmax(axis=1)) & (other.margins >= from_nats)
        nats = self.nats.copy()
        nats[at_odds] = np.maximum(nats[at_odds], -_FOREIGN_NATS)
        return Cells(nats, self.foreign, self.found)

    def readings(self) -> tuple[CellReading, ...]:
        """The cells of an `Observation`."""
        return tuple(CellReading.of(dict(zip(CONTENTS, nats.tolist(), strict=True))) for nats in self.nats)


def read_cells(evidence: PixelEvidence, reach: Reach, model: CellModel) -> Cells:
    """Read every cell from the evidence on a raster."""
    figures = Figures.of(evidence, reach.diameter / 2)
    found = reach.find(figures.score)
    density, distance = model.log_likelihoods(figures.at(found.y, found.x))
    three = np.column_stack(
        [
            np.logaddexp(density[:, WHITE], density[:, WHITE_KING] - _KING_NATS),
            np.logaddexp(density[:, BLACK], density[:, BLACK_KING] - _KING_NATS),
        ]
    )
    alone = np.where(_next_to((three.max(axis=1) > density[:, EMPTY]) & ~found.covered), _BESIDE_NEXT, _BESIDE_ALONE)
    three = np.column_stack([three, np.logaddexp(density[:, EMPTY], density[:, BESIDE] - alone)])
    three[found.covered] = [-NEGLIGIBLE_NATS, -NEGLIGIBLE_NATS, 0.0]
    best = three.argmax(axis=1)
    nats = (three - three.max(axis=1, keepdims=True)) * model.trust[np.arange(CELLS), best]
    return _with_doubts(nats, found, (distance > _STRANGER_SPREADS) & ~found.covered, density)


def read_densities(density: Floats, found: CellCandidates, foreign: Bools) -> Cells:
    """Cells from log densities of White's, Black's and none (CELLS x 3) that do not separate kings from men."""
    three = np.where(found.covered[:, None], [-NEGLIGIBLE_NATS, -NEGLIGIBLE_NATS, 0.0], density)
    nats = three - three.max(axis=1, keepdims=True)
    return _with_doubts(nats, found, foreign, density[:, [WHITE, BLACK, EMPTY, EMPTY, WHITE, BLACK]])


def _with_doubts(nats: Floats, found: CellCandidates, foreign: Bools, density: Floats) -> Cells:
    """Cells, doubtful where foreign or between squares, with the prior of light squares; `density`: CELLS x CLASSES."""
    nats[foreign] = np.maximum(nats[foreign], -_FOREIGN_NATS)
    nats[LIGHT, :EMPTY] -= LIGHT_NATS
    nats -= nats.max(axis=1, keepdims=True)
    _doubt_strays(nats, found, density)
    return Cells(nats, foreign, found)


def _next_to(taken: Bools) -> Bools:
    """Mask of the cells that adjoin a taken one, also diagonally."""
    spread = cv2.dilate(taken.reshape(SIDE, SIDE).astype(np.uint8), np.ones((3, 3), np.uint8))
    return np.asarray((spread > 0).ravel())


def _doubt_strays(nats: Floats, found: CellCandidates, density: Floats) -> None:
    """Let a checker between two squares belong to either; its distance depends on whether it is a man or a king."""
    man = density[:, [WHITE, BLACK]].max(axis=1) - (found.as_man / _CARELESS) ** 2 / 2
    king = density[:, [WHITE_KING, BLACK_KING]].max(axis=1) - (found.as_king / _CARELESS) ** 2 / 2 - _KING_NATS
    off = (man > king - _EITHER_NATS) & (found.as_man > REACH)
    off |= (king > man - _EITHER_NATS) & (found.as_king > REACH)
    for cell in np.flatnonzero(off & (nats.argmax(axis=1) != EMPTY)):
        owner = int(nats[cell].argmax())
        nats[cell, EMPTY] = max(nats[cell, EMPTY], -_FOREIGN_NATS)
        other = nats[int(found.near[cell])]
        other[owner] = max(other[owner], -_FOREIGN_NATS)
