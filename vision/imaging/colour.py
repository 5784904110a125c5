"""Colours in Lab: conversion, histograms as log densities, distances."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.cameras import Picture

    Floats = NDArray[np.float32]


_BINS, _SHIFT = 32, 3
"""Bins of a colour table along each axis, and the shift from 8 bits to a bin."""

_SMOOTH = (1.6, 0.8, 0.8)
"""Standard deviation (L, a, b) of a colour table's smoothing, in bins of 8 Lab units: brightness varies more over a
board than hue."""

_RARE = 1e-8
"""Density (per cubic Lab unit) of colours never seen on a side's checkers: below 1/1000 of the uniform density."""


def lab(picture: Picture) -> Picture:
    """BGR to 8-bit Lab."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), np.uint8)


def colour_table(pixels: Picture) -> Floats:
    """Log density (per cubic Lab unit) of sample pixels (n x 3, 8-bit Lab), in 32 x 32 x 32 bins (L, a, b)."""
    counts = np.zeros((_BINS,) * 3, np.float32)
    np.add.at(counts, tuple((pixels >> _SHIFT).T), 1)
    counts /= max(len(pixels), 1)
    for axis, spread in enumerate(_SMOOTH):
        kernel = np.exp(-0.5 * (np.arange(-5, 6) / spread) ** 2)
        kernel /= kernel.sum()
        counts = np.apply_along_axis(np.convolve, axis, counts, kernel, "same")
    return np.log(counts / 8**3 + _RARE).astype(np.float32)


def bins_of(colours: Picture) -> NDArray[np.intp]:
    """The index of each pixel of an 8-bit Lab raster into a flattened colour table."""
    light, a, b = (np.asarray(one, np.uint8) >> _SHIFT for one in cv2.split(colours))
    index = light.astype(np.uint16)
    for further in (a, b):
        index *= _BINS
        index += further
    return np.asarray(index, np.intp)


def to_lab(image: Picture) -> NDArray[np.float32]:
    """Convert BGR to CIE Lab, float32: L from 0 to 100, a and b around 0."""
    return np.asarray(cv2.cvtColor(image.astype(np.float32) / 255, cv2.COLOR_BGR2Lab), np.float32)


def colour_distance(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """Lab distance with lightness counted half; works along the last axis."""
    distance: NDArray[np.float32] = np.sqrt((((one - other) * np.array([0.5, 1, 1], np.float32)) ** 2).sum(axis=-1))
    return distance
