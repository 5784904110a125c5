"""Counting cubes beside tiles: each must show of its colour what those already found do not hide."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.census import CHECKERS
from vision.layout import POINTS
from vision.read_backgammon import Slot
from vision.slots import EMPTY
from vision.tile_layout import FILES, TILE, TileLayout, outlines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.geometry import CameraPose
    from vision.layout import Placed
    from vision.raster import Raster
    from vision.tile_looks import TileEvidence

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]

_ASTRAY = 0.35
"""How far from its place a cube is sought, in cubes: farther, it would be its neighbour."""
_STRAY, _STRAY_COST = 0.2, 0.5
"""A cube found `_STRAY` cubes off its place must look `_STRAY_COST` nats a pixel better than one in place."""
_FOLLOWED = 0.7
"""Share of what a pair stands off its place that the next pair is taken to stand off its own, being set against it."""
_WITNESSES = 5.0
"""So many independent witnesses the pixels of a cube are taken for: light and blur err over the whole of it."""
_PLAIN = 2.0
"""Cubes that show plainly do so by so many nats a pixel, mostly by 3 to 5. Where a known one shows less, another may
look as little like a cube, and is not ruled out by that."""
_CONTRADICTED = -2.5
"""Where a known cube shows less, none is there: in the worst gleam they show -1.2, and bare table -4 to -6."""
_GLEAM_TILES = 2.0
"""As far round such a cube, in tiles: the gleam of a lamp is a hand broad."""
_WHOLE = 1.0
"""What a cube shows at least, in squares of its side, to be believed in full."""
_SEEN_TWICE = 1.5
"""What a pixel that shows another cube speaks against a waiting one (nats)."""
_DOUBTFUL_NATS = -2.0
"""Something that looks like a cube at least so much, a pixel, is not nothing."""
_NEAREST_WAITING, _FARTHEST_WAITING = 0.25, 1.6
"""Hit cubes wait, by the sheet, 3 cm from the axis, three quarters of a usual tile: within so many tiles of it."""
_FROM_END = 0.2
"""And so many tiles beyond the end of the line, at least."""


@dataclass(frozen=True, slots=True)
class Stencil:
    """What a cube shows on the raster.

    Attributes:
        mask: float32, 0 or 1.
        area: pixels shown.
        x, y: the pixel of its upper left corner.
    """

    mask: Singles
    area: float
    x: int
    y: int

    def moved(self, right: int, down: int) -> Stencil:
        """The same so many pixels off."""
        return Stencil(self.mask, self.area, self.x + right, self.y + down)


@dataclass
class Found:
    """What has been found on a raster so far.

    Attributes:
        taken: height x width, 1 where a cube is, else 0.
        spaces: the slots of each of the 24 spaces.
        waiting: slots beyond the right end where White's and where Black's hit cubes wait.
    """

    taken: Singles
    spaces: list[list[Slot]]
    waiting: tuple[list[Slot], list[Slot]]

    def cover(self, stencil: Stencil) -> None:
        """Take what a cube shows."""
        height, width = stencil.mask.shape
        here = self.taken[stencil.y : stencil.y + height, stencil.x : stencil.x + width]
        np.maximum(here, stencil.mask, out=here)


@dataclass(frozen=True)
class Cubes:
    """Finds the cubes on a raster of one board.

    Attributes:
        layout, pose, bed: where everything is.
        doubts: for White and Black, pixels (x, y) round which a cube may look that much less like one (nats a pixel).
    """

    layout: TileLayout
    pose: CameraPose
    bed: Raster
    doubts: tuple[tuple[tuple[int, int, float], ...], ...] = ((), ())

    def proven(self, evidence: TileEvidence, placed: Sequence[Placed]) -> Cubes | None:
        """The same, with doubts where cubes known to be there (`placed`) hardly show: in a lamp's gleam, above all.

        None where one of them is not seen there at all.
        """
        found = self.find(evidence)
        doubts: tuple[list[tuple[int, int, float]], ...] = ([], [])
        for one in placed:
            row = found.spaces[one.point]
            if one.index >= len(row):
                return None
            slot = row[one.index]
            shown = (slot.nats[one.owner] - slot.nats[EMPTY]) / _WITNESSES
            if shown < _CONTRADICTED:
                return None
            doubts[one.owner].extend([(slot.x, slot.y, _PLAIN - shown)] if shown < _PLAIN else [])
        return replace(self, doubts=(tuple(doubts[0]), tuple(doubts[1])))

    def _doubt(self, side: int, x: int, y: int) -> float:
        """By how much more a side's cube may look like none there, a pixel (nats)."""
        reach = _GLEAM_TILES * TILE * self.bed.scale
        return max((lack for u, v, lack in self.doubts[side] if np.hypot(x - u, y - v) < reach), default=0.0)

    def stencil(self, place: Floats) -> Stencil:
        """What a cube standing at `place` (board coordinates) shows."""
        outline = self.bed.pixels(outlines(self.layout, self.pose, place[None]))[0]
        x, y = np.floor(outline.min(axis=0)).astype(int)
        right, down = np.ceil(outline.max(axis=0)).astype(int)
        mask = np.zeros((down - y + 1, right - x + 1), np.float32)
        part = np.rint((outline - (x, y)) * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, cv2.convexHull(part), 1.0, cv2.LINE_8, 4)
        return Stencil(mask, float(mask.sum()), int(x), int(y))

    @cached_property
    def stencils(self) -> list[list[Stencil]]:
        """Of every place in each of the 24 spaces, from the tile outwards."""
        places = [[self.layout.slot(point, index) for index in range(CHECKERS)] for point in range(POINTS)]
        return [[self.stencil(np.array(place)) for place in row] for row in places]

    @cached_property
    def _reach(self) -> int:
        return round(_ASTRAY * self.layout.checker * self.bed.scale)

    @cached_property
    def _cube_px(self) -> float:
        """Pixels that the top of a cube takes."""
        return (self.layout.checker * self.bed.scale) ** 2

    def find(self, evidence: TileEvidence) -> Found:
        """All cubes in the spaces, and those that wait."""
        found = Found(np.zeros(self.bed.size[::-1], np.float32), [], ([], []))
        for row in self.stencils:
            found.spaces.append(self._row(row, evidence, found))
        for side in (0, 1):
            rather = evidence.sides[side] - np.maximum(evidence.sides[1 - side], 0)  # the others' borne off lie there
            self._wait(side, rather, found)
        return found

    def _row(self, row: list[Stencil], evidence: TileEvidence, found: Found) -> list[Slot]:
        """The slots of a space, as far as a pair of places without a cube; where one pair stands tells of the next."""
        slots: list[Slot] = []
        astray: list[tuple[int, int]] = []
        right = down = 0
        for index, home in enumerate(row):
            if index % FILES == 0 and index:
                if all(slot.holder == EMPTY for slot in slots[-FILES:]):
                    break
                more = np.rint(_FOLLOWED * np.mean(astray, axis=0)).astype(int)
                right, down = right + int(more[0]), down + int(more[1])
                astray = []
            stencil = home.moved(right, down)
            if not self._on_raster(stencil):
                break
            free = self._free(stencil, found.taken)
            (white, of_white), (black, of_black) = (self._best(stencil, side, free) for side in evidence.sides)
            best = white if of_white >= of_black else black
            slots.append(self._slot(best, (of_white, of_black)))
            if slots[-1].holder != EMPTY:
                found.cover(best)
                astray.append((best.x - stencil.x, best.y - stencil.y))
        return slots

    def _on_raster(self, stencil: Stencil) -> bool:
        """Whether all places where the cube is sought lie on the raster."""
        (width, height), reach = self.bed.size, self._reach
        tall, broad = stencil.mask.shape
        return (
            reach <= min(stencil.x, stencil.y)
            and stencil.x + broad + reach <= width
            and stencil.y + tall + reach <= height
        )

    def _near(self, stencil: Stencil) -> tuple[slice, slice]:
        """The pixels (rows, columns) in which a cube near its place shows."""
        height, width = stencil.mask.shape
        return (
            slice(stencil.y - self._reach, stencil.y + height + self._reach),
            slice(stencil.x - self._reach, stencil.x + width + self._reach),
        )

    def _free(self, stencil: Stencil, taken: Singles) -> Singles | None:
        """What is not taken there (1, else 0); None where nothing is."""
        here = taken[self._near(stencil)]
        return 1 - here if here.any() else None

    @cached_property
    def _costs(self) -> Singles:
        """What a cube must look better by, a pixel (nats), to be taken for found so far from its place."""
        steps = np.arange(-self._reach, self._reach + 1) / (_STRAY * self.layout.checker * self.bed.scale)
        return np.asarray(_STRAY_COST * (steps[:, None] ** 2 + steps[None] ** 2), np.float32)

    def _best(self, stencil: Stencil, alike: Singles, free: Singles | None) -> tuple[Stencil, float]:
        """The stencil moved to where a cube near its place fits best.

        And how much what such a cube would add looks like one, a pixel (nats); less where it would add little.
        """
        seen, height, width = alike[self._near(stencil)], *stencil.mask.shape
        sums = cv2.matchTemplate(seen if free is None else seen * free, stencil.mask, cv2.TM_CCORR)
        down, right = divmod(int((sums - stencil.area * self._costs).argmax()), sums.shape[1])
        area = stencil.area
        if free is not None:
            area = float((stencil.mask * free[down : down + height, right : right + width]).sum())
        best = stencil.moved(right - self._reach, down - self._reach)
        return best, float(sums[down, right]) / max(area, _WHOLE * self._cube_px)

    def _slot(self, stencil: Stencil, means: tuple[float, float]) -> Slot:
        height, width = stencil.mask.shape
        x, y = stencil.x + width // 2, stencil.y + height // 2
        lifted = [mean if mean > 0 else min(mean + self._doubt(side, x, y), 0.0) for side, mean in enumerate(means)]
        nats = [_WITNESSES * mean for mean in lifted] + [0.0]
        white, black, empty = (one - max(nats) for one in nats)
        return Slot(x, y, (white, black, empty), False)

    def _wait(self, side: int, alike: Singles, found: Found) -> None:
        """Find a side's hit cubes, one by one, the clearest first."""
        rows, columns = self.zones[side]
        stencil = self.stencil(np.array([1 + TILE, self.layout.axis - _way(side) * 0.75 * TILE]))
        height, width = stencil.mask.shape
        wide = (
            slice(rows.start - height // 2, rows.stop + height - height // 2 - 1),
            slice(columns.start - width // 2, columns.stop + width - width // 2 - 1),
        )
        while len(found.waiting[side]) < CHECKERS:
            free = np.where(found.taken[wide] > 0, -_SEEN_TWICE, alike[wide])
            score = cv2.matchTemplate(np.ascontiguousarray(free, np.float32), stencil.mask, cv2.TM_CCORR)
            y, x = np.unravel_index(int(score.argmax()), score.shape)
            mean = float(score[y, x]) / stencil.area
            if mean < _DOUBTFUL_NATS:
                return
            best = stencil.moved(wide[1].start + int(x) - stencil.x, wide[0].start + int(y) - stencil.y)
            found.waiting[side].append(self._slot(best, (mean, -np.inf) if side == 0 else (-np.inf, mean)))
            if mean <= 0:
                return
            found.cover(best)

    @cached_property
    def zones(self) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
        """Where on the raster the middles of White's and of Black's hit cubes may be (rows, columns)."""
        left, right = 1 + _FROM_END * TILE, 1 + self.bed.beside - 2 * self.layout.checker
        found = []
        for side in (0, 1):
            ends = [self.layout.axis - _way(side) * part * TILE for part in (_NEAREST_WAITING, _FARTHEST_WAITING)]
            u, v = np.rint(self.bed.pixels(np.array([[left, max(ends)], [right, min(ends)]]))).astype(int).T
            found.append((slice(int(v[0]), int(v[1])), slice(int(u[0]), int(u[1]))))
        return found[0], found[1]


def _way(side: int) -> int:
    """Which way along y a side sits."""
    return -1 if side == 0 else 1
