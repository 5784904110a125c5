"""A look at a board in a known position; the contents of later looks are read by comparison with it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.comparator.cells import PATCH_PX
from vision.comparator.network import BLACK, CLASSES, EMPTY, OTHER, WHITE, compare, encode, load_weights, nearby

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.arrays import Bools, Floats, Ints, Picture, Singles


UNCHANGED_NATS = 6.0
"""Log-odds that a place that has not changed by the measure of `ReferenceLook.unchanged` holds what it held. On drawn
boards with men of their squares' colours, haze and moving lamps, 8 of 2800 such places had changed."""
_CORE = slice(PATCH_PX // 2 - 10, PATCH_PX // 2 + 10)
"""The pixels of a patch that are compared for changes: its own cell."""
_USUAL_FACTOR = 2.0
"""Largest change of an unchanged place, relative to the median of all: noise, and light that is not quite evened out.
In filmed turns of photographs 98 % are below, and places that did change are above 7."""
_CONTRAST_SHARE = 0.25
"""Largest change of an unchanged place, relative to what another content would change."""


def turned(patches: Any, turn: int) -> Any:
    """Patches mirrored along x (bit 0), along y (bit 1), and with both exchanged (bit 2).

    The mean of the eight readings errs less often than one of them.
    """
    if turn & 1:
        patches = patches[..., ::-1, :]
    if turn & 2:
        patches = patches[..., ::-1, :, :]
    return np.swapaxes(patches, -3, -2) if turn & 4 else patches


class ReferenceLook:
    """A look at a board with known contents; later patches are compared with it.

    `complete`: whether it has every class except OTHER; otherwise it cannot be used alone.
    """

    def __init__(self, patches: Picture, places: Floats, kinds: Ints, held: Ints) -> None:
        """Arguments: all places' patches (n x PATCH_PX x PATCH_PX x 3, BGR), and those of `nearby`."""
        self.held = held
        self._patches, self._where = patches, (places, kinds)
        self._near = nearby(places, kinds, held)
        self._told = np.eye(CLASSES, dtype=np.float32)[held][:, :OTHER]
        self._encoded: dict[int, tuple[Singles, Singles]] = {}
        self.complete = all((held == label).any() for label in (EMPTY, WHITE, BLACK))

    def compared(self, patches: Picture, places: Ints, turns: int = 1) -> Singles:
        """Log-probabilities of the classes (n x CLASSES) of patches of some places, in the light of this look.

        `turns`: mirrored and turned images that are averaged, at most 8.
        """
        told = self._told[places]

        def scores(turn: int) -> Singles:
            maps, prototypes = self._maps(turn)
            own = maps[places] * told.sum(axis=1)[:, None, None, None]
            return np.asarray(compare(np, load_weights(), _encoded(patches, turn), prototypes[:, places], own, told))

        return _mean_logs(scores, turns)

    def by_others(self, turns: int = 1) -> Singles:
        """Log-probabilities (n x CLASSES) of this look's own places, each compared with the others alone."""
        near = nearby(*self._where, self.held, own=False)

        def scores(turn: int) -> Singles:
            maps, _ = self._maps(turn)
            unused = np.zeros_like(maps), np.zeros_like(self._told)
            return np.asarray(compare(np, load_weights(), maps, _means(near, maps), *unused))

        return _mean_logs(scores, turns)

    def _maps(self, turn: int) -> tuple[Singles, Singles]:
        """Maps of all places and their prototypes (3 x n x maps), in a turned image."""
        if turn not in self._encoded:
            maps = _encoded(self._patches, turn)
            self._encoded[turn] = maps, _means(self._near, maps)
        return self._encoded[turn]

    def unchanged(self, patches: Picture) -> Bools:
        """Mask of the places (all of them, in order) that look unchanged, measured against this board's own changes.

        The change must be as small as most places' changes, and far smaller than any other content would make it.
        """
        change = np.abs(_cores(patches) - self._cores).mean(axis=1)
        usual = change <= _USUAL_FACTOR * np.median(change)
        return np.asarray(usual & (change <= _CONTRAST_SHARE * self._contrast) & self._told.any(axis=1))

    @cached_property
    def _cores(self) -> Singles:
        return _cores(self._patches)

    @cached_property
    def _contrast(self) -> Singles:
        """Mean change (grey levels) of each place for the other class that would change it least."""
        least = np.full(len(self._cores), np.inf, np.float32)
        for label in (EMPTY, WHITE, BLACK):
            other = (self._near[label].sum(axis=1) > 0) & (self._told[:, label] == 0)
            change = np.abs(self._cores - self._near[label] @ self._cores).mean(axis=1)
            least[other] = np.minimum(least[other], change[other])
        return least


def _mean_logs(scores: Callable[[int], Singles], turns: int) -> Singles:
    """Mean of the log-probabilities (n x CLASSES) from the network's scores in several turned images."""
    each = (scores(turn) for turn in range(turns))
    total = sum(one - np.logaddexp.reduce(one, axis=1, keepdims=True) for one in each)
    return np.asarray(total / np.float32(turns))


def _encoded(patches: Picture, turn: int) -> Singles:
    """Maps of patches in a turned image."""
    return np.asarray(encode(np, load_weights(), turned(patches, turn).astype(np.float32) / 255))


def _means(near: Singles, maps: Singles) -> Singles:
    """Means (3 x n x maps) of maps (n of them), weighted by `nearby`."""
    return np.asarray((near.reshape(-1, len(maps)) @ maps.reshape(len(maps), -1)).reshape(3, *maps.shape), np.float32)


def _cores(patches: Picture) -> Singles:
    return patches[:, _CORE, _CORE].reshape(len(patches), -1).astype(np.float32)
