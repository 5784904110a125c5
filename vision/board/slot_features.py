"""Features of a slot in a row of checkers, and the counts that several slots make."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from companion.core import NEGLIGIBLE_NATS
from vision.geometry import halved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.arrays import Floats, Ints, Singles
    from vision.imaging import PixelEvidence


WHITE, BLACK, EMPTY, WHITE_LAST, BLACK_LAST = range(5)
MAPS = 4
"""Number of evidence maps (see `PixelEvidence.maps`)."""
INNER, RIM, HALO = range(3)
"""Zones of a checker."""
ZONES = 3
FEATURES = ZONES * MAPS
"""Number of features of a slot."""
_RADII = 0.72, 1.02, 1.3
"""Outer radii of the inner disc, the rim and the halo (the shadow), in checker radii."""
_INNER_SHARE = (_RADII[INNER] / _RADII[RIM]) ** 2
"""Share of the inner disc in a checker's area."""


@dataclass(frozen=True)
class Figures:
    """Features of a checker centred at any pixel of a raster, and a score map for its centre.

    Attributes:
        evidence: evidence of the raster, pixel by pixel.
        half: its maps (see `PixelEvidence.maps`) at half scale: MAPS of height x width.
        radius: of a checker, in pixels at half scale.
    """

    evidence: PixelEvidence
    half: Sequence[Singles]
    radius: float

    @classmethod
    def of(cls, evidence: PixelEvidence, radius_px: float) -> Figures:
        """From the evidence of a raster with that checker radius."""
        return cls(evidence, [halved(one) for one in evidence.maps], radius_px / 2)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the raster."""
        height, width = self.evidence.white.shape
        return width, height

    @cached_property
    def score(self) -> Singles:
        """Score map: mean evidence (nats a pixel) of the likelier side for a checker centred at each pixel."""
        inner, rim, _ = _kernels(self.radius)
        kernel = _trimmed(_INNER_SHARE * inner + (1 - _INNER_SHARE) * rim)
        white, black = (cv2.filter2D(one, -1, kernel, borderType=cv2.BORDER_REPLICATE) for one in self.half[:2])
        return self._on_raster(np.maximum(white, black))

    def centre_near(self, place: Floats, reach_px: float, stray_cost: float = 0.0) -> Floats:
        """The pixel (x, y) with the greatest score in a square about a place.

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
        """Features (n x FEATURES: inner, rim, halo of each map) of checkers centred at these pixels (n).

        Bilinear at half scale; the zones are averaged at these pixels only, about a hundredth of the raster.
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
        """Sliding windows: for every pixel, a checker's square and one pixel more, with the maps interleaved."""
        reach = _kernels(self.radius)[0].shape[0] // 2
        padded = cv2.copyMakeBorder(cv2.merge(self.half), reach, reach, reach, reach, cv2.BORDER_REPLICATE)
        lines = padded.reshape(len(padded), -1)
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
    """The kernels as a matrix, from a window of the interleaved maps to the features."""
    zones = np.stack(_kernels(radius_px), axis=-1)
    weights = np.einsum("yxz,mn->yxmnz", zones, np.eye(MAPS, dtype=np.float32))
    return np.ascontiguousarray(weights.reshape(-1, FEATURES), np.float32)


def _trimmed(kernel: Singles) -> Singles:
    """A kernel without its zero outer rows and columns: OpenCV filters up to 11 x 11 much faster."""
    rim = int(np.flatnonzero(kernel.any(axis=0))[0])
    return np.ascontiguousarray(kernel[rim : len(kernel) - rim, rim : len(kernel) - rim])


SURE_NATS = 8.0
"""Lead of a slot's likeliest class (nats) from which counting takes it as certain."""
_GAP_NATS = 3.0
"""Cost of a checker beyond an empty slot of its row."""

Counts = dict[tuple[int, int], float]
"""Log-likelihood by (white, black) number of checkers."""


@dataclass(frozen=True)
class Slot:
    """Reading of one slot.

    Attributes:
        x, y: pixel on the raster.
        nats: log-likelihoods of a White checker, a Black checker and none; the greatest is 0.
        foreign: whether it holds a foreign object.
        bare: whether the empty board's drawing is seen there, which a checker would hide; None if that is not clear.
    """

    x: int
    y: int
    nats: tuple[float, float, float]
    foreign: bool
    bare: bool | None = None

    def renewed(self, nats: Floats) -> Slot:
        """Copy with other log-likelihoods (3: White, Black, none), normalised so that the greatest is 0."""
        white, black, empty = (nats - nats.max()).tolist()
        return replace(self, nats=(white, black, empty))

    def limited(self, most: float) -> Slot:
        """Copy whose likeliest content leads by `most` nats at most."""
        return self if self.margin_nats <= most else self.renewed(np.array(self.nats) * (most / self.margin_nats))

    @cached_property
    def holder(self) -> int:
        """Most likely content: WHITE, BLACK or EMPTY."""
        return self.nats.index(max(self.nats))

    @cached_property
    def margin_nats(self) -> float:
        """Lead of the likeliest content over the next."""
        return -sorted(self.nats)[1]


def discs(read: Sequence[Sequence[Slot]], *, foreign: bool = False) -> list[tuple[int, int]]:
    """Raster pixels (x, y) of the slots whose most likely content is a checker.

    `foreign`: also of those that hold one in other colours.
    """
    return [(slot.x, slot.y) for row in read for slot in row if slot.holder != EMPTY and (foreign or not slot.foreign)]


def count_row(slots: list[Slot], gaps: bool) -> Counts:
    """Log-likelihood of each (white, black) number of checkers on the bed in a row, by dynamic programming.

    `slots`: from the edge inwards; `gaps`: whether checkers may lie anywhere in the row at no cost (the bar).
    """
    states: dict[tuple[int, int, bool], float] = {(0, 0, False): 0.0}
    for slot in slots:
        following: dict[tuple[int, int, bool], float] = {}
        for (white, black, gap), nats in states.items():
            cost = _GAP_NATS if gap and not gaps else 0.0
            for kind, more in enumerate(slot.nats):
                total = nats + more - (cost if kind != EMPTY else 0.0)
                if total > -NEGLIGIBLE_NATS:
                    key = (white + (kind == WHITE), black + (kind == BLACK), gap or kind == EMPTY)
                    following[key] = log_add(following.get(key), total)
        states = following
    counts: Counts = {}
    for (white, black, _), nats in states.items():
        counts[white, black] = log_add(counts.get((white, black)), nats)
    return counts


def log_add(one: float | None, other: float) -> float:
    """Log of the sum of two probabilities given by their logs; None is probability 0."""
    if one is None:
        return other
    high, low = (one, other) if one > other else (other, one)
    return high + math.log1p(math.exp(low - high))
