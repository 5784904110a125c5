"""A camera's reading of a board: log-likelihoods of the possible contents of every cell.

Cells of backgammon: 0 to 23 the points, White's 1 point first, then WHITE_BAR, BLACK_BAR, WHITE_OFF and BLACK_OFF.
Cells of checkers: `row * 8 + column`, row 0 at White's edge, column 0 at White's left.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from math import hypot
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from companion.core.model import Cause, Part

Content = tuple[int, int]
"""(White, Black) checkers in a cell; (1, 1) is a point with both colours."""

WHITE_BAR, BLACK_BAR, WHITE_OFF, BLACK_OFF = 24, 25, 26, 27
BACKGAMMON_CELLS = 28
PAIR = 2
"""Number of dice in a roll."""
CHECKERS_CELLS = 64

NEGLIGIBLE_NATS = 25.0
"""Contents that are less likely than the likeliest by more than this are left out."""
_EXPLAINED_AWAY_NATS = 5.0
"""A board that contradicts what is seen by more than this, all cells together, is refused even if no other fits the
number of checkers: a reflection or a foreign object may look like checkers. Of 657 right readings of rendered boards,
most of them disturbed, those of framed boards contradict it by less than 3; three of noisy tiles by up to 5.5, which
are refused."""
_FAR_FEWER, _TRAY_MISJUDGED_NATS = 3, 4.0
"""The largest contradiction in a tray where the board has at least 3 borne-off checkers fewer than are seen there: the
tray is likelier misread than as many foreign objects on the points look like checkers."""
_DIGITS = 4
"""Decimal digits of a log-likelihood; readers compute in single precision, further digits depend on summing order."""

Board = tuple[Content | None, ...]
"""The content of every cell in order; None for a cell out of view, such as a tray for borne-off checkers."""


def differing_cells(one: Board, other: Board) -> tuple[int, ...]:
    """The cells in which two boards differ; a cell that is out of view in one of them never does."""
    pairs = enumerate(zip(one, other, strict=True))
    return tuple(cell for cell, pair in pairs if None not in pair and pair[0] != pair[1])


def checker_totals(board: Iterable[Content | None]) -> tuple[int, int]:
    """The numbers of White's and Black's checkers in the cells that are seen."""
    seen = [content for content in board if content is not None]
    return sum(white for white, _ in seen), sum(black for _, black in seen)


def cell_name(cell: int) -> int | str:
    """A cell of backgammon for both players: White's point number, "bar" or "off"."""
    return cell + 1 if cell < WHITE_BAR else "bar" if cell <= BLACK_BAR else "off"


@dataclass(frozen=True, slots=True)
class CellReading:
    """The possible contents of one cell with their log-likelihoods in nats, the likeliest first.

    Log-likelihoods are relative to the likeliest content, whose value is 0; a content that is not listed is impossible.
    The tuple is empty for a cell out of view.
    """

    likelihoods: tuple[tuple[Content, float], ...] = ()

    @classmethod
    def of(cls, nats: Mapping[Content, float]) -> CellReading:
        """From log-likelihoods in nats relative to any zero, at least one; those below NEGLIGIBLE_NATS are left out."""
        most = max(nats.values())
        relative = ((content, each - most) for content, each in nats.items())
        kept = [(content, round(each, _DIGITS)) for content, each in relative if each > -NEGLIGIBLE_NATS]
        return cls(tuple(sorted(kept, key=lambda pair: -pair[1])))

    @property
    def seen(self) -> bool:
        """Whether the cell is in view."""
        return bool(self.likelihoods)

    @property
    def best(self) -> Content | None:
        """The likeliest content; None where the cell is not seen."""
        return self.likelihoods[0][0] if self.likelihoods else None

    @property
    def margin_nats(self) -> float:
        """Log-likelihood ratio of the best content to the next; infinite where there is no other."""
        return -self.likelihoods[1][1] if len(self.likelihoods) > 1 else float("inf")

    def log_likelihood(self, content: Content) -> float:
        """Log-likelihood of `content` in nats: minus infinity where impossible, 0 where the cell is not seen."""
        if not self.likelihoods:
            return 0.0
        return next((nats for other, nats in self.likelihoods if other == content), float("-inf"))


class Half(StrEnum):
    """A half of the board, left or right of the bar as White sees it."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Die:
    """A die lying on the board.

    Attributes:
        value: the number on its upper face.
        half: the half of the board that it lies on; None on the bar.
        flat: whether it lies flat on the board, not on a checker.
        x, y, side: its centre and edge length in units of the board's width; 0 where not known.
    """

    value: int
    half: Half | None
    flat: bool = True
    x: float = field(default=0.0, compare=False)
    y: float = field(default=0.0, compare=False)
    side: float = field(default=0.0, compare=False)

    def stays(self, other: Die) -> bool:
        """Whether this may be `other` unmoved: the same number, half and flatness, at most an edge length away."""
        return self == other and hypot(self.x - other.x, self.y - other.y) <= max(self.side, other.side)


@dataclass(frozen=True, slots=True)
class Observation:
    """The reading of one picture of the board.

    Attributes:
        cells: one reading for each cell, in cell order; empty where the picture could not be read.
        unreadable: why the picture could not be read; None where it could.
        lying: the dice on the board; empty where there are none, or where one of them cannot be read.
        where: the part of the board that the cause affects; None for all of it, or where not known.
        between: pairs of cells with a checker between them; the reading of either cell allows for it.
    """

    cells: tuple[CellReading, ...]
    unreadable: Cause | None = None
    lying: tuple[Die, ...] = ()
    where: Part | None = None
    between: tuple[tuple[int, int], ...] = ()

    def contradicted_cells(self, board: Board) -> tuple[int, ...]:
        """The cells in which `board` has fewer checkers of a side than the likeliest content; more may be hidden.

        Empty unless their nats against `board` add up to more than _EXPLAINED_AWAY_NATS.
        """
        against, cells = 0.0, []
        for cell, (reading, content) in enumerate(zip(self.cells, board, strict=True)):
            if not (reading.best and content):
                continue
            lack = max(most - has for most, has in zip(reading.best, content, strict=True))
            if lack > 0:
                off = len(self.cells) == BACKGAMMON_CELLS and cell > BLACK_BAR
                most_nats = _TRAY_MISJUDGED_NATS if off and lack >= _FAR_FEWER else NEGLIGIBLE_NATS
                against += min(-reading.log_likelihood(content), most_nats)
                cells.append(cell)
        return tuple(cells) if against > _EXPLAINED_AWAY_NATS else ()

    @property
    def dice(self) -> tuple[int, ...] | None:
        """The numbers of two flat dice in the order of `lying`; None where there are not exactly two, both flat."""
        flat = len(self.lying) == PAIR and all(die.flat for die in self.lying)
        return tuple(die.value for die in self.lying) if flat else None
