"""Raise the likelihood of a place's old content if it has not changed since the last accepted frame.

Light and camera are nearly constant within a turn. A change is therefore visible where a single picture is unclear:
white checkers on white points in glare, or another checker on a stack.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.core import CellReading
from vision.backgammon.layout import SLOTS
from vision.board import POINTS
from vision.imaging import BackgroundModel, match_gain, to_lab8

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from companion.core import Board, Content, Observation
    from vision.backgammon.layout import Rows
    from vision.backgammon.reference_frame import ReferenceFrame
    from vision.cameras import Picture

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]

_CLIP = 8.0
"""Largest contribution of one pixel (nats; as in `vision.imaging.appearance`)."""
_DISC = 0.9
"""Diameter of the averaging discs, in checker diameters."""
_FLOOR = 0.1
"""Least change (nats a pixel) assumed for unchanged places: sensor noise."""
_LEAST_PLACES = 5
"""Least number of points with checkers (or without) for a usual change of their own."""
_USUAL = 0.35
"""Quantile of the changes that is taken as usual for unchanged places. A turn changes eight places at most, but boards
are also set up anew."""
_SPREAD, _SPAN = 0.6, 6.0
"""Standard deviation of the log change of unchanged places, and width of the uniform distribution for changed ones
(natural logarithm)."""
_MOST_NATS, _LEAST_NATS = 1.4, -2.0
"""Range of the log-likelihood ratio for the old content. It is small because shadows also change the picture."""


@dataclass(frozen=True, slots=True)
class AcceptedFrame:
    """The last frame that the players accepted and played on from.

    Attributes:
        known: reference frame, slot by slot.
        board: its position.
    """

    known: ReferenceFrame
    board: Board

    def weigh(
        self, observation: Observation, view: Picture, ceiling: Singles, rows: Rows, compared: Collection[int] = ()
    ) -> Observation:
        """Weigh the observation of a later frame: old content is likelier where nothing changed.

        Args:
            observation: readable.
            view: the later frame's raster, levelled.
            ceiling: grey level (B, G, R) at which the sensor saturates.
            rows: geometry of the rows on both.
            compared: points to leave out, because their slots were compared one by one.
        """
        nats = _log_ratios(
            self._changes(view, ceiling, rows), np.array([any(held or ()) for held in self.board[:POINTS]])
        )
        cells = [
            cell if held is None or point in compared else _raise_content(cell, held, float(more))
            for point, (cell, held, more) in enumerate(zip(observation.cells, self.board, nats, strict=False))
        ]
        return replace(observation, cells=(*cells, *observation.cells[len(cells) :]))

    def _changes(self, view: Picture, ceiling: Singles, rows: Rows) -> Floats:
        """Largest change on each point (nats a pixel)."""
        ceiling_of_both = np.minimum(self.known.ceiling, ceiling)
        then, now = (np.minimum(one, ceiling_of_both).astype(np.uint8) for one in (self.known.view, view))
        now = np.clip(now / match_gain(now, then), 0, 255).astype(np.uint8)
        ground = BackgroundModel(then)
        changed = np.minimum(ground.offset - ground.log_density(to_lab8(now).astype(np.float32)), _CLIP)
        size = 2 * round(rows.diameter * _DISC / 2) + 1
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)).astype(np.float32)
        mean = cv2.filter2D(changed.astype(np.float32), -1, disc / disc.sum(), borderType=cv2.BORDER_REPLICATE)
        places = np.array([[rows.place(point, slot) for slot in range(SLOTS - 1)] for point in range(POINTS)])
        x, y = np.moveaxis(np.rint(places).astype(int), -1, 0)
        height, width = mean.shape
        return np.asarray(mean[y.clip(0, height - 1), x.clip(0, width - 1)].max(axis=1), np.float64)


def _log_ratios(changes: Floats, held: NDArray[np.bool_]) -> Floats:
    """Log-likelihood ratio of unchanged to changed for each place, from its change."""
    usual = np.full(len(changes), np.quantile(changes, _USUAL))
    for kind in (held, ~held):
        if kind.sum() >= _LEAST_PLACES:
            usual[kind] = np.quantile(changes[kind], _USUAL)
    beyond = np.maximum(np.log(np.maximum(changes, _FLOOR) / np.maximum(usual, _FLOOR)), 0)
    nats = np.log(_SPAN / (_SPREAD * np.sqrt(2 * np.pi))) - 0.5 * (beyond / _SPREAD) ** 2
    return np.asarray(np.clip(nats, _LEAST_NATS, _MOST_NATS))


def _raise_content(cell: CellReading, held: Content, nats: float) -> CellReading:
    """The cell with the log-likelihood of one content raised by `nats`."""
    return CellReading.of({content: value + nats * (content == held) for content, value in cell.likelihoods})
