"""Reader for boards of tiles: pictures to observations."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.core import CHECKERS, Cause, CellReading, Observation
from vision.board import POINTS, SURE_NATS, BoardHues, count_row, hues_of, refuse_other_size, uncontradicted
from vision.imaging import (
    NEARLY_WHITE,
    Edges,
    Grain,
    Illumination,
    blamed_on_darkness,
    calmed,
    colours_lost,
    ellipse,
    holds_hand,
    is_dark,
    match_gain,
    match_picture,
    saturated,
    stretched,
    thick_things,
)
from vision.tiles.accepted_look import AcceptedTileLook
from vision.tiles.colours import TOPS
from vision.tiles.doubts import with_doubt_beyond_gaps, with_doubt_in_odd_light
from vision.tiles.haze import TileTones
from vision.tiles.layout import TILE
from vision.tiles.unexplained import LOOSE_NATS, UnexplainedAreas

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Board, Content
    from vision.arrays import Bools, Floats, Picture, Singles
    from vision.board import Counts
    from vision.tiles.calibration import TileCalibration
    from vision.tiles.colours import TileEvidence
    from vision.tiles.cubes import FoundCubes


_COLOURLESS, _OTHER_HUE = 0.3, 0.3
"""Share of the learned hues below which colours are lost, as in a camera's night mode; and least difference of hue
(natural logarithm) of cubes that then may have the grey of the table."""
_FIRST_CUBES, _MOST_LOST = 8, 0.25
"""Number of cubes in a space at whose places the light is checked; and the largest share of them that may have lost
their colours. Of 1,453 turns in 1.3 to 2.4 times the light, seven are wrong without this limit, all above a third; so
are 42 of 774 turns that are told."""
_BAND_TILES = 0.75
"""Half the width, in tiles, of the band along the line in which movement and blur are measured."""
_HIDDEN_NATS = 9.0
"""Loss of log-likelihood for one cube more than is seen in a space, hidden on top of another."""
_ROUND_CUBES = 0.7
"""Width of the margin around a found cube, in cubes, that holds its shadow and corners."""
_NEXT_TILES = 1.5
"""Distance beyond the end of the line, in tiles, that must be in view to see hit cubes: their place and one cube more.
"""
_UNSEEN_CUBES = 0.5
"""Largest area of those places out of view, in areas of a cube's top: a cube there would still show itself."""
_WIDER_CUBES = 2.3
"""Width and height, in cubes, of what is not hit cubes: two beside each other, with their walls, are narrower."""
_SMALL_TILES = 0.6
"""Size of the smallest foreign object, in tiles: fingers are about 0.5 tile wide, cubes 0.25."""
_GRAIN_TILES = 0.15
"""Reach of the comparison of the table's grain, in tiles: less than a finger."""


@dataclass(frozen=True, slots=True)
class LevelledView:
    """A raster in the learned light, and the cubes found on it.

    Attributes:
        levelled: the raster (BGR).
        evidence: of its pixels.
        saturated: mask of those at which the sensor was saturated.
        shadowed: whether a shadow falls on the board.
        found: the cubes, as their colours tell them.
    """

    levelled: Picture
    evidence: TileEvidence
    saturated: Bools
    shadowed: bool
    found: FoundCubes


class TileBoardReader:
    """Reads pictures of one board of tiles."""

    def __init__(self, calibration: TileCalibration) -> None:
        self.calibration = calibration
        self._cubes = calibration.cubes
        self._unexplained = UnexplainedAreas(calibration)
        self._edges = Edges.of(calibration.looks.ground.steep[self._band])
        self._accepted: AcceptedTileLook | None = None
        self._last: tuple[Picture, tuple[CellReading, ...]] | None = None
        self._levelled = calibration.view

    def compare_with_known(self) -> None:
        """Compare later pictures with that of the known position."""
        learned = self.calibration
        self._compare_with(learned.view, (*learned.points, None, None))

    def accept(self, picture: Picture, board: Board) -> None:
        """Compare later pictures with this one, which shows `board`, without what the picture alone contradicts."""
        if self._last is None or self._last[0] is not picture:
            self.look(picture)
        if self._last is not None:
            self._compare_with(self._levelled, uncontradicted(self._last[1], board))

    def _compare_with(self, view: Picture, held: Sequence[Content | None]) -> None:
        learned = self.calibration
        of_sides = [np.isin(learned.parts, (side, side + TOPS)) for side in (1, 2)]
        colours = np.array([np.median(learned.view[cubes], axis=0) for cubes in of_sides])
        self._accepted = AcceptedTileLook(self._cubes, view, learned.ground, colours, held)

    def look(self, picture: Picture) -> Observation:
        """Read a picture (BGR). Raises WrongSize if its size differs from the calibration's."""
        learned = self.calibration
        refuse_other_size(picture, learned.size)
        self._last, original, picture = None, picture, calmed(picture)
        taken = learned.bed.rectify(picture)
        if self._has_lost_colours(taken):
            return Observation((), Cause.GLARE)
        seen = self._seen_through_haze(picture, taken)
        if seen.unreadable is not None:
            return seen
        self._last = original, seen.cells
        if self._accepted is None:
            return seen
        return replace(seen, cells=self._accepted.compared(seen.cells, self._levelled))

    def _seen_through_haze(self, picture: Picture, taken: Picture) -> Observation:
        """Read a picture, once more in the learned contrast if it seems unreadable; `taken`: its raster."""
        learned = self.calibration
        haze = self._tones.haze(taken) or 0.0
        clear = stretched(taken, haze, 1.0)
        gain = match_gain(clear, self._ground_as_taken)
        view = learned.contrast.applied(clear, learned.contrast.black * float(gain.mean()))
        if is_dark(view):
            return Observation((), Cause.DARK)
        first = self._levelled_view(clear, gain, 255 - haze)
        seen = self._seen(first)
        views = [view]
        if seen.unreadable is not None:
            # another contrast or saturation looks like a blur, or like a hand
            whole = stretched(picture, haze, 1.0)
            _, matched = match_picture(whole, clear, self._ground_as_taken, learned.bed.rectify)
            if matched is not clear:
                seen = self._seen(self._levelled_view(matched, match_gain(matched, self._ground_as_taken)))
                views = [view, learned.contrast.applied(matched)]
        if seen.unreadable is Cause.HAND:
            seen = self._seen(first, self._grain.seen_in(clear))
        if all(map(self._lacks_colours, views)):
            seen = Observation((), Cause.UNKNOWN)
        return blamed_on_darkness(seen, view)

    def _levelled_view(self, view: Picture, gain: Singles, white: float = 255.0) -> LevelledView | Cause:
        """The raster of a picture with enough light and without haze, levelled; or a cause why it cannot be read.

        `gain` (B, G, R): its brightness relative to the known position; `white`: grey level of saturation.
        """
        learned = self.calibration
        light = Illumination.of(view, self._ground_as_taken, gain, white)
        levelled = learned.contrast.applied(light.level(view))
        most = (white / (gain * light.brighter) - learned.contrast.black) * learned.contrast.factor
        clipped = saturated(view, white - NEARLY_WHITE)
        evidence = learned.evidence(levelled, clipped, most.astype(np.float32))
        cause = self._edges.cause(evidence.steep[self._band])
        if cause is not None:
            return cause
        return LevelledView(levelled, evidence, clipped, light.shadowed, self._cubes.find(evidence))

    def _seen(self, view: LevelledView | Cause, grain_seen: Bools | None = None) -> Observation:
        """Read a levelled raster; `grain_seen`: mask of where the table's grain is seen, if light looks like a hand."""
        if isinstance(view, Cause):
            return Observation((), view)
        learned, found = self.calibration, view.found
        things = self._things(view.evidence, found)
        covering = things if grain_seen is None else self._things(view.evidence, found, grain_seen)
        # in a shadow, small things count as the hand that casts it, not as dice
        if holds_hand(covering, self._thing_px, learned.bed, dice=not view.shadowed):
            return Observation((), Cause.HAND)
        found = learned.comparison.read(found, view.levelled)
        found = replace(found, spaces=with_doubt_beyond_gaps(found.spaces))
        if any(found.nats_of_more_than_fifteen(side) > SURE_NATS for side in (0, 1)):
            return Observation((), Cause.HAND)
        if grain_seen is not None:
            unclear = (things | view.saturated).astype(np.uint8)
            near = cv2.dilate(unclear, ellipse(2 * self._cubes.cube_px)) > 0
            found = found.doubted(partial(with_doubt_in_odd_light, odd=near))
        return self._observed(view.evidence, found, view.levelled, odd_light=grain_seen is not None)

    def _has_lost_colours(self, taken: Picture) -> bool:
        """Whether too much of the spaces is saturated in a raster as taken."""
        return colours_lost(taken, self._spaces) > _MOST_LOST

    def _lacks_colours(self, view: Picture) -> bool:
        """Whether cubes have other hues than the table, and a raster has lost most hues: cubes may look like it."""
        left = None if self._hues is None else self._hues.left(view)
        return left is not None and left < _COLOURLESS

    def _things(self, evidence: TileEvidence, found: FoundCubes, explained: Bools | None = None) -> Bools:
        """Mask of what is neither table, tile nor cube; `explained`: mask of what is none, whatever its colour."""
        near = cv2.dilate(found.taken, ellipse(2 * _ROUND_CUBES * self._cubes.cube_px))
        changed = np.where((near > 0) | self._off_cubes(evidence), 0, evidence.changed).astype(np.float32)
        return thick_things(changed, self._thing_px, ignore=explained)

    @property
    def _thing_px(self) -> float:
        """Size of the smallest foreign object, in pixels of the raster."""
        return _SMALL_TILES * TILE * self.calibration.bed.scale

    @cached_property
    def _grain(self) -> Grain:
        return Grain(self._ground_as_taken, _GRAIN_TILES * TILE * self.calibration.bed.scale)

    def _off_cubes(self, evidence: TileEvidence) -> Bools:
        """Mask (height x width) of areas in cubes' colours beyond the ends of the line, where borne-off cubes lie."""
        alike = np.maximum(*evidence.sides) > 0
        near = cv2.dilate(alike.astype(np.uint8), ellipse(2 * _ROUND_CUBES * self._cubes.cube_px)) > 0
        return np.asarray(near & self._unexplained.ends)

    def _observed(
        self, evidence: TileEvidence, found: FoundCubes, levelled: Picture, *, odd_light: bool
    ) -> Observation:
        """Readings of the 24 spaces and both bars; those of the borne-off cubes are empty."""
        unseen, between = self._unexplained.beside_tiles(evidence, found, levelled)
        cells = []
        for point in range(POINTS):
            counts = count_row(found.spaces[point], gaps=True)
            cells.append(CellReading.of(_with_hidden_cube(counts, unseen.get(point))))
        cells += [self._hit_reading(side, evidence, found, odd_light=odd_light) for side in (0, 1)]
        self._levelled = levelled
        return Observation((*cells, CellReading(), CellReading()), between=between)

    def _hit_reading(self, side: int, evidence: TileEvidence, found: FoundCubes, *, odd_light: bool) -> CellReading:
        """Reading of a side's hit cubes; all numbers are equally likely if their place is out of view or covered."""
        if not self._sees_hit[side] or self._is_covered_alike(side, evidence):
            return CellReading(tuple(((n, 0) if side == 0 else (0, n), 0.0) for n in range(CHECKERS + 1)))
        counts = count_row(found.hit[side], gaps=True)
        if odd_light or self._unexplained.among_hit(side, evidence, found):
            counts = _with_hidden_cube(counts, np.full(2, LOOSE_NATS))
        return CellReading.of(counts)

    def _is_covered_alike(self, side: int, evidence: TileEvidence) -> bool:
        """Whether something in the colours of a side's cubes, but wider than they lie, is at the place of hit ones."""
        wide = round(_WIDER_CUBES * self._cubes.cube_px)
        zone = self._cubes.zones[side]
        rows, columns = (slice(max(one.start - wide, 0), one.stop + wide) for one in zone)
        alike = (evidence.sides[side][rows, columns] > 0).astype(np.uint8)
        square = np.ones((wide, wide), np.uint8)
        broad = np.zeros(evidence.changed.shape, np.uint8)
        broad[rows, columns] = cv2.morphologyEx(alike, cv2.MORPH_OPEN, square, borderValue=0)
        return bool(broad[zone].any())

    @cached_property
    def _hues(self) -> BoardHues | None:
        """The hues of table and tiles; None if no side's cubes have other ones."""
        learned = self.calibration
        usual = np.median(hues_of(learned.ground), axis=(0, 1))
        cubes = (np.median(hues_of(learned.view[learned.parts == side]), axis=0) for side in (1, 2))
        return BoardHues(learned.ground) if any(np.linalg.norm(one - usual) > _OTHER_HUE for one in cubes) else None

    @cached_property
    def _ground_as_taken(self) -> Picture:
        """Table and tiles without cubes, before the contrast was stretched."""
        return self.calibration.contrast.undone(self.calibration.ground)

    @cached_property
    def _spaces(self) -> Bools:
        """Mask of the pixels at the places of a space's first cubes that are not saturated in the known position."""
        seen = np.zeros(self._ground_as_taken.shape[:2], bool)
        for stencil in (one for row in self._cubes.stencils for one in row[:_FIRST_CUBES]):
            if stencil.fits(seen.shape):
                seen[stencil.window] |= stencil.mask > 0
        return seen & ~saturated(self._ground_as_taken)

    @cached_property
    def _tones(self) -> TileTones:
        learned = self.calibration
        return TileTones(self._ground_as_taken, learned.layout, learned.bed)

    @cached_property
    def _band(self) -> tuple[slice, slice]:
        bed = self.calibration.bed
        low, high = (
            round(float(bed.pixels(np.array([0.0, self.calibration.layout.axis + way * _BAND_TILES * TILE]))[1]))
            for way in (1, -1)
        )
        left, right = (round(float(bed.pixels(np.array([x, 0.0]))[0])) for x in (0.0, 1.0))
        return slice(low, high), slice(left, right)

    @cached_property
    def _sees_hit(self) -> tuple[bool, bool]:
        """Whether the places of White's and of Black's hit cubes are in the picture."""
        unseen = ~self.calibration.bed.in_view(self.calibration.size)
        end = round(float(self.calibration.bed.pixels(np.array([1 + _NEXT_TILES * TILE, 0.0]))[0]))
        areas = (unseen[rows, columns.start : end].sum() for rows, columns in self._cubes.zones)
        white, black = (bool(area < _UNSEEN_CUBES * self._cubes.cube_px**2) for area in areas)
        return white, black


def _with_hidden_cube(counts: Counts, unseen: Floats | None) -> Counts:
    """The counts, and those with one more, unseen cube; `unseen`: its costs (White's, Black's) where one may lie."""
    total = dict(counts)
    for (white, black), nats in counts.items():
        for side, more in enumerate(((white + 1, black), (white, black + 1))):
            if unseen is not None:
                total[more] = max(total.get(more, -np.inf), nats - float(unseen[side]))
            elif (white > 0) != (black > 0) and (more[0] > 0) != (more[1] > 0):
                total[more] = max(total.get(more, -np.inf), nats - _HIDDEN_NATS)
    return total
