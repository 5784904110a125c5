"""Small neural networks that estimate whether a checker carries another; for their training see `training`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from vision.backgammon.stacking.features import ANGLES, LIFT_SCALE
from vision.comparator import load_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.arrays import Floats, Singles

    Small = NDArray[np.int8]

MOST_NATS = 6.0
"""Largest log-likelihood ratio of one checker."""
_ORDER = [0, 1, 2, 3, 3, 4, 5]
_SCALES = np.array([1 / 60, 1 / 60, 1 / 60, 1 / 32, 1 / 8, 1 / 32, 1 / 50], np.float32)
_MOST = 2.0
"""Maps of the spokes that are used, factors that scale them to about 1, and their largest absolute value. Lightness is
used twice: coarsely, and finely for faint contrast on dark checkers."""
_WALL = 4.0
"""Factor on the wall's width in diameters."""
EMBEDDING = 32
"""Values of a checker's embedding."""
_TURN = (np.arange(ANGLES) + 0.5) * (2 * np.pi / ANGLES)
"""Direction of each spoke from the lift, in radians."""


def network_input(spokes: Singles, measures: Singles) -> Singles:
    """Network input (... x ANGLES x features) from spokes (... x MAPS x ANGLES x RADII).

    Each spoke with its neighbours, the width of one wall there, and its largest width.
    """
    seen = np.clip(np.moveaxis(spokes[..., _ORDER, :, :], -3, -1) * _SCALES, -_MOST, _MOST)
    seen = seen.reshape(*seen.shape[:-2], -1)
    beside = [np.roll(seen, step, axis=-2) for step in (-1, 0, 1)]
    lift = measures[..., :1, None] * np.float32(_WALL / LIFT_SCALE)
    wall = np.maximum(-np.cos(_TURN), 0).astype(np.float32)[:, None] * lift
    return np.concatenate([*beside, wall, np.broadcast_to(lift, wall.shape)], axis=-1)


@dataclass(frozen=True, slots=True)
class LayerNet:
    """An ensemble of small networks whose outputs are averaged.

    `layers`: of each, weights (networks x in x out) and biases (networks x out).
    """

    layers: Sequence[tuple[Floats, Floats]]

    @classmethod
    @cache
    def load(cls) -> LayerNet:
        """The trained networks."""
        kept = load_weights(__package__, "second_layers.npz")
        named = {name: values.astype(np.float64) for name, values in kept.items()}
        return cls([(named[f"weights{k}"], named[f"at{k}"]) for k in range(len(named) // 2)])

    def embeddings(self, spokes: Small, measures: Singles) -> Floats:
        """Embedding of each checker's spokes (networks x n x EMBEDDING)."""
        encoded = network_input(spokes.astype(np.float32), measures)
        (weights, at), (others, more) = self.layers[:2]
        count, nets = len(encoded), len(weights)
        hidden = np.maximum(encoded.reshape(count * ANGLES, -1) @ weights + at[:, None], 0)
        return np.asarray(hidden.reshape(nets, count, -1) @ others + more[:, None])

    def ratios(self, embeddings: Floats, measures: Singles, bare: Floats) -> Floats:
        """Log-likelihood ratios (n, nats) that each checker of a row, from the edge on, carries another.

        `bare`: networks x n x EMBEDDING, mean embedding of the board's known single checkers of the same side.
        """
        mean = embeddings.mean(axis=1, keepdims=True)
        wide = np.broadcast_to(measures, (len(embeddings), *measures.shape))
        hidden = np.concatenate(
            [embeddings, embeddings - mean, embeddings - embeddings[:, -1:], embeddings - bare, wide], axis=-1
        )
        for weights, at in self.layers[2:-1]:
            hidden = np.maximum(hidden @ weights + at[:, None], 0)
        weights, at = self.layers[-1]
        logits = (hidden @ weights + at[:, None])[..., 0]
        return np.asarray((MOST_NATS * np.tanh(logits / MOST_NATS)).mean(axis=0))
