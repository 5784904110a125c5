"""The networks' inputs: the checkers on each point, and strategic features such as pips, shots, primes and anchors."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.core import CHECKERS
from companion.hints.network.rows import BAR, HALF, Rows, hindmost
from companion.hints.network.shots import shots

Floats = npt.NDArray[np.float32]
THERMOMETER = np.array([[n == 1, n >= 2, n >= 3, max(n - 3, 0) / 2] for n in range(16)], np.float32)
"""Four inputs for the checkers on a point (after G. Tesauro's, 1992)."""
ON_BOARD = 4 * 2 * BAR
ESCAPES_FROM = slice(18, 25)
"""Points, less one, for which a checker's escapes are an input: the opponent's home board and the bar."""


def _escapes() -> npt.NDArray[np.uint8]:
    """Rolls of 36 with which one checker moves both numbers, by the points closed 1 (bit 0) to 12 (bit 11) away."""
    masks = np.arange(1 << 12)
    found = np.zeros(1 << 12, np.uint8)
    for a in range(6):
        for b in range(a + 1):
            stopped = (masks >> a & masks >> b | masks >> (a + b + 1)) & 1
            found += ((1 - stopped) * (1 + (a != b))).astype(np.uint8)
    return found


ESCAPES = _escapes()


def checkers(rows: Rows) -> Floats:
    """The checkers on points and bar, shape (positions, ON_BOARD)."""
    on_board = rows.reshape(-1, 2, HALF)[:, :, 1:].reshape(-1, 2 * BAR)
    return THERMOMETER[on_board].reshape(-1, ON_BOARD)


def strategy(rows: Rows) -> Floats:
    """Strategic features, shape (positions, STRATEGY): first the roller's, then the opponent's."""
    halves = np.ascontiguousarray(rows.reshape(-1, 2, HALF).transpose(1, 2, 0))
    mine, theirs = _side(halves[0], halves[1]), _side(halves[1], halves[0])
    return np.ascontiguousarray(np.concatenate((mine, theirs)).T)


def _side(own: npt.NDArray[np.int8], other: npt.NDArray[np.int8]) -> Floats:
    """Strategic features of the player with counts `own`, shape (features, positions)."""
    points = np.arange(HALF, dtype=np.float32)
    count = own.shape[1]
    held = own.astype(np.float32)
    last = hindmost(own)
    front = BAR - hindmost(other)  # a player past this point has no more contact
    behind = np.maximum(points[:, None] - front, 0)
    pips = points @ held
    closed = other[24:0:-1] >= 2  # index p - 1: the opponent holds the player's point p
    wall = _bits(closed)
    escapes = np.stack([ESCAPES[wall >> (BAR - p) & 0xFFF] for p in range(1, HALF)]) * np.float32(1 / 36)
    contained = 1 - escapes[14:24]
    free = escapes * held[1:]
    outside = np.maximum(np.arange(1, HALF, dtype=np.float32) - 6, 0)
    shut = closed[18:].sum(axis=0) / np.float32(6)
    back = own[19:BAR] >= 2
    anchors = back.sum(axis=0)
    made = _bits(own[1:BAR] >= 2)
    runs = [made]
    for length in range(1, 6):
        runs.append(runs[-1] & made >> length)
    mean = pips / CHECKERS
    spread = (np.maximum(points[:, None] - mean, 0) ** 2 * held).sum(axis=0)
    figures = [
        pips / 100,
        own[0] / np.float32(CHECKERS),
        own[0] > 0,
        own[0] > 7,
        last / np.float32(25),
        (behind * held).sum(axis=0) / 100,
        ((behind > 0) * held).sum(axis=0) / CHECKERS,
        *shots(own, other),
        escapes[np.maximum(last - 1, 0).astype(np.int64), np.arange(count)],
        *escapes[ESCAPES_FROM],
        contained.max(axis=0),
        contained.max(axis=0) ** 2,
        (outside @ free) / 50,
        free[18:].sum(axis=0) / 4,
        shut**2,
        (own[BAR] > 0) * shut**2,
        (own[BAR] > 0) * shut,
        (own[BAR] > 1) * (1 - (1 - shut) ** 2),
        anchors / np.float32(3),
        anchors > 0,
        anchors > 1,
        (held[19:].sum(axis=0) * (anchors > 1)) / np.float32(6),
        np.where(back.any(axis=0), back.argmax(axis=0), 6) / np.float32(6),
        *(run != 0 for run in runs[2:]),
        spread / 400,
        (own[1:BAR] == 1).sum(axis=0) / np.float32(5),
    ]
    return np.stack([np.asarray(figure, np.float32) for figure in figures])


def _bits(points: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """A mask of 24 points for each position, point p at bit 24 - p; `points` has shape (24, positions)."""
    high, middle, low = np.packbits(points, axis=0).astype(np.int64)
    return np.asarray(high << 16 | middle << 8 | low)


def inputs(rows: Rows) -> Floats:
    """All inputs of a network, shape (positions, INPUTS)."""
    return np.concatenate((checkers(rows), strategy(rows)), axis=1)


STRATEGY = strategy(np.zeros((1, 2 * HALF), np.int8)).shape[1]
INPUTS = ON_BOARD + STRATEGY
