"""Features of a checker for deciding whether it carries another: samples along spokes from its top outwards.

The lower checker shows beyond the top's rim: the wall towards the camera's foot and, if the checkers are not exactly
aligned, a crescent with a dark joint. Spokes go all round, counted from the direction of the *lift*, in which higher
objects are displaced. Colours are given as likelihood ratios, and lightness relative to the top and to the empty board,
so that boards and cameras are comparable.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.appearance import lab
from vision.raster import Window
from vision.top_centres import best_centres

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.appearance import Appearance

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Ints = NDArray[np.intp]
    Picture = NDArray[np.uint8]
    Small = NDArray[np.int8]

ANGLES, RADII = 24, 17
"""Spokes of a checker, and samples on each."""
_FIRST, _STEP = 0.38, 0.05
"""First sample on a spoke and the distance of samples, in diameters from the top's centre. They reach past twice a
thick checker's wall seen at 45 degrees."""
_BESIDE = 2
"""Number of parallel lines averaged for one spoke."""
MAPS = 6
"""Own colour against empty board, the other side's against empty board, change, lightness against the top's, lightness
against the empty board's, covered by others of the row."""
_WINDOW, _WINDOW_PX = 1.45, 4
"""Radius of the window about a checker's detected place, besides its lift. In diameters: a top may be 0.22 off, and its
spokes reach another 1.2. In pixels: for the blur."""
_BYTES_A_NAT = 15.0
"""Factor from nats to a signed byte."""
_WITHIN = 0.4
"""Radius of the area for a top's own brightness, in diameters."""
MEASURES, LIFT_SCALE = 3, 6.0
"""Number of measures, and factor on the lift in diameters."""
ASIDE = 2
"""Index of the measure whose sign changes if left and right of the lift are exchanged."""
_MOST_MEASURE = 2.0
"""Largest absolute value of a measure."""


@dataclass(frozen=True, slots=True)
class DetectedCheckers:
    """Detected checkers, row after row from the edge inwards (n of each).

    Attributes:
        row: any number that is the same for the checkers of one row.
        slot: index in the row.
        owner: 0 White, 1 Black.
        found: n x 2, detected places (raster pixels).
        home: n x 2, places of their slots.
        lift: n x 2, shift of the top of a checker on another one.
        inward: n, direction of their rows along y (-1 or 1).
        diameter: of a checker (raster pixels).
    """

    row: Ints
    slot: Ints
    owner: Ints
    found: Floats
    home: Floats
    lift: Floats
    inward: Floats
    diameter: float

    def window(self, size: tuple[int, int]) -> Window:
        """The part of a raster of that width and height that is needed for them."""
        lift = float(np.linalg.norm(self.lift, axis=1).max())
        return Window.round(self.found, _WINDOW * self.diameter + lift + _WINDOW_PX, size)

    def within(self, window: Window) -> DetectedCheckers:
        """The same, relative to that part of the raster."""
        return replace(self, found=self.found - window.corner, home=self.home - window.corner)


@dataclass(frozen=True, slots=True)
class LayerFeatures:
    """Features of checkers (n of each).

    Attributes:
        spokes: n x MAPS x ANGLES x RADII, signed bytes.
        measures: n x MEASURES, of the lift.
        out: distance of each farther out than its slot (diameters, along the lift).
        lift: the same distance for a checker on another one (diameters).
    """

    spokes: Small
    measures: Singles
    out: Floats
    lift: Floats


def layer_features(appearance: Appearance, picture: Picture, detected: DetectedCheckers) -> LayerFeatures:
    """Features of checkers on a levelled raster."""
    evidence = appearance.evidence(picture)
    colours = lab(picture)
    own = (evidence.white, evidence.black), detected.owner
    centres = best_centres(colours, own, detected.found, detected.lift, detected.diameter)
    size = np.linalg.norm(detected.lift, axis=1, keepdims=True)
    ahead = np.where(size > 1e-6, detected.lift / np.maximum(size, 1e-6), (1.0, 0.0))
    light = colours[..., 0].astype(np.float32)
    maps = [evidence.white, evidence.black, evidence.changed, light, light - appearance.ground.centre[..., 0]]
    spokes = _spokes(maps, centres, ahead, detected)
    lift = size / detected.diameter
    out = ((centres - detected.home) * ahead).sum(axis=1) / detected.diameter
    return LayerFeatures(spokes, _measures(ahead, lift, detected.inward), out, lift[:, 0])


def _spoke_places() -> tuple[Singles, Singles]:
    """Sample places on the spokes, along the lift and across it (diameters; ANGLES * _BESIDE x RADII)."""
    turn = (np.arange(ANGLES * _BESIDE) + 0.5) * (2 * np.pi / (ANGLES * _BESIDE))
    away = _FIRST + _STEP * np.arange(RADII)
    return np.outer(np.cos(turn), away).astype(np.float32), np.outer(np.sin(turn), away).astype(np.float32)


def _spokes(maps: list[Singles], centres: Floats, ahead: Floats, detected: DetectedCheckers) -> Small:
    """The checkers' spokes (n x MAPS x ANGLES x RADII)."""
    u, v = _spoke_places()
    way = ahead.astype(np.float32) * np.float32(detected.diameter)
    at = centres.astype(np.float32)
    x = at[:, 0, None, None] + u * way[:, 0, None, None] - v * way[:, 1, None, None]
    y = at[:, 1, None, None] + u * way[:, 1, None, None] + v * way[:, 0, None, None]
    white, black, changed, light, lighter = (_sample(one, x, y) for one in maps)
    own = detected.owner[:, None, None] == 0
    values = [
        np.where(own, white, black) * _BYTES_A_NAT,
        np.where(own, black, white) * _BYTES_A_NAT,
        changed * _BYTES_A_NAT,
        light - _brightness(maps[3], at, detected.diameter)[:, None, None],
        lighter,
        _covered(x, y, at, detected),
    ]
    beside = np.stack(values, axis=1).reshape(len(at), MAPS, ANGLES, _BESIDE, RADII).mean(axis=3)
    return np.asarray(np.rint(np.clip(beside, -127, 127)), np.int8)


def _sample(one: Singles, x: Singles, y: Singles) -> Singles:
    """Sample a map at places (n x lines x steps, raster pixels)."""
    u, v = (np.ascontiguousarray(at.reshape(-1, at.shape[-1])) for at in (x, y))
    seen = cv2.remap(one, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen.reshape(x.shape), np.float32)


def _brightness(light: Singles, centres: Singles, diameter: float) -> Singles:
    """Mean brightness of each top."""
    turn = np.arange(12) * (np.pi / 6)
    away = _WITHIN * diameter * np.array([0.45, 0.75, 1.0])
    u, v = np.outer(np.cos(turn), away).astype(np.float32), np.outer(np.sin(turn), away).astype(np.float32)
    return np.asarray(_sample(light, centres[:, 0, None, None] + u, centres[:, 1, None, None] + v).mean(axis=(1, 2)))


def _covered(x: Singles, y: Singles, centres: Singles, detected: DetectedCheckers) -> Singles:
    """Depth of pixels inside the tops of the row's other checkers: 100 well inside, -100 well outside."""
    covered = np.full(x.shape, -100, np.float32)
    radius = detected.diameter / 2
    for step in (-1, 1):
        other = np.arange(len(centres)) + step
        beside = (other >= 0) & (other < len(centres))
        other = np.clip(other, 0, len(centres) - 1)
        beside &= detected.row[other] == detected.row
        away = np.hypot(x - centres[other, 0, None, None], y - centres[other, 1, None, None])
        inside = np.clip((1 - away / radius) * 500, -100, 100)
        covered = np.where(beside[:, None, None], np.maximum(covered, inside), covered)
    return covered


def _measures(ahead: Floats, lift: Floats, inward: Floats) -> Singles:
    """Size of the lift, and its direction relative to the row (n x MEASURES)."""
    along = inward[:, None]
    values = np.hstack([LIFT_SCALE * lift, along * ahead[:, 1:], along * ahead[:, :1]])
    return np.clip(values, -_MOST_MEASURE, _MOST_MEASURE).astype(np.float32)
