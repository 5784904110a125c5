"""How a board of tiles looks: both sides' cubes, their shadows, and the table with its tiles under them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.appearance import BackgroundModel, bins_of, colour_table, lab, slopes
from vision.gain import match_gain

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Singles = NDArray[np.float32]
    Picture = NDArray[np.uint8]
    Bools = NDArray[np.bool_]

_CLIP = 6.0
"""One pixel counts at most so much (nats): neighbouring pixels are not independent witnesses."""
_GLEAMS, _GLEAM_EVERY = (40, 80, 120, 160), 16
"""What a lamp's reflection adds to a cube's colour (grey levels), and one pixel in how many is taken to show each: a
cube that lay in no gleam when it was learned may lie in one later, and must not be taken for a paler side's."""
_SHADED_NATS = 1.0
"""How much less likely than bare table a place is shaded, or shows the rim of a tile."""
_DARKER = 4.0
"""By so much, in L (8-bit), a shaded place is darker than it was: as much as a place varies by between pictures."""


@dataclass(frozen=True, slots=True)
class TileEvidence:
    """What each pixel of a raster says; all maps are height x width, float32.

    Attributes:
        sides: for White and Black, how much more it looks like that side's cubes than like table, tiles or shadow
            (nats, clipped).
        changed: how far it is from table and tiles as they were (nats, clipped).
        steep: how much it rises and falls (L a pixel).
    """

    sides: tuple[Singles, Singles]
    changed: Singles
    steep: Singles


@dataclass(frozen=True, slots=True)
class TileLooks:
    """What was learned from the known position.

    Attributes:
        ground: table and tiles without cubes.
        tables: log densities of the colours of White's cubes, of Black's, and of what is seen round them (shadows).
    """

    ground: BackgroundModel
    tables: tuple[Singles, Singles, Singles]

    @classmethod
    def of(cls, view: Picture, ground: Picture, parts: Picture) -> TileLooks:
        """Learn from rasters.

        Args:
            view: of the known position, BGR.
            ground: of table and tiles.
            parts: height x width: 1 on White's cubes, 2 on Black's, 3 round about them, 0 elsewhere.
        """
        white, black = (colour_table(_with_gleams(view[parts == side])) for side in (1, 2))
        return cls(BackgroundModel(ground), (white, black, colour_table(lab(view)[parts == 3])))

    def gain_of(self, view: Picture) -> Singles:
        """How much brighter (B, G, R) a raster is than the ground."""
        return match_gain(view, self.ground.picture)

    def evidence(self, levelled: Picture) -> TileEvidence:
        """What each pixel of a levelled raster says."""
        coarse = lab(levelled)
        view = coarse.astype(np.float32)
        index = bins_of(coarse)
        white, black, around = (table.ravel().take(index) for table in self.tables)
        bare = self.ground.log_density(view)
        darker = view[..., 0] < self.ground.centre[..., 0] - _DARKER
        behind = np.where(darker, np.maximum(bare, around - _SHADED_NATS), bare)
        slope = slopes(view)
        return TileEvidence(
            (np.clip(white - behind, -_CLIP, _CLIP), np.clip(black - behind, -_CLIP, _CLIP)),
            np.minimum(self.ground.offset - bare, _CLIP),
            np.asarray(cv2.magnitude(*cv2.split(slope)), np.float32),
        )


def _with_gleams(pixels: Picture) -> Picture:
    """Pixels (n x 3, BGR) as Lab, and some of them as they would look in a gleam."""
    few = pixels[::_GLEAM_EVERY].astype(np.int32)
    lit = [np.minimum(few + gleam, 255).astype(np.uint8) for gleam in _GLEAMS]
    return lab(np.concatenate([pixels, *lit])[:, None])[:, 0]
