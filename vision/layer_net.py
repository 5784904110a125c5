"""The network that tells from a checker's picture whether it bears another (how it was learned: `training`)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from vision.layer_views import ANGLES, LIFT_SCALE, MEASURES, RADII

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Small = NDArray[np.int8]

_FILE = Path(__file__).with_name("second_layers.npz")
MOST_NATS = 6.0
"""No checker says more than this."""
_ORDER = [0, 1, 2, 3, 3, 4, 5]
_SCALES = np.array([1 / 60, 1 / 60, 1 / 60, 1 / 32, 1 / 8, 1 / 32, 1 / 50], np.float32)
_MOST = 2.0
"""The maps of spokes that the network takes, what each is multiplied by to be about 1, and the most that it may be:
lightness counts twice, once coarsely and once for what is faint on a dark checker."""
_WALL = 4.0
"""What the wall's width in diameters is multiplied by."""
KINDS, WORDS, SAID = 32, 32, 32
"""What a spoke is told by, what a checker is told by, and what is made of its comparison with others."""
BESIDE = 1
"""Spokes on either side that one is looked at with."""
SHAPES = (
    ((2 * BESIDE + 1) * RADII * len(_ORDER) + 2, KINDS),
    (ANGLES * KINDS, WORDS),
    (4 * WORDS + MEASURES, SAID),
    (SAID, 1),
)
_TURN = (np.arange(ANGLES) + 0.5) * (2 * np.pi / ANGLES)


def told_apart(spokes: Singles, measures: Singles) -> Singles:
    """Spokes (… x MAPS x ANGLES x RADII) as the network takes them (… x ANGLES x figures).

    Each with those beside it, and with how wide one wall shows there and at most.
    """
    seen = np.clip(np.moveaxis(spokes[..., _ORDER, :, :], -3, -1) * _SCALES, -_MOST, _MOST)
    seen = seen.reshape(*seen.shape[:-2], -1)
    beside = [np.roll(seen, step, axis=-2) for step in range(-BESIDE, BESIDE + 1)]
    lift = measures[..., :1, None] * np.float32(_WALL / LIFT_SCALE)
    wall = np.maximum(-np.cos(_TURN), 0).astype(np.float32)[:, None] * lift
    return np.concatenate([*beside, wall, np.broadcast_to(lift, wall.shape)], axis=-1)


@dataclass(frozen=True, slots=True)
class LayerNet:
    """A few small networks that are averaged.

    Attributes:
        layers: from what is told on, weights (networks x given x said) and what is added (networks x said).
    """

    layers: Sequence[tuple[Floats, Floats]]

    @classmethod
    @cache
    def load(cls) -> LayerNet:
        """The networks that were learned."""
        with np.load(_FILE, allow_pickle=False) as kept:
            named = {name: kept[name].astype(np.float64) for name in kept.files}
        return cls([(named[f"weights{k}"], named[f"at{k}"]) for k in range(len(named) // 2)])

    def words(self, spokes: Small, measures: Singles) -> Floats:
        """What is made of each checker's spokes (networks x n x WORDS)."""
        told = told_apart(spokes.astype(np.float32), measures)
        (weights, at), (others, more) = self.layers[:2]
        count, nets = len(told), len(weights)
        said = np.maximum(told.reshape(count * ANGLES, -1) @ weights + at[:, None], 0)
        return np.asarray(said.reshape(nets, count, -1) @ others + more[:, None])

    def ratios(self, words: Floats, measures: Singles, bare: Floats) -> Floats:
        """How much likelier each checker of a row bears another than not (n, nats).

        Args:
            words: networks x n x WORDS, of the row's checkers from the edge on.
            measures: n x MEASURES.
            bare: networks x n x WORDS, what is made in the mean of the board's checkers of the same side that were
                known to bear none.
        """
        mean = words.mean(axis=1, keepdims=True)
        wide = np.broadcast_to(measures, (len(words), *measures.shape))
        said = np.concatenate([words, words - mean, words - words[:, -1:], words - bare, wide], axis=-1)
        for weights, at in self.layers[2:-1]:
            said = np.maximum(said @ weights + at[:, None], 0)
        weights, at = self.layers[-1]
        told = (said @ weights + at[:, None])[..., 0]
        return np.asarray((MOST_NATS * np.tanh(told / MOST_NATS)).mean(axis=0))
