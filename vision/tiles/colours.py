"""Colour models of a board of tiles: both sides' cubes, their shadows, and the table with its tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.imaging import BackgroundModel, bins_of, colour_table, lightness_gradient, to_lab8

if TYPE_CHECKING:
    from vision.arrays import Bools, Ints, Picture, Singles


AROUND, TOPS = 3, 3
"""Label of the pixels around known cubes, and what is added to a side's label on the tops of its cubes."""
_CLIP = 6.0
"""Largest evidence of one pixel (nats), because neighbouring pixels are not independent."""
TWICE_NATS = np.log(2)
"""A pixel in a top's place is one of a wall, or the other way round, if its colour is twice as likely there. Without
this limit, patches in the colour of walls are counted as cubes; with it none of 40, and 8 of 1,248 pictures fewer are
read."""
_SHADED_NATS = 1.0
"""Prior cost (nats) of a shadow or a tile's rim against the bare table."""
_NEARLY = 2.0
"""A pixel counts as saturated up to this many grey levels below the level of saturation: noise."""
_DARKER = 4.0
"""Least drop in L (8-bit) of a shaded place: as much as a place varies between pictures."""


@dataclass(frozen=True, slots=True)
class TileEvidence:
    """Evidence of every pixel of a raster; all maps are height x width, float32.

    Attributes:
        sides: for White and Black, log-likelihood ratio of that side's cubes to table, tiles or shadow (nats, clipped).
        tops: the same of the tops of its cubes, relative to `sides`: a shadow has the colours of walls at most.
        before_walls: log-likelihood ratio of the tops to walls and to what is behind cubes (nats, clipped).
        changed: negative log-likelihood of the learned table and tiles, relative to their best (nats, clipped).
        clipped: mask of the pixels where table or tiles are saturated in this light.
        steep: gradient magnitude of L, in levels a pixel.
    """

    sides: tuple[Singles, Singles]
    tops: tuple[Singles, Singles]
    before_walls: tuple[Singles, Singles]
    changed: Singles
    clipped: Bools
    steep: Singles

    def replaced(self, mask: Bools, saturated: TileEvidence) -> TileEvidence:
        """These maps with those of `saturated` in the pixels of a mask; `clipped` is that of `saturated` everywhere."""

        def pair(one: tuple[Singles, Singles], other: tuple[Singles, Singles]) -> tuple[Singles, Singles]:
            return np.where(mask, other[0], one[0]), np.where(mask, other[1], one[1])

        return TileEvidence(
            pair(self.sides, saturated.sides),
            pair(self.tops, saturated.tops),
            pair(self.before_walls, saturated.before_walls),
            np.where(mask, saturated.changed, self.changed),
            saturated.clipped,
            self.steep,
        )


@dataclass(frozen=True, slots=True)
class TileLooks:
    """Colour models learned from the known position: table and tiles without cubes (`ground`).

    `tables`: log densities of the colours of White's cubes, of Black's, and of the shadows around them; `tops`: of the
    tops of White's cubes and of Black's; `walls`: of both sides' walls; `clipped`: see `TileEvidence`.
    """

    ground: BackgroundModel
    tables: tuple[Singles, Singles, Singles]
    tops: tuple[Singles, Singles]
    walls: Singles
    clipped: Bools

    @classmethod
    def of(cls, view: Picture, ground: Picture, parts: Picture, doubt: Picture, ceiling: float = 255.0) -> TileLooks:
        """Learn from rasters (BGR) of the known position and of table and tiles alone, saturated at `ceiling`.

        `parts`: height x width: 1 on White's cubes, 2 on Black's, `TOPS` more on their tops, `AROUND` around them, 0
        elsewhere. Boards learned before tops were labelled have none: then all of a cube stands for its top. `doubt`:
        uncertainty of the ground (see `BackgroundModel`).
        """
        clipped, colours, on_top = ground.max(axis=2) >= ceiling - _NEARLY, to_lab8(view), parts > AROUND
        side = np.where(on_top, parts - TOPS, parts)
        white, black = (colour_table(colours[side == one]) for one in (1, 2))
        bare = BackgroundModel(ground, doubt)
        shadows = colour_table(colours[(parts == AROUND) & _is_shaded(colours, bare)])
        tops, walls = (white, black), np.maximum(white, black)
        if on_top.any():
            index = bins_of(colours)
            labels = [(parts == one + TOPS, parts == one) for one in (1, 2)]
            lit = [_unlike_other(colours, index, on_top, on_wall) for on_top, on_wall in labels]
            dull = [_unlike_other(colours, index, on_wall, on_top) for on_top, on_wall in labels]
            tops = (colour_table(colours[lit[0]]), colour_table(colours[lit[1]]))
            walls = np.maximum(*(colour_table(colours[one]) for one in dull))
        return cls(bare, (white, black, shadows), tops, walls, clipped)

    def evidence(self, levelled: Picture) -> TileEvidence:
        """Evidence of every pixel of a raster whose exposure was matched to the calibration's."""
        coarse = to_lab8(levelled)
        view = coarse.astype(np.float32)
        index = bins_of(coarse)
        white, black, shadow = (table.ravel().take(index) for table in self.tables)
        bare = self.ground.log_density(view)
        shaded = _is_shaded(view, self.ground)
        behind = np.where(shaded, np.maximum(bare, shadow - _SHADED_NATS), bare)
        slope = lightness_gradient(view)
        sides = _clipped(white - behind), _clipped(black - behind)
        lit = [table.ravel().take(index) for table in self.tops]
        white_top, black_top = (_clipped(one - behind) for one in lit)
        farther = np.maximum(behind, self.walls.ravel().take(index))
        return TileEvidence(
            sides,
            (white_top - sides[0], black_top - sides[1]),
            (_clipped(lit[0] - farther), _clipped(lit[1] - farther)),
            np.minimum(self.ground.offset - bare, _CLIP),
            self.clipped,
            np.asarray(cv2.magnitude(*cv2.split(slope)), np.float32),
        )


def _is_shaded(colours: Picture | Singles, ground: BackgroundModel) -> Bools:
    """Mask of the pixels (Lab, 8-bit scale) that are darker than table and tiles without cubes (see `_DARKER`)."""
    return np.asarray(colours[..., 0] < ground.centre[..., 0] - _DARKER)


def _clipped(nats: Singles) -> Singles:
    return np.clip(nats, -_CLIP, _CLIP)


def _unlike_other(colours: Picture, index: Ints, part: Bools, other: Bools) -> Bools:
    """Mask of a part of a side's cubes, tops or walls, without pixels that look like the other part.

    Cubes stand off their places. `index`: `bins_of`.
    """
    lead = (colour_table(colours[part]) - colour_table(colours[other])).ravel().take(index)
    return np.asarray(part & (lead > -TWICE_NATS))
