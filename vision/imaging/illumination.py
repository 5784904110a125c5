"""Illumination relative to the calibration picture, as log brightness over the board: estimated, then removed.

A moved lamp or fading daylight changes the light from one end of the board to the other, which a plane describes. A
player's shadow, or a lamp nearby, changes a part of it. Light changes gradually and in all colours alike, while things
on the board begin at once: so the light is followed from where the plane holds, pixel by pixel, as far as the next
pixels differ little. A hand or a checker is not reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.imaging.appearance import level
from vision.imaging.exposure import BRIGHT, DIM

if TYPE_CHECKING:
    from vision.arrays import Bools, Picture, Singles


_EVERY = 3
"""Only one pixel in this many is used, each way."""
_LEAST_PIXELS = 800
"""Least number of unclipped pixels for an estimate."""
_AGREES = 0.12
"""Largest deviation from the light expected at a pixel (natural logarithm of the ratio), and from the mean of the three
channels: grain of the board, noise, and small shifts of the raster. Checkers mostly deviate by more."""
_NOISE = 6.0
"""Further deviation, in grey levels, that is accepted of a channel: of a strong colour, one or two are nearly black."""
_FITS = 8
"""Most fits of the plane; the inliers may start in one stripe of the board and spread over all of it."""
_LEAST_AGREEING = 0.4
"""Least share of inliers: at least half of the board is bare, and some of that may lie in shadows."""
_EVEN = 0.08
"""Largest rise of the plane, from the middle of the raster, that counts as uniform light. The standard deviations in
`vision.imaging.appearance` cover it, and moved checkers alone give 0.05."""
_MOST = 0.6
"""Brightest light that is accepted, and darkest plane: about a stop, the most a moved lamp causes."""
_DEEPEST = 1.2
"""Deepest shadow that is followed: three tenths of the light."""
_REACH, _SMOOTH = 0.012, 0.04
"""Standard deviations of the blurs that follow the light and that describe it in the end, in widths of the raster: a
sixth of a column, and half a one. With 0.02 for the first, half of the shadows with a clear edge are lost."""
_STEPS, _SETTLED = 40, 3
"""Most steps in which the light is followed, and the number of pixels that change in the last one."""
_LEAST_SHARE = 0.05
"""Share of inliers around a pixel below which the plane is assumed there."""
_SHADED, _LEAST_SHADED = 0.1, 0.03
"""Deviation from the plane that counts as another light, and the least share of the raster that must have it: four
checkers. Where there is less, the plane is used, so that nothing changes in even light."""


@dataclass(frozen=True, slots=True)
class Illumination:
    """The light of a picture relative to the calibration picture.

    Attributes:
        gain: ratio of brightness (B, G, R), as a median over the board.
        field: log ratio of brightness to `gain`, height x width of a coarse raster; None if the light is uniform.
        shadowed: whether the field is no plane: a part of the board is in another light.
    """

    gain: Singles
    field: Singles | None = None
    shadowed: bool = False

    @classmethod
    def of(cls, view: Picture, ground: Picture, gain: Singles) -> Illumination:
        """Estimate from a raster, the empty board `ground`, and the `gain` between them."""
        seen, bare = (one[::_EVERY, ::_EVERY].astype(np.float32) for one in (view, ground))
        usable = ((seen < BRIGHT) & (bare < BRIGHT)).all(axis=2) & (np.minimum(seen, bare).mean(axis=2) > DIM)
        if np.count_nonzero(usable) < _LEAST_PIXELS:
            return cls(gain)
        expected = bare * gain
        share = (seen.sum(axis=2) + 1) / (expected.sum(axis=2) + 1)
        ratio = np.log(share)
        plane = _plane(ratio, usable)
        if plane is None:
            return cls(gain)
        expected *= share[..., None]
        grey = usable & (np.abs(seen - expected) < _AGREES * expected + _NOISE).all(axis=2)
        field = _followed(ratio, grey, plane)
        if (np.abs(field - plane) > _SHADED).mean() > _LEAST_SHADED:
            return cls(gain, field, shadowed=True)
        even = np.ptp(plane) < 2 * _EVEN or np.abs(plane).max() > _MOST
        return cls(gain) if even else cls(gain, plane)

    @property
    def brighter(self) -> float:
        """Ratio of the brightest part of the raster to `gain`, at least 1."""
        return 1.0 if self.field is None else max(float(np.exp(self.field.max())), 1.0)

    def level(self, view: Picture, ceiling: Singles | None = None) -> Picture:
        """Correct a raster, of any scale, to the calibration picture's light; clip it at `ceiling` (B, G, R)."""
        if self.field is None:
            return level(view, self.gain, ceiling)
        most = np.full(3, 255, np.float32) if ceiling is None else ceiling
        share = np.exp(-cv2.resize(self.field, view.shape[1::-1], interpolation=cv2.INTER_LINEAR))
        return np.asarray(np.clip(view * share[..., None] / self.gain, 0, most).astype(np.uint8))


def _plane(ratio: Singles, usable: Bools) -> Singles | None:
    """The plane near most of the usable log ratios; None if too few agree on one."""
    y, x = np.meshgrid(*(np.linspace(-1, 1, size) for size in ratio.shape), indexing="ij")
    place = np.stack([np.ones_like(x), x, y], axis=-1)
    where, told = place[usable], ratio[usable]
    plane, agree = np.zeros(3), np.abs(told) < _AGREES
    for _ in range(_FITS):
        if agree.mean() < _LEAST_AGREEING / 2:
            return None
        near = where[agree]
        plane = np.linalg.solve(near.T @ near, near.T @ told[agree])
        before, agree = agree, np.abs(told - where @ plane) < _AGREES
        if (agree == before).all():
            break
    return np.asarray(place @ plane, np.float32) if agree.mean() >= _LEAST_AGREEING else None


def _followed(ratio: Singles, grey: Bools, plane: Singles) -> Singles:
    """The light, followed over the `grey` pixels, which changed in all channels alike, from those near the plane."""
    width = ratio.shape[1]
    agree = grey & (np.abs(ratio - plane) < _AGREES)
    for _ in range(_STEPS):
        near = _blurred(ratio, agree, plane, _REACH * width)
        before, agree = agree, grey & (np.abs(ratio - near) < _AGREES)
        if np.count_nonzero(agree != before) <= _SETTLED:
            break
    return np.clip(_blurred(ratio, agree, plane, _SMOOTH * width), -_DEEPEST, _MOST)


def _blurred(ratio: Singles, agree: Bools, plane: Singles, reach: float) -> Singles:
    """The mean log ratio of the pixels of `agree` around each one; the plane where there are few."""
    weight = agree.astype(np.float32)
    total, share = (cv2.GaussianBlur(one, (0, 0), reach) for one in ((ratio - plane) * weight, weight))
    return np.asarray(plane + total / np.maximum(share, _LEAST_SHARE), np.float32)
