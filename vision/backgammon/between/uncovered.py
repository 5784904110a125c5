"""Whether a checker is seen where no known checker covers it: the walls of those around look like one, too."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.backgammon.slot_model import LASTS
from vision.board import INNER, POINTS, ZONES
from vision.geometry import Window

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
_FARTHEST = 2.5
"""A known checker farther away, in diameters, covers nothing: its wall is not longer than two."""


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

    def show(
        self, side: int, place: tuple[int, int], known: Sequence[tuple[int, int]], least: float = LEAST_SHARE
    ) -> bool:
        """Whether what known checkers leave uncovered of one of that side looks like it, by colours and change.

        So it does if they cover all of it. `place`, `known`: pixels (x, y) of the raster; `least`: likeness, see
        `LEAST_SHARE`.
        """
        window, seen = self._uncovered(place, known)
        usual = {index: usual_evidence(self.model, side, index, INNER) for index in (side, CHANGED)}
        return not seen.any() or all(
            float(window.of(self.figures.evidence.maps[index])[seen].mean()) > least * of
            for index, of in usual.items()
            if of >= LEAST_EVIDENCE
        )

    def _uncovered(self, place: tuple[int, int], known: Sequence[tuple[int, int]]) -> tuple[Window, Bools]:
        """The pixels of a checker at a place that others do not cover, with tops and walls: a window, and its mask."""
        diameter = 4 * self.figures.radius
        window = Window.round(np.array([place]), diameter / 2 + 1, self.figures.size)
        own, others = np.zeros((2, *window.of(self.figures.evidence.white).shape), np.uint8)
        near = [one for one in known if _OF_ITSELF * diameter < dist(one, place) < _FARTHEST * diameter]
        tops = np.array([place, *near], np.float64)
        ends = (np.rint(each - window.corner).astype(int).tolist() for each in (tops, self.top.feet(tops)))
        (at, *tops_near), (_, *feet_near) = ends
        cv2.circle(own, at, round(diameter / 2), 1, cv2.FILLED)
        for top, foot in zip(tops_near, feet_near, strict=True):
            cv2.line(others, top, foot, 1, round(diameter))
        return window, np.asarray(own > others)
