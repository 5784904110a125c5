"""Image registration of one raster to another: a search over rotation, scale and shift, then a robust exact fit."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.geometry.gradient import sobel_gradient
from vision.geometry.pose import project
from vision.geometry.rectification import warp

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vision.arrays import Floats, Ints, Singles


_TURNS_DEG = np.arange(-6.0, 6.1, 1.5)
"""Rotations of the search, in degrees."""
_ZOOMS = np.exp(np.arange(-0.08, 0.081, 0.04))
"""Scale factors of the search."""
_NOISE_LEVELS = 4.0
"""Gradients below this (grey levels per pixel) are mostly noise and count in proportion to their length."""
_PEAKS = 3
"""Correlation peaks kept for each rotation and scale."""
_APART_PX = 5
"""Candidates nearer to each other than this, in pixels, count as one."""
_BLUR_PX = 0.7
"""Standard deviation in pixels of the blur before edges are compared; a camera's pictures vary in sharpness."""
_TUKEY = 2.5
"""Residual in standard deviations from which a pixel has no weight (Tukey's biweight)."""
_LEAST_SPREAD = 0.5
"""Least standard deviation of the residuals, in grey levels."""
_USED_SHARE = 0.25
"""Share of the pixels that the exact fit uses: those with the largest gradients."""
_STEPS = 12
"""Most iterations of the exact fit."""
_GAIN_MOST = 3.0
"""Largest change of contrast that the exact fit allows, as a factor."""
_STILL_PX = 0.02
"""The exact fit ends when a step moves no corner farther than this, in pixels."""


def directions(light: Singles) -> Singles:
    """Gradient directions (height x width x 2): of length about 1, shorter where the gradient is mostly noise."""
    x, y = sobel_gradient(light)
    length = np.sqrt(x * x + y * y + _NOISE_LEVELS**2)
    return np.stack([x / length, y / length], axis=-1)


def search_alignments(ground: Singles, view: Singles, most: int) -> list[Floats]:
    """Candidate places of `ground` in the larger `view` (grey levels both), at most `most`, best first.

    They are 3 x 3 matrices from pixels of `ground` to pixels of `view`.
    """
    pattern, middle = directions(ground), (view.shape[1] / 2, view.shape[0] / 2)
    found: list[tuple[float, Floats]] = []
    for degrees in _TURNS_DEG:
        for zoom in _ZOOMS:
            turn = np.vstack([cv2.getRotationMatrix2D(middle, degrees, zoom), [0, 0, 1]])
            turned = cv2.warpPerspective(view, turn, view.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
            field = directions(np.asarray(turned, np.float32))
            score = sum(
                cv2.matchTemplate(
                    np.ascontiguousarray(field[..., k]), np.ascontiguousarray(pattern[..., k]), cv2.TM_CCORR
                )
                for k in (0, 1)
            )
            found += [
                (value, np.linalg.inv(turn) @ [[1, 0, x], [0, 1, y], [0, 0, 1]])
                for value, x, y in _peaks(np.asarray(score))
            ]
    best_first = (matrix for _, matrix in sorted(found, key=lambda one: -one[0]))
    return list(islice(distinct_alignments(best_first, ground.shape, _APART_PX), most))


def _peaks(score: Singles) -> list[tuple[float, int, int]]:
    score = score.copy()
    found = []
    for _ in range(_PEAKS):
        y, x = np.unravel_index(int(score.argmax()), score.shape)
        found.append((float(score[y, x]), int(x), int(y)))
        score[max(y - _APART_PX, 0) : y + _APART_PX + 1, max(x - _APART_PX, 0) : x + _APART_PX + 1] = -np.inf
    return found


def distinct_alignments(matrices: Iterable[Floats], shape: tuple[int, ...], apart_px: float) -> Iterator[Floats]:
    """The homographies of a raster, without those that move no corner `apart_px` from where an earlier one does."""
    kept: list[Floats] = []
    for matrix in matrices:
        if all(corner_distances(matrix, other, shape).max() > apart_px for other in kept):
            kept.append(matrix)
            yield matrix


def corner_distances(one: Floats, other: Floats, shape: tuple[int, ...]) -> Floats:
    """Distances (4) in pixels between the corners of a raster of that shape (height, width) under two homographies."""
    height, width = shape[:2]
    corners = np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], np.float64)
    return np.asarray(np.linalg.norm(project(one, corners) - project(other, corners), axis=1))


@dataclass(frozen=True, slots=True)
class AlignmentFit:
    """Exact fit of one raster (the ground) to another (the view), on high-pass filtered brightness.

    Attributes:
        shape: height and width of the ground.
        blur_px: a fit starts at most about two of these away from the right place.
        places: flat indices of the ground's pixels with the largest gradients, which are fitted.
        wanted: their values.
        jacobian: their derivatives by each of the eight parameters of a homography (8 x n).
        norm: 3 x 3, from the ground's pixels to the units of those parameters.
        smooth: the view.
    """

    shape: tuple[int, ...]
    blur_px: float
    places: Ints
    wanted: Floats
    jacobian: Floats
    norm: Floats
    smooth: Singles

    @classmethod
    def of(cls, ground: Singles, view: Singles, blur_px: float) -> AlignmentFit:
        """Precompute what all fits of these rasters (grey levels) share."""
        pattern = _detail(ground, blur_px)
        x, y = sobel_gradient(pattern)
        steep = x * x + y * y
        v, u = np.nonzero(steep > np.quantile(steep, 1 - _USED_SHARE))
        half = np.array(ground.shape[1::-1]) / 2
        norm = np.array([[1 / half[0], 0, -1], [0, 1 / half[0], -half[1] / half[0]], [0, 0, 1]])
        a, b = u / half[0] - 1, (v - half[1]) / half[0]
        p, q = (one[v, u].astype(np.float64) * half[0] for one in (x, y))
        slope = -(p * a + q * b)
        jacobian = np.stack([p * a, p * b, p, q * a, q * b, q, slope * a, slope * b])
        wanted = pattern[v, u].astype(np.float64)
        return cls(ground.shape, blur_px, v * ground.shape[1] + u, wanted, jacobian, norm, _detail(view, blur_px))

    def refined(self, matrix: Floats) -> Floats:
        """Refine a homography from the ground to the view.

        Gauss-Newton over all eight parameters. Pixels that disagree (checkers, hands, reflections) lose their weight.
        """
        size, wanted, weight = self.shape[1::-1], self.wanted, np.ones(len(self.wanted))
        back, even = np.linalg.inv(self.norm), np.eye(8) * 1e-6 * len(wanted)
        for _ in range(_STEPS):
            seen = warp(self.smooth, matrix, size)
            values = seen.take(self.places).astype(np.float64)
            known = weight * wanted
            gain = float(known @ values) / max(float(known @ wanted), 1e-9)
            away = values / min(max(gain, 1 / _GAIN_MOST), _GAIN_MOST) - wanted
            spread = max(1.48 * float(np.median(np.abs(away))), _LEAST_SPREAD)
            weight = np.maximum(1 - (away / (_TUKEY * spread)) ** 2, 0) ** 2
            weighted = self.jacobian * weight
            step = np.linalg.solve(weighted @ self.jacobian.T + even, weighted @ away)
            change = back @ (np.append(step, 0.0).reshape(3, 3) + np.eye(3)) @ self.norm
            better = matrix @ np.linalg.inv(change)
            better /= better[2, 2]
            moved = corner_distances(matrix, better, self.shape).max()
            matrix = better
            if moved < _STILL_PX or moved > 20 * self.blur_px:
                break
        return matrix


def _detail(light: Singles, blur_px: float) -> Singles:
    return np.asarray(
        cv2.GaussianBlur(light, (0, 0), blur_px) - cv2.GaussianBlur(light, (0, 0), 5 * blur_px), np.float32
    )


def agreement(ground: Singles, view: Singles, matrix: Floats, where: Singles | None = None) -> float:
    """How well the edge directions of `ground` agree with those of `view` under `matrix`: 1 for equal, 0 for unrelated.

    `where`: weight of each pixel; None for equal weights.
    """
    seen = warp(view, matrix, ground.shape[1::-1])
    learned, found = directions(_blurred(ground)), directions(_blurred(seen))
    steep = np.hypot(learned[..., 0], learned[..., 1])
    weight = steep if where is None else steep * where
    return float((weight * (learned * found).sum(axis=-1)).sum() / max(float((weight * steep).sum()), 1e-9))


def _blurred(light: Singles) -> Singles:
    return np.asarray(cv2.GaussianBlur(light, (0, 0), _BLUR_PX), np.float32)
