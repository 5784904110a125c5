"""Where the tops of checkers lie exactly: a circle of known size, by the edges all round it.

How much a place looks like a side's checkers does not tell that: their walls do as well.
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
_RADII = ((0.92, 1.0), (0.96, 1.0), (1.12, -1.0))
"""Circles that are looked at, over a checker's radius, and what edges on them count: tops are bevelled, and what has
edges all round outside of it is no top."""
_TURN = np.linspace(0, 2 * np.pi, 24, endpoint=False)
_BACK, _AHEAD, _ASIDE = 0.16, 0.22, 0.18
"""How far from its rough place a centre is sought (diameters): against the lift, along it past a whole lift, across."""
_STEPS, _FINE = (13, 7), 1.0
"""Places tried first along and across, and how far from the best of them is looked after (pixels)."""
_STRAY, _STRAY_COST = 0.15, 0.6
"""A centre `_STRAY` diameters off all places between its rough one and a lift farther must have edges so much
steeper."""
_WITHIN, _OWN = (0.55, 0.85), 2.5
"""Circles within the top that must look like the side's checkers, over its radius, and what that counts."""
_MOST = 6.0
"""An edge steeper than this (8-bit Lab units a pixel) counts no more: a reflection is no better edge than a rim."""
_SOFT = 0.7
"""Spread of the blur before edges are taken, in pixels."""


def best_centres(colours: Picture, own: Own, rough: Floats, lift: Floats, diameter: float) -> Floats:
    """Centres (n x 2, pixels) of tops near rough ones.

    Args:
        colours: the raster in Lab.
        own: maps of how much each pixel looks like either side's checkers rather than the empty board (nats), and
            whose each checker is (n, 0 or 1).
        rough: n x 2, pixels.
        lift: n x 2, how much farther out a top may be.
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
    """Of each checker's trials (n x trials x 2) the one with the best edges less its cost."""
    score = _edges(slopes, trials, radius) + _OWN * _likeness(own, trials, radius) - cost
    return np.asarray(trials[np.arange(len(trials)), score.argmax(axis=1)])


def _likeness(own: Own, places: Floats, radius: float) -> Floats:
    """How much places look like a side's checkers within (n x trials, -1 to 1)."""
    maps, which = own
    out = np.column_stack([np.cos(_TURN), np.sin(_TURN)])
    within = np.concatenate([out * radius * size for size in _WITHIN])
    spots = places[:, :, None].astype(np.float32) + within.astype(np.float32)
    u, v = (np.ascontiguousarray(spots[..., axis].reshape(len(spots), -1)) for axis in (0, 1))
    told = [cv2.remap(one, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) for one in maps]
    seen = np.where(which[:, None] == 0, *told).reshape(spots.shape[:3])
    return np.asarray(seen.mean(axis=2) / 8.0)


def _edges(slopes: list[Singles], places: Floats, radius: float) -> Floats:
    """How steep the edges are all round circles (n x trials)."""
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
