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
_KEPT = 4
"""So many are kept, those used last: each takes some 4 MB, and a light that flickers or fades needs two."""

T = TypeVar("T")


class Exposures(Generic[T]):
    """Models of one board under several gains, each made when it is first needed.

    All channels are taken for as bright as the brightest. What is answered never depends on what was asked before: of
    lamps that flicker about the border of two steps, both models are soon there, and kept.
    """

    def __init__(self, make: Callable[[Singles], T], kept: int = _KEPT) -> None:
        """`make(gain)` makes the model for pictures that are brighter (B, G, R) by `gain`; `kept` at most are kept."""
        self._make = make
        self._kept = kept
        self._made: dict[int, T] = {}

    def transferred(self, make: Callable[[Singles], T]) -> Exposures[T]:
        """The same models for the board in another place, where `make` makes further ones."""
        transferred = Exposures(make, self._kept)
        transferred._made = dict(self._made)
        return transferred

    def under(self, gain: Singles) -> T:
        """The model for pictures brighter by `gain` than the one that the board was learned from."""
        step = max(int(np.ceil(np.log(gain).max() / _STEP - _SLACK)), 0)  # darker pictures are not cut off
        model = self._made.pop(step, None)
        if model is None:
            if len(self._made) >= self._kept:
                self._made.pop(next(iter(self._made)))
            model = self._make(np.full(3, np.exp(step * _STEP), np.float32))
        self._made[step] = model  # the last used is the last to go
        return model


def ceiling_of(gain: Singles) -> Singles:
    """Grey level (B, G, R), after levelling, above which the sensor tells nothing apart."""
    return np.minimum(255 / gain, 255).astype(np.float32)
