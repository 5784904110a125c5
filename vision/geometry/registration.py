"""Image registration of a template: grid search over rotation, scale and shift, then a robust Gauss-Newton fit."""

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


def gradient_directions(light: Singles) -> Singles:
    """Unit gradient vectors (height x width x 2: x, y) of grey levels, shorter where the gradient is mostly noise."""
    x, y = sobel_gradient(light)
    length = np.sqrt(x * x + y * y + _NOISE_LEVELS**2)
    return np.stack([x / length, y / length], axis=-1)


def search_alignments(template: Singles, image: Singles, most: int) -> list[Floats]:
    """Find at most `most` candidate alignments of `template` in the larger `image` (grey levels both), best first.

    Each is a 3 x 3 similarity transform from pixels of `template` to pixels of `image`.
    """
    pattern, middle = gradient_directions(template), (image.shape[1] / 2, image.shape[0] / 2)
    found: list[tuple[float, Floats]] = []
    for degrees in _TURNS_DEG:
        for zoom in _ZOOMS:
            turn = np.vstack([cv2.getRotationMatrix2D(middle, degrees, zoom), [0, 0, 1]])
            turned = cv2.warpPerspective(image, turn, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
            field = gradient_directions(np.asarray(turned, np.float32))
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
    return list(islice(distinct_alignments(best_first, template.shape, _APART_PX), most))


def _peaks(score: Singles) -> list[tuple[float, int, int]]:
    score = score.copy()
    found = []
    for _ in range(_PEAKS):
        y, x = np.unravel_index(int(score.argmax()), score.shape)
        found.append((float(score[y, x]), int(x), int(y)))
        score[max(y - _APART_PX, 0) : y + _APART_PX + 1, max(x - _APART_PX, 0) : x + _APART_PX + 1] = -np.inf
    return found


def distinct_alignments(matrices: Iterable[Floats], shape: tuple[int, ...], apart_px: float) -> Iterator[Floats]:
    """Homographies of a raster, without those whose corners all lie within `apart_px` of those of an earlier one."""
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
    """Subpixel fit of a template to an image, on band-pass filtered brightness (difference of Gaussians).

    Attributes:
        shape: height and width of the template.
        blur_px: standard deviation of the finer Gaussian; a fit converges from about twice this distance.
        places: flat indices of the n template pixels with the largest gradients, which are fitted.
        target: filtered values of the template there (n).
        jacobian: their derivatives by the eight parameters of a homography (8 x n).
        norm: 3 x 3, from template pixels to the normalised coordinates of those parameters.
        image: the filtered image.
    """

    shape: tuple[int, ...]
    blur_px: float
    places: Ints
    target: Floats
    jacobian: Floats
    norm: Floats
    image: Singles

    @classmethod
    def of(cls, template: Singles, image: Singles, blur_px: float) -> AlignmentFit:
        """Precompute what all fits of these rasters (grey levels) share."""
        pattern = _band_pass(template, blur_px)
        x, y = sobel_gradient(pattern)
        steep = x * x + y * y
        v, u = np.nonzero(steep > np.quantile(steep, 1 - _USED_SHARE))
        half = np.array(template.shape[1::-1]) / 2
        norm = np.array([[1 / half[0], 0, -1], [0, 1 / half[0], -half[1] / half[0]], [0, 0, 1]])
        a, b = u / half[0] - 1, (v - half[1]) / half[0]
        p, q = (one[v, u].astype(np.float64) * half[0] for one in (x, y))
        slope = -(p * a + q * b)
        jacobian = np.stack([p * a, p * b, p, q * a, q * b, q, slope * a, slope * b])
        target = pattern[v, u].astype(np.float64)
        return cls(
            template.shape, blur_px, v * template.shape[1] + u, target, jacobian, norm, _band_pass(image, blur_px)
        )

    def refined(self, matrix: Floats) -> Floats:
        """Refine a homography (3 x 3, template to image pixels) by Gauss-Newton over its eight parameters.

        Tukey's biweight rejects outliers (checkers, hands, reflections); a common factor of contrast is fitted too.
        """
        size, target, weight = self.shape[1::-1], self.target, np.ones(len(self.target))
        back, damping = np.linalg.inv(self.norm), np.eye(8) * 1e-6 * len(target)
        for _ in range(_STEPS):
            seen = warp(self.image, matrix, size)
            values = seen.take(self.places).astype(np.float64)
            weighted_target = weight * target
            gain = float(weighted_target @ values) / max(float(weighted_target @ target), 1e-9)
            residuals = values / min(max(gain, 1 / _GAIN_MOST), _GAIN_MOST) - target
            spread = max(1.48 * float(np.median(np.abs(residuals))), _LEAST_SPREAD)
            weight = np.maximum(1 - (residuals / (_TUKEY * spread)) ** 2, 0) ** 2
            weighted = self.jacobian * weight
            step = np.linalg.solve(weighted @ self.jacobian.T + damping, weighted @ residuals)
            change = back @ (np.append(step, 0.0).reshape(3, 3) + np.eye(3)) @ self.norm
            better = matrix @ np.linalg.inv(change)
            better /= better[2, 2]
            moved = corner_distances(matrix, better, self.shape).max()
            matrix = better
            if moved < _STILL_PX or moved > 20 * self.blur_px:
                break
        return matrix


def _band_pass(light: Singles, blur_px: float) -> Singles:
    return np.asarray(
        cv2.GaussianBlur(light, (0, 0), blur_px) - cv2.GaussianBlur(light, (0, 0), 5 * blur_px), np.float32
    )


def agreement(template: Singles, image: Singles, matrix: Floats, where: Singles | None = None) -> float:
    """Normalised correlation of gradient directions under `matrix` (template to image pixels): 1 equal, 0 unrelated.

    `where`: weight of each template pixel; None for equal weights.
    """
    seen = warp(image, matrix, template.shape[1::-1])
    learned, found = gradient_directions(_blurred(template)), gradient_directions(_blurred(seen))
    steep = np.hypot(learned[..., 0], learned[..., 1])
    weight = steep if where is None else steep * where
    return float((weight * (learned * found).sum(axis=-1)).sum() / max(float((weight * steep).sum()), 1e-9))


def _blurred(light: Singles) -> Singles:
    return np.asarray(cv2.GaussianBlur(light, (0, 0), _BLUR_PX), np.float32)
