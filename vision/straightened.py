"""Rectified images of a known position, with and without its checkers, and the checkers' colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.appearance import Appearance, BackgroundModel, colour_table, lab

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.layout import Placed, Places
    from vision.raster import Raster

    Picture = NDArray[np.uint8]

_CORE = 0.98
"""Radius of the part that counts as a checker's own colour, in checker radii."""


@dataclass(frozen=True, slots=True)
class Straightened:
    """A known position on the raster of the checkers' tops.

    Attributes:
        view: the rectified picture, BGR.
        ground: the estimated empty board, BGR.
        unknown: uncertainty of `ground`, 0 to 255 (fully unknown); see `vision.empty_board.uncover`.
    """

    view: Picture
    ground: Picture
    unknown: Picture

    @property
    def parts(self) -> tuple[Picture, Picture, Picture]:
        """All three images, to write to a file."""
        return self.view, self.ground, self.unknown

    @classmethod
    def of(cls, kept: Picture) -> Straightened:
        """From the three images stacked in depth (height x width x 7)."""
        return cls(kept[..., :3].copy(), kept[..., 3:6].copy(), kept[..., 6].copy())

    def cut_off(self, ceiling: NDArray[np.float32]) -> Straightened:
        """The same, clipped at `ceiling` (B, G, R) as by a saturated sensor."""
        view, ground = (np.minimum(one, ceiling).astype(np.uint8) for one in (self.view, self.ground))
        return Straightened(view, ground, self.unknown)

    def appearance(self, placed: Sequence[Placed], layout: Places, top: Raster) -> Appearance:
        """Colour tables and empty board."""
        return Appearance(BackgroundModel(self.ground, self.unknown), checker_colours(self.view, placed, layout, top))


def checker_colours(
    view: Picture, placed: Sequence[Placed], layout: Places, top: Raster
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Colour tables of both sides, from the tops of the known checkers."""
    colours = lab(view)
    radius = layout.checker / 2 * top.scale * _CORE
    tables = []
    for side in (0, 1):
        mask = np.zeros(view.shape[:2], np.uint8)
        for checker in placed:
            if checker.owner == side:
                x, y = top.pixels(np.array(layout.slot(checker.point, checker.index)))
                cv2.circle(mask, (round(float(x)), round(float(y))), round(float(radius)), 255, -1)
        tables.append(colour_table(colours[mask > 0]))
    return tables[0], tables[1]
