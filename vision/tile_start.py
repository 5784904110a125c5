"""The known cubes of a starting position: which pixels look like them, and the layout whose cubes cover just those."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.appearance import colour_table, lab
from vision.corners import climbed
from vision.geometry import bed_corners, rise
from vision.layout import POINTS
from vision.tile_fit import THICKNESS
from vision.tile_layout import TILE, TileLayout, outlines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.geometry import CameraPose
    from vision.layout import Placed
    from vision.raster import Raster

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Picture = NDArray[np.uint8]
    Labels = NDArray[np.uint8]

_WINDOW_TILES = 0.7, 0.02, 1.6
"""Where a space's cubes are looked for at first: half its breadth, from and to how far out of its tile, in tiles.
Seen from the side, cubes stand a quarter of a tile off; next to those of a starting position no others stand."""
_TABLE_VARIES = np.array([12.0, 6.0, 6.0], np.float32)
"""What L, a and b (8-bit) of a table vary by from place to place: grain, and what is left of a lamp's gleam."""
_STEPS = {"cube": 0.02, "thickness": 0.1, "files": 0.05, "edge": 0.08, "step": 0.05}
_LIMITS = {
    "cube": (0.14, 0.42),
    "thickness": (0.6, 1.4),
    "files": (0.5, 0.9),
    "edge": (0.5, 2.0),
    "step": (1.0, 1.7),
}
"""Cubes take a seventh to two fifths of a tile, or ten would not lie in two files beside it; the height is let vary,
for the corners tell the camera's tilt but roughly."""
_FIRST_TRIALS = {"cube": (0.18, 0.22, 0.26, 0.31), "edge": (0.6, 0.9, 1.2, 1.5), "step": (1.05, 1.2, 1.4)}
_THICKNESS_SPREAD, _COST = 0.12, 0.01
"""Cubes are as high as they are broad: what another height costs, which seen from above hardly shows."""
_CORNER_STEPS = 0.006, 0.003, 0.0015, 0.0007
"""Steps by which a corner is tried, in board widths: a cube is some 0.02."""
_FARTHEST = 0.02
_WORTH = 0.02
"""The fit must gain so much for other corners to be believed."""
_SHIFT = 4


def likeness(
    view: Picture, bed: Raster, layout: TileLayout, placed: Sequence[Placed]
) -> tuple[Singles, Singles, Singles]:
    """For White and Black, how much each pixel looks like that side's cubes, 0 to 1; and how little like the table.

    A cube's colours are those found in its side's spaces alone (shadows are found in the other's as well), and it
    differs from the table round about (which may be lit unevenly).

    Args:
        view: raster of the bed, BGR.
        bed: that raster.
        layout: only its depth and side count.
        placed: the cubes known to be there.
    """
    colours = lab(view)
    owners = {checker.point: checker.owner for checker in placed}
    parts = [np.zeros(view.shape[:2], np.uint8) for _ in range(3)]
    for point in range(POINTS):
        window = np.rint(bed.pixels(_window(layout, point))).astype(np.int32)
        cv2.fillConvexPoly(parts[owners.get(point, 2)], window, 1)
    parts[2][(parts[0] | parts[1]) > 0] = 0
    table = cv2.inpaint(view, parts[0] | parts[1], 3, cv2.INPAINT_TELEA)
    away = (colours.astype(np.float32) - lab(np.asarray(table, np.uint8))) / _TABLE_VARIES
    unlike = 1 - np.exp(-0.5 * (away**2).sum(axis=2))
    density = [np.exp(colour_table(colours[part > 0])) for part in parts]
    index = tuple((colours >> 3).transpose(2, 0, 1).astype(np.intp))
    found = []
    for side in (0, 1):
        other = np.maximum(density[1 - side], density[2])
        own = np.clip(1 - other / density[side], 0, 1)[index]
        found.append((own * unlike * parts[side]).astype(np.float32))
    return found[0], found[1], unlike.astype(np.float32)


def _window(layout: TileLayout, point: int) -> Floats:
    half, first, last = (part * TILE for part in _WINDOW_TILES)
    x = layout.column_x(layout.column_of(point))
    near, far = layout.reach(point, first), layout.reach(point, last)
    return np.array([[x - half, near], [x + half, near], [x + half, far], [x - half, far]])


@dataclass(frozen=True)
class Start:
    """The starting position as a raster of the bed shows it.

    Attributes:
        alike: see `likeness`.
        bed: the raster.
        pose: the camera.
        placed: the cubes known to be there.
    """

    alike: tuple[Singles, Singles, Singles]
    bed: Raster
    pose: CameraPose
    placed: Sequence[Placed]

    def covered(self, layout: TileLayout, onto: Floats | None = None, size: float = 1.0) -> Labels:
        """What the known cubes cover of the raster: 1 White's, 2 Black's, 0 nothing.

        `onto` (3 x 3) says where places on the board lie rather; `size` is that of the cubes over the layout's.
        """
        labels = np.zeros(self.bed.size[::-1], np.uint8)
        feet = np.array([layout.slot(checker.point, checker.index) for checker in self.placed])
        around = outlines(layout, self.pose, feet, size)
        if onto is not None:
            around = np.asarray(cv2.perspectiveTransform(around, onto), np.float64)
        pixels = np.rint(self.bed.pixels(around) * (1 << _SHIFT)).astype(np.int32)
        for checker, outline in zip(self.placed, pixels, strict=True):
            cv2.fillConvexPoly(labels, cv2.convexHull(outline), checker.owner + 1, cv2.LINE_8, _SHIFT)
        return labels

    def fit(self, layout: TileLayout, onto: Floats | None = None) -> float:
        """How well the known cubes cover what looks like them: 1 where they cover all of it and nothing else."""
        labels = self.covered(layout, onto)
        gained = sum(float((2 * alike[labels == side + 1] - 1).sum()) for side, alike in enumerate(self.alike[:2]))
        return gained / self._most - _COST * ((layout.thickness - 1) / _THICKNESS_SPREAD) ** 2

    def seen_to(self, y: float) -> float:
        """Where on the table an edge of the line of tiles at `y` is seen to end: at its foot or at its face's rim."""
        rim = rise(self.pose, np.array([[0.5, y]]), THICKNESS * TILE)[0][0, 1]
        return float(min(y, rim) if y < self.bed.depth / 2 else max(y, rim))

    def least_seen(self, layout: TileLayout) -> float:
        """How little like the table the known cube looks that looks most like it, 0 to 1."""
        return min(float(self.alike[2][replace(self, placed=(one,)).covered(layout) > 0].mean()) for one in self.placed)

    @property
    def _most(self) -> float:
        """What covering all that looks like cubes would gain."""
        return max(sum(float((2 * alike - 1).clip(0).sum()) for alike in self.alike[:2]), 1.0)

    def fit_layout(self, first: TileLayout) -> tuple[TileLayout, float]:
        """The layout that fits best, and its fit."""
        names = tuple(_FIRST_TRIALS)
        trials = [_with(first, **dict(zip(names, values, strict=True))) for values in product(*_FIRST_TRIALS.values())]
        score, best = max(((self.fit(trial), trial) for trial in trials), key=lambda pair: pair[0])
        for shrink in 0.6 ** np.arange(6):
            for name, step in _STEPS.items():
                score, best = self._climb(name, step * shrink, score, best)
        return best, score

    def _climb(self, name: str, step: float, score: float, best: TileLayout) -> tuple[float, TileLayout]:
        low, high = _LIMITS[name]
        for sign in (-1, 1):
            while True:
                value = min(max(getattr(best, name) + sign * step, low), high)
                trial = _with(best, **{name: value})
                found = self.fit(trial)
                if found <= score + 1e-6:
                    break
                score, best = found, trial
        return score, best

    def corners(self, layout: TileLayout) -> Floats | None:
        """Where the area's corners lie rather (4 x 2 board coordinates); None where they lie right."""
        corners = bed_corners(layout.depth)[:, :2].astype(np.float32)

        def fit(moved: Singles) -> float:
            onto = np.asarray(cv2.getPerspectiveTransform(corners, moved), np.float64)
            return self.fit(layout, onto)

        better = climbed(corners, fit, _CORNER_STEPS, _FARTHEST, _WORTH)
        return None if better is None else better.astype(np.float64)


def _with(layout: TileLayout, **measures: float) -> TileLayout:
    """The layout with other measures."""
    kept = {name: float(measures.get(name, getattr(layout, name))) for name in _LIMITS}
    return TileLayout(layout.depth, mirror=layout.mirror, **kept)
