"""Features of stacked checkers: samples on spokes from a top's rim outwards. Includes the search for tops' centres.

The lower checker shows beyond the top's rim: the wall towards the camera's foot and, if the checkers are not exactly
aligned, a crescent with a dark joint. Spokes go all round, counted from the direction of the *lift*, in which higher
objects are displaced. Colours are given as likelihood ratios, and lightness relative to the top and to the empty board,
so that boards and cameras are comparable.

The centres are found by edges in addition to a side's colours, because the walls have the same colours. Edges count the
more, the farther they are from the camera: on the near side, the foot of a wall can be steeper than the rim of the top.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.board import CIRCLE, lengths_and_directions
from vision.geometry import Window, sobel_gradient
from vision.imaging import to_lab8

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.arrays import Floats, Ints, Picture, Singles
    from vision.imaging import Appearance

    Edges = tuple[tuple[Singles, Singles], Floats]
    Own = tuple[tuple[Singles, Singles], Ints]
    Small = NDArray[np.int8]


_RADII = ((0.92, 1.0), (0.96, 1.0), (1.12, -0.5))
"""Circles measured, in checker radii, with their weights. Tops are bevelled. Edges all round outside count against a
top."""
_FAR_SIDE = 0.5
"""How much more edges count on the side away from the camera, and less on the near side."""
_BACK, _AHEAD, _ASIDE = 0.16, 0.22, 0.18
"""Search range about the rough place, in diameters: against the lift, beyond a whole lift, and across."""
_MOST_LIFT = 1.3
"""Largest usual lift over the estimated one: checkers tend to be thicker than they seem."""
_STEPS, _FINE = (13, 7), 1.0
"""Number of places tried first along and across, and range of the refinement about the best one, in pixels."""
_STRENGTH_A_NAT = 0.5
"""Difference in edge strength that makes one place a nat likelier than another. On 586 rows of 44 rendered boards, as
they are, in noise and in blur, this gives the least loss (with `_PLACE_SHARE` of `count`)."""
_STRAY, _STRAY_COST = 0.15, 0.6
"""Penalty in edge strength at `_STRAY` diameters from the line between the rough place and a lift farther out."""
_RIM_WITHIN, _OWN = (0.55, 0.85), 2.5
"""Circles within the top that must have the side's colours, in checker radii, and their weight."""
_MOST_SPREADS = 6.0
"""Cap on edge strength (8-bit Lab units a pixel), so that a reflection counts no more than a rim."""
_LEAST_NEW = 0.5
"""Share of its steepness that an edge must have in the difference from the empty board to count fully. Where a checker
covers the bed's pattern, the difference is less clear."""
_SOFT = 0.7
"""Standard deviation of the blur before the gradient, in pixels."""


@dataclass(frozen=True, slots=True)
class FoundTops:
    """The uppermost tops of checkers (n of each).

    Attributes:
        centres: n x 2, the best places (pixels).
        along: n x places, the places examined: their distance from the rough ones along the lift (pixels).
        chances: n x places, the probability of each; those of a checker sum to 1.
    """

    centres: Floats
    along: Floats
    chances: Floats


def find_tops(colours: Picture, bare: Singles, own: Own, rough: Floats, lift: Floats, diameter: float) -> FoundTops:
    """Find tops near `rough` places (n x 2).

    `colours` and `bare`: the raster and the empty board in Lab. `own`: log-likelihood ratio maps (nats) of either
    side's checkers to the empty board, and each checker's side (n, 0 or 1). `lift`: n x 2, largest shift of a top
    outwards.
    """
    slopes = _new_gradients(colours, bare)
    size, ahead = lengths_and_directions(lift, (1.0, 0.0))
    aside = np.column_stack([-ahead[:, 1], ahead[:, 0]])
    along = np.linspace(-_BACK * diameter, _AHEAD * diameter + _MOST_LIFT * size[:, 0], _STEPS[0]).T
    across = np.linspace(-_ASIDE, _ASIDE, _STEPS[1]) * diameter
    trials = (
        rough[:, None, None]
        + along[:, :, None, None] * ahead[:, None, None]
        + across[None, None, :, None] * aside[:, None, None]
    ).reshape(len(rough), -1, 2)
    beyond = along - np.clip(along, 0, _MOST_LIFT * size)
    cost = _STRAY_COST * (beyond[:, :, None] ** 2 + across**2) / (_STRAY * diameter) ** 2
    edges = slopes, 1 + _FAR_SIDE * ahead @ CIRCLE.T
    score = _score(trials, edges, own, diameter / 2) - cost.reshape(len(rough), -1)
    steps = np.arange(-_FINE, _FINE + 0.5)
    near = _best(trials, score)[:, None] + np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    centres = _best(near, _score(near, edges, own, diameter / 2))
    chances = np.exp(score.reshape(len(rough), *_STEPS).max(axis=2) / _STRENGTH_A_NAT)
    return FoundTops(centres, along, chances / chances.sum(axis=1, keepdims=True))


def _new_gradients(colours: Picture, bare: Singles) -> tuple[Singles, Singles]:
    """Gradients (height x width x 3) of a raster along x and y, attenuated where the empty board has the same edge.

    So the frame's edges do not count.
    """
    soft, known = (cv2.GaussianBlur(one.astype(np.float32), (0, 0), _SOFT) for one in (colours, bare))
    seen, changed = (sobel_gradient(np.asarray(one, np.float32)) for one in (soft, soft - known))
    strength, new = (np.sqrt((along**2 + down**2).sum(axis=-1, keepdims=True)) for along, down in (seen, changed))
    share = np.minimum(new / np.maximum(_LEAST_NEW * strength, 1e-3), 1)
    return seen[0] * share, seen[1] * share


def _best(trials: Floats, score: Floats) -> Floats:
    """For each checker, the trial (n x trials x 2) with the best score (n x trials)."""
    return np.asarray(trials[np.arange(len(trials)), score.argmax(axis=1)])


def _score(trials: Floats, edges: Edges, own: Own, radius: float) -> Floats:
    """Edge strength round each trial (n x trials x 2), and likeness to a side's colours, as n x trials."""
    return _edges(edges, trials, radius) + _OWN * _likeness(own, trials, radius)


def _likeness(own: Own, places: Floats, radius: float) -> Floats:
    """Mean likeness to a side's colours within the top (n x trials, -1 to 1)."""
    maps, which = own
    within = np.concatenate([CIRCLE * radius * size for size in _RIM_WITHIN])
    spots = places[:, :, None].astype(np.float32) + within.astype(np.float32)
    seen = np.where(which[:, None, None] == 0, *(_sample(one, *np.moveaxis(spots, -1, 0)) for one in maps))
    return np.asarray(seen.mean(axis=2) / 8.0)


def _edges(edges: Edges, places: Floats, radius: float) -> Floats:
    """Edge strength round circles (n x trials); `edges`: gradients along x and y, and weights of angles."""
    slopes, weights = edges
    out, middle = CIRCLE.astype(np.float32), places.astype(np.float32)
    out_x, out_y = out.T[:, :, None]
    total = np.zeros(places.shape[:2])
    for size, counts in _RADII:
        rim = middle[:, :, None] + out * np.float32(radius * size)
        along, down = (_sample(one, *np.moveaxis(rim, -1, 0)) for one in slopes)
        steep: Singles = along * out_x + down * out_y
        squared = np.einsum("ntac,ntac->nta", steep, steep)
        strength = np.minimum(np.sqrt(squared), _MOST_SPREADS)
        if counts > 0:
            strength *= weights[:, None]
        total += counts * strength.mean(axis=2)
    return total


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
_WINDOW, _WINDOW_PX = 1.65, 4
"""Radius of the window about a checker's detected place, besides its lift. In diameters: a top may be 0.22 off, its
spokes reach another 1.2, and its patch (see `singles`) another 1.41. In pixels: for the blur."""
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
    """Detected checkers of one row, from the edge inwards (n of each).

    Attributes:
        owner: 0 White, 1 Black.
        found: n x 2, detected places (raster pixels).
        home: n x 2, places of their slots.
        lift: n x 2, shift of the top of a checker on another one.
        inward: direction of the row along y (-1 or 1).
        diameter: of a checker (raster pixels).
    """

    owner: Ints
    found: Floats
    home: Floats
    lift: Floats
    inward: float
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
        measures: n x MEASURES, size of the lift, and its direction relative to the row.
        out: n x places, how much farther out than its slot each may be (diameters, along the lift).
        chances: n x places, the probability of each.
        lift: how much farther out a checker on another one is (diameters).
        centres: n x 2, of the uppermost tops (raster pixels).
    """

    spokes: Small
    measures: Singles
    out: Floats
    chances: Floats
    lift: Floats
    centres: Floats


def both_ways(features: LayerFeatures) -> tuple[tuple[Small, Singles], ...]:
    """The spokes and measures as seen, and with left and right of the lift exchanged."""
    measures = features.measures.copy()
    measures[:, ASIDE] *= -1
    return (features.spokes, features.measures), (features.spokes[:, :, ::-1], measures)


def layer_features(appearance: Appearance, picture: Picture, detected: DetectedCheckers) -> LayerFeatures:
    """Features of detected checkers on a levelled raster (`picture`: BGR)."""
    evidence = appearance.evidence(picture)
    colours = to_lab8(picture)
    own = (evidence.white, evidence.black), detected.owner
    tops = find_tops(colours, appearance.background.centre, own, detected.found, detected.lift, detected.diameter)
    size, ahead = lengths_and_directions(detected.lift, (1.0, 0.0))
    light = colours[..., 0].astype(np.float32)
    maps = [evidence.white, evidence.black, evidence.changed, light, light - appearance.background.centre[..., 0]]
    spokes = _spokes(maps, tops.centres, ahead, detected)
    lift = size / detected.diameter
    out = (((detected.found - detected.home) * ahead).sum(axis=1, keepdims=True) + tops.along) / detected.diameter
    measures = np.hstack([LIFT_SCALE * lift, detected.inward * ahead[:, ::-1]]).clip(-_MOST_MEASURE, _MOST_MEASURE)
    return LayerFeatures(spokes, measures.astype(np.float32), out, tops.chances, lift[:, 0], tops.centres)


def _spokes(maps: list[Singles], centres: Floats, ahead: Floats, detected: DetectedCheckers) -> Small:
    """The checkers' spokes (n x MAPS x ANGLES x RADII)."""
    turn = (np.arange(ANGLES * _BESIDE) + 0.5) * (2 * np.pi / (ANGLES * _BESIDE))
    u, v = (np.outer(way(turn), _FIRST + _STEP * np.arange(RADII)).astype(np.float32) for way in (np.cos, np.sin))
    way = ahead.astype(np.float32) * np.float32(detected.diameter)
    at = centres.astype(np.float32)
    (from_x, from_y), (way_x, way_y) = at.T[:, :, None, None], way.T[:, :, None, None]
    x, y = from_x + u * way_x - v * way_y, from_y + u * way_y + v * way_x
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
    """Sample a map, of one channel or more, at places (n x lines x steps, raster pixels)."""
    u, v = (np.ascontiguousarray(at.reshape(len(at), -1)) for at in (x, y))
    seen = cv2.remap(one, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen.reshape(*x.shape, *one.shape[2:]), np.float32)


def _brightness(light: Singles, centres: Singles, diameter: float) -> Singles:
    """Mean brightness of each top."""
    turn = np.arange(12) * (np.pi / 6)
    away = _WITHIN * diameter * np.array([0.45, 0.75, 1.0])
    u, v = np.outer(np.cos(turn), away).astype(np.float32), np.outer(np.sin(turn), away).astype(np.float32)
    return np.asarray(_sample(light, centres[:, 0, None, None] + u, centres[:, 1, None, None] + v).mean(axis=(1, 2)))


def _covered(x: Singles, y: Singles, centres: Singles, detected: DetectedCheckers) -> Singles:
    """Signed depth of samples inside the tops of neighbouring checkers: 100 well inside, -100 well outside."""
    covered = np.full(x.shape, -100, np.float32)
    radius = detected.diameter / 2
    for step in (-1, 1):
        other = np.arange(len(centres)) + step
        beside = (other >= 0) & (other < len(centres))
        other = np.clip(other, 0, len(centres) - 1)
        to_x, to_y = centres[other].T[:, :, None, None]
        away: Singles = np.hypot(x - to_x, y - to_y)
        inside = np.clip((1 - away / radius) * 500, -100, 100)
        covered = np.where(beside[:, None, None], np.maximum(covered, inside), covered)
    return covered
