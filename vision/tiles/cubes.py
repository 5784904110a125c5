"""Count the cubes beside the tiles by the pixels of their silhouettes that cubes found earlier do not hide."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.core import CHECKERS
from vision.board import EMPTY, POINTS, Slot
from vision.geometry import COLUMNS, project, project_to_bed
from vision.tiles.colours import TWICE_NATS
from vision.tiles.doubts import PLAIN, WITNESSES, usual_evidence, with_doubt_if_faint, with_faint_in_doubt
from vision.tiles.layout import FILES, OF_TOP, TILE, TileLayout, fill_outline, outlines
from vision.tiles.stencil import Stencil

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vision.arrays import Floats, Singles
    from vision.board import Placed
    from vision.geometry import CameraPose, Raster
    from vision.tiles.colours import TileEvidence


WALL, TOP = 1, 2
"""What a pixel of the raster shows of a found cube."""
CLEAR_NATS = 12.0
"""Lead of the likeliest content (nats) from which a place is certain by its colours: of 40,800 places in ten kinds of
light and blur none was wrong by more."""
_ASTRAY = 0.35
"""Largest distance from its place at which a cube is searched, in cubes; farther away lies its neighbour."""
_STRAY, _STRAY_COST = 0.2, 0.5
"""A cube `_STRAY` cubes off its place must have `_STRAY_COST` nats a pixel more than one in place; the cost is
quadratic."""
_CONTRADICTED = -2.5
"""Below this (nats a pixel) a known cube is absent: in the worst gleam cubes have -1.2, and bare table -4 to -6."""
_CLIPPED_SHARE, _THING_NATS, _CLIPPED_WEIGHT = 0.5, 3.0, 0.4
"""Where more than this share of a place is saturated, and what is there differs from the ground by this much (nats a
pixel), the weight of the evidence against a cube: what is pale in a gleam may be a cube of any colour, or a shadow. Of
984 pictures in eight kinds of light and blur, some of them overexposed, none is wrong (2 without), and 14 fewer are
read."""
_GLEAM_TILES = 2.0
"""Radius around a badly seen known cube, in tiles, in which others may be seen as badly: a hand's breadth."""
_WHOLE = 1.0
"""Least visible area, in tops of cubes, over which the evidence is averaged."""
_SEEN_TWICE = 1.5
"""Evidence (nats) of a pixel of another cube against a hit cube."""
_DOUBTFUL_NATS = -2.0
"""Least evidence, in nats a pixel, of a possible waiting cube."""
_APART_CUBES = 0.5
"""Hit cubes whose places differ by less than this in both directions, in cubes, would stand in each other."""
_NEAREST_WAITING, _FARTHEST_WAITING = 0.25, 1.6
"""Distances from the line's axis, in tiles, between which hit cubes are searched. The rule sheet says 3 cm, three
quarters of a usual tile."""
_FROM_END = 0.2
"""Least distance of hit cubes beyond the end of the line, in tiles."""


@dataclass
class FoundCubes:
    """The cubes found on a raster: slots of the 24 spaces, and of both sides' hit cubes beyond the right end.

    `taken`: height x width: `TOP` on the tops of cubes, `WALL` on their walls, else 0.
    """

    taken: Singles
    spaces: list[list[Slot]]
    hit: tuple[list[Slot], list[Slot]]

    def cover(self, stencil: Stencil) -> None:
        """Mark the pixels of a cube as taken."""
        here = self.taken[stencil.window]
        np.maximum(here, WALL * stencil.mask + (TOP - WALL) * stencil.top, out=here)

    def doubted(self, doubt: Callable[[list[Slot]], list[Slot]]) -> FoundCubes:
        """These cubes, with each space's slots and each side's hit ones replaced by their `doubt`."""
        return replace(self, spaces=[doubt(row) for row in self.spaces], hit=(doubt(self.hit[0]), doubt(self.hit[1])))

    def nats_of_more_than_fifteen(self, side: int) -> float:
        """Evidence that a side has more than fifteen cubes in the spaces: the cost of leaving out the least certain."""
        margins = sorted(slot.margin_nats for row in self.spaces for slot in row if slot.holder == side)
        return sum(margins[: max(len(margins) - CHECKERS, 0)])


@dataclass(frozen=True)
class CubeFinder:
    """Finds the cubes on a raster of one board.

    `doubts`: for White and Black, places (x, y in pixels) around which a cube needs less evidence, and by how many nats
    a pixel.
    """

    layout: TileLayout
    pose: CameraPose
    bed: Raster
    doubts: tuple[tuple[tuple[int, int, float], ...], ...] = ((), ())
    row_doubts: tuple[tuple[float, ...], ...] = ((0.0, 0.0), (0.0, 0.0))

    def with_doubts(self, evidence: TileEvidence, placed: Sequence[Placed]) -> CubeFinder | None:
        """Copy with `doubts` around the known cubes (`placed`) with weak evidence, as in a lamp's reflection.

        What cubes in two spaces of a row lack, others there may lack, too: their walls may look like the table. None if
        the evidence contradicts one of them.
        """
        found = self.find(evidence)
        doubts: tuple[list[tuple[int, int, float]], ...] = ([], [])
        lacks = np.zeros((2, POINTS))
        for one in placed:
            row = found.spaces[one.point]
            if one.index >= len(row):
                return None
            slot = row[one.index]
            shown = (slot.nats[one.owner] - slot.nats[EMPTY]) / WITNESSES
            if shown < _CONTRADICTED:
                return None
            if shown < PLAIN:
                doubts[one.owner].append((slot.x, slot.y, PLAIN - shown))
                lacks[one.owner, one.point] = max(lacks[one.owner, one.point], PLAIN - shown)
        second = np.sort(lacks.reshape(2, 2, COLUMNS), axis=2)[..., -2].tolist()
        return replace(self, doubts=(tuple(doubts[0]), tuple(doubts[1])), row_doubts=tuple(map(tuple, second)))

    def _doubt(self, side: int, x: int, y: int) -> float:
        """Tolerance (nats a pixel) for a side's cube at a pixel: the greatest shortfall of a known cube nearby."""
        reach = _GLEAM_TILES * TILE * self.bed.scale
        nearby = (lack for u, v, lack in self.doubts[side] if np.hypot(x - u, y - v) < reach)
        return max((self.row_doubts[side][y < self._axis_px], *nearby))

    def stencil(self, place: Floats) -> Stencil:
        """Silhouette of a cube that stands at `place` (board coordinates)."""
        outline = self.bed.pixels(outlines(self.layout, self.pose, place[None]))[0]
        x, y = np.floor(outline.min(axis=0)).astype(int)
        right, down = np.ceil(outline.max(axis=0)).astype(int)
        size = down - y + 1, right - x + 1
        mask, top = np.zeros(size, np.float32), np.zeros(size, np.float32)
        fill_outline(mask, outline - (x, y), 1)
        fill_outline(top, outline[OF_TOP:] - (x, y), 1)
        return Stencil(mask, top, float(mask.sum()), int(x), int(y))

    @cached_property
    def stencils(self) -> list[list[Stencil]]:
        """Silhouettes for every place in each of the 24 spaces, from the tile outwards."""
        places = [[self.layout.slot(point, index) for index in range(CHECKERS)] for point in range(POINTS)]
        return [[self.stencil(np.array(place)) for place in row] for row in places]

    @cached_property
    def hit_stencils(self) -> tuple[list[Stencil], list[Stencil]]:
        """Silhouettes all over the places of White's and of Black's hit cubes, half a cube apart."""
        apart, found = round(_APART_CUBES * self.cube_px), []
        for side, (rows, columns) in enumerate(self.zones):
            stencil, across = self._hit_stencil(side), range(columns.start, columns.stop, apart)
            found.append([stencil.centred(x, y) for y in range(rows.start, rows.stop, apart) for x in across])
        return found[0], found[1]

    def _hit_stencil(self, side: int) -> Stencil:
        """Silhouette of a side's cube among the hit ones."""
        return self.stencil(np.array([1 + TILE, self.layout.axis - _outward(side) * 0.75 * TILE]))

    @cached_property
    def _axis_px(self) -> float:
        """Row of the raster on which the line's axis lies."""
        return float(self.bed.pixels(np.array([0.0, self.layout.axis]))[1])

    @cached_property
    def _reach(self) -> int:
        return round(_ASTRAY * self.cube_px)

    @property
    def cube_px(self) -> float:
        """Side of a cube in pixels."""
        return self.layout.checker * self.bed.scale

    def leans(self, places: Floats) -> Floats:
        """Displacements (n x 2 pixels) of the tops of cubes that stand at `places` (n x 2 pixels)."""
        feet = project(self.bed.to_board, places)
        tops, _ = project_to_bed(self.pose, feet, self.layout.top)
        return np.asarray(self.bed.pixels(tops) - places)

    def find(self, evidence: TileEvidence) -> FoundCubes:
        """Find all cubes in the spaces and the waiting ones."""
        found = FoundCubes(np.zeros(self.bed.size[::-1], np.float32), [], ([], []))
        for row in self.stencils:
            found.spaces.append(self._read_space(row, evidence, found))
        found.spaces = with_faint_in_doubt(found.spaces)
        for side in (0, 1):
            self._find_hit(side, evidence, found)
            usual = usual_evidence([slot for row in (*found.spaces, found.hit[side]) for slot in row], side)
            found.hit[side][:] = [with_doubt_if_faint(slot, slot, usual) for slot in found.hit[side]]
        return found

    def _read_space(self, row: list[Stencil], evidence: TileEvidence, found: FoundCubes) -> list[Slot]:
        """Slots of a space from the tile outwards, up to the first pair that is empty for certain (see `CLEAR_NATS`).

        Marks the cubes in `found`.
        """
        slots: list[Slot] = []
        for index, stencil in enumerate(row):
            if index % FILES == 0 and index and all(_is_surely_empty(slot) for slot in slots[-FILES:]):
                break
            if not stencil.fits(found.taken.shape, self._reach):
                break
            taken = self._taken(stencil, found.taken)
            (white, of_white), (black, of_black) = (self._best_near(stencil, evidence, side, taken) for side in (0, 1))
            best = white if of_white >= of_black else black
            slots.append(self._slot(best, (of_white, of_black), evidence))
            if slots[-1].holder != EMPTY:
                found.cover(best)
        return slots

    def _window(self, stencil: Stencil) -> tuple[slice, slice]:
        """Window (rows, columns) around a stencil in which its cube is searched."""
        rows, columns = stencil.window
        return (
            slice(rows.start - self._reach, rows.stop + self._reach),
            slice(columns.start - self._reach, columns.stop + self._reach),
        )

    def _taken(self, stencil: Stencil, taken: Singles) -> Singles | None:
        """What found cubes take of the stencil's window (see `FoundCubes`); None if all of it is free."""
        here = taken[self._window(stencil)]
        return here if here.any() else None

    @cached_property
    def _costs(self) -> Singles:
        """Cost of each displacement in the search window, in nats a pixel."""
        steps = np.arange(-self._reach, self._reach + 1) / (_STRAY * self.cube_px)
        return np.asarray(_STRAY_COST * (steps[:, None] ** 2 + steps[None] ** 2), np.float32)

    def _best_near(
        self, stencil: Stencil, evidence: TileEvidence, side: int, taken: Singles | None
    ) -> tuple[Stencil, float]:
        """The stencil moved to the best place within `_ASTRAY`, and the mean evidence of a side's cube there.

        The mean is in nats a pixel, and reduced below an area of `_WHOLE` tops; `taken`: see `_taken`. A cube that
        stands nearer to the camera hides the walls of those found earlier.
        """
        seen, height, width = evidence.sides[side][self._window(stencil)], *stencil.mask.shape
        sums = cv2.matchTemplate(seen if taken is None else seen * (taken == 0), stencil.mask, cv2.TM_CCORR)
        down, right = divmod(int((sums - stencil.area * self._costs).argmax()), sums.shape[1])
        best = stencil.moved(right - self._reach, down - self._reach)
        area, top, total = stencil.area, stencil.top, float(sums[down, right])
        if taken is not None:
            taken = taken[down : down + height, right : right + width]
            hidden = top * (taken == WALL)
            top, area = top * (taken == 0), float((stencil.mask * (taken == 0)).sum())
            total += max(float((evidence.before_walls[side][best.window] * hidden).sum()), 0.0)
        total += float((evidence.tops[side][best.window] * top).sum())
        return best, total / max(area, _WHOLE * self.cube_px**2)

    def _slot(self, stencil: Stencil, means: tuple[float, float], evidence: TileEvidence) -> Slot:
        height, width = stencil.mask.shape
        x, y = stencil.x + width // 2, stencil.y + height // 2
        against = _CLIPPED_WEIGHT if _is_pale_thing(stencil, evidence) else 1.0
        lifted = [
            mean if mean > 0 else min(against * mean + self._doubt(side, x, y), 0.0) for side, mean in enumerate(means)
        ]
        nats = [WITNESSES * mean for mean in lifted] + [0.0]
        white, black, empty = (one - max(nats) for one in nats)
        return Slot(x, y, (white, black, empty), False)

    def _find_hit(self, side: int, evidence: TileEvidence, found: FoundCubes) -> None:
        """Add a side's hit cubes to `found`, the clearest first; the opponent's borne-off cubes lie there too.

        What looks more like a top than like a wall is no cube's wall, and may be a top in front of one found before.
        """
        alike = evidence.sides[side] - np.maximum(evidence.sides[1 - side], 0)
        rows, columns = self.zones[side]
        stencil = self._hit_stencil(side)
        height, width = stencil.mask.shape
        wide = (
            slice(rows.start - height // 2, rows.stop + height - height // 2 - 1),
            slice(columns.start - width // 2, columns.stop + width - width // 2 - 1),
        )
        apart = round(_APART_CUBES * self.cube_px)
        places: list[tuple[int, int]] = []
        other_top, walls = evidence.before_walls[side][wide] > TWICE_NATS, stencil.mask - stencil.top
        while len(found.hit[side]) < CHECKERS:
            taken = found.taken[wide]
            on_top = np.where((taken == TOP) | ((taken == WALL) & ~other_top), -_SEEN_TWICE, alike[wide])
            on_wall = np.where((taken > 0) | other_top, -_SEEN_TWICE, alike[wide])
            score = cv2.matchTemplate(on_top.astype(np.float32), stencil.top, cv2.TM_CCORR)
            score = score + cv2.matchTemplate(on_wall.astype(np.float32), walls, cv2.TM_CCORR)
            for y, x in places:
                score[max(y - apart, 0) : y + apart + 1, max(x - apart, 0) : x + apart + 1] = -np.inf
            y, x = divmod(int(score.argmax()), score.shape[1])
            places.append((y, x))
            mean = float(score[y, x]) / stencil.area
            if mean < _DOUBTFUL_NATS:
                return
            best = stencil.centred(columns.start + x, rows.start + y)
            found.hit[side].append(self._slot(best, (mean, -np.inf) if side == 0 else (-np.inf, mean), evidence))
            if mean <= 0:
                return
            found.cover(best)

    @cached_property
    def zones(self) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
        """Windows (rows, columns) of the raster for the centres of White's and of Black's hit cubes."""
        left, right = 1 + _FROM_END * TILE, 1 + self.bed.beside - 2 * self.layout.checker
        found = []
        for side in (0, 1):
            ends = [self.layout.axis - _outward(side) * part * TILE for part in (_NEAREST_WAITING, _FARTHEST_WAITING)]
            u, v = np.rint(self.bed.pixels(np.array([[left, max(ends)], [right, min(ends)]]))).astype(int).T
            found.append((slice(int(v[0]), int(v[1])), slice(int(u[0]), int(u[1]))))
        return found[0], found[1]


def _is_surely_empty(slot: Slot) -> bool:
    return slot.holder == EMPTY and slot.margin_nats >= CLEAR_NATS


def _is_pale_thing(stencil: Stencil, evidence: TileEvidence) -> bool:
    """Whether something stands in a stencil's place where the ground is saturated."""
    if evidence.clipped[stencil.window].mean() <= _CLIPPED_SHARE:
        return False
    return float((evidence.changed[stencil.window] * stencil.mask).sum()) > _THING_NATS * stencil.area


def _outward(side: int) -> int:
    """Direction along y from the line of tiles to a side's player: -1 White, 1 Black."""
    return -1 if side == 0 else 1
