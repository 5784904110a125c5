"""Pictures of positions that never stood: the known checkers' pictures, set on other slots of the empty board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.appearance import level
from vision.layout import POINTS
from vision.rows import FAR_BAR, ROWS, SLOTS
from vision.slots import BESIDE, BLACK, EMPTY, WHITE, WHITE_LAST, Figures, SlotModel, summarise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.cutouts import Cutout, Cuts, Lesson
    from vision.slots import Singles

    Picture = NDArray[np.uint8]
    Bools = NDArray[np.bool_]

_BARE = 3
"""Made-up positions to learn from that have no checker at all."""
_LENGTHS = 6, 5, 4, 2, 1
"""Lengths that every row has once with White's checkers and once with Black's, in as many made-up positions: left to
chance, one row in two would never hold a sixth checker of one side, which then looks strange."""
_STRAY = 0.03
"""Spread of where composed checkers lie about their slots, in diameters."""
_BEHIND_FRAME = 0.08
"""The same of those that a frame hides in part, across it: how much of them is seen depends on it."""
_FLICKER, _GRAIN = 0.02, 2.5
"""Spread of the brightness left over after levelling, and of sensor noise in grey levels."""
_TRUTH_WEIGHT = 2
"""The known position itself counts as so many made-up ones."""

Sample = tuple[int, int, int, "Singles"]


@dataclass
class Canvas:
    """A made-up position in the making.

    Attributes:
        picture: the raster so far, BGR (float32).
        taken: what checkers cover of it.
        owners: ROWS x SLOTS, who has a checker on the bed there, EMPTY where nobody.
    """

    picture: Singles
    taken: Bools
    owners: NDArray[np.intp]

    @classmethod
    def of(cls, ground: Picture) -> Canvas:
        """The empty board."""
        return cls(ground.astype(np.float32), np.zeros(ground.shape[:2], bool), np.full((ROWS, SLOTS), EMPTY))

    def set(self, cut: Cutout, x: float, y: float, frame: tuple[float, int]) -> bool:
        """Set a cut-out centred there; whether there was room for it in the raster.

        `frame`: where (y) the frame begins to hide it, and whether that is down (1) or up (-1) the raster.
        """
        reach = cut.body.shape[0] // 2
        u, v = round(x), round(y)
        if not (reach <= u < self.taken.shape[1] - reach and reach <= v < self.taken.shape[0] - reach):
            return False
        here = slice(v - reach, v + reach + 1), slice(u - reach, u + reach + 1)
        before = ((np.arange(v - reach, v + reach + 1) - frame[0]) * frame[1] < 0)[:, None]
        shaded = (~self.taken[here] | (cut.own != 0).any(axis=2)) & before
        patch = self.picture[here]
        np.copyto(patch, cut.own + cut.through * patch, where=shaded[..., None])
        self.taken[here] |= cut.body & before
        return True

    @property
    def classes(self) -> NDArray[np.intp]:
        """The class of each slot (ROWS x SLOTS)."""
        return _classes(self.owners)


@dataclass(frozen=True)
class Maker:
    """Makes up positions from a lesson; the same chance makes the same.

    Attributes:
        lesson: the board.
        cuts: its checkers.
        chance: what they are made up by.
        stray: spread of where checkers lie about their slots, in diameters.
    """

    lesson: Lesson
    cuts: Cuts
    chance: np.random.Generator
    stray: float = _STRAY

    def make(self, longest: int) -> Canvas:
        """A position with rows of chance length up to `longest`."""
        return self.lay([(int(self.chance.integers(2)), int(self.chance.integers(longest + 1))) for _ in range(ROWS)])

    def lay(self, rows: Sequence[tuple[int, int]]) -> Canvas:
        """A position with these rows: whose checkers lie on each point and on the bar, and how many."""
        canvas = Canvas.of(self.lesson.appearance.ground.picture)
        for row, (owner, length) in enumerate(rows):
            for slot in range(length):
                if not self._set(canvas, owner, row, slot):
                    break
                canvas.owners[row, slot] = owner
        return canvas

    def _set(self, canvas: Canvas, owner: int, row: int, slot: int) -> bool:
        far, edge = POINTS // 2 <= row < POINTS or row == FAR_BAR, slot == 0 and row < POINTS
        kinds = [(owner, f, e) for f in (far, not far) for e in (edge, not edge)]
        pools = self.cuts.pools
        pool = next((pools[kind] for kind in kinds if kind in pools), None)
        if pool is None:
            return False
        rows = self.lesson.rows
        x, y = rows.place(row, slot) + self.chance.normal(0, self.stray * rows.diameter, 2)
        frame = self.cuts.hidden_from[far] if row < POINTS else (-np.inf if far else np.inf)
        if edge and np.isfinite(frame):
            y += self.chance.normal(0, _BEHIND_FRAME * rows.diameter)
        cut = pool[int(self.chance.integers(len(pool)))]
        return canvas.set(cut, float(x), float(y), (frame, -1 if far else 1))


def learn_slots(lesson: Lesson, gain: Singles, seed: int = 7) -> SlotModel:
    """What the figures of every slot are for each class, from the known position and from made-up ones.

    Args:
        lesson: the board as it was learned.
        gain: how much brighter (B, G, R) the pictures to be read are than the lesson's: what the sensor then cuts off
            is lost.
        seed: of the made-up positions; the same seed learns the same.
    """
    chance = np.random.default_rng(seed)
    maker = Maker(lesson, lesson.cuts, chance)
    owners = np.full((ROWS, SLOTS), EMPTY)
    for checker in lesson.placed:
        owners[checker.point, checker.index] = checker.owner
    true = through_sensor(lesson.view.astype(np.float32), gain, chance)
    samples = _samples(lesson, true, _classes(owners)) * _TRUTH_WEIGHT
    for plan in [[(EMPTY, 0)] * ROWS] * _BARE + _plans(chance):
        canvas = maker.lay(plan)
        samples += _samples(lesson, through_sensor(canvas.picture, gain, chance), canvas.classes)
    return summarise(samples)


def _plans(chance: np.random.Generator) -> list[list[tuple[int, int]]]:
    """Owner and length of the rows of made-up positions: every row has each of `_LENGTHS` once for either side."""
    each = [(owner, length) for owner in (WHITE, BLACK) for length in _LENGTHS]
    orders = [chance.permutation(len(each)) for _ in range(ROWS)]
    return [[each[order[position]] for order in orders] for position in range(len(each))]


def _classes(owners: NDArray[np.intp]) -> NDArray[np.intp]:
    """The class of each slot, from who has a checker there."""
    classes = owners.copy()
    beside = (owners[:, 1:] == EMPTY) & (owners[:, :-1] != EMPTY)
    classes[:, 1:][beside] = BESIDE
    last = owners != EMPTY
    last[:, :-1] &= owners[:, 1:] == EMPTY
    classes[last] += WHITE_LAST
    return classes


def through_sensor(canvas: Singles, gain: Singles, chance: np.random.Generator) -> Picture:
    """A made-up raster as a camera would give it: brighter by `gain`, cut off, noisy, and levelled again."""
    taken = canvas * gain * chance.normal(1.0, _FLICKER) + chance.normal(0, _GRAIN, canvas.shape)
    return level(np.clip(taken, 0, 255).astype(np.uint8), gain)


def _samples(lesson: Lesson, picture: Picture, classes: NDArray[np.intp]) -> list[Sample]:
    """The figures of every slot of a raster whose classes are known."""
    rows = lesson.rows
    figures = Figures.of(lesson.appearance.evidence(picture), rows.diameter / 2)
    samples = []
    for slot in range(SLOTS):
        y, x, _ = rows.strongest(figures.score, np.full(ROWS, rows.first + slot * rows.step))
        told = figures.at(y, x)
        samples += [(row, slot, int(classes[row, slot]), told[row]) for row in range(ROWS)]
    return samples
