"""Radial lens distortion: estimated from straight edges in one picture (frame, table, points), and removed.

Plumb-line method (Brown 1971; Devernay and Faugeras 2001) without prior knowledge of the lines: the sagitta of every
long thin edge is measured, and compared with the sagitta that distortion would give a straight edge there. A lens is
accepted only if nearly all edges fit it: curved things (a round table, a wavy mat) do not fit one lens.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.geometry.gradient import scharr_gradient

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from vision.arrays import Floats, Ints, Picture, Singles


_ITERATIONS = 30
"""Fixed-point iterations of `undistort`; each at least halves the error."""


@dataclass(frozen=True)
class LensDistortion:
    """Radial distortion of a lens with one coefficient (Brown 1966, first term).

    Attributes:
        size: width and height of its pictures in pixels.
        bend: distortion coefficient: a place r picture widths from the middle appears at r (1 + bend r²). OpenCV's k1
            is `bend` times the square of the focal length in picture widths. Below 0 it is barrel distortion.
    """

    size: tuple[int, int]
    bend: float

    @property
    def _middle(self) -> Floats:
        return (np.array(self.size) - 1) / 2

    def distort(self, places: Floats) -> Floats:
        """Convert pinhole pixels (..., 2) to pixels of this lens."""
        away = (np.asarray(places, np.float64) - self._middle) / self.size[0]
        moved = away * (1 + self.bend * (away * away).sum(axis=-1, keepdims=True))
        return np.asarray(moved * self.size[0] + self._middle)

    def undistort(self, places: Floats) -> Floats:
        """Convert pixels of this lens (..., 2) to pinhole pixels."""
        if not self.bend:
            return np.asarray(places, np.float64)
        seen = (np.asarray(places, np.float64) - self._middle) / self.size[0]
        away = seen
        for _ in range(_ITERATIONS):
            away = (away + seen / (1 + self.bend * (away * away).sum(axis=-1, keepdims=True))) / 2
        return np.asarray(away * self.size[0] + self._middle)

    @cached_property
    def _maps(self) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
        """Maps for `cv2.remap` from undistorted to distorted pixels, in OpenCV's fastest fixed-point form."""
        width, height = self.size
        pixels = np.stack(np.meshgrid(np.arange(float(width)), np.arange(float(height))), axis=-1)
        x, y = np.moveaxis(self.distort(pixels).astype(np.float32), -1, 0)
        whole, rest = cv2.convertMaps(x, y, cv2.CV_16SC2)
        return np.asarray(whole, np.int16), np.asarray(rest, np.uint16)

    def undistort_picture(self, picture: Picture) -> Picture:
        """Undistort a picture; a picture of another size is returned unchanged."""
        if (picture.shape[1], picture.shape[0]) != self.size:
            return picture
        return np.asarray(cv2.remap(picture, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


_WIDTH_PX = 1280
"""Width to which larger pictures are reduced; edges are then located to a fifth of a pixel, which is enough."""
_SHORTEST = 0.1
"""Least length of an edge that is used, in picture widths; the sagitta of shorter ones is too small to measure."""
_DIRECTIONS = 16
"""Edge pixels are grouped in this many directions of half a turn, each with half a turn over this number to either
side; lens distortion turns an edge by less."""
_SHARP = 3.0
"""Least gradient of an edge in grey levels per pixel; noise of a small camera gives about half of it."""
_CONNECTIVITY = 8, cv2.CV_32S, cv2.CCL_GRANA
"""Connected components with all eight neighbours; this algorithm takes less than half the time of OpenCV's default."""
_SAMPLES = 150
"""Number of pixels of an edge that are used."""
_SMOOTH_PX = 0.6
"""Largest standard deviation of an edge from a parabola, in pixels; a larger one means several edges, or grain."""
_SPREAD_PX = 0.5
"""Standard deviation of the sagitta of real straight edges, in pixels (wood, printing, pixel grid)."""
_FEWEST = 10
"""Least number of edges for an estimate."""
_MOST_BEND, _STEP = 0.5, 0.005
"""Largest coefficient of the grid search, and its step."""
_LEAST_BEND = 0.03
"""Smaller coefficients count as no distortion: they move no place of a board by more than 1/300 of its width."""
_AGREE = 0.6
"""Least weighted share of the edges that must fit the lens to three standard deviations."""
_SURE = 4.0
"""Least distance of the coefficient from 0, in standard deviations of its estimate."""
_ROUNDS = 4
"""Iterations of undistorting the edges and measuring again."""


@dataclass(frozen=True, slots=True)
class _Sagittas:
    """One entry per edge: its sagitta in pixels, and the derivative of the sagitta by the distortion coefficient."""

    sagitta: Floats
    slope: Floats

    def log_likelihood(self, bend: float) -> float:
        """Log-likelihood (Cauchy) of a change of the coefficient, up to a constant."""
        return -float(np.log1p((self._residual(bend) / _SPREAD_PX) ** 2).sum())

    def refined(self, bend: float) -> float:
        """The most likely change of the coefficient near `bend`: reweighted least squares with Cauchy weights."""
        for _ in range(10):
            weight = self._weight(bend) * self.slope
            bend = float((weight * self.sagitta).sum() / max((weight * self.slope).sum(), 1e-12))
        return bend

    def standard_error(self, bend: float) -> float:
        """Standard deviation of the estimated coefficient."""
        return float(_SPREAD_PX / np.sqrt(max((self._weight(bend) * self.slope**2).sum(), 1e-12)))

    def inlier_share(self, bend: float) -> float:
        """Share of the edges, weighted by their squared derivative, with residuals within three standard deviations."""
        inliers = np.abs(self._residual(bend)) < 3 * _SPREAD_PX
        return float((self.slope**2 * inliers).sum() / max((self.slope**2).sum(), 1e-12))

    def _residual(self, bend: float) -> Floats:
        return np.asarray(self.sagitta - bend * self.slope)

    def _weight(self, bend: float) -> Floats:
        return np.asarray(1 / (1 + (self._residual(bend) / _SPREAD_PX) ** 2))


def find_lens(picture: Picture) -> LensDistortion | None:
    """Estimate the lens distortion of a picture (BGR); None if it is negligible or the edges do not determine it."""
    height, width = picture.shape[:2]
    shrink = min(1.0, _WIDTH_PX / width)
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    if shrink < 1:
        grey = cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    edges = list(_edges(np.asarray(grey, np.float32)))
    size = (grey.shape[1], grey.shape[0])
    bend = 0.0
    for _ in range(_ROUNDS):
        lens = LensDistortion(size, bend)
        found = [one for edge in edges if (one := _sagitta(lens.undistort(edge), size)) is not None]
        measured = _Sagittas(*np.array(found).reshape(-1, 2).T)
        if len(measured.sagitta) < _FEWEST:
            return None
        trials = np.arange(-_MOST_BEND, _MOST_BEND + _STEP / 2, _STEP) - bend
        more = measured.refined(float(max(trials, key=measured.log_likelihood)))
        bend = min(max(bend + more, -_MOST_BEND), _MOST_BEND)
        if abs(bend) < _LEAST_BEND / 2:  # further iterations change it by less than the other half
            return None
    sure = abs(bend) > max(_LEAST_BEND, _SURE * measured.standard_error(more)) and measured.inlier_share(more) > _AGREE
    return LensDistortion((width, height), bend) if sure else None


def _edges(grey: Singles) -> Iterator[Floats]:
    """The long edges of a picture, each n x 2 subpixel places; an edge may occur twice."""
    smooth = cv2.GaussianBlur(grey, (0, 0), 1.2)
    x, y = scharr_gradient(np.asarray(smooth, np.float32))
    steep = np.hypot(x, y)
    fixed = 16  # Canny takes gradients as integers: here in sixteenths of a grey level
    fine_x, fine_y = (np.rint(one * fixed).astype(np.int16) for one in (x, y))
    rows, columns = np.nonzero(cv2.Canny(fine_x, fine_y, _SHARP * fixed / 2, _SHARP * fixed, L2gradient=True))
    angle = np.arctan2(y[rows, columns], x[rows, columns])
    for direction in np.pi / _DIRECTIONS * np.arange(_DIRECTIONS):
        near = np.abs((angle - direction + np.pi / 2) % np.pi - np.pi / 2) < np.pi / _DIRECTIONS
        mask = np.zeros(grey.shape, np.uint8)
        mask[rows[near], columns[near]] = 1
        _, labels, stats, _ = cv2.connectedComponentsWithStatsWithAlgorithm(mask, *_CONNECTIVITY)
        for label in np.flatnonzero(np.hypot(stats[1:, 2], stats[1:, 3]) > _SHORTEST * grey.shape[1]) + 1:
            left, top, across, down, area = stats[label]
            v, u = np.nonzero(labels[top : top + down, left : left + across] == label)
            every = max(1, area // _SAMPLES)
            yield _subpixel(x, y, steep, (u + left)[::every], (v + top)[::every])


def _subpixel(x: Singles, y: Singles, steep: Singles, u: Ints, v: Ints) -> Floats:
    """Subpixel maxima (n x 2) of gradient magnitude near pixels (u, v), from a parabola along the gradient (x, y)."""
    at = steep[v, u]
    pixels, uphill = np.column_stack([u, v]), np.column_stack([x[v, u], y[v, u]]) / at[:, None]
    beside = ((pixels + step * uphill).astype(np.float32) for step in (-1, 1))
    before, after = (cv2.remap(steep, one[:, 0], one[:, 1], cv2.INTER_LINEAR).ravel() for one in beside)
    curvature = np.minimum(before - 2 * at + after, -1e-6)
    shift = np.clip((before - after) / (2 * curvature), -0.7, 0.7)
    return np.asarray(pixels + shift[:, None] * uphill, np.float64)


def _sagitta(places: Floats, size: tuple[int, int]) -> tuple[float, float] | None:
    """An edge's sagitta in pixels and its derivative by the coefficient; None if the edge is not a smooth curve."""
    away = places - (np.array(size) - 1) / 2
    middle = away.mean(axis=0)
    along, across = np.linalg.svd(away - middle, full_matrices=False)[2]
    reach = (away - middle) @ along
    half = float(np.ptp(reach)) / 2
    t = (reach - reach.min()) / half - 1
    parabola = np.column_stack([np.ones_like(t), t, t * t])
    off = (away - middle) @ across
    weight = np.ones_like(t)
    spread = _SMOOTH_PX
    for _ in range(3):
        fitted = np.linalg.lstsq(parabola * weight[:, None], off * weight, rcond=None)[0]
        residual = np.abs(off - parabola @ fitted)
        spread = max(1.48 * float(np.median(residual)), 0.1)
        weight = np.maximum(1 - (residual / (3 * spread)) ** 2, 0)
    if spread > _SMOOTH_PX:
        return None
    pushed = (away @ across) * (away * away).sum(axis=1) / size[0] ** 2
    return float(fitted[2]), float(np.linalg.lstsq(parabola, pushed, rcond=None)[0][2])
