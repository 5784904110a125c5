"""Finds two checkers that lie side by side on one point, each half beside it.

Both lie outside the search windows of slots, and the slot between them shows half of each, which looks like a single
checker. Each of them is reported as lying between the point and its neighbour.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vision.backgammon.between.checker import APART, CheckerBetween, in_one_quarter, is_beside_column
from vision.board import EMPTY, POINTS, SURE_NATS, discs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from vision.arrays import Floats
    from vision.backgammon.between.uncovered import CheckersInView
    from vision.backgammon.layout import Rows
    from vision.board import Figures, Slot


_AWAY, _REACH = 0.5, 0.1
"""Distance of each of the two from the slot's checker, in diameters, as they touch; and the search range about it."""
_SHARE = 0.6
"""Least likeness of both places to a checker, relative to the slot's own, which sees half of each. Of 81 pairs all have
more than 0.7, of 3,000 single checkers none has 0.7 on both sides."""
_LEAD_NATS = 3.0
"""Least lead (nats) of a checker over any other content by the comparing network, for both places. On both places of 80
of those 81 pairs it leads by more."""


def find_checkers_abreast(
    seen: CheckersInView,
    read: Sequence[Sequence[Slot]],
    rows: Rows,
    compare: Callable[[Sequence[tuple[int, int]]], Floats],
) -> list[CheckerBetween]:
    """Find checkers that lie side by side on a point, as checkers between it and the points beside.

    `read`: the rows' slots; `compare`: log-likelihoods (n x 3) of WHITE, BLACK and EMPTY at some pixels (x, y).
    """
    pairs = list(_candidates(seen.figures, read, rows))
    places = [place for pair in pairs for place in pair]
    if not places:
        return []
    nats = compare([one.place for one in places])
    leads = [three[one.side] - np.delete(three, one.side).max() for one, three in zip(places, nats, strict=True)]
    both = np.reshape(leads, (-1, 2)).min(axis=1) >= _LEAD_NATS
    known = discs(read)
    return [
        place
        for pair, found in zip(pairs, both, strict=True)
        if found and all(seen.show(one.side, one.place, known) for one in pair)
        for place in pair
    ]


def _candidates(
    figures: Figures, read: Sequence[Sequence[Slot]], rows: Rows
) -> Iterator[tuple[CheckerBetween, CheckerBetween]]:
    """Pairs of places left and right of a slot's checker that both look like checkers and overlap no other checker.

    Doubtful detections off their column do not count as other checkers: they may be an edge of one of the two.
    """
    checkers = [
        (row, slot)
        for row, slots in enumerate(read)
        for slot in slots
        if slot.holder != EMPTY
        if slot.margin_nats > SURE_NATS or not is_beside_column(slot, row, rows)
    ]
    for point, slots in enumerate(read[:POINTS]):
        others = np.array([(slot.x, slot.y) for row, slot in checkers if row != point]).reshape(-1, 2)
        for slot in slots:
            if slot.holder == EMPTY:
                continue
            left, right = (_touching_checker(figures, rows, (point, slot), side) for side in (-1, 1))
            if all(_is_like_a_checker(figures, slot, place, others, rows.diameter) for place in (left, right)):
                yield left, right


def _touching_checker(figures: Figures, rows: Rows, found: tuple[int, Slot], side: int) -> CheckerBetween:
    """The likeliest place of a checker to the left (`side` -1) or right (1) of the middle of a point's slot."""
    point, slot = found
    middle = np.array([slot.x + side * _AWAY * rows.diameter, slot.y])
    x, y = figures.centre_near(middle, _REACH * rows.diameter).astype(int).tolist()
    beside = [other for other in (point - 1, point + 1) if in_one_quarter(other, point)]
    other = min(beside, key=lambda one: abs(rows.columns[one] - x))
    return CheckerBetween((min(point, other), max(point, other)), slot.holder, x, y)


def _is_like_a_checker(figures: Figures, slot: Slot, place: CheckerBetween, others: Floats, diameter: float) -> bool:
    """Whether a place looks as much like a checker as the slot beside it, and is apart from the `others` (n x 2)."""
    alike = figures.score[place.y, place.x] >= _SHARE * max(figures.score[slot.y, slot.x], 0.0)
    apart = np.hypot(*(others - (place.x, place.y)).T) >= APART * diameter
    return bool(alike and apart.all())
