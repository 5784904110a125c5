"""Areas in the colours of cubes that no found cube explains: each may be one cube more."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.board import EMPTY, POINTS
from vision.geometry import COLUMNS
from vision.imaging import ellipse
from vision.tiles.colours import TWICE_NATS
from vision.tiles.cubes import TOP
from vision.tiles.layout import TILE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.arrays import Bools, Floats, Picture, Singles
    from vision.tiles.calibration import TileCalibration
    from vision.tiles.colours import TileEvidence
    from vision.tiles.cubes import FoundCubes


LOOSE_NATS = 1.0
"""Loss of log-likelihood for one cube more than is found, where such an area is seen. With areas that look like tops,
14 places in 2,019 looks are wrong by more than 4 nats; without, 39."""
_ALIKE_NATS = 1.0
"""A pixel with more evidence than this for a cube (nats) has a cube's colour."""
_RIM_TILES = 0.25, 0.5
"""Distances of the rims from the line's axis, in tiles. A cube whose middle is nearer to the axis lies on a tile."""
_WIDEST_TILES = 0.75
"""What is wider than this on a tile, in tiles, is the tile in another light."""
_LOOSE_CUBES = 0.35
"""Least area of such pixels to be considered, in areas of a cube's top; smaller ones are rims of shadows or gleams."""
_BETWEEN = 0.2
"""What lies nearer than this to the border of two spaces, in tiles, may belong to either."""


class UnexplainedAreas:
    """Finds such areas on the raster of one board."""

    def __init__(self, calibration: TileCalibration) -> None:
        self._learned, self._cubes = calibration, calibration.cubes

    def beside_tiles(
        self, evidence: TileEvidence, found: FoundCubes, levelled: Picture
    ) -> tuple[dict[int, Floats], tuple[tuple[int, int], ...]]:
        """By space, the costs (White's, Black's, nats) of a cube that may lie in it; pairs of spaces with one between.

        `levelled`: the raster.
        """
        areas = self._areas(evidence, found)
        unseen: dict[int, Floats] = {}
        for (x, away), costs in zip(areas, self._costs(areas, levelled), strict=True):
            for point in self._spaces_near(x, away):
                unseen[point] = np.minimum(costs, unseen.get(point, np.inf))
        on_tiles = [self._spaces_near(x, away) for x, away in areas if abs(away) < _RIM_TILES[0]]
        return unseen, tuple((min(spaces), max(spaces)) for spaces in on_tiles)

    def among_hit(self, side: int, evidence: TileEvidence, found: FoundCubes) -> bool:
        """Whether a side's cubes, their tops or their colour, are seen among hit ones where none was found."""
        own, other = evidence.sides[side], evidence.sides[1 - side]
        alike = (own > np.maximum(other, _ALIKE_NATS)) & (found.taken == 0)
        thick = self._thick(_tops_of_others(evidence.before_walls[side], found) | alike)[self._cubes.zones[side]]
        areas = cv2.connectedComponentsWithStats(np.ascontiguousarray(thick))[2][1:, cv2.CC_STAT_AREA]
        return bool((areas >= _LOOSE_CUBES * self._cubes.cube_px**2).any())

    def _thick(self, mask: Bools) -> NDArray[np.uint8]:
        """A mask (0 or 1) without what is narrower than half a cube: cubes stand off their places."""
        found = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, ellipse(0.5 * self._cubes.cube_px))
        return np.asarray(found, np.uint8)

    def _areas(self, evidence: TileEvidence, found: FoundCubes) -> list[tuple[float, float]]:
        """Centres (x, and y from the line's axis, in tiles) of areas in a cube's colour that no found cube explains."""
        near = cv2.dilate(found.taken, ellipse(2 * 0.3 * self._cubes.cube_px))
        alike = (np.maximum(*evidence.sides) > _ALIKE_NATS) & (near == 0) & ~self._rims
        alike |= _tops_of_others(np.maximum(*evidence.before_walls), found) & (self._away > _RIM_TILES[1])
        thick = self._thick(alike & ~self.ends)
        _, _, stats, centres = cv2.connectedComponentsWithStats(thick)
        bed, axis = self._learned.bed, self._learned.layout.axis
        places = []
        for (_, _, width, _, area), centre in zip(stats[1:].tolist(), centres[1:], strict=True):
            x, y, _ = bed.to_board @ np.array([*centre, 1.0]) / TILE
            away, cubes = float(y - axis / TILE), area / self._cubes.cube_px**2
            whole = cubes >= 1 and width < _WIDEST_TILES * TILE * bed.scale
            if cubes >= _LOOSE_CUBES and (whole or abs(away) > _RIM_TILES[0]):
                places.append((float(x), away))
        return places

    def _costs(self, areas: list[tuple[float, float]], levelled: Picture) -> Floats:
        """Costs (n x 2, nats) of a cube of White's and of Black's in each area from `_areas`.

        Beside the tiles they are higher where the comparing network sees the table, in a shadow.
        """
        costs = np.full((len(areas), 2), LOOSE_NATS)
        aside = np.array([abs(away) > _RIM_TILES[0] for _, away in areas], bool)
        if aside.any():
            learned = self._learned
            places = np.array(areas)[aside] * TILE + (0, learned.layout.axis)
            nats = learned.comparison.log_likelihoods(levelled, learned.bed.pixels(places))
            costs[aside] += np.maximum(nats[:, EMPTY:] - nats[:, :EMPTY], 0)
        return costs

    def _spaces_near(self, x: float, away: float) -> list[int]:
        """The spaces that something at that place (see `_areas`) may belong to."""
        layout, on_tile = self._learned.layout, abs(away) < _RIM_TILES[0]
        reach = (0.0,) if on_tile else (-_BETWEEN, _BETWEEN)
        columns = {min(max(int(x + aside), 0), COLUMNS - 1) for aside in reach}
        sides = range(POINTS) if on_tile else range(COLUMNS) if away < 0 else range(COLUMNS, POINTS)
        return [point for point in sides if layout.column_of(point) in columns]

    @cached_property
    def ends(self) -> Bools:
        """Mask of what lies more than a quarter tile beyond the ends of the line."""
        x = self._places[..., 0]
        return np.asarray((x < -0.25 * TILE) | (x > 1 + 0.25 * TILE))

    @cached_property
    def _rims(self) -> Bools:
        """Mask of the long edges of the line of tiles, which glint, and on which cubes cast shadows and reflections."""
        return np.asarray((self._away > _RIM_TILES[0]) & (self._away < _RIM_TILES[1]))

    @cached_property
    def _away(self) -> Floats:
        """Distances of the raster's pixels from the line's axis, in tiles."""
        return np.asarray(np.abs(self._places[..., 1] - self._learned.layout.axis) / TILE)

    @cached_property
    def _places(self) -> Floats:
        """Board coordinates of the raster's pixels, height x width x 2."""
        return self._learned.bed.places()


def _tops_of_others(before_walls: Singles, found: FoundCubes) -> Bools:
    """Mask of what is twice as likely a cube's top as a wall, and is not the top of a found cube."""
    return np.asarray((before_walls > TWICE_NATS) & (found.taken != TOP))
