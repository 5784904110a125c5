"""A network that compares places with the empty board and with known checkers, or cubes, of the same board.

Its inputs are turned patches (see `vision.board.patches`) of the place, of the empty board there, and the means of this
board's known single checkers of White's and of Black's, weighted towards nearby ones. So it has learned to compare, not
what boards look like. Framed boards and tiles have weights of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from vision.board.patches import LIFT_SCALE, MOST_LIFT, PATCH_PX, nearby, network_input
from vision.board.slot_features import BLACK, EMPTY, WHITE
from vision.comparator import brightness_factor, encoded, judged

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vision.arrays import Bools, Floats, Picture, Singles
    from vision.board.patches import PatchedCheckers
    from vision.board.slot_features import Slot

    Weights = dict[str, Any]

SEEN_PX = 40
"""Width and height of the part of a patch that the network sees, in the middle."""
_MOST_KEPT = 250
"""Number of places, about a board's, of which the empty board's maps are kept (13 kB each)."""
OTHER = EMPTY + 1
"""Class of anything but White's checker, Black's checker or the bare board."""


class KnownCheckers:
    """Known single checkers or cubes of a board (`checkers`), with which places are compared."""

    def __init__(self, checkers: PatchedCheckers, weights: Weights) -> None:
        """`checkers`: of both sides; `weights`: of the network that compares."""
        self.checkers, self._weights = checkers, weights
        self._factor = np.float32(brightness_factor(checkers.patches))
        self._maps = self._encoded(checkers.patches)
        self._bare: dict[bytes, Singles] = {}

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
        maps, bare_maps = self._encoded(seen), self._encoded_bare(bare)
        lengths = (np.minimum(lifts, MOST_LIFT) * LIFT_SCALE).astype(np.float32)
        lift_maps = np.broadcast_to(lengths[:, None, None, None], (*maps.shape[:3], 1))
        away = [np.abs(maps - one) for one in (*means, bare_maps)]
        scores = judged(np, self._weights, [maps, *means, bare_maps, *away, lift_maps]).astype(np.float64)
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(chances / chances.sum(axis=1, keepdims=True))

    def _encoded_bare(self, patches: Picture) -> Singles:
        """Maps of patches of the empty board, which are the same from look to look."""
        keys, kept = [one.tobytes() for one in patches], self._bare
        new = [index for index, key in enumerate(keys) if key not in kept]
        if new:
            kept = kept | dict(zip((keys[index] for index in new), self._encoded(patches[new]), strict=True))
            self._bare = kept if len(kept) <= _MOST_KEPT else {key: kept[key] for key in keys}
        return np.stack([kept[key] for key in keys])

    def _encoded(self, patches: Picture) -> Singles:
        edge = (PATCH_PX - SEEN_PX) // 2
        seen = patches[:, edge:-edge, edge:-edge]
        bright = np.minimum(seen * self._factor, np.float32(255)) / np.float32(255)
        return np.asarray(encoded(np, self._weights, network_input(bright)), np.float32)


def read_doubtful_again(
    rows: Sequence[Sequence[Slot]],
    is_doubtful: Callable[[Slot], bool],
    weight: float,
    compare: Callable[[list[tuple[int, int]]], Floats],
) -> list[list[Slot]]:
    """Rows of slots, of which the doubtful ones that are not seen to be bare are read again.

    `compare`: log-likelihoods (n x 3) of the slots with these rows and indices; called once, if there are any.
    `weight`: of the first reading's nats, which are added; if its features fit no content, they say nothing.
    """
    again = [list(slots) for slots in rows]
    doubtful = [
        (row, index)
        for row, slots in enumerate(again)
        for index, slot in enumerate(slots)
        if is_doubtful(slot) and not slot.bare
    ]
    if doubtful:
        for (row, index), compared in zip(doubtful, compare(doubtful), strict=True):
            slot = again[row][index]
            again[row][index] = slot.renewed((0 if slot.foreign else weight) * np.array(slot.nats) + compared)
    return again


def _without_other(chances: Floats) -> Floats:
    """Log-likelihoods (n x 3) of WHITE, BLACK and EMPTY from probabilities (n x 4), that of OTHER divided equally."""
    return np.asarray(np.log(chances[:, :OTHER] + chances[:, OTHER:] / OTHER))
