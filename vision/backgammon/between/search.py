"""The search for checkers between two cells: read twice, between points, abreast on one point."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.backgammon.between.abreast import find_checkers_abreast
from vision.backgammon.between.checker import without_checkers_between
from vision.backgammon.between.points import find_checkers_between, find_checkers_read_twice
from vision.board import EMPTY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vision.arrays import Floats
    from vision.backgammon.between.checker import CheckerBetween
    from vision.backgammon.between.uncovered import CheckersInView
    from vision.backgammon.layout import Rows
    from vision.board import Slot


_REFUTED_NATS = 3.0
"""Lead (nats) of EMPTY over a checker, by the comparing network, that refutes a checker between two points. Measured:
true ones lead by 2 and more (141 cases); edges of rows taken for one are behind by 4 to 6."""


def search_between(
    seen: CheckersInView,
    read: Sequence[Sequence[Slot]],
    rows: Rows,
    lying: Sequence[tuple[int, int]],
    compare: Callable[[Sequence[tuple[int, int]]], Floats] | None,
) -> list[CheckerBetween]:
    """All checkers between two cells.

    Args:
        seen: what is seen of checkers.
        read: the rows' slots.
        rows: of the board.
        lying: pixels (x, y) of dice.
        compare: log-likelihoods (n x 3) of WHITE, BLACK and EMPTY at some pixels, by the comparing network; None if the
            board has none. Then none are refuted, and none are found abreast.
    """
    twice = find_checkers_read_twice(seen, read, rows)
    read = without_checkers_between(read, twice, rows)
    found = find_checkers_between(seen, read, rows, [*lying, *(one.place for one in twice)])
    if compare is None:
        return twice + found
    if found:
        nats = compare([one.place for one in found])
        found = [one for one, of in zip(found, nats, strict=True) if of[EMPTY] - of[one.side] < _REFUTED_NATS]
    others = without_checkers_between(read, found, rows)
    return twice + found + find_checkers_abreast(seen, others, rows, compare)
