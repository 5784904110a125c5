"""The network that estimates whether a checker carries another, from this board's known single checkers.

Its inputs are patches around the checker's top, around the innermost checker of the same row, and of the empty board;
the mean patch of known single checkers of its side, weighted towards nearby ones; and how far a stacked checker's top
would be displaced. Patches are turned so that this is upwards: a wall, a shadow on it or a lower checker's rim shows
below the top at every place on the board. So it also works for unseen makes. `training/learn_stacks.py` trained it on
drawn boards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from vision.board import LIFT_SCALE, MOST_LIFT, nearby, network_input
from vision.comparator import brightness_factor, encoded, judged, load_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Floats, Picture, Singles
    from vision.board import PatchedCheckers

    Weights = dict[str, Any]


MOST_NATS = 8.0
"""Largest log-likelihood ratio of one checker."""


def encode(weights: Weights, patches: Any) -> Any:
    """Maps (n x 11 x 11 x channels) of patches (n x PATCH_PX x PATCH_PX x 3, BGR, 0 to 1)."""
    return encoded(np, weights, network_input(patches))


def compare(weights: Weights, seen: Any, others: Sequence[Any], lifts: Any) -> Any:
    """Log-odds (n, nats) that each checker carries another, from its encoded patch `seen` and those of `others`.

    `others`: the means of known single checkers of the same side, the innermost checker of the same row, and the empty
    board (n each). `lifts`: n x 2, lengths of the checker's lift and of the known ones' mean lift, in diameters.
    """
    single, inner, empty = others
    lifts = np.minimum(lifts, MOST_LIFT) * LIFT_SCALE
    lift_maps = np.broadcast_to(lifts[:, None, None], (*seen.shape[:3], 2))
    away = [np.abs(seen - single), np.abs(seen - inner)]
    out = judged(np, weights, [seen, single, inner, empty, *away, lift_maps])[:, 0]
    return MOST_NATS * np.tanh(out / MOST_NATS)


def trained() -> Weights:
    """The trained weights in single precision."""
    return load_weights(__package__, "singles.npz")


class SingleCheckers:
    """Known single checkers of a board, with which others are compared; both sides must be among them."""

    def __init__(self, known: PatchedCheckers) -> None:
        self.known = known
        self._factor = np.float32(brightness_factor(known.patches))
        self._maps = self._encoded(known.patches)

    def log_ratios(self, row: PatchedCheckers) -> Floats:
        """Log-likelihood ratios (nats) that each checker of a row, from the edge inwards, carries another."""
        near = nearby(row.places, row.sides, self.known.places, self.known.sides)
        single = np.tensordot(near, self._maps, axes=1)
        lifts = np.column_stack([row.lifts, near @ self.known.lifts]).astype(np.float32)
        seen = self._encoded(row.patches)
        inner = np.broadcast_to(seen[-1:], seen.shape)
        return np.asarray(compare(trained(), seen, (single, inner, self._encoded(row.bare)), lifts), np.float64)

    def _encoded(self, patches: Picture) -> Singles:
        bright = np.clip(patches * self._factor, 0, 255).astype(np.uint8)
        return np.asarray(encode(trained(), bright.astype(np.float32) / 255), np.float32)
