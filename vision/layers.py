"""Second layers: whether a checker in a row bears another one.

Seen from the side, a checker on top of another lies a little farther from the camera's foot than its row: what places
say of that is worked out (`farther_out`). The wall below it is twice as high, with the lower one's rim across it, and
its shadow is longer: a network weighs that, taught on drawn rows of chance checkers under chance light (`training`),
never on pictures of a board. What is seen is told to it in terms of this board's colours, empty board and camera.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from vision.appearance import level
from vision.farther_out import log_likelihoods
from vision.layer_net import WORDS, LayerNet
from vision.layer_views import Marks, views
from vision.rows import ROWS, SLOTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from companion.observation import Content
    from vision.cutouts import LabelledView
    from vision.layer_views import Views
    from vision.layout import Placed
    from vision.learned_models import Exposure
    from vision.rows import Rows

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Picture = NDArray[np.uint8]

_TRUST = 0.9
"""Most of the network's nats that is taken: real rows differ from drawn ones more than those among themselves."""
_SURE, _SHARED = 3.0, 1.0
"""What the network says of a checker in the mean (nats, one way or the other), and the variance of what it says too
much of all of a row alike: makes and lamps that it was not taught look as if all of a row bore another, or none."""
LEAST_KNOWN = 4
"""Known rows shorter than this say nothing of how far the network is to be believed: such rows it was not taught."""


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
        bare: 2 x networks x WORDS, what the network makes of either side's checkers that were known to bear none.
        trust: share of the network's nats that is taken.
    """

    lift: Floats
    bare: Floats
    trust: float

    def log_ratios(
        self, labelled: LabelledView, picture: Picture, gain: Singles, exposure: Exposure, spots: Sequence[Spot]
    ) -> Floats:
        """For each spot, how much likelier it is that it bears another checker than not (nats).

        Those of one row are to be added up from the edge on: that gives how likely so many of them bear one.

        Args:
            labelled: the board on the fine raster.
            picture: to be read; only what lies round the spots is looked at.
            gain: how much brighter (B, G, R) it is than in the calibration picture.
            exposure: the board under that.
            spots: row after row, from the edge inwards.
        """
        told = [np.zeros(0)]
        for _, own in groupby(spots, key=attrgetter("row")):
            marks = _marks(labelled.rows, list(own), self.lift)
            window = marks.window(labelled.top.size)
            near = level(labelled.top.straighten(picture, window), gain, exposure.ceiling)
            appearance = labelled.appearance.within(window).cut_off(exposure.ceiling, exposure.appearance.tables)
            seen = views(appearance, near, marks.within(window))
            told.append(self.trust * self.said(seen, marks) + np.diff(log_likelihoods(seen.out, seen.lift)))
        return np.concatenate(told)

    def said(self, seen: Views, marks: Marks) -> Floats:
        """What the network says of one row's checkers (nats), to be added up from the edge on."""
        net = LayerNet.load()
        bare = np.moveaxis(self.bare[marks.owner], 1, 0)
        return against_each_other(net.ratios(net.words(seen.spokes, seen.measures), seen.measures, bare))


def against_each_other(said: Floats) -> Floats:
    """What is said of a row's checkers (nats each), that they share in counted for less than what they differ in.

    Log-likelihood ratios of mean -m or m scatter with a variance of 2 m where they are true ones (normal, and nats that
    mean nats); to that comes a shared error. Added up from the edge on, the result is the log-likelihood of so many
    bearing another under that joint normal distribution, relative to none.
    """
    count, bear = len(said), np.arange(len(said) + 1)
    sums = np.concatenate([[0.0], np.cumsum(said)])
    share = _SHARED / (2 * _SURE + count * _SHARED)
    return np.diff(sums - share * bear * (sums[-1] + _SURE * (count - bear)))


def _marks(rows: Rows, spots: Sequence[Spot], lift: Floats) -> Marks:
    row, slot, owner = (np.array([getattr(spot, name) for spot in spots]) for name in ("row", "slot", "owner"))
    found = np.array([(spot.x, spot.y) for spot in spots])
    home = np.array([rows.place(spot.row, spot.slot) for spot in spots])
    return Marks(row, slot, owner, found, home, lift[row, slot], rows.inward[row], rows.diameter)


def lifts(labelled: LabelledView) -> Floats:
    """How much farther out, in raster pixels (ROWS x SLOTS x 2), the top of a checker appears that lies on another."""
    rows, pose, height = labelled.rows, labelled.pose, labelled.layout.top
    factor = (pose.centre[2] - height) / (pose.centre[2] - 2 * height)
    foot = labelled.top.pixels(pose.centre[:2])
    places = np.array([[rows.place(row, slot) for slot in range(SLOTS)] for row in range(ROWS)])
    return np.asarray((factor - 1) * (places - foot))


def learn_layers(labelled: LabelledView, points: Sequence[Content]) -> LayerModel:
    """What has to be known of a board (on the fine raster): where lifts point, and how bare checkers look.

    The network is believed as far as it makes the known rows out to be bare: a board that is like nothing it was
    taught on is told by places alone.

    Args:
        labelled: the board in a known position.
        points: that position. Rows that bore second layers then are left out; where a side has no others, the network
            is not believed of this board.
    """
    lift, net = lifts(labelled), LayerNet.load()
    rows = [(point, list(own)) for point, own in groupby(labelled.placed, key=attrgetter("point"))]
    known = [_known_row(labelled, placed, lift) for point, placed in rows if sum(points[point]) == len(placed)]
    words = [net.words(seen.spokes, seen.measures) for seen, _ in known]
    owners = np.array([marks.owner[0] for _, marks in known])
    if set(owners) != {0, 1}:
        return LayerModel(lift, np.zeros((2, len(net.layers[0][0]), WORDS)), 0.0)
    bare = np.stack([np.hstack([words[k] for k in np.flatnonzero(owners == side)]).mean(axis=1) for side in (0, 1)])
    model = LayerModel(lift, bare, _TRUST)
    doubt = [_doubt(_TRUST * model.said(seen, marks)) for seen, marks in known if len(marks.row) >= LEAST_KNOWN]
    return replace(model, trust=_TRUST * float(np.exp(-np.mean(doubt)))) if doubt else model


def _known_row(labelled: LabelledView, placed: Sequence[Placed], lift: Floats) -> tuple[Views, Marks]:
    """What a row looked like when the board was learned."""
    spots = [Spot(one.point, one.index, one.owner, *labelled.rows.place(one.point, one.index)) for one in placed]
    marks = _marks(labelled.rows, spots, lift)
    window = marks.window(labelled.top.size)
    near = np.ascontiguousarray(window.of(labelled.view))
    return views(labelled.appearance.within(window), near, marks.within(window)), marks


def _doubt(said: Floats) -> float:
    """How unlikely the network makes it that none of a row's checkers bears another (nats, 0 or more)."""
    return float(np.logaddexp.reduce([0.0, *np.cumsum(said)]))
