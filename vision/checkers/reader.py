"""Reads the squares of a chequered board by comparing them with looks at the same board whose position is known."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.core import CellReading
from vision.checkers.layout import CELLS, LIGHT, SIDE
from vision.comparator import BLACK, CLASSES, EMPTY, OTHER, UNCHANGED_NATS, WHITE, CellGrid, ReferenceLook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from companion.core import Content
    from vision.cameras import Picture
    from vision.comparator import Light

    Floats = NDArray[np.float64]

GRID = CellGrid(SIDE, SIDE, LIGHT.reshape(SIDE, SIDE))
"""The 64 squares; light ones are bare."""
_PLACES = np.array([(cell % SIDE, cell // SIDE) for cell in range(CELLS)], np.float64)
_CONTENTS: dict[int, Content] = {WHITE: (1, 0), BLACK: (0, 1), EMPTY: (0, 0)}
_TURNS = 8
"""Mirror images read of a square that is not certain at once."""
_CERTAIN_AT_ONCE = 5.0
"""Lead (nats) of a square's content above which one reading is enough."""
_LIGHT_NATS = 8.0
"""Prior cost of a checker on a light square: a player puts one there once in thousands of moves."""
_OTHER_NATS = 2.0
"""Largest lead (nats) of a square's content where something else seems to lie over it."""
_ALONE_NATS, _BESIDE_NATS = 2.0, -3.0
"""Prior cost of something over one square alone, that is, with log-odds below the second value of anything over each of
the eight squares around: hands reach farther, and dice mostly lie beside the board."""
_RING = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], np.uint8)
_UNLIKELY_NATS = 5.0
"""An accepted look is a reference only if the log-likelihood of each of its squares is above minus this (1 in 150)."""
_HAND_SQUARES = 3
"""Least number of adjoining squares covered by something else for a hand: two dice side by side cover two at most."""


@dataclass(frozen=True)
class Squares:
    """Reading of all squares: log-probabilities (64 x 4) of EMPTY, WHITE, BLACK and OTHER."""

    logs: Floats

    @property
    def covered(self) -> NDArray[np.bool_]:
        """Mask of the squares over which something else lies, most likely."""
        return np.asarray(self.logs.argmax(axis=1) == OTHER)

    @cached_property
    def hand(self) -> bool:
        """Whether so many adjoining squares are covered that it must be a hand."""
        covered = self.covered.reshape(SIDE, SIDE).astype(np.uint8)
        _, _, stats, _ = cv2.connectedComponentsWithStats(covered, connectivity=8)
        return bool((stats[1:, cv2.CC_STAT_AREA] >= _HAND_SQUARES).any())

    @cached_property
    def nats(self) -> Floats:
        """Log-likelihoods (64 x 3) of EMPTY, WHITE and BLACK, the greatest 0, with the prior of light squares."""
        nats = self.logs[:, :OTHER].copy()
        nats[LIGHT, WHITE:] -= _LIGHT_NATS
        nats -= nats.max(axis=1, keepdims=True)
        # What lies over a square says nothing about it: as much doubt as it is likely to be there.
        over = self.logs[:, OTHER] - np.logaddexp.reduce(self.logs[:, :OTHER], axis=1)
        around = cv2.dilate(over.reshape(SIDE, SIDE), _RING, borderType=cv2.BORDER_CONSTANT).ravel()
        over = over - _ALONE_NATS * (around < _BESIDE_NATS)
        most = np.where(over > 0, _OTHER_NATS, np.maximum(_OTHER_NATS, -over))
        return np.asarray(np.maximum(nats, -most[:, None]) * (nats < 0))

    @property
    def margins(self) -> Floats:
        """Lead (nats) of each square's likeliest content."""
        return np.asarray(-np.sort(self.nats, axis=1)[:, -2])

    @property
    def best(self) -> NDArray[np.intp]:
        """Likeliest class of each square."""
        return np.asarray(self.nats.argmax(axis=1))

    def readings(self) -> tuple[CellReading, ...]:
        """The cells of an `Observation`."""
        order = sorted(_CONTENTS)
        return tuple(CellReading.of({_CONTENTS[label]: float(row[label]) for label in order}) for row in self.nats)


def classes_of(position: Sequence[Content | None]) -> NDArray[np.intp]:
    """Class (WHITE, BLACK or EMPTY) of each square of a position."""
    return np.array([WHITE if white else BLACK if black else EMPTY for white, black in (c or (0, 0) for c in position)])


@dataclass
class SquaresReader:
    """Reads rectified pictures of one board.

    Attributes:
        learned: rectified picture (see `CellGrid`) of the known position.
        held: class of each square in it.
        references: looks that later ones are compared with: the learned one, and the last one accepted.
    """

    learned: Picture
    held: NDArray[np.intp]
    references: list[ReferenceLook] = field(init=False)

    def __post_init__(self) -> None:
        self.references = [self._reference(self._as_learned(self.learned), self.held)]

    @cached_property
    def _light(self) -> Light:
        return GRID.light(self.learned)

    def _as_learned(self, view: Picture) -> Picture:
        return GRID.in_light(view, self._light)

    def _reference(self, view: Picture, held: NDArray[np.intp]) -> ReferenceLook:
        return ReferenceLook(GRID.patches(view), _PLACES, LIGHT.astype(np.intp), held)

    def accept(self, view: Picture, held: NDArray[np.intp]) -> None:
        """Compare later pictures with this one too, unless it contradicts what its squares are said to hold.

        It is compared with the learned look alone: otherwise a play that was accepted by mistake would confirm itself.
        """
        self.references[1:] = []
        look = self._reference(self._as_learned(view), held)
        if look.complete and (self.read(view).nats[np.arange(CELLS), held] >= -_UNLIKELY_NATS).all():
            self.references.append(look)

    def read(self, view: Picture) -> Squares:
        """Read a rectified picture: only the squares that have changed since the learned or the last accepted look."""
        patches = GRID.patches(self._as_learned(view))
        logs = np.full((CELLS, CLASSES), -UNCHANGED_NATS)
        changed = np.ones(CELLS, bool)
        for reference in self.references:
            same = reference.unchanged(patches) & changed
            logs[same, reference.held[same]] = 0
            changed &= ~same
        cells = np.flatnonzero(changed)
        logs[cells] = self._compared(patches, cells, 1)
        unsure = np.flatnonzero(Squares(logs).margins < _CERTAIN_AT_ONCE)
        logs[unsure] = self._compared(patches, unsure, _TURNS)
        return Squares(logs)

    def _compared(self, patches: Picture, cells: NDArray[np.intp], turns: int) -> Floats:
        if not cells.size:
            return np.zeros((0, CLASSES))
        each = [reference.compared(patches[cells], cells, turns) for reference in self.references]
        return np.asarray(np.mean(each, axis=0), np.float64)
