"""Reads the squares of a chequered board by comparing them with looks at the same board in known positions."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.core import CellReading
from vision.board import CERTAIN_NATS
from vision.checkers.contour_model import LIGHT_NATS
from vision.checkers.layout import CELLS, GRID, LIGHT, PLACES, SIDE
from vision.checkers.sides import ALL_SEEN, Sides, SidesSeen
from vision.comparator import BLACK, CLASSES, EMPTY, OTHER, UNCHANGED_NATS, WHITE, ReferenceLook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Board, Content
    from vision.arrays import Bools, Floats, Ints, Picture


_CONTENTS: dict[int, Content] = {EMPTY: (0, 0), WHITE: (1, 0), BLACK: (0, 1)}
"""Content of a square by class, in the order of the classes."""
_MOST_CHANGED = CELLS // 2
"""Largest number of changed squares with the board in place: both ends of four men's moves, and a hand. After a move of
the board or of a lamp nearly all have changed."""
_TURNS = 8
"""Mirrored and turned images read of a square that is not certain at once."""
_UNLIKELY_NATS = 5.0
"""Log-likelihood of a square below minus this (1 in 150) contradicts it."""
OTHER_NATS = 2.0
"""Largest lead (nats) of a square's content where something else seems to lie over it."""
_RARE_NATS, _IN_PLACE_NATS = 1.0, 3.0
"""Prior cost of something else where a man more than in the latest known look would be read: the network was trained
with more of it than lies on boards. And the cost elsewhere, where a man must also have gone; below `CERTAIN_NATS`, so
that what most looks like something else stays in doubt."""
_FEW_MORE = 2
"""Most men more than in the latest known look for which things may account; more have been set up anew."""
_HAND_SQUARES = 3
"""Least number of adjoining squares covered by something else for a hand: two dice side by side cover two at most."""


@dataclass(frozen=True)
class Changes:
    """What has changed since the looks that a reader compares with.

    Attributes:
        lit: the rectified picture in the light of the learned look.
        patches: its squares, 64 x PATCH_PX x PATCH_PX x 3.
        changed: mask of the squares (64) that may have another content.
        held: class of each square in the latest look that it has not changed since; the learned look's for the others.
        sides: what the picture shows of the difference between the sides.
    """

    lit: Picture
    patches: Picture
    changed: Bools
    held: Ints
    sides: SidesSeen

    @property
    def few(self) -> bool:
        """Whether so few squares have changed that the board is in its place."""
        return int(self.changed.sum()) <= _MOST_CHANGED


@dataclass(frozen=True)
class ComparedSquares:
    """Reading of all squares.

    Attributes:
        logs: log-probabilities (64 x 4) of EMPTY, WHITE, BLACK and OTHER.
        known: class of each square (64) in the latest known look.
        blind: mask of the squares whose content a reflection hides, so that it is in doubt.
        sides: what the picture shows of the difference between the sides.
    """

    logs: Floats
    known: Ints
    blind: Bools = field(default_factory=lambda: np.zeros(CELLS, bool))
    sides: SidesSeen = ALL_SEEN

    @property
    def covered(self) -> Bools:
        """Mask of the squares that something else most likely covers."""
        return np.asarray(self.logs.argmax(axis=1) == OTHER)

    @property
    def without_contours(self) -> Bools:
        """Mask of the squares where contours and brightness prove nothing: covered ones, and those in a reflection."""
        sides = self.sides.in_doubt(self._of_contents.argmax(axis=1), self.logs)
        return np.asarray(self.covered | self.blind | sides)

    @cached_property
    def hand(self) -> bool:
        """Whether enough adjoining squares are covered to be a hand."""
        covered = self.covered.reshape(SIDE, SIDE).astype(np.uint8)
        _, _, stats, _ = cv2.connectedComponentsWithStats(covered, connectivity=8)
        return bool((stats[1:, cv2.CC_STAT_AREA] >= _HAND_SQUARES).any())

    @cached_property
    def nats(self) -> Floats:
        """Log-likelihoods (64 x 3) of EMPTY, WHITE and BLACK, the greatest 0, with the prior of light squares."""
        nats = self._of_contents
        most = np.maximum(OTHER_NATS, self.lead_over_other)
        return np.asarray(np.maximum(nats, -most[:, None]) * (nats < 0))

    @cached_property
    def _of_contents(self) -> Floats:
        """As `nats`, given that nothing else lies on a square."""
        nats = self.logs[:, :OTHER].copy()
        nats[LIGHT, WHITE:] -= LIGHT_NATS
        by_hue = self.sides.nats_by_hue(self.logs)
        nats[:, WHITE:] -= np.maximum(np.column_stack([-by_hue, by_hue]), 0)
        nats -= nats.max(axis=1, keepdims=True)
        either = self.sides.in_doubt(nats.argmax(axis=1), self.logs)
        nats[either, WHITE:] = np.maximum(nats[either, WHITE:], -OTHER_NATS)
        return np.where(self.blind[:, None], np.maximum(nats, -OTHER_NATS), nats)

    @cached_property
    def lead_over_other(self) -> Floats:
        """Lead (nats) of the contents of each square (64) over something else that lies there, with its prior."""
        best = self._of_contents.argmax(axis=1)
        now, before = (np.bincount(each, minlength=CLASSES) for each in (best, self.known))
        more = (now > before) & (now <= before + _FEW_MORE) & (np.arange(CLASSES) != EMPTY)
        prior = np.where(more[best], _RARE_NATS, _IN_PLACE_NATS)
        return np.asarray(np.logaddexp.reduce(self.logs[:, :OTHER], axis=1) - self.logs[:, OTHER] + prior)

    @property
    def margins(self) -> Floats:
        """Lead (nats) of each square's likeliest content."""
        return np.asarray(-np.sort(self.nats, axis=1)[:, -2])

    @property
    def certain(self) -> bool:
        """Whether every square's content is certain."""
        return bool((self.margins >= CERTAIN_NATS).all())

    def readings(self) -> tuple[CellReading, ...]:
        """The cells of an `Observation`."""
        return tuple(_reading(*row) for row in self.nats.tolist())

    def of_contents(self) -> tuple[CellReading, ...]:
        """As `readings`, given that nothing else lies on a square; see `lead_over_other`."""
        return tuple(_reading(*row) for row in self._of_contents.tolist())


@lru_cache(CELLS)
def _reading(empty: float, white: float, black: float) -> CellReading:
    """The reading of a square from its log-likelihoods; those of unchanged squares are the same again and again."""
    return CellReading.of(dict(zip(_CONTENTS.values(), (empty, white, black), strict=True)))


def classes_of(position: Sequence[Content | None]) -> Ints:
    """Class (WHITE, BLACK or EMPTY) of each square of a position."""
    return np.array([WHITE if white else BLACK if black else EMPTY for white, black in (c or (0, 0) for c in position)])


class SquaresReader:
    """Reads rectified pictures of one board."""

    def __init__(self, learned: Picture, held: Ints) -> None:
        """`learned`: rectified picture (see `CellGrid`) of the known position; `held`: class of each square in it."""
        self.learned, self.held = learned, held
        self._light = GRID.light(learned)
        patches = GRID.patches(self.in_light(learned))
        self._sides = Sides(learned, patches, held)
        self._learned_look = self._reference(learned, patches, held)
        self._accepted: tuple[Picture, Board] | None = None

    def by_other_squares(self) -> ComparedSquares:
        """Leave-one-out reading of the known position: each square is compared with the other squares alone."""
        return ComparedSquares(np.asarray(self._learned_look.by_others(_TURNS), np.float64), self.held)

    def accept(self, view: Picture, board: Board) -> None:
        """Compare later pictures with this one too, unless it contradicts the board that it should show."""
        self._accepted = view, board
        vars(self).pop("references", None)

    @cached_property
    def references(self) -> tuple[ReferenceLook, ...]:
        """Looks that pictures are compared with: the learned one, and the last accepted one.

        The accepted one is read when a picture is first in doubt, against the learned look alone: otherwise a play that
        was accepted by mistake would confirm itself.
        """
        learned = (self._learned_look,)
        if self._accepted is None:
            return learned
        view, board = self._accepted
        look = self._reference(view, GRID.patches(self.in_light(view)), classes_of(board))
        shown = look.complete and not _contradicts(_read(self._changes(view, learned), learned).readings(), board)
        return (*learned, look) if shown else learned

    def changes(self, view: Picture) -> Changes:
        """What has changed in a rectified picture since the learned and the last accepted look."""
        return self._changes(view, self.references)

    def read(self, changes: Changes) -> ComparedSquares:
        """Read a rectified picture; only squares that have changed since a known look are compared."""
        return _read(changes, self.references)

    def _changes(self, view: Picture, references: tuple[ReferenceLook, ...]) -> Changes:
        lit = self.in_light(view)
        patches = GRID.patches(lit)
        changed, held = np.ones(CELLS, bool), self.held.copy()
        for reference in references:
            same = reference.unchanged(patches) & changed
            held[same] = reference.held[same]
            changed &= ~same
        return Changes(lit, patches, changed, held, self._sides.seen(view, patches, changed))

    def _reference(self, view: Picture, patches: Picture, held: Ints) -> ReferenceLook:
        """A look for comparison; `patches`: those of `view` in the light of the learned look, `held`: class of each."""
        blind = (held == EMPTY) & self._sides.may_be_hidden(view, patches)
        return ReferenceLook(patches, PLACES, LIGHT.astype(np.intp), held, blind)

    def in_light(self, view: Picture) -> Picture:
        """A rectified picture in the light of the learned look."""
        return GRID.in_light(view, self._light)


def _contradicts(squares: Sequence[CellReading], board: Board) -> bool:
    """Whether a reading contradicts a board, so that its picture is no reference for that board."""
    return any(
        held is not None and square.log_likelihood(held) < -_UNLIKELY_NATS
        for square, held in zip(squares, board, strict=True)
    )


def _read(changes: Changes, references: tuple[ReferenceLook, ...]) -> ComparedSquares:
    """Keep the unchanged squares' classes and compare the others, in `_TURNS` images where one leaves doubt.

    Where a reflection hid an empty square in every known look, it hides a man there too, so the square is in doubt.
    """
    known = references[-1].held
    logs = np.full((CELLS, CLASSES), -UNCHANGED_NATS)
    logs[np.arange(CELLS), changes.held] = 0
    cells = np.flatnonzero(changes.changed)
    logs[cells] = _compared(references, changes.patches, cells, 1)
    unsure = np.flatnonzero(ComparedSquares(logs, known).margins < CERTAIN_NATS)
    logs[unsure] = _compared(references, changes.patches, unsure, _TURNS)
    blind = np.logical_and.reduce([reference.blind for reference in references])
    return ComparedSquares(logs, known, blind, changes.sides)


def _compared(references: tuple[ReferenceLook, ...], patches: Picture, cells: Ints, turns: int) -> Floats:
    """Mean of the log-probabilities (n x CLASSES) of some squares, compared with each look."""
    if not cells.size:
        return np.zeros((0, CLASSES))
    each = [reference.compared(patches[cells], cells, turns) for reference in references]
    return np.asarray(np.mean(each, axis=0), np.float64)
