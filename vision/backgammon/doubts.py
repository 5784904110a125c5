"""What the board's drawing tells about slots, and which of them are in doubt: at edges of light, veils, walls, gaps."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from companion.core import FULL_ROW
from vision.board import EMPTY, POINTS, discs

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from vision.backgammon.between.uncovered import CheckersInView
    from vision.board import Slot
    from vision.imaging import DrawingSeen


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
_VEILED_ROW = 2
"""Number of a point's slots under a veil from which all of them are. Of 470 turns in random lights two were wrong, on
points of which a part was found to be veiled; with this none is, and 11 of 404 that were told are asked about."""


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


def with_doubt_where(read: Sequence[Sequence[Slot]], doubtful: Callable[[Slot], bool]) -> list[list[Slot]]:
    """The rows' slots, of which those that are `doubtful` are `doubted`."""
    return [[doubted(slot) if doubtful(slot) else slot for slot in row] for row in read]


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


def doubt_veiled(read: Sequence[Sequence[Slot]], veiled: Callable[[Slot], bool]) -> list[list[Slot]]:
    """The rows' slots, with doubt about those under a veil of light in which the drawing is not seen.

    `veiled`: whether a slot is. On a point that is veiled as a whole its first slots share the doubt: a veil that hides
    one checker hides all.
    """
    found = []
    for number, row in enumerate(read):
        under = [veiled(slot) for slot in row]
        whole = number < POINTS and sum(under) >= _VEILED_ROW
        sharing = max(sum(not slot.bare for slot in row[:FULL_ROW]), 1) if whole else 1
        found.append(
            [_doubted_under_veil(slot, sharing) if whole or one else slot for slot, one in zip(row, under, strict=True)]
        )
    return found


def _doubted_under_veil(slot: Slot, sharing: int) -> Slot:
    most = _VEILED_EMPTY_NATS if slot.holder == EMPTY else _VEILED_NATS
    return slot if slot.bare else slot.limited(most / sharing)


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
