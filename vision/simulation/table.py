"""The simulated table: holds the places of checkers and renders them as camera pictures.

It replaces a real table when there is no camera. It has no rules of the game: checkers can be put anywhere, and the
program reads them only from the rendered picture.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, replace
from math import hypot, isfinite
from typing import TYPE_CHECKING

import numpy as np

from companion.core import USUAL_LAYOUT, BoardsideError, Side
from vision.simulation.background import Palette
from vision.simulation.boards import simulated_board_for
from vision.simulation.projection import DIAMETER, SimulatedView
from vision.simulation.renderer import CARRIED_AT, DrawnChecker, Painter

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core import Board, BoardLayout
    from vision.arrays import Picture

PLACE_SPREAD = 0.03
"""Standard deviation of a placed checker from its exact place along each axis, in column widths; of a cube less."""
RELEASE_SHARE, RELEASE_MOST = 0.2, 0.10
"""Share of the distance between where a checker was released and its place in the row that remains as an offset, and
the largest offset along each axis, in column widths."""
_MOST_PUSHES = 8
"""Most neighbours that a piece is moved away from, one after the other."""
HOLD_S = 8.0
"""Seconds without a message after which a held checker is dropped, as when the page was closed while dragging."""


class SimulatedTableError(BoardsideError):
    """A request that the simulated table cannot fulfil."""


@dataclass(frozen=True, slots=True)
class Checker:
    """One checker: `x`, `y` is its centre in column widths; `layer` is 0 on the felt, 1 on another checker ..."""

    id: int
    side: Side
    x: float
    y: float
    layer: int = 0


@dataclass(frozen=True, slots=True)
class Hold:
    """A checker carried by a hand: its id, the place of the fingers in column widths, and the time of the message."""

    id: int
    x: float
    y: float
    at_s: float


class SimulatedTable:
    """A drawn board with loose checkers; any thread may use it."""

    def __init__(
        self,
        seed: int | None = None,
        *,
        game: str = "backgammon",
        layout: BoardLayout = USUAL_LAYOUT,
        view: SimulatedView | None = None,
        palette: Palette | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._geometry = simulated_board_for(game, layout)
        self._view = view or self._geometry.view
        self._clock = clock
        self._rng = np.random.default_rng(seed)
        self._painter = Painter(self._view, palette or Palette(), self._geometry, np.random.default_rng(seed))
        self._painting = threading.Lock()
        self._changed = threading.Condition()
        self._checkers: dict[int, Checker] = {}
        self._hold: Hold | None = None
        self._hand: tuple[float, float, Side] | None = None
        self._version = 0
        self.set_up()

    @property
    def version(self) -> int:
        """A number that rises with every change on the table."""
        return self._version

    def checkers(self) -> tuple[Checker, ...]:
        """All checkers in order of id, at their place on the table or in a hand."""
        with self._changed:
            held = self._hold
            return tuple(
                replace(c, x=held.x, y=held.y) if held and c.id == held.id else c for c in self._checkers.values()
            )

    def corners(self) -> list[tuple[float, float]]:
        """Pixels of the playing area's corners (bottom left, bottom right, top right, top left), for tests."""
        return self._geometry.corners(self._view)

    def board(self) -> Board:
        """The true content of each cell, for tests; a carried checker is in no cell."""
        counts = [[0, 0] for _ in self._geometry.rows]
        with self._changed:
            for checker in self._checkers.values():
                if self._hold is None or checker.id != self._hold.id:
                    cell = self._geometry.cell_at(checker.side, checker.x, checker.y)
                    counts[cell][checker.side is Side.BLACK] += 1
        return tuple((white, black) for white, black in counts[: len(self._geometry.start)])

    def set_up(self, board: Board | None = None) -> None:
        """Clear the table and set up `board` (a content for each cell), or the starting position if it is None."""
        start = self._geometry.start
        board = start if board is None else board
        if len(board) != len(start):
            raise SimulatedTableError(f"a board of {len(board)} cells: expected {len(start)}")
        sides = ((Side.WHITE, 0), (Side.BLACK, 1))
        wanted = [
            (side, c) for side, k in sides for c, content in enumerate(board) for _ in range((content or (0, 0))[k])
        ]
        with self._changed:
            self._checkers, self._hold, self._hand = {}, None, None
            for number, (side, cell) in enumerate(wanted):
                self._checkers[number] = self._placed(Checker(number, side, 0.0, 0.0), cell, None)
            self._note_change()

    def hold(self, checker_id: int, x: float, y: float) -> None:
        """Carry a checker to (x, y), in column widths. Its row closes up; a checker carried before is dropped."""
        self._check(checker_id, x, y)
        with self._changed:
            if self._hold is not None and self._hold.id != checker_id:
                self._drop(self._hold)
            lifted = self._hold is None
            self._hold = Hold(checker_id, x, y, self._clock())
            self._hand = (x, y, self._checkers[checker_id].side)
            if lifted:
                self._take(checker_id)
            self._note_change()

    def drag(self, checker_id: int, x: float, y: float) -> None:
        """Move a checker to the cell at (x, y), in the next place of its row, with small random offsets."""
        self._check(checker_id, x, y)
        with self._changed:
            if self._hold is not None and self._hold.id != checker_id:
                self._drop(self._hold)
            if self._hold is None:
                self._take(checker_id)
            self._drop(Hold(checker_id, x, y, self._clock()))
            self._note_change()

    def hand(self, x: float | None, y: float | None = None, side: Side = Side.WHITE) -> None:
        """Put an empty hand over (x, y), or remove it (None)."""
        with self._changed:
            self._hand = None if x is None or y is None else (x, y, side)
            self._note_change()

    def render(self) -> Picture:
        """Render the table now (height x width x 3, uint8, BGR), with new sensor noise."""
        with self._changed:
            if self._hold is not None and self._clock() - self._hold.at_s > HOLD_S:
                self._drop(self._hold)
                self._note_change()
            held, hand = self._hold, self._hand
            lying = [c for c in self._checkers.values() if held is None or c.id != held.id]
            carried = None if held is None else DrawnChecker(self._checkers[held.id].side, held.x, held.y, CARRIED_AT)
        discs = [DrawnChecker(c.side, c.x, c.y, c.layer * self._geometry.piece.thickness) for c in lying]
        with self._painting:
            return self._painter.paint(discs, carried, hand)

    def wait(self, version: int, timeout_s: float) -> int:
        """Wait until the table's version is no longer `version`, at most `timeout_s`; return its version."""
        with self._changed:
            self._changed.wait_for(lambda: self._version != version, timeout_s)
            return self._version

    def _check(self, checker_id: int, x: float, y: float) -> None:
        if checker_id not in self._checkers:
            raise SimulatedTableError(f"checker {checker_id!r} is not on the table: there are {len(self._checkers)}")
        if not (isfinite(x) and isfinite(y)):
            raise SimulatedTableError(f"({x}, {y}) is no place on the table: expected two numbers in column widths")

    def _drop(self, hold: Hold) -> None:
        checker = self._checkers[hold.id]
        self._checkers[hold.id] = self._placed(checker, self._cell(checker, hold), (hold.x, hold.y))
        self._hold = self._hand = None

    def _placed(self, checker: Checker, cell: int, released: tuple[float, float] | None) -> Checker:
        """`checker` in the next place of `cell`'s row, with a random offset and one towards where it was released."""
        place = len(self._row(cell, without=checker.id))
        x, y = self._geometry.slot(cell, place)
        scale = self._geometry.piece.diameter / DIAMETER
        dx, dy = (float(offset) for offset in self._rng.normal(0.0, PLACE_SPREAD * scale, 2))
        if released is not None:
            most = RELEASE_MOST * scale
            dx += float(np.clip(RELEASE_SHARE * (released[0] - x), -most, most))
            dy += float(np.clip(RELEASE_SHARE * (released[1] - y), -most, most))
        return self._beside_others(replace(checker, x=x + dx, y=y + dy, layer=place // self._geometry.rows[cell]))

    def _beside_others(self, piece: Checker, lifted: int | None = None) -> Checker:
        """`piece`, moved aside where it would overlap others of its layer but the lifted one: real ones cannot."""
        size = self._geometry.piece.diameter
        others = [c for c in self._checkers.values() if c.layer == piece.layer and c.id not in (piece.id, lifted)]
        for _ in range(_MOST_PUSHES):
            near = min(others, key=lambda other: self._apart(piece, other), default=None)
            if near is None or (apart := self._apart(piece, near)) >= size or not apart:
                break
            away = size / apart * (1 + 1e-9)
            piece = replace(piece, x=near.x + away * (piece.x - near.x), y=near.y + away * (piece.y - near.y))
        return piece

    def _apart(self, one: Checker, other: Checker) -> float:
        """Distance of two pieces' centres; they overlap if it is less than a piece's diameter or side."""
        across, along = abs(one.x - other.x), abs(one.y - other.y)
        return max(across, along) if self._geometry.piece.cube else hypot(across, along)

    def _row(self, cell: int, without: int) -> list[Checker]:
        """The checkers of `cell` in order of their places, without one of them."""
        there = [c for c in self._checkers.values() if c.id != without and self._cell(c, c) == cell]
        return sorted(there, key=lambda c: self._geometry.place_at(cell, c.x, c.y, c.layer))

    def _cell(self, checker: Checker, where: Checker | Hold) -> int:
        """The cell of a checker that lies or is released at a place."""
        return self._geometry.cell_at(checker.side, where.x, where.y)

    def _take(self, checker_id: int) -> None:
        """Lift a checker out of its row; the others of the row close the gap."""
        taken = self._checkers[checker_id]
        cell, geometry = self._cell(taken, taken), self._geometry
        for place, checker in enumerate(self._row(cell, without=checker_id)):
            was = geometry.place_at(cell, checker.x, checker.y, checker.layer)
            if was != place:
                (x_was, y_was), (x, y) = geometry.slot(cell, was), geometry.slot(cell, place)
                moved = replace(checker, x=checker.x - x_was + x, y=checker.y - y_was + y)
                layer = place // geometry.rows[cell]
                self._checkers[checker.id] = self._beside_others(replace(moved, layer=layer), checker_id)

    def _note_change(self) -> None:
        self._version += 1
        self._changed.notify_all()
