"""Borne-off checkers that lie beside the board: how many of each side are seen there.

What lay beside the board when it was learned belongs to the table; what is new there and looks like a checker, is one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from companion.census import CHECKERS
from companion.observation import CellReading
from vision.appearance import Appearance, BackgroundModel
from vision.raster import Raster
from vision.slots import RIM, Figures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from companion.observation import Content
    from vision.layout import Layout

    Picture = NDArray[np.uint8]
    Singles = NDArray[np.float32]
    Bools = NDArray[np.bool_]

_COARSER = 2
"""The table needs no more than every second pixel of the board's raster."""
_WIDTH_COLUMNS = 4.6
"""How far from the playing area borne-off checkers are looked for: three rows of five, and the frame."""
_FRAME_COLUMNS = 0.3
"""So much beside the playing area is frame for certain."""
_SURE_NATS = 2.0
"""A checker's own colour must speak so much more than the table does, a pixel, for it to count."""
_DOUBTFUL_NATS = 0.0
"""Something that looks like a checker at least so much is not nothing: then the number is not certain."""
_CHANGED, _CHANGED_NATS = 2, 4.0
"""And the place must be so far from what lay there before."""
_APART = 0.8
"""Distance of two checkers' centres, in diameters, at the least: those in a second layer are not counted."""
_AS_SEEN_NATS = 8.0
"""How much less likely fewer are borne off than lie beside the board for certain, at most."""
_EACH_FROM, _EACH_NATS = 1.0, 2.0
"""What speaks for each of them: so many nats for every one a pixel that its own colour speaks beyond the first. What
looked like a checker and was none, on a table of its colour, had 2.5; checkers have 4 to 6."""
_UNSEEN_NATS = 2.0
"""The same for more: one board in five hides some, under others, in glare or out of the picture, and players keep some
elsewhere."""


@dataclass(frozen=True, slots=True)
class Tray:
    """The table beside the board, as it was when the board was learned.

    Attributes:
        raster: of the bed's plane, with wide margins.
        appearance: the table there and the checkers' colours.
        diameter: of a checker in raster pixels.
        beside: where on the raster the centre of a borne-off checker may be.
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
        width, height = raster.size
        y, x = np.mgrid[0:height, 0:width]
        place = np.stack([x, y, np.ones_like(x)], axis=-1) @ raster.to_board.T
        column = layout.column
        outside = (place[..., 0] < -(_FRAME_COLUMNS * column)) | (place[..., 0] > 1 + _FRAME_COLUMNS * column)
        along = (place[..., 1] > -column) & (place[..., 1] < layout.depth + column)
        beside = outside & along & raster.in_view(size)
        return cls(raster, Appearance(BackgroundModel(picture), tables), layout.checker * raster.scale, beside)

    def under(self, ceiling: Singles, tables: tuple[Singles, Singles]) -> Tray:
        """The same as a sensor gives it that tells nothing apart above `ceiling` (B, G, R), with the colours it gives.

        A bright table is no checker for having lost one colour more than the others.
        """
        return replace(self, appearance=self.appearance.cut_off(ceiling, tables))

    def look(self, view: Picture) -> tuple[CellReading, CellReading]:
        """The cells of White's and Black's borne-off checkers, from a levelled raster; unseen where none lie there."""
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
    """The raster of the table beside a board, from one of the board's own."""
    return Raster(plane.matrix, 0.0, plane.depth, plane.scale / _COARSER, _WIDTH_COLUMNS * layout.column)


def _cell(certain: Sequence[float], doubtful: int, side: int) -> CellReading:
    """Nothing is said where nothing lies there that is clearly a checker; what may be one more may be so, or not.

    `certain`: how much its own colour speaks for each checker, those that are plainest first.
    """
    count = len(certain)
    if not count or count > CHECKERS:
        return CellReading()
    fewer = np.cumsum([_EACH_NATS * (nats - _EACH_FROM) for nats in reversed(certain)])
    most = min(count + doubtful, CHECKERS)
    told: dict[Content, float] = {}
    for number in range(CHECKERS + 1):
        nats = -min(float(fewer[count - number - 1]), _AS_SEEN_NATS) if number < count else 0.0
        told[(number, 0) if side == 0 else (0, number)] = nats if number <= most else -_UNSEEN_NATS
    return CellReading.of(told)
