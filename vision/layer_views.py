"""What a checker in a row looks like to one who asks whether it bears another: spokes from its top outwards.

What lies below a checker shows beyond its rim: the walls towards the camera's foot, and wherever the lower checker was
not met exactly, a crescent of it with a dark joint. So lines are followed outwards all round, counted from the *lift*
on, the way in which what stands higher appears farther out. Colours are told as what they are taken for, light against
the top's own and against the empty board's: all boards and cameras then look alike.
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
"""Spokes of a checker, and places on each."""
_FIRST, _STEP = 0.38, 0.05
"""Where places on a spoke begin, and their distance (diameters from the top's centre): past twice a thick checker's
wall, seen from 45 degrees."""
_BESIDE = 2
"""Lines side by side that one spoke is the mean of."""
MAPS = 6
"""Own colour rather than empty board, the other side's rather than empty board, changed, lighter than the top, lighter
than the empty board, covered by others of the row."""
_ROUND, _ROUND_PX = 1.45, 4
"""How far round a checker's rough place is looked, besides its lift: in diameters, as a top may lie 0.22 of one off it
and its spokes reach another 1.2; and in pixels, for what is blurred."""
_NATS = 15.0
"""What nats are multiplied by to fill a signed byte."""
_WITHIN = 0.4
"""How far from its centre a top's own brightness is taken, in diameters."""
MEASURES, LIFT_SCALE = 3, 6.0
ASIDE = 2
"""The measure that changes its sign where left and right of the lift are exchanged."""
_MOST = 2.0
"""No measure is more than this."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Checkers as they were read, row after row from the edge inwards (n of each).

    Attributes:
        row: any number that is the same for the checkers of one row.
        slot: index in the row.
        owner: 0 White, 1 Black.
        found: n x 2, where they were read (raster pixels).
        home: n x 2, where their slots are.
        lift: n x 2, how much farther out the top of a checker appears that lies on another.
        inward: n, which way along y their rows run (-1 or 1).
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
        """All that is looked at round them, on a raster of that width and height."""
        lift = float(np.linalg.norm(self.lift, axis=1).max())
        return Window.round(self.found, _ROUND * self.diameter + lift + _ROUND_PX, size)

    def within(self, window: Window) -> Marks:
        """The same, on that part of the raster."""
        return replace(self, found=self.found - window.corner, home=self.home - window.corner)


@dataclass(frozen=True, slots=True)
class Views:
    """What checkers look like (n of each).

    Attributes:
        spokes: n x MAPS x ANGLES x RADII, signed bytes.
        measures: n x MEASURES, of the lift.
        out: how much farther out than its slot each lies (diameters, along the lift).
        lift: how much farther out it would lie on another one (diameters).
    """

    spokes: Small
    measures: Singles
    out: Floats
    lift: Floats


def views(appearance: Appearance, picture: Picture, marks: Marks) -> Views:
    """What checkers look like on a levelled raster."""
    evidence = appearance.evidence(picture)
    colours = lab(picture)
    own = (evidence.white, evidence.black), marks.owner
    centres = best_centres(colours, own, marks.found, marks.lift, marks.diameter)
    size = np.linalg.norm(marks.lift, axis=1, keepdims=True)
    ahead = np.where(size > 1e-6, marks.lift / np.maximum(size, 1e-6), (1.0, 0.0))
    light = colours[..., 0].astype(np.float32)
    maps = [evidence.white, evidence.black, evidence.changed, light, light - appearance.ground.centre[..., 0]]
    spokes = _spokes(maps, centres, ahead, marks)
    lift = size / marks.diameter
    out = ((centres - marks.home) * ahead).sum(axis=1) / marks.diameter
    return Views(spokes, _measures(ahead, lift, marks.inward), out, lift[:, 0])


def _wheel() -> tuple[Singles, Singles]:
    """Where places on the spokes lie, along the lift and aside of it (diameters; ANGLES * _BESIDE x RADII)."""
    turn = (np.arange(ANGLES * _BESIDE) + 0.5) * (2 * np.pi / (ANGLES * _BESIDE))
    away = _FIRST + _STEP * np.arange(RADII)
    return np.outer(np.cos(turn), away).astype(np.float32), np.outer(np.sin(turn), away).astype(np.float32)


def _spokes(maps: list[Singles], centres: Floats, ahead: Floats, marks: Marks) -> Small:
    """The checkers' spokes (n x MAPS x ANGLES x RADII)."""
    u, v = _wheel()
    way = ahead.astype(np.float32) * np.float32(marks.diameter)
    at = centres.astype(np.float32)
    x = at[:, 0, None, None] + u * way[:, 0, None, None] - v * way[:, 1, None, None]
    y = at[:, 1, None, None] + u * way[:, 1, None, None] + v * way[:, 0, None, None]
    white, black, changed, light, lighter = (_taken(one, x, y) for one in maps)
    own = marks.owner[:, None, None] == 0
    told = [
        np.where(own, white, black) * _NATS,
        np.where(own, black, white) * _NATS,
        changed * _NATS,
        light - _brightness(maps[3], at, marks.diameter)[:, None, None],
        lighter,
        _covered(x, y, at, marks),
    ]
    beside = np.stack(told, axis=1).reshape(len(at), MAPS, ANGLES, _BESIDE, RADII).mean(axis=3)
    return np.asarray(np.rint(np.clip(beside, -127, 127)), np.int8)


def _taken(one: Singles, x: Singles, y: Singles) -> Singles:
    """A map at places (n x lines x steps, raster pixels)."""
    u, v = (np.ascontiguousarray(at.reshape(-1, at.shape[-1])) for at in (x, y))
    seen = cv2.remap(one, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen.reshape(x.shape), np.float32)


def _brightness(light: Singles, centres: Singles, diameter: float) -> Singles:
    """How light each top is, in the mean."""
    turn = np.arange(12) * (np.pi / 6)
    away = _WITHIN * diameter * np.array([0.45, 0.75, 1.0])
    u, v = np.outer(np.cos(turn), away).astype(np.float32), np.outer(np.sin(turn), away).astype(np.float32)
    return np.asarray(_taken(light, centres[:, 0, None, None] + u, centres[:, 1, None, None] + v).mean(axis=(1, 2)))


def _covered(x: Singles, y: Singles, centres: Singles, marks: Marks) -> Singles:
    """How far inside the tops of the row's other checkers pixels lie: 100 well inside, -100 well outside."""
    covered = np.full(x.shape, -100, np.float32)
    radius = marks.diameter / 2
    for step in (-1, 1):
        other = np.arange(len(centres)) + step
        beside = (other >= 0) & (other < len(centres))
        other = np.clip(other, 0, len(centres) - 1)
        beside &= marks.row[other] == marks.row
        away = np.hypot(x - centres[other, 0, None, None], y - centres[other, 1, None, None])
        inside = np.clip((1 - away / radius) * 500, -100, 100)
        covered = np.where(beside[:, None, None], np.maximum(covered, inside), covered)
    return covered


def _measures(ahead: Floats, lift: Floats, inward: Floats) -> Singles:
    """How large the lift is, and how it lies against the row (n x MEASURES)."""
    along = inward[:, None]
    told = np.hstack([LIFT_SCALE * lift, along * ahead[:, 1:], along * ahead[:, :1]])
    return np.clip(told, -_MOST, _MOST).astype(np.float32)
