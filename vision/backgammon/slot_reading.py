"""Read the rows of a framed board: slots from the edge inwards, and counts a point."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.core import CHECKERS, FULL_ROW, CellReading
from vision.backgammon.layout import FAR_BAR, NEAR_BAR, NO_CHECKER, ROWS, SLOTS
from vision.backgammon.slot_model import LASTS
from vision.board import BLACK, EMPTY, POINTS, SURE_NATS, WHITE, Counts, Slot, count_row, discs, log_add

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from vision.arrays import Bools, Floats, Ints, Singles
    from vision.backgammon.layout import Rows
    from vision.backgammon.slot_model import SlotModel
    from vision.backgammon.uncovered import CheckersInView
    from vision.board import Figures
    from vision.imaging import DrawingSeen


LEAST_ROW = 4
"""Shortest row that is examined for a second layer where fifteen checkers are to be seen. Players begin one when the
row is full."""
_FOREIGN_DISTANCE = 60.0
"""Squared Mahalanobis distance to the nearest class above which a slot holds a foreign object."""
_FOREIGN_NATS = 2.0
"""Largest lead (nats) of a class in such a slot."""
_CERTAIN_FOREIGN_NATS, _NO_CHECKER_NATS = 4.0, 3.5
"""A slot with a foreign object keeps its reading if a content leads by `_CERTAIN_FOREIGN_NATS`. Otherwise a checker
gets `_NO_CHECKER_NATS` less than none, half the cost of a missing checker: the slot is doubtful in any case."""
_BARE_NATS, _HIDDEN_NATS = 9.0, 3.0
"""Nats for no checker where the empty board's drawing is seen, and for any checker where it is hidden (see
`vision.imaging.board_drawing`); the second only under a sharp edge of light, as other things hide it too. Colours add
nothing to the first: of 462 slots in strong reflections and other lights that look like checkers by them, 15 are, and
all these are clear to the comparing network (see `with_drawing`)."""
_BORDER_NATS = 4.0
"""The most that a content may lead by under a sharp edge of light, without the drawing: it changes a checker's rim, and
what is pale in a shadow is as bright as what is darker in the sun. Without the limit 2 of 70 pictures in hard stripes
were misread; with it none of 900 with sharp edges. The same for gaps in rows and for walls, see `doubt_gaps`."""
_VEILED_NATS, _VEILED_EMPTY_NATS = 1.0, 3.0
"""The most that a checker, and none, may lead by under a veil such as a lamp's reflection (see
`vision.imaging.board_drawing`). Of the certain ones there a third were wrong, and 3 %: both together, which the sum of
fifteen cannot tell, stay in doubt. Without the limits 6 of 603 certain readings in strong reflections were wrong, with
them none of 405."""
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
_NOT_BESIDE = 0.7
"""Distance from a row of checkers on a point within which none lies on the bar, in diameters (checkers do not overlap;
both centres may be a little off)."""
_SAME_DIAMETERS, _CLEARLY_SAME_DIAMETERS = 0.8, 0.6
"""Least distance between places on the bar, in diameters, and that between two at which checkers are seen: nearer ones
show the same checker. In 3,670 looks all 11 second detections of one were nearer than 0.55, and all ten from 0.67 to
0.8 were other checkers, on boards whose learned depth is a little off."""


def read_rows(figures: Figures, rows: Rows, model: SlotModel) -> list[list[Slot]]:
    """Read the slots of a raster's features: of each point from the edge inwards, then of the bar, in no order."""
    read: list[list[Slot]] = [[] for _ in range(ROWS)]
    _read_points(read, figures, rows, model)
    y, x = rows.on_bar(_beside_rows(figures.score, read, rows.diameter))
    if len(y):
        _add_slots(read, figures, model, (*rows.nearest_on_bar(y), y, x))
    return read


def _read_points(read: list[list[Slot]], figures: Figures, rows: Rows, model: SlotModel) -> None:
    """Add the slots of the points to those read, from the edge inwards."""
    along, before = np.full(POINTS, rows.first), np.zeros(POINTS, bool)
    for index in range(SLOTS):
        later = index >= FULL_ROW
        y, x, found = rows.strongest(figures.score, along, rows.touching if later else rows.gaps)
        reached = (along <= rows.length) & (before | (not later))
        if not reached.any():
            break
        which = np.flatnonzero(reached)
        before = np.zeros(POINTS, bool)
        before[which] = _add_slots(read, figures, model, (which, np.full(len(which), index), y[which], x[which]))
        along = np.where(before, found, along) + rows.step


def _add_slots(
    read: list[list[Slot]], figures: Figures, model: SlotModel, places: tuple[Ints, Ints, Ints, Ints]
) -> Bools:
    """Add slots to those read; `places`: row, index, y, x of each. Returns which of them hold a checker (n)."""
    which, index, y, x = places
    nats, distance = model.log_likelihoods(index, which, figures.at(y, x))
    foreign = distance > _FOREIGN_DISTANCE
    three = _three_log_likelihoods(nats, foreign, model.trust[which, index])
    each = (one.tolist() for one in (which, x, y, three, foreign))
    for row, u, v, (white, black, empty), odd in zip(*each, strict=True):
        read[row].append(Slot(u, v, (white, black, empty), odd))
    return np.asarray(three.argmax(axis=1) != EMPTY)


def _beside_rows(score: Singles, read: list[list[Slot]], diameter: float) -> Singles:
    """The score, masked along the rows found on points: edges of checkers beside the bar are no checkers on it."""
    score = score.copy()
    for row in read[:POINTS]:
        places = discs([row])
        for start, end in zip(places, places[1:] or places, strict=False):
            cv2.line(score, start, end, NO_CHECKER, 2 * round(_NOT_BESIDE * diameter))
    return score


def _three_log_likelihoods(nats: Floats, foreign: Bools, trust: Floats) -> Floats:
    """Log-likelihoods (n x 3) of White, Black and none in one slot of some rows; the greatest is 0.

    `nats`: n x CLASSES; `foreign`: whether the features are far from every class; `trust`: n x 2, see `SlotModel`.
    """
    held = np.logaddexp(nats[:, :EMPTY], nats[:, LASTS])
    three = np.column_stack([(held - nats[:, EMPTY, None]) * trust, np.zeros(len(nats))])
    three -= three.max(axis=1, keepdims=True)
    three[foreign] = np.maximum(three[foreign], -_FOREIGN_NATS)
    return np.asarray(three)


def with_drawing(
    read: Sequence[Sequence[Slot]],
    drawing: DrawingSeen,
    clear_checkers: Callable[[Sequence[Slot]], Collection[tuple[int, int]]],
) -> list[list[Slot]]:
    """The rows' slots, with no checker likelier where the empty board's drawing is seen.

    `clear_checkers`: pixels (x, y) of those of some slots in which a checker is clearly seen all the same: one in the
    colour of its point may nearly repeat the drawing's edges.
    """
    seen = [[replace(slot, bare=drawing.is_bare(slot.x, slot.y)) for slot in row] for row in read]
    clear = clear_checkers([slot for row in seen for slot in row if slot.bare])
    return [
        [replace(slot, bare=None) if (slot.x, slot.y) in clear else _with_drawing(slot) for slot in row] for row in seen
    ]


def _with_drawing(slot: Slot) -> Slot:
    if not slot.bare:
        return slot
    white, black, empty = slot.nats
    return slot.renewed(np.array([min(white, empty), min(black, empty), empty + _BARE_NATS]))


def doubted(slot: Slot) -> Slot:
    """A slot under a sharp edge of light, with the lead of its likeliest content limited.

    Only what the drawing shows holds in any light: that there is no checker, or that there is one.
    """
    if slot.margin_nats <= _BORDER_NATS or (slot.bare and slot.holder == EMPTY):
        return slot
    nats = np.array(slot.limited(_BORDER_NATS).nats)
    if slot.bare is False and slot.holder != EMPTY:
        nats[EMPTY] -= _HIDDEN_NATS
    return slot.renewed(nats)


def doubted_under_veil(slot: Slot) -> Slot:
    """A slot under a veil of light, with the lead of its likeliest content limited unless the drawing is seen in it."""
    most = _VEILED_EMPTY_NATS if slot.holder == EMPTY else _VEILED_NATS
    return slot if slot.bare else slot.limited(most)


def doubt_walls(read: Sequence[Sequence[Slot]], seen: CheckersInView) -> list[list[Slot]]:
    """The rows' slots, with doubt about each point's last checker that may be a wall: walls look like checkers, too.

    It may if what the other checkers leave uncovered of it looks more like the board. Measured in 7,652 looks at a last
    checker, in random lights: so did the only one that was none, and four others.
    """
    known, found = discs(read), [list(row) for row in read]
    for row in found[:POINTS]:
        held = [index for index, slot in enumerate(row) if slot.holder != EMPTY and not slot.foreign]
        if held:
            slot = row[held[-1]]
            if not seen.show(slot.holder, (slot.x, slot.y), known, least=0.0):
                row[held[-1]] = slot.limited(_BORDER_NATS)
    return found


def doubt_gaps(read: Sequence[Sequence[Slot]]) -> list[list[Slot]]:
    """The rows' slots, with doubt about empty ones before a point's last checker in which no drawing is seen.

    Players leave no gaps. Measured in 1,365 looks in random lights: of 26 slots that said there was one, and showed no
    drawing, 22 held a checker that looked like its point.
    """
    found = [list(row) for row in read]
    for row in found[:POINTS]:
        last = max((index for index, slot in enumerate(row) if slot.holder != EMPTY), default=0)
        row[:last] = [
            slot.limited(_BORDER_NATS) if slot.holder == EMPTY and not slot.bare else slot for slot in row[:last]
        ]
    return found


def doubt_foreign(read: Sequence[Sequence[Slot]]) -> list[list[Slot]]:
    """The rows' slots, with a penalty on checkers for each foreign object whose content is uncertain.

    Otherwise the sum of fifteen would take such an object for a missing checker.
    """
    return [[_without_checker(slot) if is_doubtful_foreign(slot) else slot for slot in row] for row in read]


def is_doubtful_foreign(slot: Slot) -> bool:
    """Whether a slot holds a foreign object, of which it is not certain that it is a checker or none."""
    return slot.foreign and slot.margin_nats < _CERTAIN_FOREIGN_NATS


def _without_checker(slot: Slot) -> Slot:
    """The slot, with either side's checker less likely than none."""
    nats = np.array(slot.nats) - slot.nats[EMPTY]
    nats[:EMPTY] = np.minimum(nats[:EMPTY], -_NO_CHECKER_NATS)
    return slot.renewed(nats)


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


_MANY_IN_DOUBT, _NONE_NATS = 3, 2.0
"""Number of doubtful checkers on the bar from which they count as one error, and how much less likely than the
likeliest content (nats) it then is that none of them is there. On a board that moved by six pixels, six places of a
dark bar looked like dark checkers, and the sum of fifteen made two of them certain."""


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
