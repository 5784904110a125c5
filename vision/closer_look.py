"""The closer look: slots where checker and empty board look alike are read again by their rims, on the finer raster."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from vision.layout import POINTS
from vision.read_backgammon import SURE_NATS
from vision.rims import RimModel, learn_rims
from vision.rows import SLOTS
from vision.slots import BLACK, EMPTY, WHITE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from vision.cutouts import LabelledView
    from vision.read_backgammon import Slot
    from vision.slots import SlotModel
    from vision.smooth_light import Illumination
    from vision.straightened import Straightened
    from vision.two_looks import TwoLooks

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Picture = NDArray[np.uint8]

_ALIKE_TRUST = 0.75
"""Slots whose figures are believed less than this (see `SlotModel.trust`) are looked at again: there, checker and board
are less than 16 spreads apart."""
_PLAIN_NATS = 12.0
"""What is so certain all the same is left as it is, and so is a slot that as likely holds the other side's."""
_FIRST_LOOK = 0.5
"""Share of the first look's nats that still counts: it sees the same edges, less well."""
_REACHED = SLOTS - 2
"""Slots past these are rarely reached, and dice lie there."""


@dataclass(frozen=True, slots=True)
class CloserLook:
    """What a closer look knows of a board under one brightness of pictures.

    Attributes:
        labelled: the board on the finer raster.
        ceiling: grey level (B, G, R) above which the sensor tells nothing apart.
        alike: rows x slots x 2, where White's (Black's) checkers look like the board.
        rims: tells them apart.
        finer: pixels of the finer raster for one of the other.
    """

    labelled: LabelledView
    ceiling: Singles
    alike: Bools
    rims: RimModel
    finer: int

    @classmethod
    def of(
        cls, labelled: LabelledView, fine: Straightened, alike: Bools, gain: Singles, ceiling: Singles, finer: int
    ) -> CloserLook:
        """Learn it.

        Args:
            labelled: the board on the finer raster, as it was learned.
            fine: what that was made from.
            alike: see `alike_slots`.
            gain: how much brighter (B, G, R) the pictures are.
            ceiling: see above.
            finer: see above.
        """
        if (ceiling < 255).any():
            cut_off = fine.cut_off(ceiling).appearance(labelled.placed, labelled.layout, labelled.top)
            labelled = replace(labelled, appearance=cut_off)
        return cls(labelled, ceiling, alike, learn_rims(labelled, gain, alike), finer)

    def read(self, rows: list[list[Slot]], picture: Picture, light: Illumination) -> list[list[Slot]]:
        """The rows read again; `light` is that of the picture."""
        doubtful = [
            (row, index, side)
            for side in (WHITE, BLACK)
            for row, slots in enumerate(rows)
            for index, slot in enumerate(slots)
            if self.alike[row, index, side] and _is_doubtful(slot, side, _PLAIN_NATS)
        ]
        if not doubtful:
            return rows
        view = light.level(self.labelled.top.straighten(picture), self.ceiling)
        rows = [list(slots) for slots in rows]
        for side in (WHITE, BLACK):
            own = [(row, index) for row, index, whose in doubtful if whose == side]
            where = np.array([(rows[row][index].x, rows[row][index].y) for row, index in own]).reshape(-1, 2)
            inward = self.labelled.rows.inward[[row for row, _ in own]]
            ratios = self.rims.log_ratios(self.labelled, view, side, (where + 0.5) * self.finer - 0.5, inward)
            if ratios is not None:
                for (row, index), nats in zip(own, ratios, strict=True):
                    rows[row][index] = _with(rows[row][index], side, float(nats))
        return rows

    def compare(self, rows: list[list[Slot]], looks: TwoLooks) -> tuple[list[list[Slot]], frozenset[int]]:
        """The rows, once what is still doubtful has been compared with an earlier look, and in which rows that was."""
        compared = [
            [self._compared(row, index, slot, looks) for index, slot in enumerate(slots)]
            for row, slots in enumerate(rows)
        ]
        return compared, frozenset(row for row, slots in enumerate(rows) if compared[row] != slots)

    def _compared(self, row: int, index: int, slot: Slot, looks: TwoLooks) -> Slot:
        sides = [
            side for side in (WHITE, BLACK) if self.alike[row, index, side] and _is_doubtful(slot, side, SURE_NATS)
        ]
        return _likelier(slot, {side: looks.log_ratio(row, index, side) for side in sides})


def alike_slots(slots: SlotModel) -> Bools:
    """Rows x slots x 2: where White's (Black's) checkers look so much like the board that a closer look is needed."""
    alike = slots.trust < _ALIKE_TRUST
    alike[:, _REACHED:] = alike[POINTS:] = False  # on the bar checkers lie anywhere
    return np.asarray(alike)


def _is_doubtful(slot: Slot, side: int, plain_nats: float) -> bool:
    """Whether it is open if a slot holds that side's checker or none."""
    own, other, none = slot.nats[side], slot.nats[1 - side], slot.nats[EMPTY]
    return not slot.strange and abs(own - none) < plain_nats and other - max(own, none) < plain_nats


def _with(slot: Slot, side: int, nats: float) -> Slot:
    """A slot in which a closer look finds that side's checker that much likelier than none."""
    return _likelier(slot, {side: nats + (_FIRST_LOOK - 1) * (slot.nats[side] - slot.nats[EMPTY])})


def _likelier(slot: Slot, more: Mapping[int, float]) -> Slot:
    """A slot in which each of these sides' checkers is that much likelier (nats)."""
    if not more:
        return slot
    three = [nats + more.get(kind, 0.0) for kind, nats in enumerate(slot.nats)]
    most = max(three)
    return replace(slot, nats=(three[WHITE] - most, three[BLACK] - most, three[EMPTY] - most))
