"""Compares full rows with an accepted look: one that looks as it did then still holds what it held.

Second layers are hard to see, but a camera that stands still shows which rows nobody has touched since. What would be
legal plays no part in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from companion.core import FULL_ROW, CellReading
from vision.board import POINTS, is_set_up_anew
from vision.comparator import UNCHANGED_NATS, compare_changes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Content
    from vision.arrays import Bools, Floats, Ints, Picture
    from vision.backgammon.layout import Rows

_CHANGED_NATS = 1.5
"""Log-odds against the same content of a point that has changed. In 2,437 turns on 42 drawn boards none of 47,818
unchanged points held something else; of those that held the same, 8 % looked changed."""
_RADIUS = 0.6
"""Radius of the area that is compared about the nominal place of a checker, in diameters."""


class AcceptedLook:
    """A look at a board in which the contents of points are known; later looks are compared with it."""

    def __init__(self, view: Picture, rows: Rows, lifts: Floats, held: Sequence[Content | None]) -> None:
        """`view`: the raster (BGR, levelled) that has these `rows`; `held`: by point, None where it is not known.

        `lifts`: displacement of a second checker on each place of the raster (ROWS x SLOTS x 2, pixels).
        """
        self._held = tuple(held[:POINTS])
        self._taken = np.array([min(sum(content), FULL_ROW) if content else 0 for content in self._held])
        self._view = view.astype(np.float32)
        self._x, self._y = _areas(rows, view.shape)
        self._contrasts = self._least_changes(np.rint(lifts).astype(np.intp))

    def compared(self, readings: Sequence[CellReading], view: Picture) -> tuple[CellReading, ...]:
        """The readings of all cells, with evidence about second layers on full rows; `view`: as levelled.

        Only contents that differ in their second layers are told apart: a checker in the colours of the board changes a
        free place too little.
        """
        full = np.flatnonzero(self._taken == FULL_ROW).tolist()
        if not full:
            return tuple(readings)
        found, (unchanged, changed) = list(readings), self._compare(view)
        if is_set_up_anew(unchanged[self._taken > 0]):
            return tuple(found)
        for point in full:
            held, nats = self._held[point], dict(readings[point].likelihoods)
            if held not in nats or min(held):
                continue
            if unchanged[point]:
                side = 0 if held[0] else 1
                rivals = [other for other in nats if other != held and other[side] >= FULL_ROW]
                nats |= {other: nats[other] - UNCHANGED_NATS for other in rivals}
            elif changed[point]:
                nats[held] -= _CHANGED_NATS
            found[point] = CellReading.of(nats)
        return tuple(found)

    def _compare(self, view: Picture) -> tuple[Bools, Bools]:
        """Masks (POINTS) of the points that are unchanged, and changed: neither where a change would hardly be seen."""
        difference = np.abs(view.astype(np.float32) - self._view).mean(axis=2)
        usual, little = compare_changes(difference[self._y, self._x].mean(axis=2), self._contrasts)
        return np.asarray((usual & little).all(axis=1)), np.asarray(~usual.all(axis=1))

    def _least_changes(self, lifts: Ints) -> Floats:
        """Mean change (POINTS x FULL_ROW, grey levels) of each place by another checker on it, at least.

        On a checker, all that is seen moves by a lift; a free place gets the colour of a checker of either side.
        0 where the content is not known.
        """
        on_top = np.arange(FULL_ROW) < self._taken[:, None]
        seen = self._view[self._y, self._x]
        height, width = self._view.shape[:2]
        down, right = lifts[:POINTS, :FULL_ROW, 1, None], lifts[:POINTS, :FULL_ROW, 0, None]
        lifted = self._view[np.clip(self._y - down, 0, height - 1), np.clip(self._x - right, 0, width - 1)]
        by_layer = np.abs(seen - lifted).mean(axis=(2, 3))
        colours = [
            np.median(seen[on_top & own[:, None]], axis=(0, 1)) for own in self._owned() if (self._taken * own).any()
        ]
        by_checker = np.min([np.abs(seen - colour).mean(axis=(2, 3)) for colour in colours], axis=0, initial=np.inf)
        known = np.array([held is not None for held in self._held])
        return np.where(known[:, None], np.where(on_top, by_layer, by_checker), 0.0)

    def _owned(self) -> list[Bools]:
        """Masks (POINTS) of the points that hold White's checkers alone, and Black's alone."""
        return [np.array([bool(held and held[side] and not held[1 - side]) for held in self._held]) for side in (0, 1)]


def _areas(rows: Rows, shape: tuple[int, ...]) -> tuple[Ints, Ints]:
    """The pixels (x and y, POINTS x FULL_ROW x n) about the nominal places of a raster of that shape."""
    radius = _RADIUS * rows.diameter
    reach = np.arange(-int(radius), int(radius) + 1)
    right, down = (offsets.ravel() for offsets in np.meshgrid(reach, reach))
    inside = right**2 + down**2 <= radius**2
    centres = np.rint(rows.place(*np.indices((POINTS, FULL_ROW)))).astype(np.intp)
    x, y = centres[..., :1] + right[inside], centres[..., 1:] + down[inside]
    return np.clip(x, 0, shape[1] - 1), np.clip(y, 0, shape[0] - 1)
