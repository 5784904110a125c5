"""Features of slots, the places in a row where a checker may lie, and a model of their likelihood by class.

A slot has twelve features. For each zone (inner disc, rim, halo): the log-likelihood ratios of White's and of Black's
checkers against the empty board, the difference from the empty board, and the difference in relief. The distribution of
each slot's features by class is learned from synthetic positions (see `composites`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from vision.layout import POINTS
from vision.rows import ROWS, SLOTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from vision.appearance import Evidence

    Ints = NDArray[np.intp]
    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Picture = NDArray[np.uint8]

WHITE, BLACK, EMPTY, BESIDE, WHITE_LAST, BLACK_LAST = range(6)
CLASSES = 6
"""Classes of a slot: a checker with another after it in its row (WHITE, BLACK); nothing (EMPTY); only the shadow and
edge of the checker before it (BESIDE); the last checker of a row."""
LASTS = (WHITE_LAST, BLACK_LAST)
"""Classes of the last checker of a row, White and Black."""
MAPS = 4
"""Number of evidence maps (see `Evidence.maps`)."""
INNER, RIM, HALO = range(3)
"""Zones of a checker."""
ZONES = 3
FEATURES = ZONES * MAPS
"""Number of features of a slot."""

_RADII = 0.72, 1.02, 1.3
"""Outer radii of the inner disc, the rim and the halo (the shadow), in checker radii."""
_INNER_SHARE = (_RADII[INNER] / _RADII[RIM]) ** 2
"""Share of the inner disc in a checker's area."""
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


@dataclass(frozen=True)
class Figures:
    """Features of a checker centred anywhere on a raster, and its likeness to a checker.

    Attributes:
        evidence: evidence of the raster, pixel by pixel.
        half: its maps (see `Evidence.maps`) at half scale: MAPS of height x width.
        radius: of a checker, in pixels at half scale.
    """

    evidence: Evidence
    half: Sequence[Singles]
    radius: float

    @classmethod
    def of(cls, evidence: Evidence, radius_px: float) -> Figures:
        """From the evidence of a raster with that checker radius."""
        half = [cv2.resize(one, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for one in evidence.maps]
        return cls(evidence, [np.asarray(one, np.float32) for one in half], radius_px / 2)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the raster."""
        height, width = self.evidence.white.shape
        return width, height

    @cached_property
    def score(self) -> Singles:
        """Likeness of every pixel of the raster to a checker's centre."""
        inner, rim, _ = _kernels(self.radius)
        kernel = _trimmed(_INNER_SHARE * inner + (1 - _INNER_SHARE) * rim)
        white, black = (cv2.filter2D(one, -1, kernel, borderType=cv2.BORDER_REPLICATE) for one in self.half[:2])
        return self._on_raster(np.maximum(white, black))

    def centre_near(self, place: Floats, reach_px: float, stray_cost: float = 0.0) -> Floats:
        """The pixel (x, y) in a square about a place that looks most like a checker's centre.

        `stray_cost`: penalty (nats a pixel) at `reach_px` from the place.
        """
        u, v, reach = *np.rint(place.ravel()).astype(int), max(1, round(reach_px))
        left, top = max(u - reach, 0), max(v - reach, 0)
        window = self.score[top : v + reach + 1, left : u + reach + 1]
        if stray_cost:
            down, across = np.ogrid[top - v : top - v + len(window), left - u : left - u + window.shape[1]]
            window = window - stray_cost * (down**2 + across**2) / reach**2
        down, right = divmod(int(window.argmax()), window.shape[1])
        return np.array([left + right, top + down], np.float64)

    def everywhere(self, index: int, zone: int = INNER) -> Singles:
        """One of the maps, averaged over a zone (INNER, RIM or HALO) about every pixel of the raster."""
        kernel = _trimmed(_kernels(self.radius)[zone])
        return self._on_raster(cv2.filter2D(self.half[index], -1, kernel, borderType=cv2.BORDER_REPLICATE))

    def _on_raster(self, half: NDArray[Any]) -> Singles:
        return np.asarray(cv2.resize(half, self.size, interpolation=cv2.INTER_LINEAR), np.float32)

    def at(self, y: Ints, x: Ints) -> Singles:
        """Features (n x FEATURES: inner, rim, halo of each map) of checkers centred at these pixels, interpolated.

        The zones are averaged only at these places, which is a hundredth of the raster.
        """
        windows, weights = self._windows, _weights(self.radius)
        height, width = self.half[0].shape
        v, u = np.clip((y + 0.5) / 2 - 0.5, 0.0, height - 1.001), np.clip((x + 0.5) / 2 - 0.5, 0.0, width - 1.001)
        top, left = v.astype(np.intp), u.astype(np.intp)
        down, right = ((far - near).astype(np.float32)[:, None, None] for far, near in ((v, top), (u, left)))
        seen = windows[top, left]
        upper, seen = seen[:, :-1], np.diff(seen, axis=1)
        seen *= down
        seen += upper
        before, seen = seen[:, :, :-MAPS], seen[:, :, MAPS:] - seen[:, :, :-MAPS]
        seen *= right
        seen += before
        return np.asarray(seen.reshape(len(seen), -1) @ weights, np.float32)

    @cached_property
    def _windows(self) -> Singles:
        """For every pixel, the square window that a checker reaches, and one pixel more, with the maps side by side."""
        reach = _kernels(self.radius)[0].shape[0] // 2
        round_about = cv2.copyMakeBorder(cv2.merge(self.half), reach, reach, reach, reach, cv2.BORDER_REPLICATE)
        lines = round_about.reshape(len(round_about), -1)
        side = 2 * reach + 2
        return np.asarray(sliding_window_view(lines, (side, side * MAPS))[:, ::MAPS], np.float32)


@lru_cache(maxsize=8)
def _kernels(radius_px: float) -> tuple[Singles, Singles, Singles]:
    """Averaging kernels of the inner disc, the rim and the halo, with soft edges."""
    fine = 8
    reach = int(np.ceil(radius_px * _RADII[HALO]))
    steps = (np.arange((2 * reach + 1) * fine) + 0.5) / fine - reach - 0.5
    away = np.hypot(steps[None], steps[:, None]) / radius_px
    blocks = (2 * reach + 1, fine, 2 * reach + 1, fine)
    bounds = (0.0, *_RADII)
    zones = [(away >= low) & (away < high) for low, high in pairwise(bounds)]
    kernels = [zone.reshape(blocks).mean(axis=(1, 3), dtype=np.float32) for zone in zones]
    inner, rim, halo = (kernel / kernel.sum() for kernel in kernels)
    return inner, rim, halo


@lru_cache(maxsize=8)
def _weights(radius_px: float) -> Singles:
    """The kernels as a matrix, from a window with the maps side by side to the features."""
    zones = np.stack(_kernels(radius_px), axis=-1)
    weights = np.einsum("yxz,mn->yxmnz", zones, np.eye(MAPS, dtype=np.float32))
    return np.ascontiguousarray(weights.reshape(-1, FEATURES), np.float32)


def _trimmed(kernel: Singles) -> Singles:
    """A kernel without its empty outer rows and columns: filters of up to eleven are much faster."""
    rim = int(np.flatnonzero(kernel.any(axis=0))[0])
    return np.ascontiguousarray(kernel[rim : len(kernel) - rim, rim : len(kernel) - rim])


@dataclass(frozen=True, slots=True)
class SlotModel:
    """Distribution of each slot's features by class.

    Attributes:
        centre: ROWS x SLOTS x CLASSES x FEATURES.
        precision: CLASSES x FEATURES x FEATURES, inverse covariance about the centres.
        log_norm: CLASSES, logarithm of the densities' normalising factors.
        stretch: ROWS x SLOTS, factor on the variances. It is larger where a frame hides a part of the checkers.
        trust: ROWS x SLOTS x 2, factor on the log-likelihood ratio of White's (Black's) checker to none: small
            where both look alike.
    """

    centre: Floats
    precision: Floats
    log_norm: Floats
    stretch: Floats
    trust: Floats

    def log_likelihoods(self, slot: int, rows: Ints, figures: Singles, wider: Floats) -> tuple[Floats, Floats]:
        """Log densities (n x CLASSES) of the features (n x FEATURES) of some rows in one slot.

        `wider` (n) is a factor on the variances. Also returns the least squared distance (n), in standard deviations,
        to any class.
        """
        away = figures[:, None].astype(np.float64) - self.centre[rows, slot]
        spread = (wider * self.stretch[rows, slot])[:, None]
        distance = (np.matmul(away[:, :, None], self.precision)[:, :, 0] * away).sum(axis=2) / spread
        return self.log_norm - 0.5 * (_TAIL + FEATURES) * np.log1p(distance / _TAIL), distance.min(axis=1)


def summarise(samples: Sequence[tuple[int, int, int, Singles]]) -> SlotModel:
    """Fit a model to samples (row, slot, class, features).

    Centres are by slot, shrunk towards the class's mean; covariances are common to all slots.
    """
    centre = np.zeros((ROWS, SLOTS, CLASSES, FEATURES))
    precision, log_norm = np.zeros((CLASSES, FEATURES, FEATURES)), np.zeros(CLASSES)
    places = np.array([sample[:3] for sample in samples])
    figures = np.array([sample[3] for sample in samples], np.float64)
    residuals: dict[tuple[int, int, int], Floats] = {}
    for kind in range(CLASSES):
        of_kind = places[:, 2] == kind
        middle = figures[of_kind].mean(axis=0)
        for row in range(ROWS):
            for slot in range(SLOTS):
                own = figures[of_kind & (places[:, 0] == row) & (places[:, 1] == slot)]
                centre[row, slot, kind] = (own.sum(axis=0) + 0.5 * middle) / (len(own) + 0.5)
                if len(own) > 1:
                    residuals[row, slot, kind] = (own - own.mean(axis=0)) * np.sqrt(len(own) / (len(own) - 1))
        spread = _spread(np.vstack([found for (_, _, of), found in residuals.items() if of == kind]))
        precision[kind] = np.linalg.inv(spread)
        log_norm[kind] = 0.5 * np.linalg.slogdet(precision[kind])[1]
    return SlotModel(centre, precision, log_norm, _stretch(residuals, precision), _trust(centre, precision))


def _stretch(residuals: Mapping[tuple[int, int, int], Floats], precision: Floats) -> Floats:
    """Factor on the variances of each slot's features, the same for all points of one edge."""
    stretch = np.ones((ROWS, SLOTS))
    for rows in (range(POINTS // 2), range(POINTS // 2, POINTS)):
        for slot in range(SLOTS):
            distances = [
                np.einsum("ni,ij,nj->n", residuals[row, slot, kind], precision[kind], residuals[row, slot, kind])
                for row in rows
                for kind in range(CLASSES)
                if (row, slot, kind) in residuals
            ]
            stretch[list(rows), slot] = max(1.0, float(np.mean(np.concatenate(distances))) / FEATURES)
    return stretch


def _trust(centre: Floats, precision: Floats) -> Floats:
    """Trust of each slot, from the distance in standard deviations between a checker and none."""
    distances = []
    for kinds in ([WHITE, BLACK], list(LASTS)):
        away = centre[:, :, kinds] - centre[:, :, EMPTY : EMPTY + 1]
        both = (precision[kinds] + precision[EMPTY]) / 2
        distances.append(np.einsum("rsci,cij,rscj->rsc", away, both, away))
    return np.asarray(np.clip(np.sqrt(np.minimum(*distances)) / _FULL_TRUST_SD, _LEAST_TRUST, 1.0))


def _spread(residuals: Floats) -> Floats:
    """Covariance of the residuals without the farthest tenth, which the Student tails cover."""
    floor = np.eye(FEATURES) * _SPREAD_FLOOR**2
    rough = np.cov(residuals.T) + floor
    distance = np.einsum("ni,ij,nj->n", residuals, np.linalg.inv(rough), residuals)
    kept = residuals[distance <= np.quantile(distance, 0.9)]
    return np.asarray(np.cov(kept.T) * 1.2 + floor)
