"""From the slots of a framed board to the numbers of checkers on its points and on the bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from companion.core import CHECKERS, FULL_ROW, CellReading
from vision.backgammon.layout import FAR_BAR, NEAR_BAR
from vision.board import BLACK, EMPTY, POINTS, SURE_NATS, WHITE, Counts, count_row, log_add

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vision.backgammon.layout import Rows
    from vision.board import Slot


_ON_TOP_NATS = (1.2, 0.6)
"""Prior cost of a second layer on a full row, and of each further checker in it."""
_ON_TOP_SHORT_NATS = (7.0, 3.0)
"""The same on a row that is not full."""
_ON_TOP_ON_BAR_NATS = (5.2, 3.0)
"""The same on the bar, where players pile checkers at once. It leaves a single one certain (`CERTAIN_NATS`), and a
second one to the referee, who knows that one was hit: a checker that lacks costs more than both together."""
_MIXED_NATS = 5.0
"""Prior cost of checkers of both sides on one point, where no play puts them. Without it one picture of 312 is wrong:
white checkers are hardly seen on white points, and the sum of fifteen took a bare place beside red ones for the lacking
one. With it none is lost, and a real one is still read where it is seen clearly."""
_SAME_DIAMETERS, _CLEARLY_SAME_DIAMETERS = 0.8, 0.6
"""Least distance between places on the bar, in diameters, and that between two at which checkers are seen: nearer ones
show the same checker. In 3,670 looks all 11 second detections of one were nearer than 0.55, and all ten from 0.67 to
0.8 were other checkers, on boards whose learned depth is a little off."""
_MANY_IN_DOUBT, _NONE_NATS = 3, 2.0
"""Number of doubtful checkers on the bar from which they count as one error, and how much less likely than the
likeliest content (nats) it then is that none of them is there. On a board that moved by six pixels, six places of a
dark bar looked like dark checkers, and the sum of fifteen made two of them certain."""


def add_layers(counts: Mapping[tuple[int, int], float], on_top: Sequence[float] = (), *, bar: bool = False) -> Counts:
    """Counts of a row with second and third layers added to its checkers on the bed; only rows of one colour get them.

    `on_top`: log-likelihood ratios (nats) that 1, 2, ... of the row's checkers carry another one; empty if not
    examined. `bar`: whether the row lies there.
    """
    totals = [0.0, *on_top]
    total = dict(counts)
    for (white, black), nats in counts.items():
        on_bed = white + black
        if not on_bed or (white and black):
            continue
        on_points = _ON_TOP_NATS if on_bed >= FULL_ROW else _ON_TOP_SHORT_NATS
        first, further = _ON_TOP_ON_BAR_NATS if bar else on_points
        for more in range(1, min(2 * on_bed, CHECKERS - on_bed) + 1):
            cost = first + further * (more - 1)
            key = (white + more, 0) if white else (0, black + more)
            seen = totals[min(more, on_bed, len(totals) - 1)]
            total[key] = log_add(total.get(key), nats - cost + seen)
    return total


def cells(read: list[list[Slot]], rows: Rows, on_top: Mapping[int, Sequence[float]]) -> tuple[CellReading, ...]:
    """Read the points and the bar of a backgammon board (26 cells); `on_top` is by point, see `add_layers`."""
    readings = [
        CellReading.of(_less_mixed(add_layers(count_row(read[point], gaps=False), on_top.get(point, ()))))
        for point in range(POINTS)
    ]
    on_bar = bar_slots(read, rows)
    bar = _with_common_error(add_layers(count_row(on_bar, gaps=True), bar=True), on_bar)
    white: Counts = {}
    black: Counts = {}
    for (of_white, of_black), nats in bar.items():
        white[of_white, 0] = log_add(white.get((of_white, 0)), nats)
        black[0, of_black] = log_add(black.get((0, of_black)), nats)
    readings += [CellReading.of(white), CellReading.of(black)]
    return tuple(readings)


def _less_mixed(counts: Counts) -> Counts:
    """The counts of a point, with those of both sides' checkers less likely."""
    return {(white, black): nats - _MIXED_NATS * bool(white and black) for (white, black), nats in counts.items()}


def _with_common_error(bar: Counts, slots: Sequence[Slot]) -> Counts:
    """The counts of the bar, with none of the doubtful checkers likely if there are many of them.

    What makes the empty bar look like a checker at one place, as an edge that moved, does so at others.
    """
    held = [slot for slot in slots if slot.holder != EMPTY]
    sure = [slot.holder for slot in held if slot.margin_nats > SURE_NATS]
    if len(held) - len(sure) < _MANY_IN_DOUBT:
        return bar
    none = sure.count(WHITE), sure.count(BLACK)
    return {**bar, none: max(bar.get(none, -np.inf), max(bar.values()) - _NONE_NATS)}


def bar_slots(read: Sequence[Sequence[Slot]], rows: Rows) -> list[Slot]:
    """The slots of both halves of the bar, without those that overlap a checker already found."""
    slots = sorted([*read[NEAR_BAR], *read[FAR_BAR]], key=lambda slot: (slot.foreign, slot.nats[EMPTY]))
    kept: list[Slot] = []
    for slot in slots:
        found = [other for other in kept if other.holder != EMPTY]
        least = rows.diameter * (_SAME_DIAMETERS if slot.holder == EMPTY else _CLEARLY_SAME_DIAMETERS)
        if all(np.hypot(slot.x - other.x, slot.y - other.y) > least for other in found):
            kept.append(slot)
    return kept
