"""Finds checkers that stand elsewhere than the known position tells, where its own picture cannot show it.

A bare place that was told to hold a checker becomes one of the known checkers, and a checker on a place that was told
to be bare becomes part of the empty board: read with these, the position seems right. So known checkers are compared
with the others alone, and the first free place of each point with the empty board of the points drawn alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vision.backgammon.stacking.patches import turned_patches
from vision.board import CERTAIN_NATS, EMPTY, ORDINARY_ROW, POINTS
from vision.geometry import COLUMNS

if TYPE_CHECKING:
    from vision.arrays import Floats, Ints
    from vision.backgammon.calibration import Calibration
    from vision.backgammon.slot_comparison import SlotComparison

_LEAST_SINGLE = 2
"""Least number of either side's known single checkers: one cannot be compared with others."""


def misplaced(learned: Calibration) -> list[int]:
    """The points (0 to 23) that lack a told checker and that have one more; empty if neither seems so.

    A checker elsewhere contradicts the known position twice, and must do so by CERTAIN_NATS in all. Of 263 positions
    told of 44 path-traced boards with one or two checkers elsewhere, reading alone refused 255; with this all are
    refused, and all 44 starting positions learned. Of 59 starts of wilder drawn boards it refuses two.
    """
    compared = learned.slot_comparison
    if compared is None or np.bincount(compared.known.checkers.sides).min() < _LEAST_SINGLE:
        return []
    lacking, missing = _missing(learned, compared)
    more, further = _further(learned, compared)
    return sorted((lacking, more)) if missing + further >= CERTAIN_NATS else []


def _missing(learned: Calibration, compared: SlotComparison) -> tuple[int, float]:
    """The point whose known checker looks least like one, and the lead (nats) of another content there."""
    known, nats = compared.known.checkers, compared.known.by_others()
    own = np.arange(len(nats)), known.sides
    told = nats[own]
    nats[own] = -np.inf
    lead = nats.max(axis=1) - told
    worst = int(lead.argmax())
    rows = learned.fine_labelled.rows
    told_at = np.array([rows.place(one.point, one.index) for one in learned.fine_labelled.placed]) / rows.diameter
    nearest = np.linalg.norm(told_at - known.places[worst], axis=1).argmin()
    return learned.fine_labelled.placed[nearest].point, float(lead[worst])


def _further(learned: Calibration, compared: SlotComparison) -> tuple[int, float]:
    """The point whose first free place looks most like a checker, and its lead (nats) over a bare place."""
    labelled, lift = learned.fine_labelled, learned.layers.lift
    numbers = np.array([sum(content) for content in learned.points])
    pairs = np.array(_alike(learned, numbers)).reshape(-1, 2)
    if not len(pairs):
        return 0, -np.inf
    points, others = pairs.T
    index, diameter = numbers[points], labelled.rows.diameter
    here, there = (
        np.array([labelled.rows.place(int(point), int(k)) for point, k in zip(which, index, strict=True)])
        for which in (points, others)
    )
    lifted: Floats = lift[points, index]
    seen = turned_patches(labelled.view, here, lifted, diameter)
    bare = turned_patches(labelled.appearance.background.picture, there, lifted, diameter)
    nats = compared.known.log_likelihoods(seen, bare, here / diameter, np.linalg.norm(lifted, axis=1) / diameter)
    lead = nats[:, :EMPTY].max(axis=1) - nats[:, EMPTY]
    each = {int(point): float(lead[points == point].min()) for point in points}
    most = max(each, key=lambda point: each[point])
    return most, each[most]


def _alike(learned: Calibration, numbers: Ints) -> list[tuple[int, int]]:
    """Pairs of points with a free place and others of their side, drawn alike, of which the same place is bare."""
    columns = [learned.layout.column_of(point) for point in range(POINTS)]
    return [
        (point, other)
        for point in range(POINTS)
        for other in range(POINTS)
        if point != other
        and point // COLUMNS == other // COLUMNS
        and (columns[point] - columns[other]) % 2 == 0
        and numbers[other] <= numbers[point] < ORDINARY_ROW
    ]
