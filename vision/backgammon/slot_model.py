"""Features of slots, the places in a row where a checker may lie, and a model of their likelihood by class.

A slot has twelve features. For each zone (inner disc, rim, halo): the log-likelihood ratios of White's and of Black's
checkers against the empty board, the difference from the empty board, and the difference in relief. The distribution of
each slot's features by class is learned from synthetic positions (see `vision.backgammon.synthesis`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from vision.backgammon.layout import ROWS, SLOTS
from vision.board import BLACK, BLACK_LAST, EMPTY, FEATURES, POINTS, WHITE, WHITE_LAST
from vision.imaging import Edges

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Floats, Ints, Singles
    from vision.imaging import Appearance


CLASSES = 5
"""Classes of a slot: a checker with another after it in its row (WHITE, BLACK); nothing (EMPTY);
the last checker of a row."""
LASTS = (WHITE_LAST, BLACK_LAST)
"""Classes of the last checker of a row, White and Black."""
_SPREAD_FLOOR = 0.5
"""Least standard deviation of a feature (nats a pixel): its variation between two pictures of the same checker with new
noise."""
_FULL_TRUST_SD, _LEAST_TRUST = 21.0, 0.3
"""Distance between checker and empty slot, in standard deviations, from which their likelihoods are trusted fully, and
the least trust. The distance is mostly 30 to 60. White checkers on white points in glare have 10, and real checkers
there differ from their cutouts by half of that."""
_TAIL = 4.0
"""Degrees of freedom of the Student distribution of the features. Its heavy tails cover real checkers that differ from
their cutouts."""


@dataclass(frozen=True, slots=True)
class SlotModel:
    """Distribution of each slot's features by class.

    Attributes:
        centre: ROWS x SLOTS x CLASSES x FEATURES.
        precision: CLASSES x FEATURES x FEATURES, inverse covariance about the centres.
        log_norm: CLASSES, logarithm of the densities' normalising factors.
        trust: ROWS x SLOTS x 2, factor on the log-likelihood ratio of White's (Black's) checker to none: small
            where both look alike.
    """

    centre: Floats
    precision: Floats
    log_norm: Floats
    trust: Floats

    def log_likelihoods(self, slot: Ints, rows: Ints, figures: Singles) -> tuple[Floats, Floats]:
        """Log densities (n x CLASSES) of the features (n x FEATURES) of some rows in one slot.

        Also returns the least squared Mahalanobis distance (n) to any class.
        """
        away = figures[:, None].astype(np.float64) - self.centre[rows, slot]
        distance = (np.matmul(away[:, :, None], self.precision)[:, :, 0] * away).sum(axis=2)
        return self.log_norm - 0.5 * (_TAIL + FEATURES) * np.log1p(distance / _TAIL), distance.min(axis=1)


def fit_slot_model(samples: Sequence[tuple[int, int, int, Singles]]) -> SlotModel:
    """Fit a model to samples (row, slot, class, features).

    Centres are by slot, shrunk towards the class's mean, on the bar towards its mean there: the bar is of another
    colour than the bed. Covariances are common to all slots.
    """
    centre = np.zeros((ROWS, SLOTS, CLASSES, FEATURES))
    precision, log_norm = np.zeros((CLASSES, FEATURES, FEATURES)), np.zeros(CLASSES)
    places = np.array([sample[:3] for sample in samples])
    figures = np.array([sample[3] for sample in samples], np.float64)
    for kind in range(CLASSES):
        of_kind = places[:, 2] == kind
        slots, own = places[of_kind, 0] * SLOTS + places[of_kind, 1], figures[of_kind]
        number = np.bincount(slots, minlength=ROWS * SLOTS)
        total = np.column_stack([np.bincount(slots, one, ROWS * SLOTS) for one in own.T])
        usual = np.tile(own.mean(axis=0), (ROWS * SLOTS, 1))
        if (on_bar := slots >= POINTS * SLOTS).any():
            usual[POINTS * SLOTS :] = own[on_bar].mean(axis=0)
        centre[:, :, kind] = ((total + 0.5 * usual) / (number + 0.5)[:, None]).reshape(ROWS, SLOTS, FEATURES)
        several = number[slots] > 1
        slots, own = slots[several], own[several]
        residuals = (own - total[slots] / number[slots, None]) * np.sqrt(number[slots] / (number[slots] - 1))[:, None]
        precision[kind] = np.linalg.inv(_trimmed_covariance(residuals))
        log_norm[kind] = 0.5 * np.linalg.slogdet(precision[kind])[1]
    return SlotModel(centre, precision, log_norm, _trust(centre, precision))


def _trust(centre: Floats, precision: Floats) -> Floats:
    """Trust (see `SlotModel`) from the Mahalanobis distance between a checker and an empty slot."""
    distances = []
    for kinds in ([WHITE, BLACK], list(LASTS)):
        away = centre[:, :, kinds] - centre[:, :, EMPTY : EMPTY + 1]
        both = (precision[kinds] + precision[EMPTY]) / 2
        distances.append(np.einsum("rsci,cij,rscj->rsc", away, both, away))
    return np.asarray(np.clip(np.sqrt(np.minimum(*distances)) / _FULL_TRUST_SD, _LEAST_TRUST, 1.0))


def _trimmed_covariance(residuals: Floats) -> Floats:
    """Covariance (FEATURES x FEATURES) of residuals (n x FEATURES) without the farthest tenth, plus a floor."""
    floor = np.eye(FEATURES) * _SPREAD_FLOOR**2
    rough = np.cov(residuals.T) + floor
    distance = np.einsum("ni,ij,nj->n", residuals, np.linalg.inv(rough), residuals)
    kept = residuals[distance <= np.quantile(distance, 0.9)]
    return np.asarray(np.cov(kept.T) * 1.2 + floor)


@dataclass(frozen=True)
class Exposure:
    """Models of a board for one brightness of the picture.

    `ceiling`: grey level (B, G, R) at which the sensor saturates, after division by the gain; `appearance` is clipped
    there.
    """

    ceiling: Singles
    appearance: Appearance
    slots: SlotModel

    @cached_property
    def edges(self) -> Edges:
        """The strongest edges of the empty board as they are seen at that brightness."""
        return Edges.of(self.appearance.background.steep)


SAVED_SHAPES = {
    "slots.centre": f"s c {CLASSES} f",
    "slots.precision": f"{CLASSES} f f",
    "slots.log_norm": f"{CLASSES}",
    "slots.trust": "s c 2",
}
"""Shapes of a slot model's arrays in a file, by name (see `SavedCalibration.check`)."""
