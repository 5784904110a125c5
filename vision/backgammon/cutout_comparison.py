"""Compares doubtful slots with cutouts of this board's own checkers: does a pasted cutout explain what changed there?

Where checkers and board have similar colours, colour evidence is weak. So the change against the bare slot, less the
components that light or a small shift explain, is compared with the change that a pasted cutout would cause. The bare
slot is from the known position's picture if it was bare there (with its neighbours' shadows), else the empty board.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from vision.board import BLACK, EMPTY, POINTS, SURE_NATS, WHITE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Bools, Floats, Ints, Picture, Singles
    from vision.backgammon.cutouts import CutoutSet, LabelledView, RowCutout
    from vision.board import Slot


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


@dataclass(frozen=True)
class CutoutComparison:
    """Comparison of a picture's doubtful slots with cutouts of the known checkers.

    `view`: raster of the picture, levelled to the brightness of the calibration picture; `ceiling`: grey level (B, G,
    R) at which it saturates.
    """

    labelled: LabelledView
    cuts: CutoutSet
    view: Picture
    ceiling: Singles
    read: Sequence[Sequence[Slot]]

    def compare(self) -> list[list[Slot]]:
        """All slots; the comparison is added to those that are undecided between a side's checker and none."""
        return [
            [self._compared(row, index, slot) for index, slot in enumerate(slots)]
            for row, slots in enumerate(self.read)
        ]

    def _compared(self, row: int, index: int, slot: Slot) -> Slot:
        sides = [side for side in (WHITE, BLACK) if _is_doubtful(slot, side)]
        if row >= POINTS or not sides:
            return slot
        nats = np.array(slot.nats)
        nats[sides] += [self.log_ratio(row, index, side) for side in sides]
        return slot.renewed(nats)

    def log_ratio(self, row: int, index: int, side: int) -> float:
        """Log-likelihood ratio (nats) of that side's checker in a slot to none; 0 if it cannot be determined."""
        slot, reach = self.read[row][index], int(np.ceil(_REACH * self._radius))
        here = slice(slot.y - reach, slot.y + reach + 1), slice(slot.x - reach, slot.x + reach + 1)
        was_bare = not (self._known_checkers[0] == (row, index)).all(axis=1).any()
        bare = self.labelled.view if was_bare else self.labelled.appearance.background.picture
        now, empty = (np.minimum(one[here], self.ceiling).astype(np.float32) for one in (self.view, bare))
        free = self._free((row, index), slot.x, slot.y, reach)
        if min(slot.x, slot.y) < reach or now.shape[:2] != free.shape or free.mean() < _LEAST_FREE:
            return 0.0
        kinds = [(side, far, edge) for far in _with_fallback(row >= POINTS // 2) for edge in _with_fallback(index == 0)]
        pool = [cut for kind in kinds for cut in self.cuts.pools.get(kind, [])][:_CUTOUTS_TRIED]
        return SlotChange.of(empty, now, free).best_cutout_log_ratio(pool, reach, self.ceiling)

    @cached_property
    def _known_checkers(self) -> tuple[Ints, Floats]:
        """Row and index, and place (x, y), of the known position's checkers (n x 2 each)."""
        return self.labelled.slots, self.labelled.places

    @cached_property
    def _checkers_of_both(self) -> tuple[Ints, Floats]:
        """The same of the checkers in the known position and in this picture together."""
        lying = [
            ((row, index), slot.x, slot.y)
            for row, slots in enumerate(self.read)
            for index, slot in enumerate(slots)
            if slot.holder != EMPTY
        ]
        slots = np.array([key for key, _, _ in lying], np.intp).reshape(-1, 2)
        places = np.array([(x, y) for _, x, y in lying], np.float64).reshape(-1, 2)
        return np.vstack([self._known_checkers[0], slots]), np.vstack([self._known_checkers[1], places])

    @property
    def _radius(self) -> float:
        return self.labelled.rows.diameter / 2

    def _free(self, own: tuple[int, int], x: int, y: int, reach: int) -> Bools:
        """Mask of the pixels within `_REACH` of a place (x, y) that no other checker covers in either picture."""
        down, right = np.ogrid[y - reach : y + reach + 1, x - reach : x + reach + 1]
        free = np.hypot(down - y, right - x) <= _REACH * self._radius
        slots, places = self._checkers_of_both
        away = np.hypot(places[:, 0] - x, places[:, 1] - y)
        for u, v in places[(slots != own).any(axis=1) & (away < _FAR * self._radius)]:
            free &= np.hypot(down - v, right - u) > _BESIDE * self._radius
        return np.asarray(free)


def _is_doubtful(slot: Slot, side: int) -> bool:
    """Whether a slot is undecided between that side's checker and none."""
    own, other, none = slot.nats[side], slot.nats[1 - side], slot.nats[EMPTY]
    return not slot.foreign and abs(own - none) < SURE_NATS and other - max(own, none) < SURE_NATS


def _with_fallback(first: bool) -> tuple[bool, bool]:
    """The preferred value, then the other one."""
    return first, not first


@dataclass(frozen=True, slots=True)
class SlotChange:
    """Change of a slot against its bare picture, and its residual without the components of light and small shifts.

    Attributes:
        without: the slot without a checker (height x width x 3).
        free: mask of the pixels that count.
        basis: values x 5, orthonormal basis of the changes by light (3) and shift (2).
        residual: values, the change projected off that basis.
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
        """Log-likelihood ratio (nats) of the best fitting cutout and shift to no checker; 0 if no cutout fits in."""
        log_ratio, right, down = 0.0, 0, 0
        for step in _STEPS_PX:
            shifts = [(right + step * u, down + step * v) for u in (-1, 0, 1) for v in (-1, 0, 1)]
            pasted = [_paste(cut, self.without, *shift, reach) for cut in pool for shift in shifts]
            kept = [k for k, one in enumerate(pasted) if one is not None]
            if not kept:
                return log_ratio
            log_ratio, best = self._best_log_ratio(np.minimum(np.array([pasted[k] for k in kept]), most))
            which, shift = divmod(kept[best], len(shifts))
            pool, (right, down) = [pool[which]], shifts[shift]
        return log_ratio

    def _best_log_ratio(self, pasted: Singles) -> tuple[float, int]:
        """Log-likelihood ratio (nats) of the best picture with a checker to the one without, and which is the best.

        `pasted`: pictures with a checker, n x height x width x 3.
        """
        expected = (pasted - self.without)[:, self.free].reshape(len(pasted), -1)
        expected -= (expected @ self.basis) @ self.basis.T
        energy, common = np.einsum("nv,nv->n", expected, expected), expected @ self.residual
        rest = float(self.residual @ self.residual)
        contrast = np.clip(common / np.maximum(energy, 1e-9), _LEAST_CONTRAST, _MOST_CONTRAST)
        unexplained = rest - 2 * contrast * common + contrast**2 * energy
        best = int(unexplained.argmin())
        usual = _OTHER_CAUSES * float(energy[best]) + _NOISE * len(self.residual)
        return _INDEPENDENT_PIXELS / 2 * float(np.log((rest + usual) / (float(unexplained[best]) + usual))), best


def _paste(cut: RowCutout, bare: Singles, right: int, down: int, reach: int) -> Singles | None:
    """Paste a cutout on a bare slot with a shift; None if the cutout is too small for it."""
    middle = cut.body.shape[0] // 2
    if middle - max(abs(right), abs(down)) < reach:
        return None
    top, left = middle - down - reach, middle - right - reach
    here = slice(top, top + 2 * reach + 1), slice(left, left + 2 * reach + 1)
    return np.asarray(cut.own[here] + cut.through[here] * bare, np.float32)
