"""Which cubes are in doubt: faint ones, those beyond a gap, and those in light that looks like a hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vision.board import CERTAIN_NATS, EMPTY
from vision.tiles.layout import FILES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Bools
    from vision.board import Slot


WITNESSES = 5.0
"""Effective number of independent pixels of a cube: errors from light and blur are common to all of it."""
PLAIN = 2.0
"""Evidence of a clearly seen cube, in nats a pixel; most have 3 to 5. Where a known cube has less, another one may have
as little."""
_FAINT_SHARE, _FAINT_NATS = 0.55, 2.0
"""The outermost cube of a file may be the others' shadow if it shows less than this share of the usual evidence of its
side's cubes in the space (of a single one among the other side's: in all spaces), and less than a clearly seen cube;
and the most evidence (nats) that it then counts for."""

_ODD_NATS = 4.0
"""The most that a place may lead by in light that looks like a hand. Without it one of 789 turns in random lights was
wrong: three dark cubes in a reflection passed for table."""


def with_faint_in_doubt(
    spaces: Sequence[Sequence[Slot]], again: Sequence[Sequence[Slot]] | None = None
) -> list[list[Slot]]:
    """The slots of all spaces, with doubt about the outermost cube of a file if it is faint (see `_FAINT_SHARE`).

    `again`: the same slots read again; `spaces` tell which are faint.
    """
    usual = [usual_evidence([slot for row in spaces for slot in row], side) for side in (0, 1)]
    pairs = zip(spaces, spaces if again is None else again, strict=True)
    return [_with_faint_of_space_in_doubt(first, second, usual) for first, second in pairs]


def _with_faint_of_space_in_doubt(slots: Sequence[Slot], again: Sequence[Slot], usual: list[float]) -> list[Slot]:
    """See `with_faint_in_doubt`; `usual`: evidence of both sides' cubes in all spaces, for one among the other side's.

    What seems to be a single dark cube there may be the others' shadow.
    """
    holders = [slot.holder for slot in slots]
    single = [holders.count(side) == 1 and 1 - side in holders for side in (0, 1)]
    here = [usual[side] if single[side] else usual_evidence(slots, side) for side in (0, 1)]
    checked = list(again)
    for file in range(FILES):
        held = [index for index in range(file, len(slots), FILES) if holders[index] != EMPTY]
        if held:
            last = held[-1]
            checked[last] = with_doubt_if_faint(slots[last], checked[last], here[holders[last]])
    return checked


def with_doubt_if_faint(slot: Slot, again: Slot, usual: float) -> Slot:
    """A slot read `again`, in doubt if there is less evidence (nats) of its cube than `usual` (see `_FAINT_SHARE`).

    Not if it is certain by a reading of its own: in 475 looks in random lights 123 faint cubes were, and all were
    cubes. Glossy and dark ones have few pixels in their own colours.
    """
    if slot.holder == EMPTY or -slot.nats[EMPTY] >= min(_FAINT_SHARE * usual, WITNESSES * PLAIN):
        return again
    if again is not slot and again.holder == slot.holder and again.margin_nats >= CERTAIN_NATS:
        return again
    nats = np.array(again.nats)
    nats[EMPTY] = max(nats[EMPTY], -_FAINT_NATS)
    return slot.renewed(nats)


def with_doubt_beyond_gaps(spaces: Sequence[Sequence[Slot]]) -> list[list[Slot]]:
    """The slots of all spaces, with doubt about cubes beyond an empty pair: together they may be a gleam."""
    checked = []
    for row in spaces:
        empty = [
            all(slot.holder == EMPTY for slot in row[first : first + FILES]) for first in range(0, len(row), FILES)
        ]
        gap = FILES * (empty.index(True) if True in empty else len(row))
        beyond = [index for index in range(gap, len(row)) if row[index].holder != EMPTY]
        checked.append(list(row))
        for index in beyond:
            checked[-1][index] = row[index].limited(_FAINT_NATS / len(beyond))
    return checked


def usual_evidence(slots: Sequence[Slot], side: int) -> float:
    """Median evidence (nats) of a side's cubes in some slots; 0 if there are none."""
    return float(np.median([-slot.nats[EMPTY] for slot in slots if slot.holder == side] or [0.0]))


def with_doubt_in_odd_light(row: Sequence[Slot], odd: Bools) -> list[Slot]:
    """The slots of one space, or of hit cubes, in light that looks like a hand.

    Empty ones are in doubt, as a reflection hides dark cubes, and the cubes near it together (`odd`: mask).
    """
    height, width = odd.shape
    lit = [
        slot.holder != EMPTY and bool(odd[np.clip(slot.y, 0, height - 1), np.clip(slot.x, 0, width - 1)])
        for slot in row
    ]
    shared = _ODD_NATS / max(sum(lit), 1)
    most = [
        _ODD_NATS if slot.holder == EMPTY else shared if one else np.inf for slot, one in zip(row, lit, strict=True)
    ]
    return [slot.limited(nats) for slot, nats in zip(row, most, strict=True)]
