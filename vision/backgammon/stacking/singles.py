"""The network that estimates whether a checker carries another, from this board's known single checkers.

Its inputs are patches around the checker's top, around the innermost checker of the same row, and of the empty board;
the mean patch of known single checkers of its side, weighted towards nearby ones; and how far a stacked checker's top
would be displaced. Patches are turned so that this is upwards: a wall, a shadow on it or a lower checker's rim shows
below the top at every place on the board. So it also works for unseen makes. `training/learn_stacks.py` trained it on
drawn boards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from vision.comparator import brightness_factor, encoded, judged, load_weights, shares_by_distance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Floats, Ints, Picture, Singles

    Weights = dict[str, Any]


PATCH_PX = 44
"""Width and height of a patch."""
DIAMETER_PX = 22
"""Diameter of a checker in a patch."""
_NO_LIFT = 1e-9
"""Length up to which a lift has no direction."""


def turned_patches(view: Picture, places: Floats, lifts: Floats, diameter: float) -> Picture:
    """Patches (n x PATCH_PX x PATCH_PX x 3) around places (n x 2) of a raster of the tops' plane; its edge is repeated.

    `lifts`: n x 2, displacement of a stacked checker's top, in any unit; where there is none, any direction is up.
    `diameter`: of a checker, in pixels.
    """
    _, up = lengths_and_directions(lifts, (0.0, -1.0))
    step, middle = diameter / DIAMETER_PX, (PATCH_PX - 1) / 2
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    result = np.empty((len(places), PATCH_PX, PATCH_PX, 3), np.uint8)
    for one, (place, (x, y)) in enumerate(zip(places, up, strict=True)):
        turn = np.array([[-y, -x], [x, -y]]) * step
        warp = np.column_stack([turn, place - turn @ (middle, middle)])
        result[one] = cv2.warpAffine(view, warp, (PATCH_PX, PATCH_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return result


def lengths_and_directions(lifts: Floats, otherwise: tuple[float, float]) -> tuple[Floats, Floats]:
    """Lengths (n x 1) and directions (n x 2) of lifts (n x 2); `otherwise`: the direction where there is no lift."""
    size = np.linalg.norm(lifts, axis=1, keepdims=True)
    return size, np.where(size > _NO_LIFT, lifts / np.maximum(size, _NO_LIFT), otherwise)


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


def nearby(places: Any, sides: Any, known: Any, known_sides: Any, among: Any = True) -> Singles:
    """Weights (n x known) by distance of the known checkers of the same side, at least one; rows sum to 1.

    `places` are in diameters, `sides` 0 or 1. `among`: mask (n x known) of those that may count; all by default.
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
        lifts = np.column_stack([row.lifts, near @ self.known.lifts]).astype(np.float32)
        seen = self._encoded(row.patches)
        inner = np.broadcast_to(seen[-1:], seen.shape)
        return np.asarray(compare(trained(), seen, (single, inner, self._encoded(row.bare)), lifts), np.float64)

    def _encoded(self, patches: Picture) -> Singles:
        bright = np.clip(patches * self._factor, 0, 255).astype(np.uint8)
        return np.asarray(encode(trained(), bright.astype(np.float32) / 255), np.float32)
