"""Reads the rows of a framed board: the slots of each point from the edge inwards, and those of the bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.core import FULL_ROW
from vision.backgammon.layout import NO_CHECKER, ROWS, SLOTS
from vision.backgammon.slot_model import LASTS
from vision.board import EMPTY, POINTS, Slot, discs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Bools, Floats, Ints, Singles
    from vision.backgammon.layout import Rows
    from vision.backgammon.slot_model import SlotModel
    from vision.board import Figures


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
_NOT_BESIDE = 0.7
"""Distance from a row of checkers on a point within which none lies on the bar, in diameters (checkers do not overlap;
both centres may be a little off)."""


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
