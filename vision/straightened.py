"""A board in a known position, straightened: as it was taken, without its checkers, and what both tell of colours."""

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
"""Radius of what is taken for a checker's own colours, over its radius."""


@dataclass(frozen=True, slots=True)
class Straightened:
    """A board in a known position, on the raster of its checkers' tops.

    Attributes:
        view: as it was taken.
        ground: without the checkers, as far as that can be told.
        unknown: how little can be told there, 255 for nothing (`vision.empty_board.uncover`).
    """

    view: Picture
    ground: Picture
    unknown: Picture

    @property
    def parts(self) -> tuple[Picture, Picture, Picture]:
        """All three, to be kept in a file."""
        return self.view, self.ground, self.unknown

    @classmethod
    def of(cls, kept: Picture) -> Straightened:
        """From the three one upon the other (height x width x 7)."""
        return cls(kept[..., :3].copy(), kept[..., 3:6].copy(), kept[..., 6].copy())

    def cut_off(self, ceiling: NDArray[np.float32]) -> Straightened:
        """The same as a sensor gives it that tells nothing apart above `ceiling` (B, G, R)."""
        view, ground = (np.minimum(one, ceiling).astype(np.uint8) for one in (self.view, self.ground))
        return Straightened(view, ground, self.unknown)

    def appearance(self, placed: Sequence[Placed], layout: Places, top: Raster) -> Appearance:
        """Colours and empty board."""
        return Appearance(BackgroundModel(self.ground, self.unknown), checker_colours(self.view, placed, layout, top))


def checker_colours(
    view: Picture, placed: Sequence[Placed], layout: Places, top: Raster
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Both sides' colours, from the tops of the known checkers."""
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
