"""Illumination relative to the calibration picture, as log brightness over the board: estimated, then removed.

A moved lamp or fading daylight changes the light from one end of the board to the other, which a plane describes.
Shadows and lamps nearby change parts of it, which `vision.imaging.light_field` describes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.imaging.appearance import level
from vision.imaging.exposure import DIM, NEARLY_WHITE, saturated
from vision.imaging.light_field import TOLERANCE, light_field, mode_of

if TYPE_CHECKING:
    from vision.arrays import Bools, Picture, Singles
    from vision.geometry import Window


_EVERY = 3
"""Sampling step along x and y, in pixels."""
_LEAST_PIXELS = 800
"""Least number of unclipped pixels for an estimate."""
_NOISE = 6.0
"""Further tolerance of a channel, in grey levels: a strong colour has one or two channels that are nearly black."""
_MOST_FITS = 8
"""Most iterations of the robust fit; the inliers may start in one stripe of the board and spread over all of it."""
_LEAST_INLIERS = 0.2
"""Least share of inliers: at least half of the board is bare, and half of that may lie in shadows."""
_EVEN = 0.08
"""Largest rise of the plane, from the middle of the raster, that counts as uniform light. The standard deviations in
`vision.imaging.appearance` cover it, and moved checkers alone give 0.05."""
_STRONGEST_PLANE = 0.6
"""Strongest plane that is accepted: about a stop, the most a moved lamp causes."""
_SHADOW_DEVIATION, _SHADOW_SHARE = 0.1, 0.03
"""Deviation from the plane (natural logarithm) that counts as a shadow, and the least share of the raster with it: four
checkers. With less, the plane is used, so that nothing changes in uniform light."""
BORDER_REACH = 0.75
"""Reach around a checker's place, in its diameters, within which a sharp edge of light makes it doubtful."""


@dataclass(frozen=True, slots=True)
class Illumination:
    """The light of a picture relative to the calibration picture.

    Attributes:
        gain: ratio of brightness (B, G, R), as a median over the board.
        field: log ratio of brightness to `gain`, height x width of a coarse raster; None if the light is uniform.
        shadowed: whether the field is more than a plane, because a part of the board is in another light.
        border: mask (like `field`) of the pixels where the light changes abruptly; None if there are none.
        brighter: ratio of brightness to `gain` of the brightest pixel that is clipped, at least 1.
    """

    gain: Singles
    field: Singles | None = None
    shadowed: bool = False
    border: Bools | None = None
    brighter: float = 1.0

    @classmethod
    def of(cls, view: Picture, ground: Picture, gain: Singles, white: float = 255.0) -> Illumination:
        """Estimate from a raster and the empty board's `ground` (both BGR), and the `gain` (B, G, R) between them.

        `white`: grey level from which the raster is saturated.
        """
        middle = slice(_EVERY // 2, None, _EVERY)  # of the coarse raster's pixels, as `cv2.resize` takes them
        view, ground = (np.ascontiguousarray(one[middle, middle]) for one in (view, ground))
        clipped, (seen, bare) = (
            saturated(view, white - NEARLY_WHITE),
            (one.astype(np.float32) for one in (view, ground)),
        )
        usable = ~(clipped | saturated(ground)) & (np.minimum(seen, bare).mean(axis=2) > DIM)
        if np.count_nonzero(usable) < _LEAST_PIXELS:
            return cls(gain)
        expected = bare * gain
        share = (seen.sum(axis=2) + 1) / (expected.sum(axis=2) + 1)
        ratio = np.log(share)
        plane = _fit_plane(ratio, usable)
        if plane is None:
            return cls(gain)
        expected *= share[..., None]
        grey = usable & (np.abs(seen - expected) < TOLERANCE * expected + _NOISE).all(axis=2)
        field, border = light_field(ratio, grey, plane, np.log(bare.mean(axis=2) + 1))
        if (np.abs(field - plane) > _SHADOW_DEVIATION).mean() > _SHADOW_SHARE:
            brighter = _brightest(field, clipped)
            return cls(gain, field, shadowed=True, border=border if border.any() else None, brighter=brighter)
        even = np.ptp(plane) < 2 * _EVEN or np.abs(plane).max() > _STRONGEST_PLANE
        return cls(gain) if even else cls(gain, plane, brighter=_brightest(plane, clipped))

    def changes_near(self, x: float, y: float, reach: float) -> bool:
        """Whether the light changes abruptly within `reach` pixels of (x, y) on the raster, along either axis."""
        if self.border is None:
            return False
        left, upper, right, lower = (max(round(at / _EVERY), 0) for at in (x - reach, y - reach, x + reach, y + reach))
        return bool(self.border[upper : lower + 1, left : right + 1].any())

    def with_border(self, mask: Bools) -> Illumination:
        """This light, with the pixels of a raster's mask added to those where it changes abruptly."""
        border = mask[_EVERY // 2 :: _EVERY, _EVERY // 2 :: _EVERY].copy()
        return replace(self, border=border if self.border is None else self.border | border)

    def within(self, window: Window, size: tuple[int, int]) -> Illumination:
        """The light in a window of a raster of `size` (width, height)."""
        if self.field is None:
            return self
        field = np.asarray(cv2.resize(self.field, size, interpolation=cv2.INTER_LINEAR), np.float32)
        return replace(self, field=window.of(field), border=None)

    def level(self, view: Picture, ceiling: Singles | None = None) -> Picture:
        """Correct a raster (BGR, any scale) to the calibration picture's light; clip it at `ceiling` (B, G, R)."""
        if self.field is None:
            return level(view, self.gain, ceiling)
        most = np.full(3, 255, np.float32) if ceiling is None else ceiling
        share = np.exp(-cv2.resize(self.field, view.shape[1::-1], interpolation=cv2.INTER_LINEAR))
        return np.asarray(np.clip(view * share[..., None] / self.gain, 0, most).astype(np.uint8))


def _brightest(field: Singles, clipped: Bools) -> float:
    """The greatest ratio of brightness of a log field where it is clipped, at least 1."""
    return float(np.exp(field.max(where=clipped, initial=0)))


def _fit_plane(ratio: Singles, usable: Bools) -> Singles | None:
    """Robust fit of a plane (height x width) to the usable log ratios; None if it has too few inliers."""
    y, x = np.meshgrid(*(np.linspace(-1, 1, size) for size in ratio.shape), indexing="ij")
    place = np.stack([np.ones_like(x), x, y], axis=-1)
    coordinates, chosen = place[usable], ratio[usable]
    plane, agree = np.zeros(3), np.abs(chosen) < TOLERANCE
    if agree.mean() < _LEAST_INLIERS:  # the gain is between two lights
        agree = np.abs(chosen - mode_of(chosen)) < TOLERANCE
    for _ in range(_MOST_FITS):
        if agree.mean() < _LEAST_INLIERS / 2:
            return None
        near = coordinates[agree]
        plane = np.linalg.solve(near.T @ near, near.T @ chosen[agree])
        before, agree = agree, np.abs(chosen - coordinates @ plane) < TOLERANCE
        if (agree == before).all():
            break
    return np.asarray(place @ plane, np.float32) if agree.mean() >= _LEAST_INLIERS else None
