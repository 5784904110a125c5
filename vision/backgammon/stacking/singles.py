"""The network that estimates whether a checker carries another, from this board's known single checkers.

Its inputs are patches (see `patches`) around the checker's top, around the innermost checker of the same row, and of
the empty board; the mean patch of known single checkers of its side, weighted towards nearby ones; and how far a
stacked checker's top would be displaced. So it also works for makes that it never saw. `training/learn_stacks.py`
trained it on drawn boards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.comparator import brightness_factor, encoded, judged, load_weights, shares_by_distance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Floats, Ints, Picture, Singles

    Weights = dict[str, Any]

_NEAR = 3.0
"""Standard deviation of the distance over which known checkers are averaged, in diameters."""
LIFT_SCALE, MOST_LIFT = 4.0, 0.6
"""Factor on the lift in diameters, and the largest lift in the input."""
_DARKEST = 0.06
"""Added to the brightness before its logarithm, so that a dark pixel's noise counts for little."""
MOST_NATS = 8.0
"""Largest log-likelihood ratio of one checker."""


def network_input(patches: Any) -> Any:
    """Input (n x height x width x 4) from patches (BGR, 0 to 1): the colours, and relative lightness."""
    light = np.log(patches.mean(axis=-1, keepdims=True) + _DARKEST)
    return np.concatenate([(patches - 0.4) * 2.5, light - light.mean(axis=(1, 2), keepdims=True)], axis=-1)


def encode(weights: Weights, patches: Any) -> Any:
    """Maps (n x 11 x 11 x channels) of patches (n x PATCH_PX x PATCH_PX x 3, BGR, 0 to 1)."""
    return encoded(np, weights, network_input(patches))


def compare(weights: Weights, seen: Any, others: Sequence[Any], lifts: Any) -> Any:
    """Log-odds (n) that each checker carries another, from its map and the maps of as many `others`.

    These are means of known single checkers of the same side, the innermost checker of the same row, and the empty
    board. `lifts`: n x 2, lengths of the checker's lift and of the known ones' mean lift, in diameters.
    """
    single, inner, empty = others
    lifts = np.minimum(lifts, MOST_LIFT) * LIFT_SCALE
    told = np.broadcast_to(lifts[:, None, None], (*seen.shape[:3], 2))
    away = [np.abs(seen - single), np.abs(seen - inner)]
    out = judged(np, weights, [seen, single, inner, empty, *away, told])[:, 0]
    return MOST_NATS * np.tanh(out / MOST_NATS)


def nearby(places: Any, sides: Any, known: Any, known_sides: Any, among: Any = True) -> Singles:
    """Weights (n x known) of the known checkers of the same side, of which there is at least one; rows sum to 1.

    Places are in diameters, sides 0 or 1. `among`: n x known, which of them may count for each checker; by default all.
    """
    squared = ((places[:, None] - known[None]) ** 2).sum(axis=2)
    squared = np.where((sides[:, None] == known_sides[None]) & among, squared, np.inf)
    return shares_by_distance(squared, _NEAR)


def trained() -> Weights:
    """The trained weights in single precision."""
    return load_weights(__package__, "singles.npz")


@dataclass(frozen=True, slots=True)
class PatchedCheckers:
    """Checkers as inputs of the network (n of each).

    Attributes:
        patches: n x PATCH_PX x PATCH_PX x 3, around their tops (see `turned_patches`), BGR.
        bare: the same of the empty board there.
        places: n x 2, in diameters.
        sides: 0 White, 1 Black.
        lifts: lengths of the lift, in diameters.
    """

    patches: Picture
    bare: Picture
    places: Floats
    sides: Ints
    lifts: Floats


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
        told = np.column_stack([row.lifts, near @ self.known.lifts]).astype(np.float32)
        seen = self._encoded(row.patches)
        inner = np.broadcast_to(seen[-1:], seen.shape)
        return np.asarray(compare(trained(), seen, (single, inner, self._encoded(row.bare)), told), np.float64)

    def _encoded(self, patches: Picture) -> Singles:
        bright = np.clip(patches * self._factor, 0, 255).astype(np.uint8)
        return np.asarray(encode(trained(), bright.astype(np.float32) / 255), np.float32)
