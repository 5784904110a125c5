"""Reading a framed backgammon board: what each row holds, as an `Observation`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from companion.observation import CellReading
from vision.layout import POINTS
from vision.rows import FAR_BAR, NEAR_BAR, SLOTS
from vision.slots import BESIDE, BLACK, EMPTY, WHITE, figure_maps, likest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from companion.observation import Content
    from vision.appearance import Evidence
    from vision.rows import Rows
    from vision.slots import SlotModel

    Singles = NDArray[np.float32]
    Floats = NDArray[np.float64]

_ORDINARY_ROW = 5
"""Checkers that lie in a row before players begin a second layer: what most rule sheets' drawings show."""
_STRANGER_SPREADS = 60.0
"""Squared distance (in spreads, eight figures) past which a slot holds something that is neither a checker nor empty board."""
_STRANGER_NATS = 2.0
"""What the likeliest class of such a slot may lead by."""
_BAR_SPREAD = 2.5
"""How much wider than on the points figures spread on the bar, whose height is not known."""
_DIE_SPREADS, _DIE_NATS = 40.0, 6.0
"""Beyond a row of five, what is so far from a checker is a die: that much less likely a checker."""
_GAP_NATS = 3.0
"""Cost of a checker that lies beyond an empty slot of its row."""
_LATER_NATS = 3.0
"""Cost of a checker in the sixth or seventh slot: there rows rarely reach, and dice often lie."""
_BESIDE_FIRST, _BESIDE_LATER = 0.7, 6.0
"""Cost of an empty slot that looks shaded by a checker: where the slot before it holds one, and where it does not."""
_ON_TOP_NATS = (1.2, 0.6)
"""Cost of a second layer on a full row, and of each further checker in it, before anything of it is seen."""
_ON_TOP_SHORT_NATS = 7.0
"""Cost of a second layer on a row that is not full."""
_TOLD_NATS = 25.0
"""Contents less likely than this are left out."""

Counts = dict[tuple[int, int], float]


@dataclass(frozen=True, slots=True)
class Slot:
    """One slot as it was read.

    Attributes:
        x, y: where on the raster.
        nats: log-likelihood of a White checker, a Black one and none, the greatest 0.
        strange: whether what lies there is like none of them.
    """

    x: int
    y: int
    nats: tuple[float, float, float]
    strange: bool

    @property
    def holder(self) -> int:
        """WHITE, BLACK or EMPTY, whichever is likeliest."""
        return self.nats.index(max(self.nats))


def read_rows(evidence: Evidence, rows: Rows, model: SlotModel) -> list[list[Slot]]:
    """Every row's slots, from the edge inwards, from what a raster says."""
    figures = figure_maps(evidence.maps, rows.diameter / 2)
    score = likest(figures)
    return [_read_row(row, figures, score, rows, model) for row in range(FAR_BAR + 1)]


def _read_row(row: int, figures: Singles, score: Singles, rows: Rows, model: SlotModel) -> list[Slot]:
    slots: list[Slot] = []
    along, before = rows.first, EMPTY
    for index in range(SLOTS):
        contiguous = index < _ORDINARY_ROW or before != EMPTY or row >= POINTS
        if along > rows.length or not contiguous:
            break
        y, x, found = rows.strongest(score, row, along)
        nats, distance = model.log_likelihoods(row, index, figures[y, x], _BAR_SPREAD if row >= POINTS else 1.0)
        empty = np.logaddexp(nats[EMPTY], nats[BESIDE] - (_BESIDE_FIRST if before != EMPTY else _BESIDE_LATER))
        three = np.array([nats[WHITE], nats[BLACK], empty])
        three -= three.max()
        strange = distance > _STRANGER_SPREADS
        if strange:
            three = np.maximum(three, -_STRANGER_NATS)
        if index >= _ORDINARY_ROW and row < POINTS:
            three[:EMPTY] -= _LATER_NATS + (_DIE_NATS if distance > _DIE_SPREADS else 0.0)
            three -= three.max()
        slots.append(Slot(x, y, (float(three[0]), float(three[1]), float(three[2])), strange))
        before = slots[-1].holder
        along = rows.after(row, along, None if before == EMPTY else found)
    return slots


def discs(read: list[list[Slot]]) -> list[tuple[int, int]]:
    """Where on the raster (x, y) the checkers are that were found."""
    return [(slot.x, slot.y) for row in read for slot in row if slot.holder != EMPTY and not slot.strange]


def count_row(slots: list[Slot], gaps: bool) -> Counts:
    """Log-likelihood of each (white, black) number of checkers lying on the bed in a row.

    Args:
        slots: from the edge inwards.
        gaps: whether checkers may lie anywhere in the row at no cost (the bar).
    """
    states: dict[tuple[int, int, bool], float] = {(0, 0, False): 0.0}
    for slot in slots:
        following: dict[tuple[int, int, bool], float] = {}
        for (white, black, gap), nats in states.items():
            cost = 0.0 if gaps or not gap else _GAP_NATS
            for kind, more in enumerate(slot.nats):
                key = (white + (kind == WHITE), black + (kind == BLACK), gap or kind == EMPTY)
                total = nats + more - (cost if kind != EMPTY else 0.0)
                following[key] = np.logaddexp(following.get(key, -np.inf), total)
        states = {key: nats for key, nats in following.items() if nats > -2 * _TOLD_NATS}
    counts: Counts = {}
    for (white, black, _), nats in states.items():
        counts[white, black] = float(np.logaddexp(counts.get((white, black), -np.inf), nats))
    return counts


def stack(counts: Mapping[tuple[int, int], float], on_top: Mapping[int, float] | None = None) -> Counts:
    """Counts with second and third layers: what lies on a row of one colour cannot be told from the row alone.

    Args:
        counts: of checkers on the bed.
        on_top: log-likelihood of the number of checkers on top, where the picture tells it.
    """
    total = dict(counts)
    for (white, black), nats in counts.items():
        on_bed = white + black
        if not on_bed or (white and black):
            continue
        for more in range(1, min(2 * on_bed, 15 - on_bed) + 1):
            first, further = _ON_TOP_NATS
            cost = first + further * (more - 1) if on_bed >= _ORDINARY_ROW else _ON_TOP_SHORT_NATS + 3 * (more - 1)
            if on_top is not None:
                cost -= on_top.get(more, -_TOLD_NATS)
            key = (white + more, 0) if white else (0, black + more)
            total[key] = float(np.logaddexp(total.get(key, -np.inf), nats - cost))
    return total


def as_reading(counts: Mapping[tuple[int, int], float]) -> CellReading:
    """Counts as a cell's reading: likeliest first, relative to it, the hopeless left out."""
    best = max(counts.values())
    kept: list[tuple[Content, float]] = [
        (content, nats - best) for content, nats in counts.items() if nats - best > -_TOLD_NATS
    ]
    return CellReading(tuple(sorted(kept, key=lambda pair: -pair[1])))


def cells(read: list[list[Slot]], rows: Rows) -> tuple[CellReading, ...]:
    """The points and the bar of a backgammon board (26 cells)."""
    readings = [as_reading(stack(count_row(read[point], gaps=False))) for point in range(POINTS)]
    bar = stack(count_row(_bar_slots(read, rows), gaps=True))
    white: Counts = {}
    black: Counts = {}
    for (of_white, of_black), nats in bar.items():
        white[of_white, 0] = float(np.logaddexp(white.get((of_white, 0), -np.inf), nats))
        black[0, of_black] = float(np.logaddexp(black.get((0, of_black), -np.inf), nats))
    readings += [as_reading(white), as_reading(black)]
    return tuple(readings)


def _bar_slots(read: list[list[Slot]], rows: Rows) -> list[Slot]:
    """The slots of both halves of the bar, a checker that lies in the middle of it only once."""
    near = read[NEAR_BAR]
    taken = [slot for slot in near if slot.holder != EMPTY]
    far = [
        slot
        for slot in read[FAR_BAR]
        if all(np.hypot(slot.x - other.x, slot.y - other.y) > 0.7 * rows.diameter for other in taken)
    ]
    return near + far
