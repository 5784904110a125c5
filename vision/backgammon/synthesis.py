"""Synthetic pictures of positions: cutouts of the known checkers placed on other slots of the empty board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.backgammon.layout import FAR_BAR, ROWS, SLOTS
from vision.backgammon.slot_model import SlotModel, fit_slot_model
from vision.board import BLACK, EMPTY, POINTS, WHITE, WHITE_LAST, Figures, SimulatedSensor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Bools, Ints, Picture, Singles
    from vision.backgammon.cutouts import LabelledView, RowCutout


_BARE = 3
"""Number of synthetic positions without checkers."""
_LENGTHS = 6, 5, 4, 2, 1
"""Row lengths. Each row has each length once for White and once for Black. Random lengths would leave half of the rows
without a sixth checker of one side."""
_STRAY = 0.03
"""Standard deviation of synthetic checkers about their slots, in diameters."""
_BEHIND_FRAME = 0.08
"""Additional standard deviation across the frame, in diameters, of checkers that the frame hides in part."""
_TRUTH_WEIGHT = 2
"""Weight of the known position relative to a synthetic one."""
_SEED = 7
"""Seed of the random numbers for the synthetic positions."""

Sample = tuple[int, int, int, "Singles"]
"""Row, slot, class, features."""


@dataclass
class Canvas:
    """A synthetic position under construction: the raster so far (BGR), and a mask of what checkers cover.

    `owners`: ROWS x SLOTS, owner of the checker on the bed there, or EMPTY.
    """

    picture: Singles
    taken: Bools
    owners: Ints

    @classmethod
    def of(cls, ground: Picture) -> Canvas:
        """The empty board."""
        return cls(ground.astype(np.float32), np.zeros(ground.shape[:2], bool), np.full((ROWS, SLOTS), EMPTY))

    def paste(self, cut: RowCutout, x: float, y: float, frame: tuple[float, int]) -> bool:
        """Paste a cutout centred at (x, y); False if it does not fit into the raster.

        `frame`: the y at which the frame begins to hide it, and whether that is down (1) or up (-1) the raster.
        """
        reach = cut.body.shape[0] // 2
        u, v = round(x), round(y)
        if not (reach <= u < self.taken.shape[1] - reach and reach <= v < self.taken.shape[0] - reach):
            return False
        here = slice(v - reach, v + reach + 1), slice(u - reach, u + reach + 1)
        before = ((np.arange(v - reach, v + reach + 1) - frame[0]) * frame[1] < 0)[:, None]
        drawn = ((~self.taken[here] | cut.drawn) & before).astype(np.uint8)
        patch = self.picture[here]
        cv2.copyTo(cut.own + cut.through * patch, drawn, patch)
        self.taken[here] |= cut.body & before
        return True

    @property
    def classes(self) -> Ints:
        """Class of each slot (ROWS x SLOTS)."""
        return _classes(self.owners)


def _compose(labelled: LabelledView, rows: Sequence[tuple[int, int]], chance: np.random.Generator) -> Canvas:
    """Compose a position from the owner and length of every row, points first, then the bar."""
    canvas = Canvas.of(labelled.appearance.background.picture)
    for row, (owner, length) in enumerate(rows):
        for slot in range(length):
            if not _paste_checker(canvas, labelled, owner, (row, slot), chance):
                break
            canvas.owners[row, slot] = owner
    return canvas


def _paste_checker(
    canvas: Canvas, labelled: LabelledView, owner: int, place: tuple[int, int], chance: np.random.Generator
) -> bool:
    """Paste a cutout of an owner's known checker at `place` (row, slot); False if there is none, or it does not fit."""
    row, slot = place
    far, edge = POINTS // 2 <= row < POINTS or row == FAR_BAR, slot == 0 and row < POINTS
    kinds = [(owner, f, e) for f in (far, not far) for e in (edge, not edge)]
    cuts, rows = labelled.cuts, labelled.rows
    pool = next((cuts.pools[kind] for kind in kinds if kind in cuts.pools), None)
    if pool is None:
        return False
    x, y = rows.place(row, slot) + chance.normal(0, _STRAY * rows.diameter, 2)
    frame = cuts.hidden_from[far] if row < POINTS else (-np.inf if far else np.inf)
    if edge and np.isfinite(frame):
        y += chance.normal(0, _BEHIND_FRAME * rows.diameter)
    cut = pool[int(chance.integers(len(pool)))]
    return canvas.paste(cut, float(x), float(y), (frame, -1 if far else 1))


def learn_slots(labelled: LabelledView, gain: Singles) -> SlotModel:
    """Learn the distribution of every slot's features for each class, from the known position and synthetic ones.

    `gain`: brightness (B, G, R) of the pictures to be read, relative to the known position's: it decides where the
    sensor saturates.
    """
    chance = np.random.default_rng(_SEED)
    owners = np.full((ROWS, SLOTS), EMPTY)
    for checker in labelled.placed:
        owners[checker.point, checker.index] = checker.owner
    sensor = SimulatedSensor(labelled.view.shape, gain, chance)
    true = sensor.take(labelled.view.astype(np.float32))
    samples = _samples(labelled, true, _classes(owners)) * _TRUTH_WEIGHT
    for plan in [[(EMPTY, 0)] * ROWS] * _BARE + _row_plans(chance):
        canvas = _compose(labelled, plan, chance)
        samples += _samples(labelled, sensor.take(canvas.picture), canvas.classes)
    return fit_slot_model(samples)


def _row_plans(chance: np.random.Generator) -> list[list[tuple[int, int]]]:
    """Owner and length of the rows of synthetic positions: every row has each of `_LENGTHS` once for either side."""
    each = [(owner, length) for owner in (WHITE, BLACK) for length in _LENGTHS]
    orders = [chance.permutation(len(each)) for _ in range(ROWS)]
    return [[each[order[position]] for order in orders] for position in range(len(each))]


def _classes(owners: Ints) -> Ints:
    """Class of each slot, from the owners of the checkers."""
    classes = owners.copy()
    last = owners != EMPTY
    last[:, :-1] &= owners[:, 1:] == EMPTY
    classes[last] += WHITE_LAST
    return classes


def _samples(labelled: LabelledView, picture: Picture, classes: Ints) -> list[Sample]:
    """Features of every slot of a raster with known classes."""
    rows = labelled.rows
    figures = Figures.of(labelled.appearance.evidence(picture), rows.diameter / 2)
    samples = []
    for slot in range(SLOTS):
        along = np.full(ROWS, rows.first + slot * rows.step)
        y, x, _ = rows.strongest(figures.score, along, rows.gaps, rows.bar)
        features = figures.at(y, x)
        samples += [(row, slot, int(classes[row, slot]), features[row]) for row in range(ROWS)]
    return samples
