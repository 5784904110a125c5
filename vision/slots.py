"""Slots: the places in a row where a checker may lie, and how likely each holds a White checker, a Black one or none.

A slot is told by twelve figures: how much its inner disc, its rim and its halo look like White's checkers rather than
the empty board, the same for Black's, how much they differ from the empty board at all, and how differently they rise
and fall. What those figures are for a White checker, a Black one and an empty place is learned slot by slot from
made-up positions (see `composites`).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.rows import ROWS, SLOTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.appearance import Evidence

    Ints = NDArray[np.intp]
    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Picture = NDArray[np.uint8]

WHITE, BLACK, EMPTY, BESIDE = 0, 1, 2, 3
CLASSES = 4
"""What a slot may hold: a checker, nothing, or nothing but the shadow and edge of the checker before it."""
FEATURES = 12

_INNER, _RIM, _HALO = 0.72, 1.02, 1.3
"""Radii of the inner disc, of the rim's outer edge and of the halo's (its shadow), over a checker's."""
_INNER_SHARE = (_INNER / _RIM) ** 2
_SPREAD_FLOOR = 0.5
"""Least spread of a figure (nats a pixel): what the same checker's figure varies by between two pictures with fresh
noise."""
_PLAIN, _LEAST_TRUST = 21.0, 0.3
"""Distance, in spreads, from which a checker and none are told apart plainly: mostly it is 30 to 60; white
checkers on white points in glare have 10, and there real checkers stray from their pictures by half of that."""
_TAIL = 4.0
"""Degrees of freedom of the Student distribution of figures: how far real checkers stray from the pictures of them is
not known well."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a checker centred anywhere on a raster, and how much it looks like one there.

    Attributes:
        coarse: height x width x FEATURES, for every second pixel of the raster: (inner, rim, halo) of each map.
        score: for every pixel, how much it looks like a checker's centre.
    """

    coarse: Singles
    score: Singles

    @classmethod
    def of(cls, evidence: Evidence, radius_px: float) -> Figures:
        """From what a raster says; the maps are averaged over the inner disc and over the rim of a checker."""
        maps = cv2.merge(evidence.maps)
        half = cv2.resize(maps, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        zones = [cv2.filter2D(half, -1, kernel, borderType=cv2.BORDER_REPLICATE) for kernel in _kernels(radius_px / 2)]
        inner, rim, _ = zones
        coarse = np.empty((*half.shape[:2], FEATURES), np.float32)
        for index, zone in enumerate(zones):
            coarse[..., index :: len(zones)] = zone
        white, black = (_INNER_SHARE * inner[..., side] + (1 - _INNER_SHARE) * rim[..., side] for side in (0, 1))
        score = cv2.resize(np.maximum(white, black), maps.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        return cls(coarse, np.asarray(score, np.float32))

    def at(self, y: Ints, x: Ints) -> Singles:
        """The figures (n x FEATURES) of checkers centred at these pixels, interpolated."""
        v = np.clip((y + 0.5) / 2 - 0.5, 0, self.coarse.shape[0] - 1.001)
        u = np.clip((x + 0.5) / 2 - 0.5, 0, self.coarse.shape[1] - 1.001)
        top, left = v.astype(np.intp), u.astype(np.intp)
        down, right = (v - top)[:, None], (u - left)[:, None]
        upper = self.coarse[top, left] * (1 - right) + self.coarse[top, left + 1] * right
        lower = self.coarse[top + 1, left] * (1 - right) + self.coarse[top + 1, left + 1] * right
        return np.asarray(upper * (1 - down) + lower * down, np.float32)


def _kernels(radius_px: float) -> list[Singles]:
    """Averaging kernels of the inner disc, the rim and the halo, with soft edges."""
    fine = 8
    reach = int(np.ceil(radius_px * _HALO))
    steps = (np.arange((2 * reach + 1) * fine) + 0.5) / fine - reach - 0.5
    away = np.hypot(steps[None], steps[:, None]) / radius_px
    blocks = (2 * reach + 1, fine, 2 * reach + 1, fine)
    bounds = (0.0, _INNER, _RIM, _HALO)
    zones = [(away >= low) & (away < high) for low, high in pairwise(bounds)]
    kernels = [zone.reshape(blocks).mean(axis=(1, 3), dtype=np.float32) for zone in zones]
    return [kernel / kernel.sum() for kernel in kernels]


@dataclass(frozen=True, slots=True)
class SlotModel:
    """What a slot's figures are when it holds a White checker, a Black one, or none.

    Attributes:
        centre: ROWS x SLOTS x CLASSES x FEATURES.
        precision: CLASSES x FEATURES x FEATURES, inverse of the spread about the centres.
        log_norm: CLASSES, the logarithm of the densities' normalising factors.
        trust: ROWS x SLOTS x 2, what share of the nats between White's (Black's) checker and none is believed: little
            where both look nearly alike there.
    """

    centre: Floats
    precision: Floats
    log_norm: Floats
    trust: Floats

    def log_likelihoods(self, slot: int, figures: Singles, wider: Floats) -> tuple[Floats, Floats]:
        """Log densities (ROWS x CLASSES) of every row's figures (ROWS x FEATURES) in one slot.

        `wider` (ROWS) stretches the spreads, as variances. Also gives the least squared distance, in spreads, from any
        class (ROWS).
        """
        away = figures[:, None].astype(np.float64) - self.centre[:, slot]
        distance = (np.matmul(away[:, :, None], self.precision)[:, :, 0] * away).sum(axis=2) / wider[:, None]
        return self.log_norm - 0.5 * (_TAIL + FEATURES) * np.log1p(distance / _TAIL), distance.min(axis=1)


def summarise(samples: Sequence[tuple[int, int, int, Singles]]) -> SlotModel:
    """A model from samples (row, slot, class, figures).

    Centres are slot by slot, drawn towards the class's mean; spreads are over all slots.
    """
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
    return SlotModel(centre, precision, log_norm, _trust(centre, precision))


def _trust(centre: Floats, precision: Floats) -> Floats:
    """From how many spreads lie between a checker and none, slot by slot."""
    away = centre[:, :, :EMPTY] - centre[:, :, EMPTY : EMPTY + 1]
    both = (precision[:EMPTY] + precision[EMPTY]) / 2
    distance = np.einsum("rsci,cij,rscj->rsc", away, both, away)
    return np.asarray(np.clip(np.sqrt(distance) / _PLAIN, _LEAST_TRUST, 1.0))


def _spread(residues: Floats) -> Floats:
    """Covariance of the residues without the farthest tenth of them (the Student tails speak for those)."""
    floor = np.eye(FEATURES) * _SPREAD_FLOOR**2
    rough = np.cov(residues.T) + floor
    distance = np.einsum("ni,ij,nj->n", residues, np.linalg.inv(rough), residues)
    kept = residues[distance <= np.quantile(distance, 0.9)]
    return np.asarray(np.cov(kept.T) * 1.2 + floor)
