"""Colour matrices: a camera that changes its saturation, or its correction for a lamp's colour, mixes its channels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.arrays import Floats, Picture


_EVERY = 5
"""Only one pixel in this many is used, each way."""
_DARK, _CLIPPED = 12, 250
"""Grey levels outside this range (the mean, and any channel) are noise, or may be clipped; they are not used."""
_FEWEST = 300
"""Fewest pixels that give a matrix."""
_ALIKE = 0.2
"""Largest deviation of a pixel's brightness from the usual ratio (natural logarithm): a matrix hardly changes that, and
most checkers that came or went deviate by more."""
_FITS = 8
"""Number of least-squares fits, each weighted by the residuals of the one before (Tukey's biweight)."""
_LEAST_SCALE, _REACH = 4.0, 4.5
"""Least median residual, in grey levels, that is reckoned with, and how many of them leave a pixel without weight."""
_RIDGE = 2.0
"""Grey levels: colours that vary by less, as over a board of one hue, do not determine the matrix."""
_CLEARLY = 0.7
"""Largest share of the residual that a matrix may leave of what gains alone leave. Without a change it leaves 0.88 and
more; with a changed saturation 0.1 to 0.7 on boards with colours, and more on grey ones, which need no matrix."""
_LEAST_RESIDUAL = 2.0
"""Least residual of the gains alone, in grey levels, that a matrix is to explain; grain and rounding leave less."""
_MOST = 0.8
"""Largest sum of what other channels add to one: a saturation that fell by half gives 0.6."""


def same_colours(picture: Picture, view: Picture, known: Picture) -> Picture:
    """A picture with its channels mixed as in a known one; the same picture where they have not clearly changed.

    Gains of the channels are left as they are. `view`: a part of the picture that has what `known`, of the same size,
    has in most pixels.
    """
    now, before = (one[::_EVERY, ::_EVERY].reshape(-1, 3).astype(np.float32) for one in (view, known))
    used = ((now < _CLIPPED) & (before < _CLIPPED)).all(axis=1) & (np.minimum(now, before).mean(axis=1) > _DARK)
    ratio = np.log(now.sum(axis=1) + 1) - np.log(before.sum(axis=1) + 1)
    used &= np.abs(ratio - np.median(ratio[used] if used.any() else 0.0)) < _ALIKE
    now, before = now[used], before[used]
    if len(now) < _FEWEST:
        return picture
    gains = np.diag(np.median((before + 1) / (now + 1), axis=0))
    matrix = gains
    for _ in range(_FITS):
        matrix = _refitted(now, before, matrix, gains)
    mixed = matrix / np.diag(gains)[:, None]
    left, unmixed = (np.median(_residuals(now, before, one)) for one in (matrix, gains))
    changed = unmixed > _LEAST_RESIDUAL and left < _CLEARLY * unmixed
    if not changed or np.abs(mixed - np.diag(np.diag(mixed))).sum(axis=1).max() > _MOST:
        return picture
    return np.asarray(np.clip(np.rint(cv2.transform(picture.astype(np.float32), mixed)), 0, 255), np.uint8)


def _residuals(now: Floats, before: Floats, matrix: Floats) -> Floats:
    """Distance (n, grey levels) of colours (n x 3) through a matrix from the earlier ones."""
    return np.asarray(np.linalg.norm(now @ matrix.T - before, axis=1))


def _refitted(now: Floats, before: Floats, matrix: Floats, gains: Floats) -> Floats:
    """The matrix that takes colours (n x 3) to the earlier ones, with pixels weighted by their residuals so far."""
    away = _residuals(now, before, matrix)
    reach = _REACH * max(float(np.median(away)), _LEAST_SCALE)
    weight = np.maximum(1 - (away / reach) ** 2, 0)[:, None] ** 2
    ridge, weighted = _RIDGE**2 * weight.sum(), (now * weight).T
    return np.asarray(np.linalg.solve(weighted @ now + ridge * np.eye(3), weighted @ before + ridge * gains).T)
