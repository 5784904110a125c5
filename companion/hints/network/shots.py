"""Shots, escapes and blockades of many positions at once.

Arrays have the points first and the positions last: shape (26, positions), index 0 off, 25 the bar, as in a row's half.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt

from companion.hints.network.rows import BAR

Counts = npt.NDArray[np.int8]
Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]


def shots(own: Counts, other: Counts) -> Floats:
    """For the player `own`, about to roll: the share of rolls that hit a blot, and the mean pips that the hits cost.

    The pips are those of the best single hit of a roll, in units of 25. Shape (2, positions). Second hits of a play are
    not counted, nor hits with a double after two checkers have entered.
    """
    targets = other[24:0:-1]  # index t - 1 for the point t in own numbers
    worth = (targets == 1) * np.arange(1, BAR, dtype=np.uint8)[:, None]
    free = targets < 2
    there = own[1:] > 0
    on_bar = own[BAR]
    board = there.copy()
    board[BAR - 1] = False
    direct = [(board[die:24] * worth[: 24 - die]).max(axis=0) for die in range(1, 7)]
    entered = [worth[24 - die] for die in range(1, 7)]
    enters = [free[24 - die] for die in range(1, 7)]
    none, one = on_bar == 0, on_bar == 1
    total = np.zeros((2, own.shape[1]), np.float32)
    for a, b in combinations(range(1, 7), 2):
        both = a + b
        way = board[both:24] & (free[a : 24 - b] | free[b : 24 - a])
        quiet = np.maximum(direct[a - 1], direct[b - 1])
        if both < 24:
            quiet = np.maximum(quiet, (way * worth[: 24 - both]).max(axis=0))
        after_bar = np.maximum(enters[a - 1] * direct[b - 1], enters[b - 1] * direct[a - 1])
        on = (enters[a - 1] | enters[b - 1]) * worth[24 - both]
        best = np.maximum(entered[a - 1], entered[b - 1])
        best = np.where(none, quiet, np.where(one, np.maximum(best, np.maximum(after_bar, on)), best))
        total += 2 * np.stack((best > 0, best))
    for a in range(1, 7):
        best = np.where(none, _doubled(board, free, worth, a, 4), entered[a - 1])
        later = enters[a - 1] * _doubled(there, free, worth, a, 3)
        best = np.where(one, np.maximum(best, later), best)
        total += np.stack((best > 0, best))
    return total * np.array([[1 / 36], [1 / 900]], np.float32)


def _doubled(there: npt.NDArray[np.bool_], free: npt.NDArray[np.bool_], worth: Bytes, die: int, most: int) -> Bytes:
    """The best hit of one checker that moves `die` up to `most` times."""
    best: Bytes = np.zeros(there.shape[1], np.uint8)
    moving = there
    for _ in range(most):
        moving = moving[die:]  # index t - 1: a checker can have come to t
        reached = moving[:24]
        best = np.maximum(best, (reached * worth[: len(reached)]).max(axis=0))
        moving = reached & free[: len(reached)]
        if len(moving) <= die:
            break
    return best
