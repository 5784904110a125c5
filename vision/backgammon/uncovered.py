"""Whether a checker is seen where no known checker covers it: the walls of those around look like one, too."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.backgammon.slot_model import LASTS
from vision.board import INNER, POINTS, ZONES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Bools
    from vision.backgammon.slot_model import SlotModel
    from vision.board import Figures
    from vision.geometry import Raster


CHANGED = 2
"""Index of the map of differences from the empty board (see `PixelEvidence.maps`)."""
LEAST_SHARE = 0.42
"""Least likeness (relative to a typical checker) in colour and change. The gap between neighbouring checkers, dice and
shadows have less. Where no other checker covers it, a checker between points has 0.7 and more (11 on a drawn board
seen from a tilt of 46 degrees), and the walls of others 0.05 at most (72 on four such boards)."""
LEAST_EVIDENCE = 1.0
"""Least mean of a map for checkers (nats a pixel); weaker maps are ignored."""
_OF_ITSELF = 0.25
"""A known checker within this many diameters of a place does not cover it: it is the one that is seen there."""


def usual_evidence(model: SlotModel, side: int, index: int, zone: int) -> float:
    """Mean of a map in a zone of a side's checkers on points (nats a pixel)."""
    return float(model.centre[:POINTS, :, [side, LASTS[side]], index * ZONES + zone].mean())


@dataclass(frozen=True, slots=True)
class CheckersInView:
    """What is needed to tell whether a checker is seen at a place of a raster.

    Attributes:
        figures: of the raster.
        model: what slots with checkers look like.
        top: the raster, in the plane of the checkers' tops.
    """

    figures: Figures
    model: SlotModel
    top: Raster

    def show(self, side: int, place: tuple[int, int], known: Sequence[tuple[int, int]]) -> bool:
        """Whether what known checkers leave uncovered of one of that side looks like it, by colours and change.

        So it does if they cover all of it. `place`, `known`: pixels (x, y) of the raster.
        """
        seen, maps = self._uncovered(place, known), self.figures.evidence.maps
        usual = {index: usual_evidence(self.model, side, index, INNER) for index in (side, CHANGED)}
        return not seen.any() or all(
            float(maps[index][seen].mean()) > LEAST_SHARE * of for index, of in usual.items() if of >= LEAST_EVIDENCE
        )

    def _uncovered(self, place: tuple[int, int], known: Sequence[tuple[int, int]]) -> Bools:
        """Mask (height x width) of the pixels of a checker at a place that others do not cover, with tops and walls."""
        (width, height), diameter = self.figures.size, 4 * self.figures.radius
        own, others = np.zeros((2, height, width), np.uint8)
        cv2.circle(own, place, round(diameter / 2), 1, cv2.FILLED)
        tops = np.array([one for one in known if dist(one, place) > _OF_ITSELF * diameter], np.float64).reshape(-1, 2)
        ends = (np.rint(each).astype(int).tolist() for each in (tops, self.top.feet(tops)))
        for top, foot in zip(*ends, strict=True):
            cv2.line(others, top, foot, 1, round(diameter))
        return np.asarray(own > others)
