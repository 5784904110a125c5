"""Doubtful slots are read again by a network that compares them with the empty board and with known checkers.

`training/learn_slots.py` trained it on drawn and path-traced boards (see `vision.board.known_checkers`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vision.backgammon.layout import finer
from vision.backgammon.stacking.count import lifts_at
from vision.board import EMPTY, KnownCheckers, read_doubtful_again, turned_patches
from vision.comparator import load_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vision.arrays import Floats, Picture
    from vision.backgammon.cutouts import LabelledView
    from vision.board import PatchedCheckers, Slot


_CERTAIN_NATS, _CERTAIN_EMPTY_NATS = 15.0, 35.0
"""Lead of a checker, and of none (nats), from which a slot is not read again. On 42 boards under small hazy cameras, in
three kinds of light, features missed 4 checkers by 12 to 15 nats (of 2,900 such slots), and 1 by more (of 44,000). In
325 looks at boards in dim light they missed 34, whose points have their colours, by 15 to 30 nats: in the other 9,100
slots that looked empty by as much and showed no drawing, the network agreed. Seven in ten of these led by 35 or more.
"""
_CLEAR_NATS = 3.0
"""Least lead (nats) over EMPTY of a checker that is clearly seen, whatever else seems to be there. Where the drawing
seems to be seen, 17 checkers reach it and 4 bare places, in 2,000 pictures of framed boards in six kinds of light."""
_FIRST_READING_WEIGHT = 0.4
"""Weight of the first reading's nats: below 1, as it is not independent (it sees the same pixels)."""


class SlotComparison:
    """Reads doubtful slots of one board again.

    `labelled`: the known position on the finer raster; `known`: its single checkers.
    """

    def __init__(self, labelled: LabelledView, known: PatchedCheckers) -> None:
        """`known`: single checkers of both sides."""
        self.labelled = labelled
        self.known = KnownCheckers(known, load_weights(__package__, "slot_comparison.npz"))

    def read(self, rows: Sequence[Sequence[Slot]], view: Callable[[], Picture]) -> list[list[Slot]]:
        """Read the doubtful slots again; `view` makes the levelled picture on the finer raster, if there are any."""

        def compare(doubtful: list[tuple[int, int]]) -> Floats:
            slots = [rows[row][index] for row, index in doubtful]
            return self.on_bed(view(), [(slot.x, slot.y) for slot in slots])

        return read_doubtful_again(rows, _is_doubtful, _FIRST_READING_WEIGHT, compare)

    def clear_checkers(self, slots: Sequence[Slot], view: Callable[[], Picture]) -> set[tuple[int, int]]:
        """Pixels (x, y) of those slots in which a checker is clearly seen; `view`: see `read`.

        Slots that are certainly empty by their colours are left out unseen.
        """
        places = [(slot.x, slot.y) for slot in slots if slot.holder != EMPTY or slot.margin_nats < _CERTAIN_NATS]
        if not places:
            return set()
        white, black, empty = self.on_bed(view(), places).T
        clear = np.maximum(white, black) - empty > _CLEAR_NATS
        return {place for place, is_clear in zip(places, clear.tolist(), strict=True) if is_clear}

    def on_bed(self, view: Picture, places: Sequence[tuple[float, float]]) -> Floats:
        """Log-likelihoods (n x 3) of WHITE, BLACK and EMPTY at places on the bed, on the coarse raster."""
        at, labelled = np.array([(finer(x), finer(y)) for x, y in places]), self.labelled
        return self.log_likelihoods(view, at, lifts_at(at, labelled.top, labelled.pose, labelled.layout.top))

    def log_likelihoods(self, view: Picture, places: Floats, lifts: Floats) -> Floats:
        """Log-likelihoods (n x 3) of WHITE, BLACK and EMPTY at places (n x 2) of the finer raster."""
        diameter, empty = self.labelled.rows.diameter, self.labelled.appearance.background.picture
        seen, bare = (turned_patches(one, places, lifts, diameter) for one in (view, empty))
        return self.known.log_likelihoods(seen, bare, places / diameter, np.linalg.norm(lifts, axis=1) / diameter)


def _is_doubtful(slot: Slot) -> bool:
    return slot.margin_nats < (_CERTAIN_EMPTY_NATS if slot.holder == EMPTY else _CERTAIN_NATS)
