"""Locate the tops of checkers exactly, as circles of known size, by the edges round them.

Likeness to a side's colours alone is not enough, because the walls have the same colours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Picture = NDArray[np.uint8]
    Own = tuple[tuple[Singles, Singles], NDArray[np.intp]]

_WAYS = (1, 0), (0, 1)
"""Orders of the derivatives in x and y for the two gradient components."""
_RADII = ((0.92, 1.0), (0.96, 1.0), (1.12, -1.0))
"""Circles measured, in checker radii, with their weights. Tops are bevelled. Edges all round outside count against a
top."""
_TURN = np.linspace(0, 2 * np.pi, 24, endpoint=False)
"""Angles sampled on a circle, in radians."""
_BACK, _AHEAD, _ASIDE = 0.16, 0.22, 0.18
"""Search range about the rough place, in diameters: against the lift, beyond a whole lift, and across."""
_STEPS, _FINE = (13, 7), 1.0
"""Number of places tried first along and across, and range of the refinement about the best one, in pixels."""
_STRAY, _STRAY_COST = 0.15, 0.6
"""Penalty in edge strength at `_STRAY` diameters from the line between the rough place and a lift farther out."""
_WITHIN, _OWN = (0.55, 0.85), 2.5
"""Circles within the top that must have the side's colours, in checker radii, and their weight."""
_MOST = 6.0
"""Largest edge strength that counts (8-bit Lab units a pixel): a reflection is no better edge than a rim."""
_SOFT = 0.7
"""Standard deviation of the blur before the gradient, in pixels."""


def best_centres(colours: Picture, own: Own, rough: Floats, lift: Floats, diameter: float) -> Floats:
    """Centres (n x 2, pixels) of tops near rough ones.

    Args:
        colours: the raster in Lab.
        own: log-likelihood ratio maps (nats) of either side's checkers to the empty board, and each checker's side
            (n, 0 or 1).
        rough: n x 2, pixels.
        lift: n x 2, largest shift of a top outwards.
        diameter: of a checker, in pixels.
    """
    soft = cv2.GaussianBlur(colours.astype(np.float32), (0, 0), _SOFT)
    slopes = [np.asarray(cv2.Sobel(soft, cv2.CV_32F, *way, ksize=3, scale=1 / 8), np.float32) for way in _WAYS]
    size = np.linalg.norm(lift, axis=1, keepdims=True)
    ahead = np.where(size > 1e-6, lift / np.maximum(size, 1e-6), (1.0, 0.0))
    aside = np.column_stack([-ahead[:, 1], ahead[:, 0]])
    along = np.linspace(-_BACK * diameter, _AHEAD * diameter + size[:, 0], _STEPS[0]).T
    across = np.linspace(-_ASIDE, _ASIDE, _STEPS[1]) * diameter
    trials = (
        rough[:, None, None]
        + along[:, :, None, None] * ahead[:, None, None]
        + across[None, None, :, None] * aside[:, None, None]
    ).reshape(len(rough), -1, 2)
    beyond = along - np.clip(along, 0, size)
    cost = _STRAY_COST * (beyond[:, :, None] ** 2 + across**2) / (_STRAY * diameter) ** 2
    found = _best(trials, cost.reshape(len(rough), -1), slopes, own, diameter / 2)
    steps = np.arange(-_FINE, _FINE + 0.5)
    near = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    return _best(found[:, None] + near, np.zeros(len(near)), slopes, own, diameter / 2)


def _best(trials: Floats, cost: Floats, slopes: list[Singles], own: Own, radius: float) -> Floats:
    """For each checker, the trial (n x trials x 2) with the best edges minus its cost."""
    score = _edges(slopes, trials, radius) + _OWN * _likeness(own, trials, radius) - cost
    return np.asarray(trials[np.arange(len(trials)), score.argmax(axis=1)])


def _likeness(own: Own, places: Floats, radius: float) -> Floats:
    """Mean likeness to a side's colours within the top (n x trials, -1 to 1)."""
    maps, which = own
    out = np.column_stack([np.cos(_TURN), np.sin(_TURN)])
    within = np.concatenate([out * radius * size for size in _WITHIN])
    spots = places[:, :, None].astype(np.float32) + within.astype(np.float32)
    u, v = (np.ascontiguousarray(spots[..., axis].reshape(len(spots), -1)) for axis in (0, 1))
    sampled = [cv2.remap(one, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) for one in maps]
    seen = np.where(which[:, None] == 0, *sampled).reshape(spots.shape[:3])
    return np.asarray(seen.mean(axis=2) / 8.0)


def _edges(slopes: list[Singles], places: Floats, radius: float) -> Floats:
    """Edge strength round circles (n x trials)."""
    out = np.column_stack([np.cos(_TURN), np.sin(_TURN)]).astype(np.float32)
    total = np.zeros(places.shape[:2])
    middle = places.astype(np.float32)
    for size, counts in _RADII:
        rim = middle[:, :, None] + out * np.float32(radius * size)
        u, v = (np.ascontiguousarray(rim[..., axis].reshape(len(rim), -1)) for axis in (0, 1))
        along, down = (
            cv2.remap(one, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).reshape(*rim.shape[:3], 3)
            for one in slopes
        )
        steep = along * out[:, :1] + down * out[:, 1:]
        squared = np.einsum("ntac,ntac->nta", steep, steep)
        total += counts * np.minimum(np.sqrt(squared), _MOST).mean(axis=2)
    return total
