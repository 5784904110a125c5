"""Doubtful slots are read again by a network that compares them with the empty board and with known checkers.

Its inputs are turned patches (see `stacking.singles`) of the slot, of the empty board there, and the means of this
board's known single checkers of White's and of Black's, weighted towards nearby ones. So it has learned to compare, not
what boards look like. `training/learn_slots.py` trained it on drawn and path-traced boards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from vision.backgammon.layout import finer
from vision.backgammon.stacking.singles import LIFT_SCALE, MOST_LIFT, PATCH_PX, nearby, network_input, turned_patches
from vision.board import BLACK, EMPTY, WHITE
from vision.comparator import brightness_factor, encoded, judged, load_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vision.arrays import Bools, Floats, Picture, Singles
    from vision.backgammon.cutouts import LabelledView
    from vision.backgammon.stacking.singles import PatchedCheckers
    from vision.board import Slot

    Weights = dict[str, Any]

SEEN_PX = 40
"""Width and height of the part of a patch that the network sees, in the middle."""
OTHER = EMPTY + 1
"""Class of anything but White's checker, Black's checker or the bare board."""
_CERTAIN_NATS = 12.0
"""Lead of the likeliest content (nats) from which a slot is not read again."""
_FIRST_READING_WEIGHT = 0.4
"""Weight of the first reading's nats: below 1, as it is not independent (it sees the same pixels)."""


class KnownCheckers:
    """Known single checkers of a board (`checkers`) and the network that compares places with them."""

    def __init__(self, checkers: PatchedCheckers) -> None:
        """`checkers`: of both sides."""
        self.checkers = checkers
        self._factor = np.float32(brightness_factor(checkers.patches))
        self._maps = self._encoded(checkers.patches)

    def log_likelihoods(self, seen: Picture, bare: Picture, places: Floats, lifts: Floats) -> Floats:
        """Log-likelihoods (n x 3) of WHITE, BLACK and EMPTY (see `chances`).

        OTHER is no content of a slot: its probability is divided equally among the three.
        """
        return _without_other(self.chances(seen, bare, places, lifts))

    def by_others(self) -> Floats:
        """Leave-one-out log-likelihoods (n x 3, see `log_likelihoods`) of the known checkers' places.

        Both sides must have at least two of them.
        """
        known = self.checkers
        others = ~np.eye(len(known.sides), dtype=bool)
        return _without_other(self.chances(known.patches, known.bare, known.places, known.lifts, others))

    def chances(
        self, seen: Picture, bare: Picture, places: Floats, lifts: Floats, among: Bools | bool = True
    ) -> Floats:
        """Probabilities (n x 4) of WHITE, BLACK, EMPTY and OTHER, from turned patches of places and of the bare board.

        `places` and `lifts` (lengths) are in diameters. `among`: mask (n x known checkers) of those
        that each is compared with; all by default.
        """
        known, means = self.checkers, []
        for side in (WHITE, BLACK):
            near = nearby(places, np.full(len(places), side), known.places, known.sides, among)
            means.append(np.tensordot(near, self._maps, axes=1))
        maps, bare_maps = self._encoded(seen), self._encoded(bare)
        lengths = (np.minimum(lifts, MOST_LIFT) * LIFT_SCALE).astype(np.float32)
        lift_maps = np.broadcast_to(lengths[:, None, None, None], (*maps.shape[:3], 1))
        away = [np.abs(maps - one) for one in (*means, bare_maps)]
        scores = judged(np, _trained(), [maps, *means, bare_maps, *away, lift_maps]).astype(np.float64)
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(chances / chances.sum(axis=1, keepdims=True))

    def _encoded(self, patches: Picture) -> Singles:
        edge = (PATCH_PX - SEEN_PX) // 2
        seen = patches[:, edge:-edge, edge:-edge]
        bright = np.minimum(seen * self._factor, np.float32(255)) / np.float32(255)
        return np.asarray(encoded(np, _trained(), network_input(bright)), np.float32)


class SlotComparison:
    """Reads doubtful slots of one board again.

    `labelled`: the known position on the finer raster; `known`: its single checkers.
    """

    def __init__(self, labelled: LabelledView, lift: Floats, known: PatchedCheckers) -> None:
        """`lift`: see `stacking.count.lifts`; `known`: single checkers of both sides."""
        self.labelled, self._lift, self.known = labelled, lift, KnownCheckers(known)

    def read(self, rows: Sequence[Sequence[Slot]], view: Callable[[], Picture]) -> list[list[Slot]]:
        """Read the doubtful slots again; `view` makes the levelled picture on the finer raster, if there are any."""
        again = [list(slots) for slots in rows]
        doubtful = [
            (row, index)
            for row, slots in enumerate(again)
            for index, slot in enumerate(slots)
            if slot.margin_nats < _CERTAIN_NATS
        ]
        if doubtful:
            places = np.array([(finer(again[row][index].x), finer(again[row][index].y)) for row, index in doubtful])
            nats = self.log_likelihoods(view(), places, np.array([self._lift[at] for at in doubtful]))
            for (row, index), compared in zip(doubtful, nats, strict=True):
                slot = again[row][index]
                again[row][index] = slot.renewed(_FIRST_READING_WEIGHT * np.array(slot.nats) + compared)
        return again

    def log_likelihoods(self, view: Picture, places: Floats, lifts: Floats) -> Floats:
        """Log-likelihoods (n x 3) of WHITE, BLACK and EMPTY at places (n x 2) of the finer raster."""
        diameter, empty = self.labelled.rows.diameter, self.labelled.appearance.background.picture
        seen, bare = (turned_patches(one, places, lifts, diameter) for one in (view, empty))
        return self.known.log_likelihoods(seen, bare, places / diameter, np.linalg.norm(lifts, axis=1) / diameter)


def _without_other(chances: Floats) -> Floats:
    """Log-likelihoods (n x 3) of WHITE, BLACK and EMPTY from probabilities (n x 4), that of OTHER divided equally."""
    return np.asarray(np.log(chances[:, :OTHER] + chances[:, OTHER:] / OTHER))


def _trained() -> Weights:
    return load_weights(__package__, "slot_comparison.npz")
