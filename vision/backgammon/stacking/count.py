"""Counts stacked checkers: the log-odds that the first checkers of a row, from the edge on, carry another one.

Three sources of evidence are added. First, in an oblique view a stacked checker appears a lift farther out than its
row. That likelihood has no learned parameters: players lay rows roughly straight and even, with an unknown start and
pitch; the accuracy of the players, the thickness of the checkers and where each top may be are summed over. Second, a
network evaluates the wall below a stacked checker, which is twice as high and shows the lower checker's rim, and its
longer shadow. It was trained on rendered rows (see `training`), without pictures of real boards. Its input is
normalised by this board's colours, empty board and camera. Third, another network compares each checker with the
board's known single ones and with the empty board (see `singles`). It errs on other rows than the second.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import reduce
from itertools import accumulate, groupby
from math import comb, exp, log
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from vision.backgammon.layout import ROWS, SLOTS, finer
from vision.backgammon.stacking.features import DetectedCheckers, both_ways, layer_features
from vision.backgammon.stacking.network import EMBEDDING, LayerNet
from vision.backgammon.stacking.singles import SingleCheckers
from vision.board import PatchedCheckers, turned_patches

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core import Content
    from vision.arrays import Bools, Floats, Picture
    from vision.backgammon.cutouts import LabelledView
    from vision.backgammon.layout import Rows
    from vision.backgammon.slot_model import Exposure
    from vision.backgammon.stacking.features import LayerFeatures
    from vision.board import Placed, Slot
    from vision.geometry import CameraPose, Raster


_PLACING_SDS = np.array([0.03, 0.05, 0.08, 0.13])
"""Standard deviations of checkers about their places, in diameters: from careful to careless players."""
_LIFTS = np.array([0.8, 1.0, 1.25, 1.55])
_LIFT_SHARES = np.array([0.2, 0.35, 0.3, 0.15])
"""Factors on the estimated lift, and their prior. The thickness is estimated from a checker's foot, which shadows hide,
and tends to be too small. The second checker is not exactly on the first."""
_START = np.linspace(-0.2, 0.2, 21)
_START_SD = 0.06
"""Offsets of the whole row, in diameters, and their standard deviation."""
_PITCH = np.array([-0.018, -0.006, 0.006, 0.018])
_PITCH_SHARES = np.array([0.15, 0.35, 0.35, 0.15])
"""Excess of the row's pitch, in diameters, and its prior."""
_WRONG_SHARE, _WRONG_RANGE = 0.06, 0.5
"""Share of tops that are not near any likely place, and the width of their uniform distribution in diameters: that of
the search range."""


def first_of(count: int) -> Bools:
    """The first 0, 1, ... of `count` checkers (count + 1 x count)."""
    return np.arange(count) < np.arange(count + 1)[:, None]


def log_likelihoods(out: Floats, chances: Floats, lift: Floats, carrying: Bools) -> Floats:
    """Log-likelihoods that those of a row's n checkers carry another one that are True in each row of `carrying`.

    Relative to the first row. `out`: n x places, how much farther out than its slot each checker from the edge on may
    be, and `chances`: how likely each place is; `lift`: n, how much farther out one on another is (diameters along the
    lift).
    """
    index = np.arange(len(out))
    stacked = carrying[:, :, None, None, None]
    away = out[:, :, None, None] - (_START[:, None] + _PITCH * (index - index.mean())[:, None, None, None])
    prior = np.log(_LIFT_SHARES)[:, None, None] - 0.5 * (_START[:, None] / _START_SD) ** 2 + np.log(_PITCH_SHARES)
    off = away[:, None] - (lift[:, None] * np.array([0.0, *_LIFTS]))[:, :, None, None, None]
    each = []
    for spread in _PLACING_SDS:
        near = np.einsum("cp,clpsk->clsk", chances, np.exp(-0.5 * (off / spread) ** 2)) / (spread * np.sqrt(2 * np.pi))
        nats = np.log((1 - _WRONG_SHARE) * near + _WRONG_SHARE / _WRONG_RANGE)
        each.append(np.where(stacked, nats[:, 1:], nats[:, :1]).sum(axis=1) + prior)
    totals = np.logaddexp.reduce(np.stack(each).swapaxes(0, 1).reshape(len(carrying), -1), axis=1)
    return np.asarray(totals - totals[0])


_PLACE_SHARE = 1.4
"""Factor on the nats of the places: each is a mean over where a top may be, which makes them too cautious beside the
networks'. With `_WRONG_SHARE` the least loss without an error, on the rows of `_STRENGTH_A_NAT` in `features`."""


def nats_by_place(seen: LayerFeatures, carrying: Bools | None = None) -> Floats:
    """`log_likelihoods` of a row's tops, weighted for adding them to the networks' nats; by default `first_of` them."""
    carrying = first_of(len(seen.out)) if carrying is None else carrying
    return _PLACE_SHARE * log_likelihoods(seen.out, seen.chances, seen.lift, carrying)


def log_ratios_of_first(ratios: Sequence[float]) -> list[float]:
    """Log-likelihood ratios (nats) that the first 1, 2, ... of a row's checkers carry another one; `ratios`: of each.

    On a full row players begin a second layer at the edge.
    """
    return list(accumulate(ratios))


def log_ratios_of_any(ratios: Sequence[float]) -> list[float]:
    """Log-likelihood ratios (nats) that any 1, 2, ... of a row's checkers carry another one; `ratios`: of each.

    All subsets of one size are equally likely a priori. Clipped at 0: the network on spokes was not trained on short
    rows, so its evidence there may raise a doubt but not lower one.
    """
    ways = reduce(np.convolve, ([1.0, exp(ratio)] for ratio in ratios), np.ones(1)).tolist()
    return [max(0.0, log(share / comb(len(ratios), count))) for count, share in enumerate(ways) if count]


_COMPARED_SHARE, _SURPRISE_SHARE = 0.6, 0.5
"""Share of the comparing network's nats that is used, as both networks err on some rows alike; and how much a surprise
by known rows lowers the trust in the other one. Both give the least loss on 378 rows of boards on which neither network
was trained."""

LEAST_KNOWN = 4
"""Shorter known rows do not affect the trust in the network. Such rows were not in its training data."""


@dataclass(frozen=True, slots=True)
class LayerModel:
    """Model of second layers on one board.

    Attributes:
        lift: ROWS x SLOTS x 2, see `lifts`.
        bare: 2 x networks x EMBEDDING, mean embedding of each side's known single checkers.
        trust: factor (0 to 1) on the nats of the network on spokes.
        singles: the known single checkers, for the comparing network; None if a side has none.
    """

    lift: Floats
    bare: Floats
    trust: float
    singles: SingleCheckers | None = None

    def log_ratios(self, row: SeenRow, *, alone: bool) -> Floats:
        """For each checker of a row, the log-likelihood ratio (nats) that it carries another one.

        `alone`: that it is the only one; otherwise, sums from the row's edge on give the log-likelihood ratio of that
        many carrying one.
        """
        count = len(row.features.out)
        if alone:
            by_place = nats_by_place(row.features, np.eye(count + 1, count, -1, dtype=bool))[1:]
        else:
            by_place = np.diff(nats_by_place(row.features))
        by_network = self.trust * self.network_log_ratios(row.features, row.detected)
        return np.asarray(by_network + self._compared(row.patched) + by_place)

    def seen(
        self,
        labelled: LabelledView,
        view: Picture,
        exposure: Exposure,
        row: int,
        checkers: Mapping[int, Slot],
    ) -> SeenRow:
        """A row of a picture as the networks see it.

        `labelled`: the known position on the finer raster; `view`: the levelled picture on it; `exposure`: the board's
        models for its light; `checkers` by their number in the row, from the edge inwards.
        """
        owners = [checker.holder for checker in checkers.values()]
        found = np.array([(finer(checker.x), finer(checker.y)) for checker in checkers.values()])
        detected = _detected_row(labelled.rows, row, list(checkers), owners, found, self.lift)
        return _seen_row(detected, labelled, view, exposure)

    def _compared(self, row: PatchedCheckers) -> Floats:
        """Log-likelihood ratios (n, nats) by the comparing network for a row's checkers, to be summed likewise."""
        if self.singles is None:
            return np.zeros(len(row.sides))
        return _COMPARED_SHARE * self.singles.log_ratios(row)

    def network_log_ratios(self, seen: LayerFeatures, detected: DetectedCheckers) -> Floats:
        """Log-likelihood ratios (n, nats) by the network on spokes for a row's checkers, to be summed from the edge.

        The mean for the row and its mirror image. Of 656 rows of five and more, some of them small and blurred, a false
        number leads by more than 5 nats in two, and in three by the row as seen alone.
        """
        net = LayerNet.load()
        bare = np.moveaxis(self.bare[detected.owner], 1, 0)
        each = (net.ratios(net.embeddings(*way), way[1], bare) for way in both_ways(seen))
        return np.asarray(sum(each) / 2)


@dataclass(frozen=True, slots=True)
class SeenRow:
    """A row's checkers as detected, and as each of the networks sees them."""

    detected: DetectedCheckers
    features: LayerFeatures
    patched: PatchedCheckers


def _seen_row(
    detected: DetectedCheckers, labelled: LabelledView, view: Picture, exposure: Exposure | None = None
) -> SeenRow:
    """A row on the finer raster `view`; `exposure`: the models for its light, None for the known position's own."""
    window = detected.window(labelled.top.size)
    near, appearance = np.ascontiguousarray(window.of(view)), labelled.appearance.within(window)
    if exposure is not None:
        appearance = appearance.saturated_at(exposure.ceiling, exposure.appearance.tables)
    seen = layer_features(appearance, near, detected.within(window))
    patches, bare = (
        turned_patches(one, seen.centres, detected.lift, detected.diameter)
        for one in (near, appearance.background.picture)
    )
    places = (seen.centres + window.corner) / detected.diameter
    return SeenRow(detected, seen, PatchedCheckers(patches, bare, places, detected.owner, seen.lift))


def _detected_row(
    rows: Rows, row: int, slots: list[int], owners: list[int], found: Floats, lift: Floats
) -> DetectedCheckers:
    home = rows.place(row, np.array(slots))
    return DetectedCheckers(np.array(owners), found, home, lift[row, slots], float(rows.inward[row]), rows.diameter)


def lifts(labelled: LabelledView) -> Floats:
    """Shift of a stacked checker's top relative to a single one's, in raster pixels (ROWS x SLOTS x 2)."""
    places = labelled.rows.place(*np.indices((ROWS, SLOTS)))
    return lifts_at(places, labelled.top, labelled.pose, labelled.layout.top)


def lifts_at(places: Floats, raster: Raster, pose: CameraPose, height: float) -> Floats:
    """As `lifts`, at places (... x 2) of a raster; `height`: of a checker, in board units."""
    factor = (pose.centre[2] - height) / (pose.centre[2] - 2 * height)
    return np.asarray((factor - 1) * (places - raster.pixels(pose.centre[:2])))


def learn_layers(labelled: LabelledView, points: Sequence[Content]) -> LayerModel:
    """Learn a board's lifts (on the finer raster) and the appearance of its single checkers.

    `points`: content of the known position. Rows with second layers are left out; if a side has no other rows, trust is
    0. Trust in the network is reduced if it takes known single checkers for stacked ones.
    """
    lift, net = lifts(labelled), LayerNet.load()
    known = known_rows(labelled, points, lift)
    embeddings = [sum(net.embeddings(*way) for way in both_ways(row.features)) / 2 for row in known]
    owners = np.array([row.detected.owner[0] for row in known])
    if set(owners) != {0, 1}:
        return LayerModel(lift, np.zeros((2, len(net.layers[0][0]), EMBEDDING)), 0.0)
    bare = np.stack(
        [np.hstack([embeddings[k] for k in np.flatnonzero(owners == side)]).mean(axis=1) for side in (0, 1)]
    )
    parts = [[getattr(row.patched, field.name) for row in known] for field in fields(PatchedCheckers)]
    model = LayerModel(lift, bare, 1.0, SingleCheckers(PatchedCheckers(*map(np.concatenate, parts))))
    surprises = [
        _surprise(model.network_log_ratios(row.features, row.detected))
        for row in known
        if len(row.detected.owner) >= LEAST_KNOWN
    ]
    return replace(model, trust=float(np.exp(-_SURPRISE_SHARE * np.mean(surprises)))) if surprises else model


def known_rows(labelled: LabelledView, points: Sequence[Content], lift: Floats) -> list[SeenRow]:
    """The rows of a known position without second layers; `points`: its content, `lift`: see `lifts`."""
    rows = [(point, list(own)) for point, own in groupby(labelled.placed, key=attrgetter("point"))]
    return [_known_row(labelled, placed, lift) for point, placed in rows if sum(points[point]) == len(placed)]


def _known_row(labelled: LabelledView, placed: Sequence[Placed], lift: Floats) -> SeenRow:
    """A row of the known position in the calibration picture."""
    point, slots, owners = placed[0].point, [one.index for one in placed], [one.owner for one in placed]
    found = replace(labelled, placed=placed).places
    return _seen_row(_detected_row(labelled.rows, point, slots, owners, found, lift), labelled, labelled.view)


def _surprise(network_log_ratios: Floats) -> float:
    """Negative log-probability (nats, 0 or more) by the network that none of a row's checkers carries another."""
    return float(np.logaddexp.reduce([0.0, *np.cumsum(network_log_ratios)]))
