"""Colours in CIE Lab: conversion from BGR, distances, likeness to sample colours, histograms as log densities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.arrays import Floats, Ints, Picture, Singles


_BINS, _SHIFT = 32, 3
"""Bins of a colour table along each axis, and the shift from 8 bits to a bin."""
_SMOOTH = (1.6, 0.8, 0.8)
"""Standard deviation (L, a, b) of a colour table's smoothing, in bins of 8 Lab units: brightness varies more over a
board than hue."""
_KERNEL_RADIUS = 5
"""Radius of the smoothing kernel, in bins."""
_LEAST_DENSITY = 1e-8
"""Density (per cubic Lab unit) added everywhere, for colours not in the samples: a sixth of the uniform density."""
_DISTANCE_WEIGHTS = np.array([0.5, 1, 1], np.float32)
"""Weights of L, a and b in `colour_distance`: lightness changes with the light, hue hardly."""
_LEAST_SPREAD, _WIDENED = (10, 6, 6), 1.5
"""Least standard deviation (L, a, b in Lab units) of sample colours in `colour_likeness`, and the factor on it."""


def to_lab(picture: Picture) -> Singles:
    """Convert BGR to CIE Lab, float32: L from 0 to 100, a and b around 0."""
    return np.asarray(cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float32)


def to_lab8(picture: Picture) -> Picture:
    """Convert BGR to 8-bit Lab: L from 0 to 255, a and b around 128."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), np.uint8)


def colour_distance(one: Singles, other: Singles) -> Singles:
    """Distance of Lab colours (..., 3) with lightness counted half."""
    distance: Singles = np.sqrt((((one - other) * _DISTANCE_WEIGHTS) ** 2).sum(axis=-1))
    return distance


def colour_likeness(view: Singles, samples: Singles) -> Singles:
    """Likeness (0 to 1; height x width) of each pixel of a Lab picture to sample colours (n x 3).

    A normal density about the samples' median, 1 at its peak; the standard deviation is estimated from the median
    absolute deviation.
    """
    middle = np.median(samples, axis=0)
    spread = np.maximum(1.48 * np.median(np.abs(samples - middle), axis=0), _LEAST_SPREAD) * _WIDENED
    away = cv2.transform(view, np.column_stack([np.diag(1 / spread), -middle / spread]))
    return np.asarray(cv2.exp(cv2.transform(cv2.multiply(away, away, scale=-0.5), np.ones((1, 3)))), np.float32)


def colour_table(pixels: Picture) -> Singles:
    """Log density (per cubic Lab unit) of sample pixels (n x 3, 8-bit Lab), in 32 x 32 x 32 bins (L, a, b)."""
    counts = np.zeros((_BINS,) * 3, np.float32)
    np.add.at(counts, tuple((pixels >> _SHIFT).T), 1)
    counts /= max(len(pixels), 1)
    density = counts.astype(np.float64)
    for axis, spread in enumerate(_SMOOTH):
        density = _smooth_along(density, axis, spread)
    return np.log(density / 8**3 + _LEAST_DENSITY).astype(np.float32)


def _smooth_along(density: Floats, axis: int, spread: float) -> Floats:
    """Convolve along an axis with a normal density (`spread` in bins), with zero padding."""
    kernel = np.exp(-0.5 * (np.arange(-_KERNEL_RADIUS, _KERNEL_RADIUS + 1) / spread) ** 2)
    kernel /= kernel.sum()
    ends = [(0, 0)] * density.ndim
    ends[axis] = _KERNEL_RADIUS, _KERNEL_RADIUS
    padded = np.moveaxis(np.pad(density, ends), axis, 0)
    parts = (share * padded[step : step + density.shape[axis]] for step, share in enumerate(kernel))
    return np.moveaxis(sum(parts, np.zeros(())), 0, axis)


def bins_of(colours: Picture) -> Ints:
    """Index (height x width) of each pixel of an 8-bit Lab raster into a flattened colour table."""
    light, a, b = (np.asarray(one, np.uint8) >> _SHIFT for one in cv2.split(colours))
    index = light.astype(np.uint16)
    for further in (a, b):
        index *= _BINS
        index += further
    return np.asarray(index, np.intp)
