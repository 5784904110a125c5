"""Detects discs by radial symmetry: votes along the gradient, and the roundness of edges around each pixel.

The gradient's orientation does not depend on the light: a black disc on a black square has a rim too. Its sign is
ignored, because a disc may be darker than one square and brighter than the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.geometry import halved, scharr_gradient
from vision.imaging.colour import to_lab
from vision.imaging.filters import ellipse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Bools, Floats, Picture, Singles


_BLUR_PX = 1.0
"""Standard deviation in pixels of the blur before the gradient."""
FAINT_EDGE = 0.6
"""Least gradient of an edge, in Lab units per pixel: the noise of a small camera."""
GRAIN = 0.6
"""Least gradient of an edge as a multiple of the picture's median. Noise above both limits does no harm, because its
votes are scattered; with higher limits, checkers of nearly the bed's colour are lost in haze."""
NESTED = 1.6
"""Concentric circles count as two discs if their radii differ by this factor or more."""
MOST_DISCS = 160
"""Number of discs kept, the roundest first; a board has 30, and its points and corners give about as many again."""


@dataclass(frozen=True, slots=True)
class Disc:
    """A detected disc: centre and radius in pixels, median CIE Lab colour.

    `roundness`: share of the rim that was seen, 0 to about 1.
    """

    x: float
    y: float
    radius: float
    roundness: float
    colour: Singles


def _colour_gradient(lab: Singles) -> tuple[Singles, Singles, Singles]:
    """The gradient of that Lab channel which changes most at each pixel, after a Gaussian blur.

    Returns its unit direction (x and y), and its strength in Lab units per pixel.
    """
    smooth = cv2.GaussianBlur(lab, (0, 0), _BLUR_PX)
    first, *others = (scharr_gradient(np.asarray(channel, np.float32)) for channel in cv2.split(smooth))
    x, y = first
    strength = cv2.magnitude(x, y)
    for other_x, other_y in others:
        other = cv2.magnitude(other_x, other_y)
        stronger = other > strength
        x, y = np.where(stronger, other_x, x), np.where(stronger, other_y, y)
        strength = np.maximum(other, strength)
    safe = np.maximum(strength, 1e-6)
    return np.asarray(x / safe, np.float32), np.asarray(y / safe, np.float32), np.asarray(strength, np.float32)


_VOTE_SD = 0.12
"""Standard deviation of the blur of the votes, in radii; at least a pixel."""
_KERNEL_RADIUS = 4.0
"""Radius of OpenCV's Gaussian kernel for float32, in standard deviations."""


def rim_reach(radius: float) -> float:
    """Largest distance in pixels at which an edge contributes to a centre, for circles up to a radius in pixels."""
    return radius + _KERNEL_RADIUS * max(1.0, _VOTE_SD * radius) + 2


def roundness_maps(lab: Singles, radii: Sequence[float], among: Bools | None = None, clearer: float = 1.0) -> Singles:
    """For each radius and pixel, the share of the circle around it with edges whose gradient points along the radius.

    Each edge pixel of the picture (Lab) votes for its two possible centres (radial symmetry, Loy and Zelinsky 2003).

    Args:
        lab: the picture (height x width x 3, float32).
        radii: in pixels.
        among: mask of the pixels that vote; by default all.
        clearer: factor on the least gradient of an edge.

    Returns:
        radii x height x width, 0 to about 1; ellipses up to 1 : 1.5 give smaller values.
    """
    x, y, strength = _colour_gradient(lab)
    height, width = strength.shape
    faint = clearer * max(FAINT_EDGE, GRAIN * float(np.median(strength)))
    ys, xs = np.nonzero(strength > faint if among is None else (strength > faint) & among)
    weight = np.sqrt(np.minimum(strength[ys, xs] / (4 * faint), 1.0)).astype(np.float64)
    ux, uy = x[ys, xs], y[ys, xs]
    room = 2 * int(max(radii) / 2 + 2)  # for votes beyond the edges; even, so that halves round the same way
    wide = width + 2 * room
    across, down = xs + float(room), ys + float(room)
    maps = np.empty((len(radii), height, width), np.float32)
    for k, radius in enumerate(radii):
        spread = max(1.0, _VOTE_SD * radius)
        right, below = radius * ux, radius * uy
        both = []
        for sign in (1, -1):
            cell = np.rint(down + sign * below)
            cell *= wide
            cell += np.rint(across + sign * right)
            votes = np.bincount(cell.astype(np.intp), weight, (height + 2 * room) * wide).reshape(-1, wide)
            inside = votes[room : room + height, room : room + width].astype(np.float32)
            both.append(cv2.GaussianBlur(inside, (0, 0), spread))
        # Normalises a full rim to about 1: it gives 2 pi r votes, times about 2 for the width of the edge.
        maps[k] = np.maximum(*both) * (spread * spread / (2.0 * radius))
    return maps


def colour_at(lab: Singles, x: float, y: float, radius: float) -> Singles:
    """Median Lab colour inside a circle without its rim; NaN if the circle lies outside the picture."""
    reach = max(1, round(0.6 * radius))
    column, row = round(x), round(y)
    patch = lab[max(row - reach, 0) : row + reach + 1, max(column - reach, 0) : column + reach + 1]
    if patch.size == 0:
        return np.full(3, np.nan, np.float32)
    colour: Singles = np.median(patch.reshape(-1, 3), axis=0)
    return colour


def _is_new(x: float, y: float, radius: float, found: Floats) -> bool:
    """Whether a circle duplicates none of `found` (3 x n: x, y, radius); a much smaller one inside another does not."""
    larger, smaller = np.maximum(found[2], radius), np.minimum(found[2], radius)
    near = (x - found[0]) ** 2 + (y - found[1]) ** 2 < (0.5 * larger) ** 2
    return not bool((near & (larger < NESTED * smaller)).any())


def find_discs(lab: Singles, maps: Singles, radii: Sequence[float]) -> list[Disc]:
    """The peaks of roundness maps, roundest first, each at its best radius; duplicates are removed.

    `maps`: from `roundness_maps` of the picture (Lab), for these `radii` (pixels, smallest first).
    """
    best, which = maps.max(axis=0), maps.argmax(axis=0)
    peaks = cv2.dilate(best, ellipse(2 * int(radii[0] * 0.8)))
    ys, xs = np.nonzero((best == peaks) & (best > 0.2))
    found: list[Disc] = []
    circles = np.empty((3, MOST_DISCS))
    for i in np.argsort(-best[ys, xs]):
        x, y, radius = float(xs[i]), float(ys[i]), radii[which[ys[i], xs[i]]]
        if not _is_new(x, y, radius, circles[:, : len(found)]):
            continue
        circles[:, len(found)] = x, y, radius
        found.append(Disc(x, y, radius, float(best[ys[i], xs[i]]), colour_at(lab, x, y, radius)))
        if len(found) == MOST_DISCS:
            break
    return found


_FLAT_QUANTILE = 0.25
"""Quantile of the gradient that is taken for noise: at least this share of a board is flat."""
_LEAST_NOISE = 0.4
"""Least noise of the gradient (Lab units per pixel), from JPEG and rounding to 8 bits."""
_RIM_SD_PX = 0.7
"""Standard deviation of a rim across, in pixels of the halved picture: lens, blur and the rim's rounding."""
_LEAST_SEEN = 0.4
"""Lower bound of the divisor: the share of a circle that is used."""


@dataclass(frozen=True, slots=True)
class RoundEdges:
    """Edge orientations of a picture, at half its resolution.

    Attributes:
        along: cosine of twice the angle of each pixel's gradient, times its weight against noise (0 to 1).
        across: the sine of twice the angle, times the same weight.
        looked_at: weight of the pixel (0 to 1): 0 outside the part that is used.
        size: width and height of the picture.
    """

    along: Singles
    across: Singles
    looked_at: Singles
    size: tuple[int, int]

    @classmethod
    def of(cls, view: Picture, looked_at: Singles) -> RoundEdges:
        """From a picture (BGR) and a mask of the pixels that are used (1 or 0)."""
        smooth = cv2.GaussianBlur(to_lab(view), (0, 0), _BLUR_PX)
        along, across, strength = (np.zeros(view.shape[:2], np.float32) for _ in range(3))
        for channel in cv2.split(smooth):
            x, y = scharr_gradient(np.asarray(channel, np.float32))
            xx, yy = cv2.multiply(x, x), cv2.multiply(y, y)
            along += cv2.subtract(xx, yy)
            across += cv2.multiply(x, y, scale=2)
            strength += cv2.add(xx, yy)
        noise = max(float(np.sqrt(np.quantile(strength[::4, ::4], _FLAT_QUANTILE))), _LEAST_NOISE)
        weight = looked_at / (strength + noise**2)
        return cls(halved(along * weight), halved(across * weight), halved(looked_at), (view.shape[1], view.shape[0]))

    def about(self, radius_px: float) -> Singles:
        """Roundness of the edges at this distance from each pixel (height x width): 1 for a perfect rim, 0 for none."""
        radius = radius_px / 2
        reach = int(np.ceil(radius + 3 * _RIM_SD_PX))
        y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
        away, angle = np.hypot(x, y), np.arctan2(y, x)
        ring = np.exp(-0.5 * ((away - radius) / _RIM_SD_PX) ** 2)
        ring /= ring.sum()
        even = cv2.filter2D(self.along, -1, (ring * np.cos(2 * angle)).astype(np.float32))
        odd = cv2.filter2D(self.across, -1, (ring * np.sin(2 * angle)).astype(np.float32))
        seen = np.maximum(cv2.filter2D(self.looked_at, -1, ring.astype(np.float32)), _LEAST_SEEN)
        found = cv2.divide(cv2.add(even, odd), np.asarray(seen, np.float32))
        return np.asarray(cv2.resize(found, self.size, interpolation=cv2.INTER_LINEAR), np.float32)
