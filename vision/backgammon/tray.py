"""Count the borne-off checkers of each side beside the board.

Everything beside the board during calibration counts as table. New objects that look like checkers are checkers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from companion.core import CHECKERS, CellReading
from vision.board import RIM, Figures
from vision.geometry import Raster
from vision.imaging import Appearance, BackgroundModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Content
    from vision.arrays import Bools, Picture, Singles
    from vision.board import Layout


_COARSER = 2
"""Scale of the board's raster relative to the tray's."""
_WIDTH_COLUMNS = 4.6
"""Width of the searched area beside the playing area, in columns: three rows of five checkers, and the frame."""
_FRAME_COLUMNS = 0.3
"""Width beside the playing area that is certainly frame, in columns."""
_SURE_NATS = 2.0
"""Least log-likelihood ratio of checker to table (nats a pixel) that counts as a checker."""
_DOUBTFUL_NATS = 0.0
"""Ratio (nats a pixel) above which an object may be a checker; the count is then uncertain."""
_CHANGED, _CHANGED_NATS = 2, 4.0
"""Index of the map of differences from the empty table, and least difference (nats a pixel) of a checker."""
_APART = 0.8
"""Least distance of two checkers' centres, in diameters. A second layer is not counted."""
_AS_SEEN_NATS = 8.0
"""Largest cost (nats) of fewer borne-off checkers than those counted."""
_EACH_FROM, _EACH_NATS = 1.0, 2.0
"""Evidence for each checker: `_EACH_NATS` nats for every nat a pixel of its ratio beyond `_EACH_FROM`. Measured: 2.5
nats a pixel for a false detection on a table of the checkers' colour, 4 to 6 for checkers."""
_UNSEEN_NATS = 2.0
"""Cost (nats) of more than those counted. On one board in five some are hidden under others, in glare or outside the
picture, or are kept elsewhere."""


@dataclass(frozen=True, slots=True)
class Tray:
    """The table beside the board at calibration.

    Attributes:
        raster: of the bed's plane, with wide margins.
        appearance: the table there and the checkers' colours.
        diameter: of a checker in raster pixels.
        beside: mask of possible centres of borne-off checkers.
    """

    raster: Raster
    appearance: Appearance
    diameter: float
    beside: Bools

    @classmethod
    def of(
        cls, picture: Picture, raster: Raster, layout: Layout, tables: tuple[Singles, Singles], size: tuple[int, int]
    ) -> Tray:
        """From the raster `picture` of the table; `size` is that of the camera's pictures."""
        place = raster.places()
        column = layout.column
        outside = (place[..., 0] < -(_FRAME_COLUMNS * column)) | (place[..., 0] > 1 + _FRAME_COLUMNS * column)
        along = (place[..., 1] > -column) & (place[..., 1] < layout.depth + column)
        beside = outside & along & raster.in_view(size)
        return cls(raster, Appearance(BackgroundModel(picture), tables), layout.checker * raster.scale, beside)

    def under(self, ceiling: Singles, tables: tuple[Singles, Singles]) -> Tray:
        """The same, clipped at `ceiling` (B, G, R) as by a saturated sensor, with these colour tables.

        Without it a bright table could look like a checker, because one channel saturates before the others.
        """
        return replace(self, appearance=self.appearance.saturated_at(ceiling, tables))

    def look(self, view: Picture) -> tuple[CellReading, CellReading]:
        """Read White's and Black's borne-off checkers from a levelled raster; unreadable cells if there are none."""
        figures = Figures.of(self.appearance.evidence(view), self.diameter / 2)
        sides = np.stack([figures.everywhere(side) for side in (0, 1)], axis=-1)
        sides[~self.beside | (figures.everywhere(_CHANGED) < _CHANGED_NATS)] = -np.inf
        rims = [figures.everywhere(side, RIM) for side in (0, 1)]
        certain: tuple[list[float], list[float]] = [], []
        doubtful = [0, 0]
        while (best := float(sides.max())) > _DOUBTFUL_NATS:
            y, x, side = np.unravel_index(int(sides.argmax()), sides.shape)
            if best > _SURE_NATS and rims[int(side)][y, x] > _DOUBTFUL_NATS:
                certain[int(side)].append(best)
            else:
                doubtful[int(side)] += 1
            reach = round(_APART * self.diameter)
            top, left = max(int(y) - reach, 0), max(int(x) - reach, 0)
            near = np.hypot(*np.ogrid[top - int(y) : reach + 1, left - int(x) : reach + 1]) < _APART * self.diameter
            patch = sides[top : int(y) + reach + 1, left : int(x) + reach + 1]
            patch[near[: patch.shape[0], : patch.shape[1]]] = -np.inf
        return _cell(certain[0], doubtful[0], 0), _cell(certain[1], doubtful[1], 1)


def tray_raster(plane: Raster, layout: Layout) -> Raster:
    """Raster of the table beside a board, from one of the board's own."""
    return Raster(plane.matrix, 0.0, plane.depth, plane.scale / _COARSER, _WIDTH_COLUMNS * layout.column)


def _cell(certain: Sequence[float], doubtful: int, side: int) -> CellReading:
    """Cell for one side's borne-off checkers; unreadable if there is no certain one.

    `certain`: likelihood ratio of each certain checker, greatest first. `doubtful`: number of possible further ones.
    """
    count = len(certain)
    if not count or count > CHECKERS:
        return CellReading()
    fewer = np.cumsum([_EACH_NATS * (nats - _EACH_FROM) for nats in reversed(certain)])
    most = min(count + doubtful, CHECKERS)
    likelihoods: dict[Content, float] = {}
    for number in range(CHECKERS + 1):
        nats = -min(float(fewer[count - number - 1]), _AS_SEEN_NATS) if number < count else 0.0
        likelihoods[(number, 0) if side == 0 else (0, number)] = nats if number <= most else -_UNSEEN_NATS
    return CellReading.of(likelihoods)
