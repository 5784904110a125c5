"""Slots: the places in a row where a checker may lie, and how likely each holds a White checker, a Black one or none.

A slot is told by eight figures: how much its inner disc and its rim look like White's checkers rather than the empty board,
the same for Black's, how much both differ from the empty board at all, and how differently they rise and fall. What those
figures are for a White checker, a Black one and an empty place is learned slot by slot from made-up positions (see `composites`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.rows import ROWS, SLOTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Picture = NDArray[np.uint8]

WHITE, BLACK, EMPTY, BESIDE = 0, 1, 2, 3
CLASSES = 4
"""What a slot may hold: a checker, nothing, or nothing but the shadow and edge of the checker before it."""
FEATURES = 8

_INNER, _RIM = 0.72, 1.02
"""Radii of the inner disc and of the rim's outer edge, over a checker's."""
_SPREAD_FLOOR = 0.35
"""Least spread of a figure (nats a pixel): what the same checker's figure varies by between two pictures with fresh noise."""
_TAIL = 4.0
"""Degrees of freedom of the Student distribution of figures: how far real checkers stray from the pictures of them is not known well."""


def kernels(radius_px: float) -> tuple[Singles, Singles]:
    """Averaging kernels of the inner disc and the rim."""
    reach = int(np.ceil(radius_px * _RIM))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    away = np.hypot(x, y) / radius_px
    inner, rim = (away < _INNER).astype(np.float32), ((away >= _INNER) & (away < _RIM)).astype(np.float32)
    return inner / inner.sum(), rim / rim.sum()


def figure_maps(evidence: Sequence[Singles], radius_px: float) -> Singles:
    """The figures of a checker centred at each pixel: height x width x (inner, rim) of each map."""
    inner, rim = kernels(radius_px)
    return np.stack(
        [
            cv2.filter2D(side, -1, kernel, borderType=cv2.BORDER_REPLICATE)
            for side in evidence
            for kernel in (inner, rim)
        ],
        axis=-1,
    )


def likest(figures: Singles) -> Singles:
    """How much each pixel looks like the centre of a checker of either side: the greater of the two area-weighted figures."""
    share = np.float32((_INNER / _RIM) ** 2)
    sides = figures[..., 0:4:2] * share + figures[..., 1:4:2] * (1 - share)
    return np.asarray(sides.max(axis=-1), np.float32)


@dataclass(frozen=True, slots=True)
class SlotModel:
    """What a slot's figures are when it holds a White checker, a Black one, or none.

    Attributes:
        centre: ROWS x SLOTS x CLASSES x FEATURES.
        precision: CLASSES x FEATURES x FEATURES, inverse of the spread about the centres.
        log_norm: CLASSES, the logarithm of the densities' normalising factors.
    """

    centre: Floats
    precision: Floats
    log_norm: Floats

    def log_likelihoods(self, row: int, slot: int, figures: Singles, wider: float = 1.0) -> tuple[Floats, float]:
        """Log density of the figures under each of the CLASSES, and the least squared distance (in spreads) from any.

        `wider` stretches the spreads (as variances), where less is known than on the points.
        """
        away = figures.astype(np.float64) - self.centre[row, slot]
        distance = np.einsum("ci,cij,cj->c", away, self.precision, away) / wider
        return self.log_norm - 0.5 * (_TAIL + FEATURES) * np.log1p(distance / _TAIL), float(distance.min())


def summarise(samples: Sequence[tuple[int, int, int, Singles]]) -> SlotModel:
    """A model from samples (row, slot, class, figures): centres slot by slot, drawn towards the class's mean; spreads over all."""
    centre = np.zeros((ROWS, SLOTS, CLASSES, FEATURES))
    precision, log_norm = np.zeros((CLASSES, FEATURES, FEATURES)), np.zeros(CLASSES)
    places = np.array([sample[:3] for sample in samples])
    figures = np.array([sample[3] for sample in samples], np.float64)
    for kind in range(CLASSES):
        of_kind = places[:, 2] == kind
        middle = figures[of_kind].mean(axis=0)
        residues = []
        for row in range(ROWS):
            for slot in range(SLOTS):
                own = figures[of_kind & (places[:, 0] == row) & (places[:, 1] == slot)]
                centre[row, slot, kind] = (own.sum(axis=0) + 0.5 * middle) / (len(own) + 0.5)
                if len(own) > 1:
                    residues.append((own - own.mean(axis=0)) * np.sqrt(len(own) / (len(own) - 1)))
        spread = _spread(np.vstack(residues))
        precision[kind] = np.linalg.inv(spread)
        log_norm[kind] = 0.5 * np.linalg.slogdet(precision[kind])[1]
    return SlotModel(centre, precision, log_norm)


def _spread(residues: Floats) -> Floats:
    """Covariance of the residues without the farthest tenth of them (the Student distribution's tails speak for those)."""
    floor = np.eye(FEATURES) * _SPREAD_FLOOR**2
    rough = np.cov(residues.T) + floor
    distance = np.einsum("ni,ij,nj->n", residues, np.linalg.inv(rough), residues)
    kept = residues[distance <= np.quantile(distance, 0.9)]
    return np.asarray(np.cov(kept.T) * 1.2 + floor)
