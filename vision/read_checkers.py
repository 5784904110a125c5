"""Reading a chequered board: what each cell holds, as an `Observation`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.observation import TOLD_NATS, CellReading
from vision.answers import CERTAIN_NATS
from vision.cell_model import BESIDE, BLACK, BLACK_KING, EMPTY, WHITE, WHITE_KING
from vision.cell_search import REACH
from vision.slots import Figures
from vision.squares import CELLS, LIGHT, SIDE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.observation import Content
    from vision.appearance import Evidence
    from vision.cell_model import CellModel
    from vision.cell_search import Found, Reach

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

CONTENTS: tuple[Content, Content, Content] = (1, 0), (0, 1), (0, 0)
"""What a cell holds, in the order of `WHITE`, `BLACK` and `EMPTY`."""
_KING_NATS = 0.7
"""Cost of a king: they are fewer than men."""
_STRANGER_SPREADS = 60.0
"""Squared distance (in spreads, twelve figures) past which a cell holds something that is neither a checker nor empty
board, as for the rows of backgammon."""
_STRANGER_NATS = 2.0
"""What the likeliest content of such a cell may lead by, and that of a cell whose checker lies between two squares."""
_BESIDE_NEXT, _BESIDE_ALONE = 0.7, 6.0
"""Cost of an empty cell that looks shaded by a checker: where there is one next to it, and where there is none."""
_CARELESS, _EITHER_NATS = 0.2, 3.0
"""Spread of where checkers are set, in squares; one that is less than so much likelier a man there than a king may be
either."""
_LIGHT_NATS = 8.0
"""Cost of a checker on a light square before anything of it is seen: a hand sets one there once in thousands of moves,
and pale checkers can hardly be told from pale squares there. One that is plainly seen leads by thirty."""


@dataclass(frozen=True, slots=True)
class Cells:
    """What was read in the cells.

    Attributes:
        nats: 64 x 3, log-likelihood of White's, Black's and none, the greatest 0.
        strange: which cells hold something that is like none of these.
        found: where their checkers are.
    """

    nats: Floats
    strange: Bools
    found: Found

    @property
    def taken(self) -> Bools:
        """Which cells most likely hold a checker."""
        return np.asarray((self.nats.argmax(axis=1) != EMPTY) & ~self.strange)

    @property
    def margins(self) -> Floats:
        """By how much each cell's likeliest content leads (nats)."""
        return np.asarray(-np.sort(self.nats, axis=1)[:, -2])

    @property
    def sure(self) -> bool:
        """Whether there is no doubt of any cell."""
        return bool((self.margins >= CERTAIN_NATS).all())

    def doubting(self, other: Cells, from_nats: float = CERTAIN_NATS) -> Cells:
        """The same, in doubt where another reading has another content, ahead by so much."""
        at_odds = (self.nats.argmax(axis=1) != other.nats.argmax(axis=1)) & (other.margins >= from_nats)
        nats = self.nats.copy()
        nats[at_odds] = np.maximum(nats[at_odds], -_STRANGER_NATS)
        return Cells(nats, self.strange, self.found)

    def readings(self) -> tuple[CellReading, ...]:
        """As an observation has it."""
        return tuple(CellReading.of(dict(zip(CONTENTS, nats.tolist(), strict=True))) for nats in self.nats)


def read_cells(evidence: Evidence, reach: Reach, model: CellModel) -> Cells:
    """Read every cell from what a raster says."""
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
    three[found.covered] = [-TOLD_NATS, -TOLD_NATS, 0.0]
    best = three.argmax(axis=1)
    nats = (three - three.max(axis=1, keepdims=True)) * model.trust[np.arange(CELLS), best]
    return _doubting(nats, found, (distance > _STRANGER_SPREADS) & ~found.covered, density)


def believed(density: Floats, found: Found, strange: Bools) -> Cells:
    """The cells from log densities of White's, Black's and none (CELLS x 3) that do not tell kings from men."""
    three = np.where(found.covered[:, None], [-TOLD_NATS, -TOLD_NATS, 0.0], density)
    nats = three - three.max(axis=1, keepdims=True)
    return _doubting(nats, found, strange, density[:, [WHITE, BLACK, EMPTY, EMPTY, WHITE, BLACK]])


def _doubting(nats: Floats, found: Found, strange: Bools, density: Floats) -> Cells:
    """The cells, less sure where they are strange or strays, or light; `density` is by class (CELLS x CLASSES)."""
    nats[strange] = np.maximum(nats[strange], -_STRANGER_NATS)
    nats[LIGHT, :EMPTY] -= _LIGHT_NATS
    nats -= nats.max(axis=1, keepdims=True)
    _doubt_strays(nats, found, density)
    return Cells(nats, strange, found)


def _next_to(taken: Bools) -> Bools:
    """Which cells have a taken one beside them, corner to corner too."""
    spread = cv2.dilate(taken.reshape(SIDE, SIDE).astype(np.uint8), np.ones((3, 3), np.uint8))
    return np.asarray((spread > 0).ravel())


def _doubt_strays(nats: Floats, found: Found, density: Floats) -> None:
    """A checker between two squares may belong to either; how far it is off hangs on whether it is a man or a king."""
    man = density[:, [WHITE, BLACK]].max(axis=1) - (found.as_man / _CARELESS) ** 2 / 2
    king = density[:, [WHITE_KING, BLACK_KING]].max(axis=1) - (found.as_king / _CARELESS) ** 2 / 2 - _KING_NATS
    off = (man > king - _EITHER_NATS) & (found.as_man > REACH)
    off |= (king > man - _EITHER_NATS) & (found.as_king > REACH)
    for cell in np.flatnonzero(off & (nats.argmax(axis=1) != EMPTY)):
        owner = int(nats[cell].argmax())
        nats[cell, EMPTY] = max(nats[cell, EMPTY], -_STRANGER_NATS)
        other = nats[int(found.near[cell])]
        other[owner] = max(other[owner], -_STRANGER_NATS)
