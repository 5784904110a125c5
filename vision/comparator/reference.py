"""Reference looks: later looks at a board are read by comparison with one in which the position is known."""

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
"""Log-odds that a place that is unchanged (see `ReferenceLook.unchanged`) still has the same content. On drawn boards
with men of their squares' colours, haze and moving lamps, 8 of 2800 such places had changed."""
_CORE = slice(PATCH_PX // 2 - 10, PATCH_PX // 2 + 10)
"""Slice of a patch that is compared for changes: its own cell."""
_CORNERS = [0, 1, 2, -3, -2, -1]
"""Rows and columns of a cell that meet in its corners."""
_MEDIAN_FACTOR = 2.0
"""Largest change of an unchanged place, relative to the median of all: noise, and imperfect correction of the light. In
filmed turns of photographs 98 % are below, and places that did change are above 7."""
_CONTRAST_SHARE = 0.25
"""Largest change of an unchanged place, relative to what another content would change."""


def turned(patches: Any, turn: int) -> Any:
    """Patches (n x h x w x c) mirrored along x (bit 0), along y (bit 1), and transposed (bit 2).

    The mean of the eight readings is more accurate than one of them.
    """
    if turn & 1:
        patches = patches[..., ::-1, :]
    if turn & 2:
        patches = patches[..., ::-1, :, :]
    return np.swapaxes(patches, -3, -2) if turn & 4 else patches


def compare_changes(changes: Floats | Singles, contrasts: Floats | Singles) -> tuple[Bools, Bools]:
    """Masks of the places that changed as most did, and of those that changed far less than another content would.

    Both hold where a place is unchanged. `changes`: of all places, in grey levels; `contrasts`: by another content.
    """
    usual, little = changes <= _MEDIAN_FACTOR * np.median(changes), changes < _CONTRAST_SHARE * contrasts
    return np.asarray(usual), np.asarray(little)


class ReferenceLook:
    """A look at a board with known contents; later patches are compared with it.

    `complete`: whether it has every class except OTHER; otherwise it cannot be used alone. `blind`: mask (n) of the
    places at which nothing could be seen.
    """

    def __init__(self, patches: Picture, places: Floats, kinds: Ints, held: Ints, blind: Bools | None = None) -> None:
        """Arguments: all places' patches (n x PATCH_PX x PATCH_PX x 3, BGR), those of `nearby`, and `blind` if any."""
        self.held = held
        self.blind = np.zeros(len(held), bool) if blind is None else blind
        self._patches, self._layout = patches, (places, kinds)
        self._reference_weights = nearby(places, kinds, held)
        self._one_hot = np.eye(CLASSES, dtype=np.float32)[held][:, :OTHER]
        self._encoded: dict[int, tuple[Singles, Singles]] = {}
        self.complete = all((held == label).any() for label in (EMPTY, WHITE, BLACK))

    def compared(self, patches: Picture, places: Ints, turns: int = 1) -> Singles:
        """Log-probabilities of the classes (n x CLASSES) of patches of some places, in the light of this look.

        `turns`: mirrored and turned images that are averaged, at most 8.
        """
        one_hot = self._one_hot[places]

        def scores(turn: int) -> Singles:
            maps, prototypes = self._maps(turn)
            own = maps[places] * one_hot.sum(axis=1)[:, None, None, None]
            return np.asarray(compare(np, load_weights(), _encoded(patches, turn), prototypes[:, places], own, one_hot))

        return _mean_logs(scores, turns)

    def by_others(self, turns: int = 1) -> Singles:
        """Leave-one-out log-probabilities (n x CLASSES) of this look's own places."""
        near = nearby(*self._layout, self.held, own=False)

        def scores(turn: int) -> Singles:
            maps, _ = self._maps(turn)
            unused = np.zeros_like(maps), np.zeros_like(self._one_hot)
            return np.asarray(compare(np, load_weights(), maps, _weighted_means(near, maps), *unused))

        return _mean_logs(scores, turns)

    def _maps(self, turn: int) -> tuple[Singles, Singles]:
        """Maps of all places and their prototypes (3 x n x maps), in a turned image."""
        if turn not in self._encoded:
            maps = _encoded(self._patches, turn)
            self._encoded[turn] = maps, _weighted_means(self._reference_weights, maps)
        return self._encoded[turn]

    def unchanged(self, patches: Picture) -> Bools:
        """Mask (n) of the places whose patches (all of them, in order) show no change of content."""
        usual, little = compare_changes(np.abs(_cores(patches) - self._cores).mean(axis=1), self._contrast)
        return np.asarray(usual & little & self._one_hot.any(axis=1))

    @cached_property
    def _cores(self) -> Singles:
        return _cores(self._patches)

    @cached_property
    def _contrast(self) -> Singles:
        """Least mean change (n, grey levels) that another class would cause at each place.

        References lie elsewhere, perhaps in another light. So a man's contrast is also measured against its own bed.
        """
        on_bed, bare = _bed_contrast(self._patches), self._one_hot[:, EMPTY] == 1
        least = np.where(bare, np.inf, on_bed)
        for label in (EMPTY, WHITE, BLACK):
            weights = self._reference_weights[label]
            other = (weights.sum(axis=1) > 0) & (self._one_hot[:, label] == 0)
            change = np.abs(self._cores - weights @ self._cores).mean(axis=1)
            if label != EMPTY:
                change = np.where(bare, np.minimum(change, weights @ on_bed), change)
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


def _weighted_means(near: Singles, maps: Singles) -> Singles:
    """Means (3 x n x maps) of maps (n of them), weighted by `nearby`."""
    return np.asarray((near.reshape(-1, len(maps)) @ maps.reshape(len(maps), -1)).reshape(3, *maps.shape), np.float32)


def _bed_contrast(patches: Picture) -> Singles:
    """Mean difference (n, grey levels) of each cell from the colour of its corners, which a man leaves bare."""
    cells = patches[:, _CORE, _CORE].astype(np.float32)
    corners = cells[:, _CORNERS][:, :, _CORNERS].reshape(len(cells), -1, 3)
    return np.asarray(np.abs(cells - np.median(corners, axis=1)[:, None, None]).mean(axis=(1, 2, 3)))


def _cores(patches: Picture) -> Singles:
    return patches[:, _CORE, _CORE].reshape(len(patches), -1).astype(np.float32)
