"""The network that compares a place with references from the same board: empty, White's checker, Black's checker.

Its inputs are a patch around the place; the mean patches of empty places, White's and Black's in a reference look,
weighted towards nearby ones; and the same place in that look with its content. It has learned to compare, not what
checkers look like, so that it generalises to other makes. `training/comparator.py` trained it on drawn boards.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from vision.arrays import Floats, Ints, Singles

    Weights = dict[str, Any]

EMPTY, WHITE, BLACK, OTHER = range(4)
"""Classes of a place. `OTHER`: something hides it, such as a hand or a die."""
CLASSES = 4
_REFERENCE_SD_CELLS = 1.3
"""Standard deviation of the Gaussian weights of references by distance, in cells."""


def _patches(xp: ModuleType, maps: Any, size: int, stride: int) -> Any:
    """Neighbourhoods (n x h x w x size² c) of maps (n x h x w x c) with a border of one."""
    if xp is np:
        return _strided_patches(maps, size, stride)
    maps = xp.pad(maps, ((0, 0), (1, 1), (1, 1), (0, 0)))
    reach = maps.shape[1] - size + 1
    shifts = [maps[:, y : y + reach : stride, x : x + reach : stride] for y in range(size) for x in range(size)]
    return xp.concatenate(shifts, axis=-1)


def _strided_patches(maps: Singles, size: int, stride: int) -> Singles:
    """`_patches` for NumPy by one strided copy, in half of the time."""
    count, down, across, channels = maps.shape
    padded = np.zeros((count, down + 2, across + 2, channels), maps.dtype)
    padded[:, 1:-1, 1:-1] = maps
    each, line, pixel, channel = padded.strides
    shape = (count, (down + 2 - size) // stride + 1, (across + 2 - size) // stride + 1, size, size * channels)
    strides = (each, stride * line, stride * pixel, line, channel)
    windows = np.lib.stride_tricks.as_strided(padded, shape, strides, writeable=False)
    return windows.reshape(*shape[:3], -1)


def _convolve(xp: ModuleType, weights: Weights, name: str, maps: Any, stride: int) -> Any:
    """Convolve maps (n x h x w x c) with the kernel of that name and add its bias; zero padding of one."""
    kernel = weights[name]
    patches = _patches(xp, maps, kernel.shape[0], stride)
    return _multiplied(patches, kernel.reshape(-1, kernel.shape[-1])) + weights[f"{name}_bias"]


def _multiplied(maps: Any, matrix: Any) -> Any:
    """Maps (n x h x w x c) times a matrix (c x d), as one product: NumPy would make one of each line of each map."""
    return (maps.reshape(-1, maps.shape[-1]) @ matrix).reshape(*maps.shape[:-1], -1)


def _normalise(xp: ModuleType, maps: Any) -> Any:
    """Layer normalisation over the channels, then ReLU."""
    away = maps - maps.mean(axis=-1, keepdims=True)
    return xp.maximum(away / xp.sqrt((away * away).mean(axis=-1, keepdims=True) + 1e-4), 0)


def encode(xp: ModuleType, weights: Weights, patches: Any) -> Any:
    """Maps (n x 9 x 9 x channels) of patches (n x PATCH_PX x PATCH_PX x 3, BGR, 0 to 1)."""
    return encoded(xp, weights, (xp.sqrt(patches) - 0.62) * 3.2)


def encoded(xp: ModuleType, weights: Weights, inputs: Any) -> Any:
    """Maps (n x size/4 x size/4 x channels) of inputs (n x size x size x c): three convolutions."""
    maps = xp.maximum(_convolve(xp, weights, "first", inputs, 2), 0)
    maps = xp.maximum(_convolve(xp, weights, "second", maps, 2), 0)
    return xp.maximum(_convolve(xp, weights, "third", maps, 1), 0)


def compare(xp: ModuleType, weights: Weights, seen: Any, prototypes: Any, same: Any, held: Any) -> Any:
    """Logits (n x CLASSES) of the places' contents.

    Args:
        xp: numpy, or jax.numpy in training.
        weights: of the network.
        seen: maps of the places to read.
        prototypes: EMPTY, WHITE and BLACK references of each (3 x n x maps).
        same: maps of the same places in the reference look; zeros where they are not to be used.
        held: contents of these places, one-hot (n x 3); zeros where they are not to be used.
    """
    contents = xp.broadcast_to(held[:, None, None], (*seen.shape[:3], 3))
    parts = [seen, *prototypes, *(xp.abs(seen - one) for one in prototypes), xp.abs(seen - same), contents]
    return judged(xp, weights, parts)


def judged(xp: ModuleType, weights: Weights, parts: Sequence[Any]) -> Any:
    """Outputs (n x outputs) of the last layers, from maps (each n x height x width x c) concatenated by channel."""
    maps = _normalise(xp, _multiplied(xp.concatenate(parts, axis=-1), weights["compare"]) + weights["compare_bias"])
    maps = _normalise(xp, _convolve(xp, weights, "around", maps, 2))
    flat = xp.concatenate([maps.reshape(maps.shape[0], -1), maps.mean(axis=(1, 2)), maps.max(axis=(1, 2))], axis=-1)
    dense = xp.maximum(flat @ weights["dense"] + weights["dense_bias"], 0)
    return dense @ weights["last"] + weights["last_bias"]


def nearby(places: Floats, kinds: Ints, held: Ints, own: bool = True) -> Singles:
    """Weights (3 x n x n) of the references of each class for each place; rows sum to 1, or 0 if there are none.

    `places` are in cells. Empty references are of the place's own kind of bed (`kinds`). `held`: class of each place in
    the reference look; OTHER is no reference. `own`: whether a place is among its own references.
    """
    squared = ((places[:, None] - places[None]) ** 2).sum(axis=2)
    weights = np.zeros((3, len(places), len(places)), np.float32)
    for label in (EMPTY, WHITE, BLACK):
        fits = np.broadcast_to(held == label, squared.shape)
        if label == EMPTY:
            fits = fits & (kinds[:, None] == kinds[None])
        if not own:
            fits = fits & ~np.eye(len(places), dtype=bool)
        away = np.where(fits, squared, np.inf)
        known = np.isfinite(away).any(axis=1)
        weights[label, known] = shares_by_distance(away[known], _REFERENCE_SD_CELLS)
    return weights


def shares_by_distance(squared: Floats, spread: float) -> Singles:
    """Weights of references by their squared distances (n x references, inf for none of them); rows sum to 1."""
    share = np.exp(-(squared - squared.min(axis=1, keepdims=True)) / (2 * spread**2))
    return np.asarray(share / share.sum(axis=1, keepdims=True), np.float32)


@cache
def load_weights(package: str = __package__, file: str = "comparator.npz") -> Weights:
    """Weights kept in a file of a package, in single precision; this network's own by default."""
    with resources.files(package).joinpath(file).open("rb") as opened, np.load(opened) as kept:
        return {name: kept[name].astype(np.float32) for name in kept.files}
