"""What a checker in a row looks like to one who asks whether it bears another: figures, all told in its own measures.

What stands higher appears farther out, along the *lift*: so a second checker's top lies one lift farther out than its
row, and the walls below it show towards the camera's foot, two lifts wide instead of one. The figures are therefore
taken from lines along the lift, in steps of lifts from the edge of the top: all boards and cameras then look alike.
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

_LINES = np.linspace(-0.3, 0.3, 7)
"""Lines along the lift, side by side, in diameters from the centre's."""
_EDGE = np.sqrt(0.25 - _LINES**2)
"""How far from the line across the centre the edge of the top lies on each."""
_WEIGHTS = np.array([1 / 6, 1 / 6, 1 / 9, 1 / 9, 1 / 9, 1 / 6, 1 / 6])
"""What each line counts: the two outer pairs as much as the middle three."""
_STEPS = np.linspace(-0.5, 3.0, 15)
"""Steps past that edge towards the camera's foot, in lifts."""
_ACROSS_TOP = np.linspace(-0.8, 0.8, 7)
"""Where a top's own brightness is taken, in radii."""
MAPS = 5
MEASURES, LIFT_SCALE = 3, 6.0
ASIDE = 2
"""The measure that changes its sign where left and right of the lift are exchanged."""
FIGURES = MEASURES + 3 * MAPS * len(_STEPS)
_NATS, _GREY, _FAINT = 8.0, 32.0, 8.0
"""What evidence, grey levels, and grey levels on a dark checker are divided by, to be about 1."""
_MOST = 2.0
"""Nothing counts more than this."""
_LEAST_LIFT = 0.03
"""What is told in lifts is told in no lift less than this (diameters): pictures are not sharper."""
_ROUND, _ROUND_PX = 0.85, 8
"""How far round a checker's rough place is looked, besides the lifts: in diameters, as a top may lie 0.22 of one off it
and circles round it reach another 0.56; and in pixels, for what is blurred."""


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
        lift = max(float(np.linalg.norm(self.lift, axis=1).max()), _LEAST_LIFT * self.diameter)
        return Window.round(self.found, _ROUND * self.diameter + (1 + _STEPS[-1]) * lift + _ROUND_PX, size)

    def within(self, window: Window) -> Marks:
        """The same, on that part of the raster."""
        return replace(self, found=self.found - window.corner, home=self.home - window.corner)


@dataclass(frozen=True, slots=True)
class Views:
    """What checkers look like (n of each).

    Attributes:
        figures: n x FIGURES: MEASURES of the lift; what is seen past the edge of the top; that, less the mean and less
            the last of its row.
        out: how much farther out than its slot each lies (diameters, along the lift).
        lift: how much farther out it would lie on another one (diameters).
    """

    figures: Singles
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
    step = np.maximum(size[:, 0], _LEAST_LIFT * marks.diameter)
    seen = _profiles(maps, centres, ahead, step, marks)
    mean, last = _of_rows(seen, marks.row)
    lift = size / marks.diameter
    where = _where(ahead, lift, marks.inward)
    figures = np.hstack([where, seen, seen - mean, seen - last]).astype(np.float32)
    out = ((centres - marks.home) * ahead).sum(axis=1) / marks.diameter
    return Views(figures, out, lift[:, 0])


def _profiles(maps: list[Singles], centres: Floats, ahead: Floats, step: Floats, marks: Marks) -> Floats:
    """What the maps say past the edge (n x MAPS steps)."""
    edge = _EDGE[:, None] * marks.diameter
    past = _sampled(maps, centres, ahead, -(edge + step[:, None, None] * _STEPS), marks.diameter)
    top = edge * _ACROSS_TOP * np.ones((len(step), 1, 1))
    bright = _sampled([maps[3]], centres, ahead, top, marks.diameter)[0].mean(axis=(1, 2))
    told = _told(past, bright[:, None, None], marks.owner)
    return np.hstack([np.einsum("nls,l->ns", one, _WEIGHTS) for one in told])


def _of_rows(seen: Floats, row: Ints) -> tuple[Floats, Floats]:
    """For each checker, the mean of its row and the last of it: what does not bear another is mostly there."""
    mean, last = np.empty_like(seen), np.empty_like(seen)
    for one in np.unique(row):
        own = row == one
        mean[own], last[own] = seen[own].mean(axis=0), seen[own][-1]
    return mean, last


def _told(sampled: list[Singles], bright: Singles, owner: Ints) -> list[Singles]:
    """Own colour rather than empty board, changed, lighter than the top (twice), lighter than the empty board."""
    white, black, changed, light, lighter = sampled
    own = np.where(owner[:, None, None] == 0, white, black)
    light = light - bright
    told = own / _NATS, changed / _NATS, light / _GREY, light / _FAINT, lighter / _GREY
    return [np.clip(one, -_MOST, _MOST) for one in told]


def _sampled(maps: list[Singles], centres: Floats, ahead: Floats, along: Floats, diameter: float) -> list[Singles]:
    """Each map (n x lines x steps) at `along` (n x lines x steps, pixels along the lift from the centre)."""
    aside = np.column_stack([-ahead[:, 1], ahead[:, 0]])
    across = (_LINES * diameter)[None, :, None]
    u, v = (
        np.ascontiguousarray(
            centres[:, axis, None, None] + along * ahead[:, axis, None, None] + across * aside[:, axis, None, None],
            np.float32,
        )
        for axis in (0, 1)
    )
    flat = u.reshape(-1, u.shape[-1]), v.reshape(-1, v.shape[-1])
    seen = (cv2.remap(one, *flat, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) for one in maps)
    return [np.asarray(one.reshape(u.shape), np.float32) for one in seen]


def _where(ahead: Floats, lift: Floats, inward: Floats) -> Floats:
    """How large the lift is, and how it lies against the row (n x MEASURES)."""
    along = inward[:, None]
    return np.clip(np.hstack([LIFT_SCALE * lift, along * ahead[:, 1:], along * ahead[:, :1]]), -_MOST, _MOST)
