"""Slots: the places in a row where a checker may lie, and how likely each holds a White checker, a Black one or none.

A slot is told by twelve figures: how much its inner disc, its rim and its halo look like White's checkers rather than
the empty board, the same for Black's, how much they differ from the empty board at all, and how differently they rise
and fall. What those figures are for a White checker, a Black one and an empty place is learned slot by slot from
made-up positions (see `composites`).
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
"""What a slot may hold: a checker with another after it in its row, nothing, nothing but the shadow and edge of the
checker before it, or the last checker of a row."""
LASTS = (WHITE_LAST, BLACK_LAST)
MAPS = 4
INNER, RIM, HALO = range(3)
ZONES = 3
FEATURES = ZONES * MAPS

_RADII = 0.72, 1.02, 1.3
"""Radii of the inner disc, of the rim's outer edge and of the halo's (its shadow), over a checker's."""
_INNER_SHARE = (_RADII[INNER] / _RADII[RIM]) ** 2
_SPREAD_FLOOR = 0.5
"""Least spread of a figure (nats a pixel): what the same checker's figure varies by between two pictures with fresh
noise."""
_PLAIN, _LEAST_TRUST = 21.0, 0.3
"""Distance, in spreads, from which a checker and none are told apart plainly: mostly it is 30 to 60; white
checkers on white points in glare have 10, and there real checkers stray from their pictures by half of that."""
_TAIL = 4.0
"""Degrees of freedom of the Student distribution of figures: how far real checkers stray from the pictures of them is
not known well."""


@dataclass(frozen=True)
class Figures:
    """The figures of a checker centred anywhere on a raster, and how much it looks like one there.

    Attributes:
        evidence: what the raster says.
        half: the same (see `Evidence.maps`) for every second of its pixels: MAPS of height x width.
        radius: of a checker, in pixels of those.
    """

    evidence: Evidence
    half: Sequence[Singles]
    radius: float

    @classmethod
    def of(cls, evidence: Evidence, radius_px: float) -> Figures:
        """From what a raster says, on which a checker has that radius."""
        half = [cv2.resize(one, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for one in evidence.maps]
        return cls(evidence, [np.asarray(one, np.float32) for one in half], radius_px / 2)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the raster."""
        height, width = self.evidence.white.shape
        return width, height

    @cached_property
    def score(self) -> Singles:
        """For every pixel of the raster, how much it looks like a checker's centre."""
        inner, rim, _ = _kernels(self.radius)
        kernel = _trimmed(_INNER_SHARE * inner + (1 - _INNER_SHARE) * rim)
        white, black = (cv2.filter2D(one, -1, kernel, borderType=cv2.BORDER_REPLICATE) for one in self.half[:2])
        return self._on_raster(np.maximum(white, black))

    def centre_near(self, place: Floats, reach_px: float, stray_cost: float = 0.0) -> Floats:
        """The pixel (x, y) within a square round a place that looks most like a checker's centre.

        `stray_cost`: what must speak more for it (nats a pixel) where it is `reach_px` off the place.
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
        """For every pixel of the raster, one of the maps averaged over a zone (INNER, RIM or HALO) round it."""
        kernel = _trimmed(_kernels(self.radius)[zone])
        return self._on_raster(cv2.filter2D(self.half[index], -1, kernel, borderType=cv2.BORDER_REPLICATE))

    def _on_raster(self, half: NDArray[Any]) -> Singles:
        return np.asarray(cv2.resize(half, self.size, interpolation=cv2.INTER_LINEAR), np.float32)

    def at(self, y: Ints, x: Ints) -> Singles:
        """The figures (n x FEATURES: inner, rim, halo of each map) of checkers centred at these pixels, interpolated.

        The maps are averaged over the zones of a checker only there, which is a hundredth of the raster.
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
        """For every pixel the square of pixels round it that a checker reaches, and one more: the maps side by side."""
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
    """The same as a matrix: from the maps side by side on a square of pixels to the figures."""
    zones = np.stack(_kernels(radius_px), axis=-1)
    weights = np.einsum("yxz,mn->yxmnz", zones, np.eye(MAPS, dtype=np.float32))
    return np.ascontiguousarray(weights.reshape(-1, FEATURES), np.float32)


def _trimmed(kernel: Singles) -> Singles:
    """A kernel without the rows and columns round it that hold nothing: filters of up to eleven are much faster."""
    rim = int(np.flatnonzero(kernel.any(axis=0))[0])
    return np.ascontiguousarray(kernel[rim : len(kernel) - rim, rim : len(kernel) - rim])


@dataclass(frozen=True, slots=True)
class SlotModel:
    """What a slot's figures are when it holds a White checker, a Black one, or none.

    Attributes:
        centre: ROWS x SLOTS x CLASSES x FEATURES.
        precision: CLASSES x FEATURES x FEATURES, inverse of the spread about the centres.
        log_norm: CLASSES, the logarithm of the densities' normalising factors.
        stretch: ROWS x SLOTS, how much wider than elsewhere (as variances) figures spread there: where a frame hides a
            part of the checkers, by how far they stand behind it.
        trust: ROWS x SLOTS x 2, what share of the nats between White's (Black's) checker and none is believed: little
            where both look nearly alike there.
    """

    centre: Floats
    precision: Floats
    log_norm: Floats
    stretch: Floats
    trust: Floats

    def log_likelihoods(self, slot: int, rows: Ints, figures: Singles, wider: Floats) -> tuple[Floats, Floats]:
        """Log densities (n x CLASSES) of some rows' figures (n x FEATURES) in one slot.

        `wider` (n) stretches the spreads, as variances. Also gives the least squared distance, in spreads, from any
        class (n).
        """
        away = figures[:, None].astype(np.float64) - self.centre[rows, slot]
        spread = (wider * self.stretch[rows, slot])[:, None]
        distance = (np.matmul(away[:, :, None], self.precision)[:, :, 0] * away).sum(axis=2) / spread
        return self.log_norm - 0.5 * (_TAIL + FEATURES) * np.log1p(distance / _TAIL), distance.min(axis=1)


def summarise(samples: Sequence[tuple[int, int, int, Singles]]) -> SlotModel:
    """A model from samples (row, slot, class, figures).

    Centres are slot by slot, drawn towards the class's mean; spreads are over all slots.
    """
    centre = np.zeros((ROWS, SLOTS, CLASSES, FEATURES))
    precision, log_norm = np.zeros((CLASSES, FEATURES, FEATURES)), np.zeros(CLASSES)
    places = np.array([sample[:3] for sample in samples])
    figures = np.array([sample[3] for sample in samples], np.float64)
    residues: dict[tuple[int, int, int], Floats] = {}
    for kind in range(CLASSES):
        of_kind = places[:, 2] == kind
        middle = figures[of_kind].mean(axis=0)
        for row in range(ROWS):
            for slot in range(SLOTS):
                own = figures[of_kind & (places[:, 0] == row) & (places[:, 1] == slot)]
                centre[row, slot, kind] = (own.sum(axis=0) + 0.5 * middle) / (len(own) + 0.5)
                if len(own) > 1:
                    residues[row, slot, kind] = (own - own.mean(axis=0)) * np.sqrt(len(own) / (len(own) - 1))
        spread = _spread(np.vstack([found for (_, _, of), found in residues.items() if of == kind]))
        precision[kind] = np.linalg.inv(spread)
        log_norm[kind] = 0.5 * np.linalg.slogdet(precision[kind])[1]
    return SlotModel(centre, precision, log_norm, _stretch(residues, precision), _trust(centre, precision))


def _stretch(residues: Mapping[tuple[int, int, int], Floats], precision: Floats) -> Floats:
    """How much wider (as variances) than elsewhere the figures of a slot spread, alike for all points of one edge."""
    stretch = np.ones((ROWS, SLOTS))
    for rows in (range(POINTS // 2), range(POINTS // 2, POINTS)):
        for slot in range(SLOTS):
            distances = [
                np.einsum("ni,ij,nj->n", residues[row, slot, kind], precision[kind], residues[row, slot, kind])
                for row in rows
                for kind in range(CLASSES)
                if (row, slot, kind) in residues
            ]
            stretch[list(rows), slot] = max(1.0, float(np.mean(np.concatenate(distances))) / FEATURES)
    return stretch


def _trust(centre: Floats, precision: Floats) -> Floats:
    """From how many spreads lie between a checker and none, slot by slot."""
    distances = []
    for kinds in ([WHITE, BLACK], list(LASTS)):
        away = centre[:, :, kinds] - centre[:, :, EMPTY : EMPTY + 1]
        both = (precision[kinds] + precision[EMPTY]) / 2
        distances.append(np.einsum("rsci,cij,rscj->rsc", away, both, away))
    return np.asarray(np.clip(np.sqrt(np.minimum(*distances)) / _PLAIN, _LEAST_TRUST, 1.0))


def _spread(residues: Floats) -> Floats:
    """Covariance of the residues without the farthest tenth of them (the Student tails speak for those)."""
    floor = np.eye(FEATURES) * _SPREAD_FLOOR**2
    rough = np.cov(residues.T) + floor
    distance = np.einsum("ni,ij,nj->n", residues, np.linalg.inv(rough), residues)
    kept = residues[distance <= np.quantile(distance, 0.9)]
    return np.asarray(np.cov(kept.T) * 1.2 + floor)
