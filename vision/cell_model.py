"""What a cell's figures are when it holds a checker of either side, a king, or nothing (see `vision.slots`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.slots import FEATURES
from vision.squares import CELLS, LIGHT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Ints = NDArray[np.intp]

WHITE, BLACK, EMPTY, BESIDE, WHITE_KING, BLACK_KING = range(6)
CLASSES = 6
"""What a cell may hold: a man, nothing, nothing with a checker next to it (its shadow, its side), a king."""
_OWN = 3.0
"""A cell's own samples weigh against so many of all cells of its colour: little is made up for each."""
_SPREAD_FLOOR = 0.5
"""Least spread of a figure (nats a pixel), as in `vision.slots`."""
_TAIL = 4.0
"""Degrees of freedom of the Student distribution of figures: real checkers stray from their pictures."""
_PLAIN, _LEAST_TRUST = 21.0, 0.3
"""Distance, in spreads, from which two classes are told apart plainly, and the share of the nats that is believed where
they look alike, as in `vision.slots`."""
_KEPT = 0.9
"""Share of the residues that spreads are taken from; the Student tails speak for the others."""

Sample = tuple[int, int, "Singles"]
"""A cell, its class, its figures."""


@dataclass(frozen=True, slots=True)
class CellModel:
    """What figures are, cell by cell.

    Attributes:
        centre: CELLS x CLASSES x FEATURES.
        precision: 2 (dark, light) x CLASSES x FEATURES x FEATURES, inverse of the spread about the centres.
        log_norm: 2 x CLASSES, the logarithm of the densities' normalising factors.
        trust: CELLS x 3 x 3, what share of the nats between White's, Black's and none is believed.
    """

    centre: Floats
    precision: Floats
    log_norm: Floats
    trust: Floats

    def log_likelihoods(self, figures: Singles) -> tuple[Floats, Floats]:
        """Log densities (CELLS x CLASSES) of every cell's figures (CELLS x FEATURES).

        Also gives the least squared distance, in spreads, from any class (CELLS).
        """
        away = figures[:, None].astype(np.float64) - self.centre
        kind = LIGHT.astype(np.intp)
        distance = (np.matmul(away[:, :, None], self.precision[kind])[:, :, 0] * away).sum(axis=2)
        density = self.log_norm[kind] - 0.5 * (_TAIL + FEATURES) * np.log1p(distance / _TAIL)
        return density, distance.min(axis=1)


def summarise(samples: Sequence[Sample]) -> CellModel:
    """A model from samples; spreads are over all cells of a colour."""
    cells, classes = (np.array([sample[k] for sample in samples]) for k in (0, 1))
    figures = np.array([sample[2] for sample in samples], np.float64)
    centre = np.zeros((CELLS, CLASSES, FEATURES))
    precision, log_norm = np.zeros((2, CLASSES, FEATURES, FEATURES)), np.zeros((2, CLASSES))
    for kind in (0, 1):
        of_kind = LIGHT[cells] == kind
        for one in range(CLASSES):
            chosen = of_kind & (classes == one)
            middle = figures[chosen].mean(axis=0)
            for cell in np.flatnonzero(kind == LIGHT):
                own = figures[chosen & (cells == cell)]
                centre[cell, one] = (own.sum(axis=0) + _OWN * middle) / (len(own) + _OWN)
            spread = _spread(figures[chosen] - centre[cells[chosen], one])
            precision[kind, one] = np.linalg.inv(spread)
            log_norm[kind, one] = 0.5 * np.linalg.slogdet(precision[kind, one])[1]
    return CellModel(centre, precision, log_norm, _trust(centre, precision))


def _trust(centre: Floats, precision: Floats) -> Floats:
    """From how many spreads lie between White's man, Black's and none, cell by cell."""
    kind = LIGHT.astype(np.intp)
    away = centre[:, :3, None] - centre[:, None, :3]
    both = (precision[kind, :3, None] + precision[kind, None, :3]) / 2
    distance = np.einsum("cijf,cijfg,cijg->cij", away, both, away)
    return np.asarray(np.clip(np.sqrt(distance) / _PLAIN, _LEAST_TRUST, 1.0))


def _spread(residues: Floats) -> Floats:
    floor = np.eye(FEATURES) * _SPREAD_FLOOR**2
    rough = np.cov(residues.T) + floor
    distance = np.einsum("ni,ij,nj->n", residues, np.linalg.inv(rough), residues)
    kept = residues[distance <= np.quantile(distance, _KEPT)]
    return np.asarray(np.cov(kept.T) * 1.2 + floor)
