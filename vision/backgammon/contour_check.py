"""Contour check: slots where checker and empty board look alike are read again on the finer raster."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from vision.backgammon.contour_likelihood import RimModel, learn_rims
from vision.backgammon.layout import SLOTS
from vision.board import BLACK, EMPTY, POINTS, SURE_NATS, WHITE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from vision.backgammon.cutouts import LabelledView
    from vision.backgammon.known_position import RectifiedViews
    from vision.backgammon.reference_frame import FrameComparison
    from vision.backgammon.slot_model import SlotModel
    from vision.board import Slot
    from vision.cameras import Picture
    from vision.imaging import Illumination

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]

_ALIKE_TRUST = 0.75
"""Trust (see `SlotModel.trust`) below which a slot is checked: checker and board are less than 16 standard deviations
apart there."""
_CERTAIN_NATS = 12.0
"""Slots with a lead of this much (nats) are not checked, nor slots as likely to hold the other side's checker."""
_FIRST_READING_WEIGHT = 0.5
"""Weight of the first reading's nats. It uses the same edges, with less precision."""
_REACHED = SLOTS - 2
"""Later slots are not checked. Rows rarely reach them, and dice lie there."""


@dataclass(frozen=True, slots=True)
class ContourCheck:
    """Contour check of a board for one brightness of the picture.

    Attributes:
        labelled: the known position on the finer raster.
        ceiling: grey level (B, G, R) at which the sensor saturates.
        alike: rows x slots x 2, where White's (Black's) checkers look like the board.
        rims: contour model.
        finer: scale of the finer raster relative to the coarse one.
    """

    labelled: LabelledView
    ceiling: Singles
    alike: Bools
    rims: RimModel
    finer: int

    @classmethod
    def of(
        cls, labelled: LabelledView, fine: RectifiedViews, alike: Bools, gain: Singles, ceiling: Singles, finer: int
    ) -> ContourCheck:
        """Learn the contour model.

        Args:
            labelled: the known position on the finer raster.
            fine: its rectified images.
            alike: see `alike_slots`.
            gain: brightness (B, G, R) of the pictures, relative to the calibration picture.
            ceiling: as above.
            finer: as above.
        """
        if (ceiling < 255).any():
            saturated = fine.saturated_at(ceiling).appearance(labelled.placed, labelled.layout, labelled.top)
            labelled = replace(labelled, appearance=saturated)
        return cls(labelled, ceiling, alike, learn_rims(labelled, gain, alike), finer)

    def read(self, rows: list[list[Slot]], picture: Picture, light: Illumination) -> list[list[Slot]]:
        """Read the doubtful slots again; `light` is the illumination of the picture."""
        doubtful = [
            (row, index, side)
            for side in (WHITE, BLACK)
            for row, slots in enumerate(rows)
            for index, slot in enumerate(slots)
            if self._may_mislead(row, index, slot, side) and _is_doubtful(slot, side, _CERTAIN_NATS)
        ]
        if not doubtful:
            return rows
        view = light.level(self.labelled.top.rectify(picture), self.ceiling)
        rows = [list(slots) for slots in rows]
        for side in (WHITE, BLACK):
            own = [(row, index) for row, index, whose in doubtful if whose == side]
            where = np.array([(rows[row][index].x, rows[row][index].y) for row, index in own]).reshape(-1, 2)
            inward = self.labelled.rows.inward[[row for row, _ in own]]
            ratios = self.rims.log_ratios(self.labelled, view, side, (where + 0.5) * self.finer - 0.5, inward)
            if ratios is not None:
                for (row, index), nats in zip(own, ratios, strict=True):
                    rows[row][index] = _with_contour_check(rows[row][index], side, float(nats))
        return rows

    def _may_mislead(self, row: int, index: int, slot: Slot, side: int) -> bool:
        """Whether that side's checker may have been read wrongly by its colours."""
        unusual = slot.unusual and row < POINTS and index < _REACHED
        return bool(self.alike[row, index, side]) or unusual

    def compare(self, rows: list[list[Slot]], comparison: FrameComparison) -> list[list[Slot]]:
        """Compare the slots that are still doubtful with a reference frame."""
        return [
            [self._compared(row, index, slot, comparison) for index, slot in enumerate(slots)]
            for row, slots in enumerate(rows)
        ]

    def _compared(self, row: int, index: int, slot: Slot, comparison: FrameComparison) -> Slot:
        sides = [
            side for side in (WHITE, BLACK) if self.alike[row, index, side] and _is_doubtful(slot, side, SURE_NATS)
        ]
        return _with_ratios(slot, {side: comparison.log_ratio(row, index, side) for side in sides})


def alike_slots(slots: SlotModel) -> Bools:
    """Rows x slots x 2: where White's (Black's) checkers look so much like the board that a contour check is needed."""
    alike = slots.trust < _ALIKE_TRUST
    alike[:, _REACHED:] = alike[POINTS:] = False  # on the bar checkers lie anywhere
    return np.asarray(alike)


def _is_doubtful(slot: Slot, side: int, certain_nats: float) -> bool:
    """Whether a slot is undecided between that side's checker and none."""
    own, other, none = slot.nats[side], slot.nats[1 - side], slot.nats[EMPTY]
    return not slot.foreign and abs(own - none) < certain_nats and other - max(own, none) < certain_nats


def _with_contour_check(slot: Slot, side: int, nats: float) -> Slot:
    """The slot with the contour check's log-likelihood ratio added for one side."""
    return _with_ratios(slot, {side: nats + (_FIRST_READING_WEIGHT - 1) * (slot.nats[side] - slot.nats[EMPTY])})


def _with_ratios(slot: Slot, ratios: Mapping[int, float]) -> Slot:
    """The slot with log-likelihood ratios (nats) added by side."""
    if not ratios:
        return slot
    three = [nats + ratios.get(kind, 0.0) for kind, nats in enumerate(slot.nats)]
    most = max(three)
    return replace(slot, nats=(three[WHITE] - most, three[BLACK] - most, three[EMPTY] - most))
