"""Where the 64 squares of a board lie and how large its checkers are, fitted to a known position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.chequered_start import start_squares
from vision.geometry import CameraPose, rise
from vision.layout import CIRCLE, INSIDE, Placed, fit_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from companion.observation import Content
    from vision.raster import Raster

    Floats = NDArray[np.float64]

SIDE = 8
"""Squares along an edge."""
CELLS = SIDE * SIDE
SQUARE = 1 / SIDE
"""Width of a square in board units."""
KING = 2
"""Count of a cell, in a position told to learn from, whose checker is known to bear another."""
_DIAMETERS, _THICKNESSES = np.arange(0.56, 1.0, 0.02), np.arange(0.12, 0.46, 0.02)
"""Measures tried: a diameter over the square's width, and a thickness over the diameter."""

_ROUNDS = 3
_STEPS = np.arange(-5, 6) * 0.04 * SQUARE
_TRIED = np.array([(x, y) for x in _STEPS for y in _STEPS])
"""Shifts tried: up to a fifth of a square each way."""
_ALIKE = 0.3
"""From this likeness (0 to 1) of bare dark squares to a side's checkers on, the outline that is seen is the square's:
sides that stand out have less than 0.05, black checkers on black squares 0.5 and more."""
_OUTSIDE, _SHIFT_COST = 1.2, 0.5
"""Radius, over a checker's, at which it ends; what a shift costs, a square squared."""

START: tuple[Content, ...] = tuple(
    ((1, 0) if row < SIDE // 2 else (0, 1)) if taken else (0, 0)
    for row, squares in enumerate(start_squares())
    for taken in squares
)
"""The starting position of checkers by cell: row 0 at White's edge, column 0 at White's left."""


@dataclass(frozen=True, slots=True)
class Squares:
    """Places and sizes on a chequered board, in board units (the playing area is 1 wide and 1 deep).

    Attributes:
        diameter: of a checker, in squares.
        thickness: of a checker, in diameters.
        depth: of the playing area.
    """

    diameter: float = 0.8
    thickness: float = 0.26
    depth: float = 1.0

    @property
    def checker(self) -> float:
        """Diameter of a checker."""
        return self.diameter * SQUARE

    @property
    def top(self) -> float:
        """Height of a checker's top above the bed."""
        return self.thickness * self.checker

    def slot(self, point: int, index: int) -> tuple[float, float]:  # noqa: ARG002  # one checker a square
        """The middle of a cell."""
        return (point % SIDE + 0.5) * SQUARE, (point // SIDE + 0.5) * SQUARE


@dataclass(frozen=True, slots=True)
class Standing:
    """The same with every checker of one position where it really stands; hands are not careful.

    Attributes:
        squares: sizes.
        shifts: 64 x 2, how far each cell's checker stands off the middle, in board units.
    """

    squares: Squares
    shifts: Floats

    @property
    def depth(self) -> float:
        """Of the playing area."""
        return self.squares.depth

    @property
    def checker(self) -> float:
        """Diameter of a checker."""
        return self.squares.checker

    @property
    def thickness(self) -> float:
        """Of a checker, in diameters."""
        return self.squares.thickness

    @property
    def top(self) -> float:
        """Height of a checker's top above the bed."""
        return self.squares.top

    def slot(self, point: int, index: int) -> tuple[float, float]:
        """Where the middle of a cell's checker really is."""
        x, y = self.squares.slot(point, index)
        return x + float(self.shifts[point, 0]), y + float(self.shifts[point, 1])


MIDDLES: Floats = np.array([Squares().slot(cell, 0) for cell in range(CELLS)])
"""The middles of all cells (64 x 2) in board units."""
LIGHT = np.array([(cell // SIDE + cell % SIDE) % 2 == 1 for cell in range(CELLS)])
"""Which cells are light squares: the corner at White's left is dark."""


def placed_on(position: Sequence[Content | None]) -> list[Placed]:
    """The checkers of a known position; where kings are known to stand, both of theirs."""
    found = []
    for cell, content in enumerate(position):
        white, black = content or (0, 0)
        found += [Placed(cell, index, 0 if white else 1) for index in range(min(white + black, KING))]
    return found


def men(placed: Sequence[Placed]) -> list[Placed]:
    """Those that are not, and do not bear, a king's second checker."""
    crowned = {checker.point for checker in placed if checker.index}
    return [checker for checker in placed if checker.point not in crowned]


def fit_squares(
    likeness: tuple[Floats, Floats], bed: Raster, pose: CameraPose, placed: Sequence[Placed]
) -> tuple[Standing, float]:
    """The size of the checkers under which the known ones fill exactly the places that look like them.

    They are taken to stand in the middles of their squares at first, then where each of them fits best. A side that
    looks like the squares it stands on says nothing of the size, unless both do: its squares would be measured.
    The arguments and the fit are those of `vision.layout.fit_layout`.
    """
    shifts = np.zeros((CELLS, 2))
    trials = [Squares(float(d), float(t)) for d in _DIAMETERS[::2] for t in _THICKNESSES[::2]]
    telling = _standing_out(likeness, bed, placed) or placed
    for _ in range(_ROUNDS):
        best = max(trials, key=lambda trial: fit_of(Standing(trial, shifts), likeness, bed, pose, telling))
        trials = [
            Squares(float(d), float(t))
            for d in _DIAMETERS[np.abs(_DIAMETERS - best.diameter) < 0.05]
            for t in _THICKNESSES[np.abs(_THICKNESSES - best.thickness) < 0.05]
        ]
        shifts = _shifts(best, likeness, bed, pose, placed)
    standing = Standing(best, shifts)
    return standing, fit_of(standing, likeness, bed, pose, placed)


def _standing_out(likeness: tuple[Floats, Floats], bed: Raster, placed: Sequence[Placed]) -> list[Placed]:
    """The checkers of the sides that bare dark squares do not look like."""
    bare = ~LIGHT
    bare[[checker.point for checker in placed]] = False
    if not bare.any():
        return list(placed)
    within = bed.sample(likeness, MIDDLES[bare][:, None] + INSIDE * Squares().checker / 2)
    alike = np.median(within.mean(axis=2), axis=1) >= _ALIKE
    return [checker for checker in placed if not alike[checker.owner]]


def _shifts(
    squares: Squares, likeness: tuple[Floats, Floats], bed: Raster, pose: CameraPose, placed: Sequence[Placed]
) -> Floats:
    """Where each known checker stands, as far as it looks better there than in the middle (64 x 2)."""
    feet = np.array([squares.slot(checker.point, 0) for checker in placed])
    owners = np.array([checker.owner for checker in placed])
    fits = []
    for trial in _TRIED:
        tops, scale = rise(pose, feet + trial, squares.top)
        radius = squares.checker / 2 * scale
        inside = bed.sample(likeness, tops[:, None] + INSIDE * radius)[owners, np.arange(len(placed))].mean(axis=1)
        outside = bed.sample(likeness, tops[:, None] + CIRCLE * radius * _OUTSIDE)[owners, np.arange(len(placed))]
        fits.append(inside - outside.mean(axis=1) - _SHIFT_COST * float(trial @ trial) / SQUARE**2)
    shifts = np.zeros((CELLS, 2))
    shifts[[checker.point for checker in placed]] = _TRIED[np.argmax(fits, axis=0)]
    return shifts


def lifts(pose: CameraPose, squares: Squares) -> Floats:
    """How far the top of a king seems shifted from a man's, in the plane of the men's tops (64 x 2, board units)."""
    tops, _ = rise(pose, MIDDLES, squares.top)
    crowns, _ = rise(pose, MIDDLES, 2 * squares.top)
    # Both as shadows on the bed; brought up to the plane of the tops again they lie closer together.
    factor = (pose.centre[2] - squares.top) / pose.centre[2]
    return np.asarray((crowns - tops) * factor)
