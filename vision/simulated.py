"""The simulated table: checkers that lie where they are dropped, and the camera that films them.

It stands in for a real table where there is no camera. Nothing here knows a rule: checkers can be put anywhere, as on
a real board, and only the rendered picture tells what lies there.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from companion.model import BoardsideError, Side
from vision.simulated_background import Palette
from vision.simulated_drawing import CARRIED_AT, DrawnChecker, Painter
from vision.simulated_grounds import simulated_board_for
from vision.simulated_view import THICKNESS, SimulatedView

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.observation import Board
    from vision.camera import Picture

CARELESS = 0.03
"""Standard deviation of where a hand puts a checker, in column widths."""

LOOSE = 0.2, 0.10
"""How much of the distance between where a checker was let go and its place in the row stays, and at most how much."""

HOLD_S = 8.0
"""A hand that says nothing for so long has let go (a page that was closed while dragging)."""


class SimulatedTableError(BoardsideError):
    """Something the simulated table cannot do."""


@dataclass(frozen=True, slots=True)
class Checker:
    """One checker: `x`, `y` its centre in column widths, `layer` 0 on the felt, 1 on top of another, and so on."""

    id: int
    side: Side
    x: float
    y: float
    layer: int = 0


@dataclass(frozen=True, slots=True)
class Hold:
    """A checker carried by a hand, and where the fingers are."""

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
        view: SimulatedView | None = None,
        palette: Palette | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ground = simulated_board_for(game)
        self._view = view or self._ground.view
        self._clock = clock
        self._rng = np.random.default_rng(seed)
        self._painter = Painter(
            self._view, palette or Palette(), self._ground.draw, self._ground.width, np.random.default_rng(seed)
        )
        self._painting = threading.Lock()
        self._changed = threading.Condition()
        self._checkers: dict[int, Checker] = {}
        self._hold: Hold | None = None
        self._hand: tuple[float, float, Side] | None = None
        self._version = 0
        self.set_up()

    @property
    def version(self) -> int:
        """Rises with every change on the table."""
        return self._version

    def checkers(self) -> tuple[Checker, ...]:
        """All checkers where they lie, or hang in a hand, in order of id."""
        with self._changed:
            held = self._hold
            return tuple(
                replace(c, x=held.x, y=held.y) if held and c.id == held.id else c for c in self._checkers.values()
            )

    def corners(self) -> list[tuple[float, float]]:
        """Pixels of the playing area's corners (bottom left, bottom right, top right, top left): for tests."""
        return self._ground.corners(self._view)

    def board(self) -> Board:
        """What lies in each cell: the truth, for tests; a carried checker lies nowhere."""
        counts = [[0, 0] for _ in self._ground.rows]
        with self._changed:
            for checker in self._checkers.values():
                if self._hold is None or checker.id != self._hold.id:
                    cell = self._ground.cell_at(checker.side, checker.x, checker.y)
                    counts[cell][checker.side is Side.BLACK] += 1
        return tuple((white, black) for white, black in counts[: len(self._ground.start)])

    def set_up(self, board: Board | None = None) -> None:
        """Clear the table and put up `board`, a content for each cell, or else the starting position."""
        start = self._ground.start
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
        """Carry a checker in a hand over (x, y); its row closes up, what another hand carried drops there."""
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
        """Drop a checker at (x, y): beside the others of that point, as neatly as a hand does it."""
        self._check(checker_id, x, y)
        with self._changed:
            if self._hold is not None and self._hold.id != checker_id:
                self._drop(self._hold)
            if self._hold is None:
                self._take(checker_id)
            self._drop(Hold(checker_id, x, y, self._clock()))
            self._note_change()

    def hand(self, x: float | None, y: float | None = None, side: Side = Side.WHITE) -> None:
        """Put an empty hand over (x, y), or take it away (None)."""
        with self._changed:
            self._hand = None if x is None or y is None else (x, y, side)
            self._note_change()

    def render(self) -> Picture:
        """The picture the camera takes now (height x width x 3, uint8, BGR), with sensor noise of its own."""
        with self._changed:
            if self._hold is not None and self._clock() - self._hold.at_s > HOLD_S:
                self._drop(self._hold)
                self._note_change()
            held, hand = self._hold, self._hand
            lying = [c for c in self._checkers.values() if held is None or c.id != held.id]
            carried = None if held is None else DrawnChecker(self._checkers[held.id].side, held.x, held.y, CARRIED_AT)
        discs = [DrawnChecker(c.side, c.x, c.y, c.layer * THICKNESS) for c in lying]
        with self._painting:
            return self._painter.paint(discs, carried, hand)

    def wait(self, version: int, timeout_s: float) -> int:
        """Wait until the table is no longer at `version`, at most `timeout_s`; the version it is at."""
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
        """`checker` in the next place of `cell`'s row, off by some carelessness and by where it was let go."""
        place = len(self._row(cell, without=checker.id))
        x, y = self._ground.slot(cell, place)
        dx, dy = (float(offset) for offset in self._rng.normal(0.0, CARELESS, 2))
        if released is not None:
            share, most = LOOSE
            dx += float(np.clip(share * (released[0] - x), -most, most))
            dy += float(np.clip(share * (released[1] - y), -most, most))
        return replace(checker, x=x + dx, y=y + dy, layer=place // self._ground.rows[cell])

    def _row(self, cell: int, without: int) -> list[Checker]:
        """The checkers of `cell` from the first place on, except one."""
        there = [c for c in self._checkers.values() if c.id != without and self._cell(c, c) == cell]
        return sorted(there, key=lambda c: self._ground.place_at(cell, c.x, c.y, c.layer))

    def _cell(self, checker: Checker, where: Checker | Hold) -> int:
        """The cell of a checker that lies, or is let go, at a place."""
        return self._ground.cell_at(checker.side, where.x, where.y)

    def _take(self, checker_id: int) -> None:
        """Lift a checker out of its row; a tidy hand closes the gap it leaves."""
        taken = self._checkers[checker_id]
        cell, ground = self._cell(taken, taken), self._ground
        for place, checker in enumerate(self._row(cell, without=checker_id)):
            was = ground.place_at(cell, checker.x, checker.y, checker.layer)
            if was != place:
                (x_was, y_was), (x, y) = ground.slot(cell, was), ground.slot(cell, place)
                moved = replace(checker, x=checker.x - x_was + x, y=checker.y - y_was + y)
                self._checkers[checker.id] = replace(moved, layer=place // ground.rows[cell])

    def _note_change(self) -> None:
        self._version += 1
        self._changed.notify_all()
