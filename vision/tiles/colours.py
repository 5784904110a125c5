"""Colour models of a board of tiles: both sides' cubes, their shadows, and the table with its tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.imaging import BackgroundModel, bins_of, colour_table, lightness_gradient, match_gain, to_lab8

if TYPE_CHECKING:
    from vision.arrays import Bools, Picture, Singles


_CLIP = 6.0
"""Largest evidence of one pixel (nats), because neighbouring pixels are not independent."""
_GLEAMS, _GLEAM_EVERY = (40, 80, 120, 160), 16
"""Grey levels that a lamp's reflection adds to a cube's colour, and the step between the pixels that are lightened so.
Without them a cube in a later gleam may be taken for one of the paler side."""
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
        changed: negative log-likelihood of the learned table and tiles, relative to their best (nats, clipped).
        clipped: mask of the pixels where table or tiles are saturated in this light.
        steep: gradient magnitude of L, in levels a pixel.
    """

    sides: tuple[Singles, Singles]
    changed: Singles
    clipped: Bools
    steep: Singles


@dataclass(frozen=True, slots=True)
class TileLooks:
    """Colour models learned from the known position: table and tiles without cubes (`ground`).

    `tables`: log densities of the colours of White's cubes, of Black's, and of their surroundings (shadows); `clipped`:
    see `TileEvidence`.
    """

    ground: BackgroundModel
    tables: tuple[Singles, Singles, Singles]
    clipped: Bools

    @classmethod
    def of(cls, view: Picture, ground: Picture, parts: Picture, ceiling: float = 255.0) -> TileLooks:
        """Learn from rasters (BGR) of the known position and of table and tiles alone, saturated at `ceiling`.

        `parts`: height x width: 1 on White's cubes, 2 on Black's, 3 around them, 0 elsewhere.
        """
        clipped = ground.max(axis=2) >= ceiling - _NEARLY
        white, black = (colour_table(_with_gleams(view[parts == side])) for side in (1, 2))
        return cls(BackgroundModel(ground), (white, black, colour_table(to_lab8(view)[parts == 3])), clipped)

    def gain_of(self, view: Picture) -> Singles:
        """Brightness (B, G, R) of a raster relative to the ground."""
        return match_gain(view, self.ground.picture)

    def evidence(self, levelled: Picture) -> TileEvidence:
        """Evidence of every pixel of a raster whose exposure was matched to the calibration's."""
        coarse = to_lab8(levelled)
        view = coarse.astype(np.float32)
        index = bins_of(coarse)
        white, black, around = (table.ravel().take(index) for table in self.tables)
        bare = self.ground.log_density(view)
        darker = view[..., 0] < self.ground.centre[..., 0] - _DARKER
        behind = np.where(darker, np.maximum(bare, around - _SHADED_NATS), bare)
        slope = lightness_gradient(view)
        return TileEvidence(
            (np.clip(white - behind, -_CLIP, _CLIP), np.clip(black - behind, -_CLIP, _CLIP)),
            np.minimum(self.ground.offset - bare, _CLIP),
            self.clipped,
            np.asarray(cv2.magnitude(*cv2.split(slope)), np.float32),
        )


def _with_gleams(pixels: Picture) -> Picture:
    """Pixels (n x 3, BGR) as Lab, together with a sample of them lightened by reflections."""
    few = pixels[::_GLEAM_EVERY].astype(np.int32)
    lit = [np.minimum(few + gleam, 255).astype(np.uint8) for gleam in _GLEAMS]
    return to_lab8(np.concatenate([pixels, *lit])[:, None])[:, 0]
