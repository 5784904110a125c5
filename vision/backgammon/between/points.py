"""Find checkers outside the search windows of slots: between neighbouring or opposite points, or beside the bar.

Each is reported with its two cells, and may count for either of them; otherwise the reading would lack it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import hypot
from typing import TYPE_CHECKING

import numpy as np

from companion.core import BLACK_BAR, FULL_ROW, WHITE_BAR
from vision.backgammon.between.checker import APART, SAME, CheckerBetween, in_one_quarter, is_beside_column
from vision.backgammon.between.uncovered import CHANGED, LEAST_EVIDENCE, LEAST_SHARE, usual_evidence
from vision.backgammon.cell_counts import bar_slots
from vision.backgammon.layout import MOST_ASIDE, NEAR_BAR
from vision.backgammon.slot_reading import is_doubtful_foreign
from vision.board import BLACK, EMPTY, INNER, POINTS, RIM, WHITE
from vision.geometry import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from vision.arrays import Singles
    from vision.backgammon.between.uncovered import CheckersInView
    from vision.backgammon.layout import Rows
    from vision.backgammon.slot_model import SlotModel
    from vision.board import Figures, Slot


_ONE = 0.5
"""Slots within this distance of each other, in diameters, show one checker, however it looks beside their middle."""
_ASTRIDE_BAR = 0.38
"""Least distance (in diameters) of a checker from the bar's middle at which it may as well lie on the point beside the
bar. Checkers laid on the bar were 0.14 off at most on 20 rendered boards; the points' are 0.9 to 1.3 away."""
_LEAD = 0.25
"""A slot's checker that may be the edge of another one (see `is_beside_column`) does not suppress a detection of the
same side whose likeness is greater by this."""


def find_checkers_read_twice(seen: CheckersInView, read: Sequence[Sequence[Slot]], rows: Rows) -> list[CheckerBetween]:
    """Find the checkers that slots of two points, or of a point and the bar, show.

    Two checkers cannot overlap. Slots that are as near as that show two, wrongly placed, only if there is one in each
    place beside a single checker midway between them.
    """
    places = *read[:POINTS], bar_slots(read, rows)
    checkers = [(place, slot) for place, slots in enumerate(places) for slot in slots if slot.holder != EMPTY]
    found = []
    for (point, slot), (further, other) in combinations(checkers, 2):
        apart = hypot(slot.x - other.x, slot.y - other.y)
        if point == further or slot.holder != other.holder or apart >= SAME * rows.diameter:
            continue
        cell = further if further < POINTS else (WHITE_BAR, BLACK_BAR)[slot.holder]
        one = CheckerBetween((point, cell), slot.holder, (slot.x + other.x) // 2, (slot.y + other.y) // 2)
        known = [one.place, *((each.x, each.y) for _, each in checkers if each not in (slot, other))]
        if apart < _ONE * rows.diameter or not all(seen.show(one.side, (at.x, at.y), known) for at in (slot, other)):
            found.append(one)
    return found


def find_checkers_between(
    seen: CheckersInView, read: Sequence[Sequence[Slot]], rows: Rows, others: Sequence[tuple[int, int]]
) -> list[CheckerBetween]:
    """Find the checkers that lie between two points.

    `read`: the rows' slots; `others`: pixels (x, y) of dice and other things found.
    """
    checkers = [
        (slot, is_beside_column(slot, row, rows))
        for row, slots in enumerate(read)
        for slot in slots
        if slot.holder != EMPTY and not is_doubtful_foreign(slot)
    ]
    known = [(slot.x, slot.y) for slot, _ in checkers]
    found = list(_beside_bar(read, rows))
    changed = _averaged(seen.figures, CHANGED)
    for side in (WHITE, BLACK):
        likeness = _likeness({side: _averaged(seen.figures, side), CHANGED: changed}, seen.model, side)
        taken = [(slot.x, slot.y, aside and slot.holder == side) for slot, aside in checkers]
        taken += [(x, y, False) for x, y in [*others, *(one.place for one in found)]]
        for strip in (*_between_columns(rows), *_across_middle(rows)):
            for x, y in _peaks(likeness, strip, rows.diameter, taken):
                if seen.show(side, (x, y), known):
                    found.append(CheckerBetween(strip.points, side, x, y))
                    taken.append((x, y, False))
    return found


def _beside_bar(read: Sequence[Sequence[Slot]], rows: Rows) -> Iterator[CheckerBetween]:
    """The checkers found on the bar that may as well lie on a point beside it."""
    for slot in bar_slots(read, rows):
        if slot.holder == EMPTY or abs(slot.x - rows.columns[NEAR_BAR]) < _ASTRIDE_BAR * rows.diameter:
            continue
        beside = range(COLUMNS, POINTS) if rows.in_far_half(slot.y) else range(COLUMNS)
        point = min(beside, key=lambda one: abs(rows.columns[one] - slot.x))
        yield CheckerBetween((point, (WHITE_BAR, BLACK_BAR)[slot.holder]), slot.holder, slot.x, slot.y)


def _averaged(figures: Figures, index: int) -> dict[int, Singles]:
    """One of the maps, averaged over the inner disc and over the rim about every pixel."""
    return {zone: figures.everywhere(index, zone) for zone in (INNER, RIM)}


def _likeness(maps: Mapping[int, Mapping[int, Singles]], model: SlotModel, side: int) -> Singles:
    """Likeness (height x width; 1 is a typical checker) of every pixel to the centre of that side's checker.

    `maps`: averaged evidence maps, by index and zone. The least of their ratios to the typical value counts.
    """
    least = np.full(next(iter(maps[side].values())).shape, np.inf, np.float32)
    for index, zones in maps.items():
        for zone, averaged in zones.items():
            usual = usual_evidence(model, side, index, zone)
            if usual >= LEAST_EVIDENCE:
                least = np.minimum(least, averaged / usual)
    return np.where(np.isfinite(least), least, 0.0).astype(np.float32)


@dataclass(frozen=True, slots=True)
class _Strip:
    """Part of the raster between two points.

    Attributes:
        points: the two, the lower first.
        x: its least and greatest x.
        y: its least and greatest y.
    """

    points: tuple[int, int]
    x: tuple[float, float]
    y: tuple[float, float]


def _between_columns(rows: Rows) -> Iterator[_Strip]:
    """Between neighbouring points in one half of the board."""
    for one in range(POINTS - 1):
        two = one + 1
        if not in_one_quarter(one, two) or rows.inward[one] != rows.inward[two]:
            continue
        left, right = sorted((float(rows.columns[one]), float(rows.columns[two])))
        middle, aside = (left + right) / 2, (0.5 - MOST_ASIDE) * (right - left)
        ends = rows.edges[one] + rows.inward[one] * np.array([0.0, rows.length - rows.diameter])
        yield _Strip((one, two), (middle - aside, middle + aside), (float(ends.min()), float(ends.max())))


def _across_middle(rows: Rows) -> Iterator[_Strip]:
    """Between opposite points, past the slots that are searched in rows without checkers."""
    aside = MOST_ASIDE * rows.column
    along = rows.first + (FULL_ROW - 0.5) * rows.step
    for one in range(COLUMNS):
        points = one, POINTS - 1 - one
        x = float(rows.columns[one])
        top, bottom = sorted(float(rows.edges[point] + rows.inward[point] * along) for point in points)
        yield _Strip(points, (x - aside, x + aside), (top, bottom))


def _peaks(
    likeness: Singles, strip: _Strip, diameter: float, taken: Sequence[tuple[int, int, bool]]
) -> list[tuple[int, int]]:
    """Local maxima (x, y) of likeness in a strip at least `APART` diameters apart, the likeliest first.

    `taken`: x, y of other checkers, and whether each may be the edge of a checker in the strip.
    """
    top, bottom = max(round(strip.y[0]), 0), min(round(strip.y[1]) + 1, likeness.shape[0])
    first = max(round(strip.x[0]), 0)
    window = likeness[top:bottom, first : round(strip.x[1]) + 1].copy()
    if not window.size or window.max() < LEAST_SHARE:
        return []
    v, u = np.mgrid[top:bottom, first : first + window.shape[1]]
    reach = APART * diameter
    beside = [
        (x, y, may_be_edge)
        for x, y, may_be_edge in taken
        if u[0, 0] - reach < x < u[0, -1] + reach and v[0, 0] - reach < y < v[-1, 0] + reach
    ]
    found = []
    while True:
        for x, y, may_be_edge in beside:
            near = np.hypot(u - x, v - y) < reach
            window[near & (window < likeness[y, x] + _LEAD) if may_be_edge else near] = 0
        down, across = divmod(int(window.argmax()), window.shape[1])
        if window[down, across] < LEAST_SHARE:
            break
        beside = [(first + across, top + down, False)]
        found.append(beside[0][:2])
    return found
