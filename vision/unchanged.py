"""What looks as it did: a place that has not changed since the last sure look holds what it held then.

Between two looks of one turn light and camera are nearly the same, so that a change shows where a single picture says
little: white checkers on white points in glare, another checker on a stack.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.observation import CellReading
from vision.appearance import BackgroundModel, lab
from vision.gain import match_gain
from vision.layout import POINTS
from vision.rows import SLOTS

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from companion.observation import Board, Content, Observation
    from vision.rows import Rows
    from vision.two_looks import KnownLook

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Picture = NDArray[np.uint8]

_CLIP = 8.0
"""One pixel counts at most so much (nats; as in `vision.appearance`)."""
_DISC = 0.9
"""Diameter, over a checker's, of the discs that changes are averaged over."""
_FLOOR = 0.1
"""Least change (nats a pixel) that unchanged places are taken to show: sensor noise."""
_LEAST_PLACES = 5
"""Places that held checkers, and places that did not, are compared among themselves if there are so many of them."""
_USUAL = 0.35
"""Share of the places that are less changed than what is usual of unchanged ones: a turn changes eight at most, but
boards are also set up anew."""
_SPREAD, _SPAN = 0.6, 6.0
"""Changes of unchanged places spread so much about that (natural logarithm); those of changed ones evenly over
so wide a span, which is to say that one in five is hardly visible."""
_MOST_NATS, _LEAST_NATS = 1.4, -2.0
"""What an unchanged look counts for a place's old content at most, and a changed one against it: a shadow changes
looks too, so this never settles anything by itself."""


@dataclass(frozen=True, slots=True)
class SureLook:
    """A look at a position that was played on from.

    Attributes:
        known: how it looked, slot by slot.
        board: what stood there.
    """

    known: KnownLook
    board: Board

    def weigh(
        self, observation: Observation, view: Picture, ceiling: Singles, rows: Rows, compared: Collection[int] = ()
    ) -> Observation:
        """A later look, with what has not changed in it likelier.

        Args:
            observation: readable.
            view: the later look's raster, levelled.
            ceiling: grey level (B, G, R) above which nothing is told apart in it.
            rows: where the rows lie on both.
            compared: points that need not be weighed, as their slots have been compared one by one.
        """
        nats = _nats(self._changes(view, ceiling, rows), np.array([any(held or ()) for held in self.board[:POINTS]]))
        cells = [
            cell if held is None or point in compared else _weighed(cell, held, float(more))
            for point, (cell, held, more) in enumerate(zip(observation.cells, self.board, nats, strict=False))
        ]
        return replace(observation, cells=(*cells, *observation.cells[len(cells) :]))

    def _changes(self, view: Picture, ceiling: Singles, rows: Rows) -> Floats:
        """How much each point has changed (nats a pixel), where it changed most."""
        most = np.minimum(self.known.ceiling, ceiling)
        then, now = (np.minimum(one, most).astype(np.uint8) for one in (self.known.view, view))
        now = np.clip(now / match_gain(now, then), 0, 255).astype(np.uint8)
        ground = BackgroundModel(then)
        changed = np.minimum(ground.offset - ground.log_density(lab(now).astype(np.float32)), _CLIP)
        size = 2 * round(rows.diameter * _DISC / 2) + 1
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)).astype(np.float32)
        mean = cv2.filter2D(changed.astype(np.float32), -1, disc / disc.sum(), borderType=cv2.BORDER_REPLICATE)
        places = np.array([[rows.place(point, slot) for slot in range(SLOTS - 1)] for point in range(POINTS)])
        x, y = np.moveaxis(np.rint(places).astype(int), -1, 0)
        height, width = mean.shape
        return np.asarray(mean[y.clip(0, height - 1), x.clip(0, width - 1)].max(axis=1), np.float64)


def _nats(changes: Floats, held: NDArray[np.bool_]) -> Floats:
    """How much likelier each place holds what it held than not, from how much it has changed."""
    usual = np.full(len(changes), np.quantile(changes, _USUAL))
    for kind in (held, ~held):
        if kind.sum() >= _LEAST_PLACES:
            usual[kind] = np.quantile(changes[kind], _USUAL)
    beyond = np.maximum(np.log(np.maximum(changes, _FLOOR) / np.maximum(usual, _FLOOR)), 0)
    nats = np.log(_SPAN / (_SPREAD * np.sqrt(2 * np.pi))) - 0.5 * (beyond / _SPREAD) ** 2
    return np.asarray(np.clip(nats, _LEAST_NATS, _MOST_NATS))


def _weighed(cell: CellReading, held: Content, nats: float) -> CellReading:
    """A cell with one content that much likelier than it was."""
    return CellReading.of({content: value + nats * (content == held) for content, value in cell.likelihoods})
