"""Compare a slot with a reference frame: did it change from empty to occupied, or stay as it was?

If checker and board look nearly alike, one picture says little. A reference frame with known content says more, because
unchanged places are equal to a few grey levels. The slot is compared with two pictures: the reference, and a synthetic
one. The synthetic one is a cutout pasted on the bare slot, or the empty board.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from vision.backgammon.layout import SLOTS
from vision.board import BLACK, EMPTY, ORDINARY_ROW, POINTS, SURE_NATS, WHITE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core import Board
    from vision.arrays import Bools, Floats, Ints, Picture, Singles
    from vision.backgammon.cutouts import CutoutSet, LabelledView, RowCutout
    from vision.board import Slot


UNKNOWN = -1
"""A slot of unknown content."""
_REACH = 1.3
"""Radius of the area compared, in checker radii: the rim and the beginning of the shadow."""
_BESIDE = 1.25
"""Pixels within this distance of another checker's centre, in radii, are left out: its side and its shadow."""
_FAR = _REACH + _BESIDE + 0.1
"""Checkers farther off than this, in radii, hide nothing of the area."""
_LEAST_FREE = 0.35
"""Least share of the area that must be free of other checkers for a comparison."""
_STEPS_PX = 2, 1
"""Search steps for a new checker each way, in raster pixels (a checker is 18 wide): first about the reading, then about
the best fit."""
_CUTOUTS_TRIED = 3
"""Number of cutouts that are tried."""
_LEAST_CONTRAST, _MOST_CONTRAST = 0.6, 1.4
"""Range of the contrast of a new checker relative to its cutout. Lighting varies over the board."""
_OTHER_CAUSES = 0.05
"""Share of a checker's change that other causes also produce, such as a neighbour's shadow."""
_NOISE = 4.0
"""Variance of a pixel between two pictures of the same scene (grey levels squared)."""
_INDEPENDENT_PIXELS = 5.0
"""Effective number of independent pixels in a slot. Neighbouring pixels have correlated errors from light, sharpness
and position."""


@dataclass(frozen=True, slots=True)
class ReferenceSlot:
    """Content of a slot in a reference frame (WHITE, BLACK, EMPTY or UNKNOWN) and its raster pixel."""

    held: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class ReferenceFrame:
    """A picture of a known position to compare others with.

    Attributes:
        view: the raster, levelled to the brightness of the calibration picture.
        ceiling: grey level (B, G, R) at which the sensor saturated.
        slots: by row and index.
    """

    view: Picture
    ceiling: Singles
    slots: Mapping[tuple[int, int], ReferenceSlot]

    @classmethod
    def from_calibration(cls, labelled: LabelledView) -> ReferenceFrame:
        """The calibration picture as a reference frame."""
        owners = {(checker.point, checker.index): checker.owner for checker in labelled.placed}
        slots = {
            (point, slot): ReferenceSlot(
                owners.get((point, slot), EMPTY), *map(float, labelled.rows.place(point, slot))
            )
            for point in range(POINTS)
            for slot in range(SLOTS)
        }
        return cls(labelled.view, np.full(3, 255, np.float32), slots)

    @classmethod
    def of(cls, view: Picture, ceiling: Singles, read: Sequence[Sequence[Slot]], board: Board) -> ReferenceFrame:
        """A reference frame of a position that the players accepted.

        A slot with a different reading is UNKNOWN, because a play may have been accepted by mistake.

        Args:
            view: as above.
            ceiling: as above.
            read: the rows' slots as read from the picture.
            board: the accepted position.
        """
        slots = {}
        for row, found in enumerate(read):
            for index, slot in enumerate(found):
                held = slot.holder if row >= POINTS or slot.foreign else _held(board[row] or (0, 0), index)
                known = held == slot.holder and not slot.foreign
                slots[row, index] = ReferenceSlot(held if known else UNKNOWN, slot.x, slot.y)
        return cls(view, ceiling, slots)


def _held(content: tuple[int, int], index: int) -> int:
    """Content of a slot on a point that holds `content`; UNKNOWN if not determined."""
    count = sum(content)
    if index >= count:
        return EMPTY
    return UNKNOWN if min(content) or index >= ORDINARY_ROW else int(content[1] > 0)


@dataclass(frozen=True)
class FrameComparison:
    """Comparison of a picture with a reference frame.

    Attributes:
        known: the reference frame.
        labelled: the calibrated board.
        cuts: cutouts of its checkers.
        view: raster of the picture, levelled as `known.view`.
        ceiling: of the picture, as `known.ceiling`.
        read: slots read in the picture.
    """

    known: ReferenceFrame
    labelled: LabelledView
    cuts: CutoutSet
    view: Picture
    ceiling: Singles
    read: Sequence[Sequence[Slot]]

    def compare(self) -> list[list[Slot]]:
        """The slots read, of which those are compared that may hold a side's checker as well as none."""
        return [
            [self._compared(row, index, slot) for index, slot in enumerate(slots)]
            for row, slots in enumerate(self.read)
        ]

    def _compared(self, row: int, index: int, slot: Slot) -> Slot:
        sides = [side for side in (WHITE, BLACK) if _is_doubtful(slot, side)]
        if row >= POINTS or not sides:
            return slot
        three = np.array(slot.nats)
        three[sides] += [self.log_ratio(row, index, side) for side in sides]
        return slot.renewed(three)

    def log_ratio(self, row: int, index: int, side: int) -> float:
        """Log-likelihood ratio (nats) of that side's checker in a slot to none; 0 if it cannot be determined."""
        slot = self.read[row][index]
        before = self.known.slots.get((row, index), ReferenceSlot(UNKNOWN, slot.x, slot.y))
        stayed = before.held == side
        x, y = (round(before.x), round(before.y)) if stayed else (slot.x, slot.y)
        reach = int(np.ceil(_REACH * self._radius))
        here = slice(y - reach, y + reach + 1), slice(x - reach, x + reach + 1)
        most = np.minimum(self.known.ceiling, self.ceiling)
        then, now, empty = (
            np.minimum(one[here], most).astype(np.float32)
            for one in (self.known.view, self.view, self.labelled.appearance.background.picture)
        )
        free = self._free((row, index), x, y, reach)
        if min(x, y) < reach or then.shape[:2] != free.shape or free.mean() < _LEAST_FREE:
            return 0.0
        change = SlotChange.of(then if before.held == EMPTY else empty, now, free)
        if stayed:
            return change.best_log_ratio(then[None], seen=True)[0]
        kinds = [(side, far, edge) for far in _both(row >= POINTS // 2) for edge in _both(index == 0)]
        pool = [cut for kind in kinds for cut in self.cuts.pools.get(kind, [])][:_CUTOUTS_TRIED]
        return change.best_cutout_log_ratio(pool, reach, most)

    @cached_property
    def _checkers(self) -> tuple[Ints, Floats]:
        """Row and index, and place (x, y), of the checkers in either picture (n x 2 each)."""
        lying = [(key, slot.x, slot.y) for key, slot in self.known.slots.items() if slot.held in (WHITE, BLACK)]
        lying += [
            ((row, index), slot.x, slot.y)
            for row, slots in enumerate(self.read)
            for index, slot in enumerate(slots)
            if slot.holder != EMPTY
        ]
        slots = np.array([key for key, _, _ in lying], np.intp).reshape(-1, 2)
        return slots, np.array([(x, y) for _, x, y in lying], np.float64).reshape(-1, 2)

    @property
    def _radius(self) -> float:
        return self.labelled.rows.diameter / 2

    def _free(self, own: tuple[int, int], x: int, y: int, reach: int) -> Bools:
        """Mask of the pixels round a place that show the slot and no other checker in both pictures."""
        down, right = np.ogrid[y - reach : y + reach + 1, x - reach : x + reach + 1]
        free = np.hypot(down - y, right - x) <= _REACH * self._radius
        slots, places = self._checkers
        away = np.hypot(places[:, 0] - x, places[:, 1] - y)
        for u, v in places[(slots != own).any(axis=1) & (away < _FAR * self._radius)]:
            free &= np.hypot(down - v, right - u) > _BESIDE * self._radius
        return np.asarray(free)


def _is_doubtful(slot: Slot, side: int) -> bool:
    """Whether a slot is undecided between that side's checker and none."""
    own, other, none = slot.nats[side], slot.nats[1 - side], slot.nats[EMPTY]
    return not slot.foreign and abs(own - none) < SURE_NATS and other - max(own, none) < SURE_NATS


def _both(first: bool) -> tuple[bool, bool]:
    """Preferred value first, then the substitute."""
    return first, not first


@dataclass(frozen=True, slots=True)
class SlotChange:
    """Change of a slot relative to its bare picture, without the part that light or a small shift explains.

    Attributes:
        without: the slot without a checker (height x width x 3).
        free: mask of the pixels that count.
        basis: values x 5, orthonormal basis of the changes by light and shift.
        residual: values, the rest of the change.
    """

    without: Singles
    free: Bools
    basis: Singles
    residual: Singles

    @classmethod
    def of(cls, without: Singles, now: Singles, free: Bools) -> SlotChange:
        """From the slot without a checker and its current picture."""
        down, right = (np.linspace(-1, 1, size) for size in free.shape)
        lit = without, without * down[:, None, None], without * right[:, None]
        shifted = [np.asarray(np.gradient(without, axis=axis)) for axis in (0, 1)]
        nuisance = np.stack([np.asarray(one)[free].ravel() for one in (*lit, *shifted)], axis=1)
        basis = np.linalg.qr(nuisance)[0]
        residual = (now - without)[free].ravel()
        return cls(without, free, basis, residual - basis @ (basis.T @ residual))

    def best_cutout_log_ratio(self, pool: Sequence[RowCutout], reach: int, most: Singles) -> float:
        """Log-likelihood ratio (nats) of the cutout and the shift that fit best to no checker."""
        log_ratio, right, down = 0.0, 0, 0
        for step in _STEPS_PX:
            shifts = [(right + step * u, down + step * v) for u in (-1, 0, 1) for v in (-1, 0, 1)]
            made = [_set(cut, self.without, *shift, reach) for cut in pool for shift in shifts]
            kept = [k for k, one in enumerate(made) if one is not None]
            if not kept:
                return log_ratio
            log_ratio, best = self.best_log_ratio(np.minimum(np.array([made[k] for k in kept]), most), seen=False)
            which, shift = divmod(kept[best], len(shifts))
            pool, (right, down) = [pool[which]], shifts[shift]
        return log_ratio

    def best_log_ratio(self, made: Singles, *, seen: bool) -> tuple[float, int]:
        """Log-likelihood ratio (nats) of the best picture with a checker to the one without, and which is the best.

        Args:
            made: pictures with a checker, n x height x width x 3.
            seen: whether they are real rather than synthetic.
        """
        expected = (made - self.without)[:, self.free].reshape(len(made), -1)
        expected -= (expected @ self.basis) @ self.basis.T
        energy, common = np.einsum("nv,nv->n", expected, expected), expected @ self.residual
        rest = float(self.residual @ self.residual)
        contrast = (
            np.ones(len(made)) if seen else np.clip(common / np.maximum(energy, 1e-9), _LEAST_CONTRAST, _MOST_CONTRAST)
        )
        left = rest - 2 * contrast * common + contrast**2 * energy
        best = int(left.argmin())
        usual = _OTHER_CAUSES * float(energy[best]) + _NOISE * len(self.residual)
        return _INDEPENDENT_PIXELS / 2 * float(np.log((rest + usual) / (float(left[best]) + usual))), best


def _set(cut: RowCutout, bare: Singles, right: int, down: int, reach: int) -> Singles | None:
    """Paste a cutout on a bare slot with a shift; None if the cutout is too small for it."""
    middle = cut.body.shape[0] // 2
    if middle - max(abs(right), abs(down)) < reach:
        return None
    top, left = middle - down - reach, middle - right - reach
    here = slice(top, top + 2 * reach + 1), slice(left, left + 2 * reach + 1)
    return np.asarray(cut.own[here] + cut.through[here] * bare, np.float32)
