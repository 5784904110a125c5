"""Caches models of a board by the exposure of the pictures; each exposure saturates other colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Singles = NDArray[np.float32]

_STEP, _SLACK = 0.06, 0.1
"""Step of the gains that have a model of their own (natural logarithm), and the part of a step that is rounded down
instead of up. The step is finer than the spread of the slots' features."""
_KEPT = 4
"""Number of models in the cache. Each takes about 4 MB; light that flickers or fades needs two."""

T = TypeVar("T")


class Exposures(Generic[T]):
    """A least-recently-used cache of one board's models, one for each step of gain.

    All channels count as bright as the brightest. The result depends only on the gain, never on earlier calls. When
    lamps flicker around the border between two steps, both models stay in the cache.
    """

    def __init__(self, make: Callable[[Singles], T], kept: int = _KEPT) -> None:
        """`make(gain)` makes the model for pictures brighter by `gain` (B, G, R); `kept` is the size of the cache."""
        self._make = make
        self._kept = kept
        self._made: dict[int, T] = {}

    def transferred(self, make: Callable[[Singles], T]) -> Exposures[T]:
        """A copy for the same board in another place: it keeps the cached models, `make` makes new ones."""
        copy = Exposures(make, self._kept)
        copy._made = dict(self._made)
        return copy

    def under(self, gain: Singles) -> T:
        """The model for pictures brighter by `gain` (B, G, R) than the calibration picture."""
        step = max(int(np.ceil(np.log(gain).max() / _STEP - _SLACK)), 0)  # darker pictures do not saturate
        model = self._made.pop(step, None)
        if model is None:
            if len(self._made) >= self._kept:
                self._made.pop(next(iter(self._made)))
            model = self._make(np.full(3, np.exp(step * _STEP), np.float32))
        self._made[step] = model  # at the end: the first entry is the least recently used
        return model


def ceiling_of(gain: Singles) -> Singles:
    """Grey level (B, G, R), after division by `gain`, at which the sensor saturates."""
    return np.minimum(255 / gain, 255).astype(np.float32)
