"""Two looks at one slot: has it gone from how it looked without a checker to how it would look with one, or stayed?

Where checker and board look nearly alike, one picture says little, but another picture of the same place, of which it
is known what lay there, says much: what has stayed is the same to a few grey levels. What was seen then is one of the
two pictures that a slot is compared with; the other is made up: a cut-out checker set on the bare slot, or the empty
board as it was learned.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from vision.layout import ORDINARY_ROW, POINTS
from vision.rows import SLOTS
from vision.slots import BLACK, EMPTY, WHITE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from companion.observation import Board
    from vision.cutouts import CutoutSet, LabelledView, RowCutout
    from vision.read_backgammon import Slot

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]
    Singles = NDArray[np.float32]
    Picture = NDArray[np.uint8]

UNKNOWN = -1
"""A slot of which it was not known what it held."""
_REACH = 1.3
"""How far round a checker's centre pictures are compared, in radii: its rim and the beginning of its shade."""
_BESIDE = 1.25
"""What lies nearer to another checker's centre, in radii, is its own: its side, and its shade on the slot."""
_FAR = _REACH + _BESIDE + 0.1
"""Checkers farther off, in radii, hide nothing of that."""
_LEAST_FREE = 0.35
"""Where less of that is left between other checkers, nothing is said."""
_STEPS_PX = 2, 1
"""A checker that came is sought so far each way, in pixels of the raster (a checker is 18), from where it was read, and
then from where it fits best."""
_CUTS = 3
"""Cut-outs that are tried."""
_FAINTEST, _BOLDEST = 0.6, 1.4
"""A checker that came stands out from the board so much, over what a cut-out does: no two lie in the same light."""
_ODD = 0.05
"""Share of what a checker changes that other things change as well: a neighbour's shadow, a touch in passing."""
_NOISE = 4.0
"""Variance of a pixel's values (grey levels squared) between two pictures of the same."""
_WITNESSES = 5.0
"""So many of a slot's pixels count as independent: neighbours err alike, by light, sharpness and place."""


@dataclass(frozen=True, slots=True)
class KnownSlot:
    """What a slot held in a look: WHITE, BLACK, EMPTY or UNKNOWN, and where on the raster."""

    held: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class KnownLook:
    """A look at a position that is known.

    Attributes:
        view: the raster, levelled to the learned board's brightness.
        ceiling: grey level (B, G, R) above which nothing was told apart.
        slots: by row and index.
    """

    view: Picture
    ceiling: Singles
    slots: Mapping[tuple[int, int], KnownSlot]

    @classmethod
    def learned(cls, labelled: LabelledView) -> KnownLook:
        """The look that a board was learned from."""
        owners = {(checker.point, checker.index): checker.owner for checker in labelled.placed}
        slots = {
            (point, slot): KnownSlot(owners.get((point, slot), EMPTY), *map(float, labelled.rows.place(point, slot)))
            for point in range(POINTS)
            for slot in range(SLOTS)
        }
        return cls(labelled.view, np.full(3, 255, np.float32), slots)

    @classmethod
    def of(cls, view: Picture, ceiling: Singles, read: Sequence[Sequence[Slot]], board: Board) -> KnownLook:
        """A look at a position that the players say stands there.

        A slot that was read otherwise, without that knowledge, is UNKNOWN: a play may have been accepted by mistake.

        Args:
            view: see above.
            ceiling: see above.
            read: the rows' slots as they were read.
            board: what stands there.
        """
        slots = {}
        for row, found in enumerate(read):
            for index, slot in enumerate(found):
                held = slot.holder if row >= POINTS or slot.strange else _held(board[row] or (0, 0), index)
                known = held == slot.holder and not slot.strange
                slots[row, index] = KnownSlot(held if known else UNKNOWN, slot.x, slot.y)
        return cls(view, ceiling, slots)


def _held(content: tuple[int, int], index: int) -> int:
    """What a point's slot holds if the point holds that; UNKNOWN where it is one of several things."""
    count = sum(content)
    if index >= count:
        return EMPTY
    return UNKNOWN if min(content) or index >= ORDINARY_ROW else int(content[1] > 0)


@dataclass(frozen=True)
class TwoLooks:
    """A look compared with a known one.

    Attributes:
        known: the other.
        labelled: the board as it was learned.
        cuts: its checkers.
        view, ceiling: of the look, as those of `known`.
        read: what was read in it.
    """

    known: KnownLook
    labelled: LabelledView
    cuts: CutoutSet
    view: Picture
    ceiling: Singles
    read: Sequence[Sequence[Slot]]

    def log_ratio(self, row: int, index: int, side: int) -> float:
        """How much likelier a slot holds a checker of that side than none (nats); 0 where that cannot be told."""
        slot = self.read[row][index]
        before = self.known.slots.get((row, index), KnownSlot(UNKNOWN, slot.x, slot.y))
        stayed = before.held == side
        x, y = (round(before.x), round(before.y)) if stayed else (slot.x, slot.y)
        reach = int(np.ceil(_REACH * self._radius))
        here = slice(y - reach, y + reach + 1), slice(x - reach, x + reach + 1)
        most = np.minimum(self.known.ceiling, self.ceiling)
        then, now, empty = (
            np.minimum(one[here], most).astype(np.float32)
            for one in (self.known.view, self.view, self.labelled.appearance.ground.picture)
        )
        free = self._free((row, index), x, y, reach)
        if min(x, y) < reach or then.shape[:2] != free.shape or free.mean() < _LEAST_FREE:
            return 0.0
        change = Change.of(then if before.held == EMPTY else empty, now, free)
        if stayed:
            return change.log_ratio(then[None], seen=True)
        kinds = [(side, far, edge) for far in _both(row >= POINTS // 2) for edge in _both(index == 0)]
        pool = [cut for kind in kinds for cut in self.cuts.pools.get(kind, [])][:_CUTS]
        return change.sought(pool, reach, most)

    @cached_property
    def _checkers(self) -> tuple[NDArray[np.intp], Floats]:
        """Row and index, and place (x, y), of the checkers in either look (n x 2 each)."""
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
        """Which pixels round a place show the slot itself, in both looks, and no other checker."""
        down, right = np.ogrid[y - reach : y + reach + 1, x - reach : x + reach + 1]
        free = np.hypot(down - y, right - x) <= _REACH * self._radius
        slots, places = self._checkers
        away = np.hypot(places[:, 0] - x, places[:, 1] - y)
        for u, v in places[(slots != own).any(axis=1) & (away < _FAR * self._radius)]:
            free &= np.hypot(down - v, right - u) > _BESIDE * self._radius
        return np.asarray(free)


def _both(first: bool) -> tuple[bool, bool]:
    """What is sought first, and what serves in its place."""
    return first, not first


@dataclass(frozen=True, slots=True)
class Change:
    """What has changed in a slot, but for what smoothly varying light, or a raster a little off, can change.

    Attributes:
        without: the slot without a checker (height x width x 3).
        free: which of its pixels count.
        basis: values x 5, what light and place change, orthonormal.
        gone: values, how far the slot has gone from there.
    """

    without: Singles
    free: Bools
    basis: Singles
    gone: Singles

    @classmethod
    def of(cls, without: Singles, now: Singles, free: Bools) -> Change:
        """From the slot without a checker, and as it looks now."""
        down, right = (np.linspace(-1, 1, size) for size in free.shape)
        lit = without, without * down[:, None, None], without * right[:, None]
        shifted = [np.asarray(np.gradient(without, axis=axis)) for axis in (0, 1)]
        easy = np.stack([np.asarray(one)[free].ravel() for one in (*lit, *shifted)], axis=1)
        basis = np.linalg.qr(easy)[0]
        gone = (now - without)[free].ravel()
        return cls(without, free, basis, gone - basis @ (basis.T @ gone))

    def sought(self, pool: Sequence[RowCutout], reach: int, most: Singles) -> float:
        """The same as `log_ratio`, where one of these cut-outs came, somewhere near."""
        told, right, down = 0.0, 0, 0
        for step in _STEPS_PX:
            shifts = [(right + step * u, down + step * v) for u in (-1, 0, 1) for v in (-1, 0, 1)]
            made = [_set(cut, self.without, *shift, reach) for cut in pool for shift in shifts]
            kept = [k for k, one in enumerate(made) if one is not None]
            if not kept:
                return told
            told, best = self._best(np.minimum(np.array([made[k] for k in kept]), most), seen=False)
            which, shift = divmod(kept[best], len(shifts))
            pool, (right, down) = [pool[which]], shifts[shift]
        return told

    def log_ratio(self, made: Singles, *, seen: bool) -> float:
        """How much likelier the slot shows one of the pictures with a checker than the one without (nats).

        Args:
            made: n x height x width x 3.
            seen: whether they were seen there, not made up.
        """
        return self._best(made, seen=seen)[0]

    def _best(self, made: Singles, *, seen: bool) -> tuple[float, int]:
        come = (made - self.without)[:, self.free].reshape(len(made), -1)
        come -= (come @ self.basis) @ self.basis.T
        energy, common, rest = np.einsum("nv,nv->n", come, come), come @ self.gone, float(self.gone @ self.gone)
        boldness = np.ones(len(made)) if seen else np.clip(common / np.maximum(energy, 1e-9), _FAINTEST, _BOLDEST)
        left = rest - 2 * boldness * common + boldness**2 * energy
        best = int(left.argmin())
        usual = _ODD * float(energy[best]) + _NOISE * len(self.gone)
        return _WITNESSES / 2 * float(np.log((rest + usual) / (float(left[best]) + usual))), best


def _set(cut: RowCutout, bare: Singles, right: int, down: int, reach: int) -> Singles | None:
    """A cut-out set a little off the middle of a bare slot; None where it does not reach so far."""
    middle = cut.body.shape[0] // 2
    if middle - max(abs(right), abs(down)) < reach:
        return None
    top, left = middle - down - reach, middle - right - reach
    here = slice(top, top + 2 * reach + 1), slice(left, left + 2 * reach + 1)
    return np.asarray(cut.own[here] + cut.through[here] * bare, np.float32)
