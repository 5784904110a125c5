"""The network that tells from a checker's figures whether it bears another (how it was learned: `training`)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from vision.layer_views import LIFT_SCALE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]

_FILE = Path(__file__).with_name("second_layers.npz")
MOST_NATS = 4.0
"""No checker says more than this."""
FAINT_LIFT = 0.09
"""Where the lift is so much (diameters), half of what is seen is believed; hardly any of it where it is less: walls are
then no wider than a rim is blurred."""


@dataclass(frozen=True, slots=True)
class LayerNet:
    """A few small networks that are averaged.

    Attributes:
        layers: from the figures on, weights (networks x given x told) and what is added (networks x told).
    """

    layers: Sequence[tuple[Singles, Singles]]

    @classmethod
    @cache
    def load(cls) -> LayerNet:
        """The networks that were learned."""
        with np.load(_FILE, allow_pickle=False) as kept:
            named = {name: kept[name].astype(np.float32) for name in kept.files}
        return cls([(named[f"weights{k}"], named[f"at{k}"]) for k in range(len(named) // 2)])

    def ratios(self, figures: Singles) -> Floats:
        """How much likelier each checker (n x figures) bears another than not (nats)."""
        said = figures[None]
        for weights, at in self.layers[:-1]:
            said = np.maximum(said @ weights + at[:, None], 0)
        weights, at = self.layers[-1]
        told = (said @ weights + at[:, None])[..., 0]
        lift = np.maximum(figures[:, 0], 0) / LIFT_SCALE
        believed = lift**4 / (lift**4 + FAINT_LIFT**4)
        return np.asarray(believed * (MOST_NATS * np.tanh(told / MOST_NATS)).mean(axis=0), np.float64)
