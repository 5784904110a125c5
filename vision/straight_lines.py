"""How much a lens bends, from what ought to be straight: edges of the frame, the table, the points.

Plumb lines (Brown 1971; Devernay and Faugeras 2001), found without knowing what they are: every long thin edge of the
picture says how bent it is, and how much a lens would bend a straight one there. Where nearly all that is said fits one
lens, it is that; a round table or a wavy mat bends otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.lens import LensDistortion

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from vision.camera import Picture

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]

_WIDTH_PX = 1280
"""Larger pictures are looked at in this width: edges are then found to a fifth of a pixel, enough for what is asked."""
_SHORTEST = 0.1
"""Length of an edge that is asked, in picture widths: shorter ones bend by less than is seen."""
_DIRECTIONS = 16
"""Edges are followed as long as they keep to a sixteenth of half a turn, either way: lenses bend by less."""
_SHARP = 3.0
"""Grey levels a pixel that an edge has at least; a small camera's noise gives about half of it."""
_LABELLED = 8, cv2.CV_32S, cv2.CCL_GRANA
"""How edges' pixels are joined: with all eight neighbours, in less than half the time of OpenCV's usual way."""
_PLACES = 150
"""Places of an edge that are looked at."""
_SMOOTH_PX = 0.6
"""How far an edge's places lie from a parabola at most: what is farther is several edges, or grain."""
_SPREAD_PX = 0.5
"""Sagitta of straight edges as wood, printing and pixels have it."""
_FEWEST = 10
"""Edges that are asked at least."""
_MOST_BEND, _STEP = 0.5, 0.005
_LEAST_BEND = 0.03
"""A lens that bends less moves no place of a board by more than a three-hundredth of its width: it counts as none."""
_AGREE = 0.6
"""Share of what is said, by its weight, that must fit the lens to three spreads."""
_SURE = 4.0
"""How many of its spreads the bend is from none."""
_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class _Said:
    """What edges say, an entry each: their sagitta in pixels, and how many more one more of bend would make it."""

    sagitta: Floats
    slope: Floats

    def fit(self, bend: float) -> float:
        """How well a change of bend explains it; more is better."""
        return -float(np.log1p((self._missed(bend) / _SPREAD_PX) ** 2).sum())

    def refined(self, bend: float) -> float:
        """The change of bend near `bend` that explains most (Cauchy's weights)."""
        for _ in range(10):
            weight = self._weight(bend) * self.slope
            bend = float((weight * self.sagitta).sum() / max((weight * self.slope).sum(), 1e-12))
        return bend

    def spread(self, bend: float) -> float:
        """How far off it may be."""
        return float(_SPREAD_PX / np.sqrt(max((self._weight(bend) * self.slope**2).sum(), 1e-12)))

    def agreement(self, bend: float) -> float:
        """Share of what is said, by its weight, that agrees with it."""
        agrees = np.abs(self._missed(bend)) < 3 * _SPREAD_PX
        return float((self.slope**2 * agrees).sum() / max((self.slope**2).sum(), 1e-12))

    def _missed(self, bend: float) -> Floats:
        return np.asarray(self.sagitta - bend * self.slope)

    def _weight(self, bend: float) -> Floats:
        return np.asarray(1 / (1 + (self._missed(bend) / _SPREAD_PX) ** 2))


def find_lens(picture: Picture) -> LensDistortion | None:
    """The lens that took a picture (BGR); None where it bends next to nothing, or the picture does not tell."""
    height, width = picture.shape[:2]
    shrink = min(1.0, _WIDTH_PX / width)
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    if shrink < 1:
        grey = cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    edges = list(_edges(np.asarray(grey, np.float32)))
    size = (grey.shape[1], grey.shape[0])
    bend = 0.0
    for _ in range(_ROUNDS):
        said = _told(edges, LensDistortion(size, bend))
        if len(said.sagitta) < _FEWEST:
            return None
        trials = np.arange(-_MOST_BEND, _MOST_BEND + _STEP / 2, _STEP) - bend
        more = said.refined(float(max(trials, key=said.fit)))
        bend = min(max(bend + more, -_MOST_BEND), _MOST_BEND)
        if abs(bend) < _LEAST_BEND / 2:  # rounds that follow move it by less
            return None
    sure = abs(bend) > max(_LEAST_BEND, _SURE * said.spread(more)) and said.agreement(more) > _AGREE
    return LensDistortion((width, height), bend) if sure else None


def _edges(grey: Singles) -> Iterator[Floats]:
    """The long edges of a picture: places (n x 2) to a part of a pixel; an edge may come twice."""
    smooth = cv2.GaussianBlur(grey, (0, 0), 1.2)
    x, y = (np.asarray(cv2.Scharr(smooth, cv2.CV_32F, *along, scale=1 / 32), np.float32) for along in ((1, 0), (0, 1)))
    steep = np.hypot(x, y)
    whole = 16
    fine_x, fine_y = (np.rint(one * whole).astype(np.int16) for one in (x, y))
    rows, columns = np.nonzero(cv2.Canny(fine_x, fine_y, _SHARP * whole / 2, _SHARP * whole, L2gradient=True))
    angle = np.arctan2(y[rows, columns], x[rows, columns])
    for direction in np.pi / _DIRECTIONS * np.arange(_DIRECTIONS):
        near = np.abs((angle - direction + np.pi / 2) % np.pi - np.pi / 2) < np.pi / _DIRECTIONS
        mask = np.zeros(grey.shape, np.uint8)
        mask[rows[near], columns[near]] = 1
        _, labels, stats, _ = cv2.connectedComponentsWithStatsWithAlgorithm(mask, *_LABELLED)
        for label in np.flatnonzero(np.hypot(stats[1:, 2], stats[1:, 3]) > _SHORTEST * grey.shape[1]) + 1:
            left, top, across, down, many = stats[label]
            v, u = np.nonzero(labels[top : top + down, left : left + across] == label)
            every = max(1, many // _PLACES)
            yield _exactly(x, y, steep, (u + left)[::every], (v + top)[::every])


def _exactly(x: Singles, y: Singles, steep: Singles, u: NDArray[np.intp], v: NDArray[np.intp]) -> Floats:
    """Where along its gradient (x, y) each pixel's edge is steepest."""
    at = steep[v, u]
    pixels, uphill = np.column_stack([u, v]), np.column_stack([x[v, u], y[v, u]]) / at[:, None]
    beside = ((pixels + step * uphill).astype(np.float32) for step in (-1, 1))
    before, after = (cv2.remap(steep, one[:, 0], one[:, 1], cv2.INTER_LINEAR).ravel() for one in beside)
    hollow = np.minimum(before - 2 * at + after, -1e-6)
    shift = np.clip((before - after) / (2 * hollow), -0.7, 0.7)
    return np.asarray(pixels + shift[:, None] * uphill, np.float64)


def _told(edges: Sequence[Floats], lens: LensDistortion) -> _Said:
    """What edges say, once pictures are freed of a lens."""
    found = [told for edge in edges if (told := _sagitta(lens.undistort(edge), lens.size)) is not None]
    return _Said(*np.array(found).reshape(-1, 2).T)


def _sagitta(places: Floats, size: tuple[int, int]) -> tuple[float, float] | None:
    """An edge's sagitta in pixels and how many more one more of bend makes it; None where it is no smooth line."""
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
        missed = np.abs(off - parabola @ fitted)
        spread = max(1.48 * float(np.median(missed)), 0.1)
        weight = np.maximum(1 - (missed / (3 * spread)) ** 2, 0)
    if spread > _SMOOTH_PX:
        return None
    pushed = (away @ across) * (away * away).sum(axis=1) / size[0] ** 2
    return float(fitted[2]), float(np.linalg.lstsq(parabola, pushed, rcond=None)[0][2])
