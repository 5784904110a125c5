"""Writes files of samples, and labels hidden places."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from vision.comparator import OTHER

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Samples = dict[str, NDArray[Any]]

COVERED, UNCLEAR = 0.25, 0.04
"""Hidden share of a place from which it is OTHER, and from which it is not labelled."""


def cover(label: NDArray[np.float32], hidden: NDArray[np.uint8]) -> None:
    """Set a label (chances of the four classes) to OTHER if a hand or a die hides the place, to 0 if one might.

    `hidden`: how much of each pixel around the place is hidden, 0 to 255.
    """
    share = hidden.mean() / 255
    if share > COVERED:
        label[:] = 0
        label[OTHER] = 1
    elif share > UNCLEAR:
        label[:] = 0


def write_samples(draw: Callable[[np.random.Generator], Samples]) -> None:
    """Write samples of many boards from `draw`; the command line has the file, the number of boards and the seed."""
    out, boards, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    cv2.setNumThreads(1)
    cv2.setRNGSeed(seed)
    chance = np.random.default_rng(seed)
    drawn = [draw(chance) for _ in range(boards)]
    np.savez(out, **{name: np.stack([one[name] for one in drawn]) for name in drawn[0]})
