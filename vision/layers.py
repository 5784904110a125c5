"""Second layers: whether a checker in a row bears another one.

Seen from the side, a checker on top of another lies a little farther from the camera's foot than its row: what places
say of that is worked out (`farther_out`). The wall below it is twice as high, with the lower one's rim across it, and
its shadow is longer: a network weighs that, taught on drawn rows of chance checkers under chance light (`training`),
never on pictures of a board. What is seen is told to it in terms of this board's colours, empty board and camera.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from vision.appearance import level
from vision.farther_out import log_likelihoods
from vision.layer_net import LayerNet
from vision.layer_views import Marks, views
from vision.rows import ROWS, SLOTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.cutouts import Lesson
    from vision.layer_views import Views
    from vision.rows import Rows

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Picture = NDArray[np.uint8]

_TRUST = 0.7
"""Share of the network's nats that is taken: real rows differ from drawn ones more than those among themselves."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A checker as it was read: its row, slot and owner (0 White, 1 Black), and its centre on the fine raster."""

    row: int
    slot: int
    owner: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class LayerModel:
    """Tells second layers on one board.

    Attributes:
        lift: ROWS x SLOTS x 2, see `lifts`.
    """

    lift: Floats

    def log_ratios(self, lesson: Lesson, picture: Picture, gain: Singles, spots: Sequence[Spot]) -> Floats:
        """For each spot, how much likelier it is that it bears another checker than not (nats).

        Those of one row are to be added up from the edge on: that gives how likely so many of them bear one.

        Args:
            lesson: the board on the fine raster.
            picture: to be read; only what lies round the spots is looked at.
            gain: how much brighter (B, G, R) it is than the lesson's.
            spots: row after row, from the edge inwards.
        """
        if not spots:
            return np.zeros(0)
        rows = [self._seen(lesson, picture, gain, list(own)) for _, own in groupby(spots, key=attrgetter("row"))]
        ratios = _TRUST * LayerNet.load().ratios(np.concatenate([seen.figures for seen in rows]))
        ratios += np.concatenate([np.diff(log_likelihoods(seen.out, seen.lift)) for seen in rows])
        return ratios

    def _seen(self, lesson: Lesson, picture: Picture, gain: Singles, spots: Sequence[Spot]) -> Views:
        """What the checkers of one row look like."""
        marks = self._marks(lesson.rows, spots)
        window = marks.window(lesson.top.size)
        near = level(lesson.top.straighten(picture, window), gain)
        return views(lesson.appearance.within(window), near, marks.within(window))

    def _marks(self, rows: Rows, spots: Sequence[Spot]) -> Marks:
        row, slot, owner = (np.array([getattr(spot, name) for spot in spots]) for name in ("row", "slot", "owner"))
        found = np.array([(spot.x, spot.y) for spot in spots])
        home = np.array([rows.place(spot.row, spot.slot) for spot in spots])
        return Marks(row, slot, owner, found, home, self.lift[row, slot], rows.inward[row], rows.diameter)


def lifts(lesson: Lesson) -> Floats:
    """How much farther out, in raster pixels (ROWS x SLOTS x 2), the top of a checker appears that lies on another."""
    rows, pose, height = lesson.rows, lesson.pose, lesson.layout.top
    factor = (pose.centre[2] - height) / (pose.centre[2] - 2 * height)
    foot = lesson.top.pixels(pose.centre[:2])
    places = np.array([[rows.place(row, slot) for slot in range(SLOTS)] for row in range(ROWS)])
    return np.asarray((factor - 1) * (places - foot))


def learn_layers(lesson: Lesson) -> LayerModel:
    """What has to be known of a board (on the fine raster): where lifts point. Walls look alike in any light."""
    return LayerModel(lifts(lesson))
