"""Feature distributions of a cell that holds a checker of either side, a king, or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.board import FEATURES
from vision.checkers.layout import CELLS, LIGHT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Ints = NDArray[np.intp]

WHITE, BLACK, EMPTY, BESIDE, WHITE_KING, BLACK_KING = range(6)
CLASSES = 6
"""Classes of a cell: a man of either side, nothing, nothing beside a checker (its shadow, its side), a king of either
side."""
_OWN = 3.0
"""Weight of the mean over all cells of a colour, in samples, against a cell's own few samples."""
_SPREAD_FLOOR = 0.5
"""Least standard deviation of a feature (nats a pixel), as in `vision.backgammon.slot_model`."""
_TAIL = 4.0
"""Degrees of freedom of the Student distribution of features: real checkers differ from synthetic ones."""
_PLAIN, _LEAST_TRUST = 21.0, 0.3
"""Distance, in standard deviations, from which two classes are clearly separated, and the least factor on the
log-likelihoods of similar ones, as in `vision.backgammon.slot_model`."""
_KEPT = 0.9
"""Share of the residuals from which the covariance is estimated; the Student tails allow for the others."""

Sample = tuple[int, int, "Singles"]
"""A cell, its class, its features."""


@dataclass(frozen=True, slots=True)
class CellModel:
    """Feature distributions, cell by cell.

    Attributes:
        centre: CELLS x CLASSES x FEATURES.
        precision: 2 (dark, light) x CLASSES x FEATURES x FEATURES, inverse covariance about the centres.
        log_norm: 2 x CLASSES, logarithm of the densities' normalising factors.
        trust: CELLS x 3 x 3, factor on the log-likelihoods between White's, Black's and none.
    """

    centre: Floats
    precision: Floats
    log_norm: Floats
    trust: Floats

    def log_likelihoods(self, figures: Singles) -> tuple[Floats, Floats]:
        """Log densities (CELLS x CLASSES) of every cell's features (CELLS x FEATURES).

        Also returns the least squared Mahalanobis distance from any class (CELLS).
        """
        away = figures[:, None].astype(np.float64) - self.centre
        kind = LIGHT.astype(np.intp)
        distance = (np.matmul(away[:, :, None], self.precision[kind])[:, :, 0] * away).sum(axis=2)
        density = self.log_norm[kind] - 0.5 * (_TAIL + FEATURES) * np.log1p(distance / _TAIL)
        return density, distance.min(axis=1)


def summarise(samples: Sequence[Sample]) -> CellModel:
    """Estimate a model from samples; covariances are shared by all cells of a colour."""
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
    """Factors from the Mahalanobis distances between White's man, Black's and none, cell by cell."""
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
