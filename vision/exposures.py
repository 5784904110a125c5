"""A board at one brightness of pictures or another: what a sensor cuts off cannot be divided back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Singles = NDArray[np.float32]

_STEP, _SLACK = 0.06, 0.1
"""Gains are told apart in steps of this (natural logarithm), rounded up but for a tenth of a step: finer than what the
spread of the figures allows for."""
_KEPT = 12

T = TypeVar("T")


class Exposures(Generic[T]):
    """Models of one board under several gains, each made when it is first needed."""

    def __init__(self, make: Callable[[Singles], T]) -> None:
        """`make(gain)` makes the model for pictures that are brighter (B, G, R) by `gain`."""
        self._make = make
        self._made: dict[tuple[int, ...], T] = {}

    def under(self, gain: Singles) -> T:
        """The model for pictures brighter by `gain` than the one that the board was learned from."""
        steps = np.ceil(np.log(gain) / _STEP - _SLACK)
        key = tuple(int(step) for step in np.maximum(steps, 0))  # darker pictures are not cut off
        if key not in self._made:
            if len(self._made) >= _KEPT:
                self._made.pop(next(iter(self._made)))
            self._made[key] = self._make(np.exp(np.array(key) * _STEP).astype(np.float32))
        return self._made[key]


def ceiling_of(gain: Singles) -> Singles:
    """Grey level (B, G, R), after levelling, above which the sensor tells nothing apart."""
    return np.minimum(255 / gain, 255).astype(np.float32)
