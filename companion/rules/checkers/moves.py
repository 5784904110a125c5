"""Legal moves of checkers, for a mover whose men move towards square 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core import Play, Step
from companion.notation import COLUMNS, ROWS, SQUARES, cell_of, square_of
from companion.rules.checkers.position import LAST_OF_CROWN_ROW, View, bit_of, numbers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.rules.checkers.position import Squares
    from companion.rules.sheet import CheckersSheet

FORWARD = ((1, -1), (1, 1))
BACKWARD = ((-1, -1), (-1, 1))
"""(rows, columns) of one diagonal step."""


def _neighbour(number: int, direction: tuple[int, int], distance: int) -> int | None:
    row, column = divmod(cell_of(number), COLUMNS)
    row, column = row + direction[0] * distance, column + direction[1] * distance
    return square_of(row * COLUMNS + column) if 0 <= row < ROWS and 0 <= column < COLUMNS else None


Reach = tuple[tuple[int, int | None], ...]
"""For each direction with a neighbouring square: that square, and the square beyond it (None at the edge)."""


def _reach(number: int, directions: tuple[tuple[int, int], ...]) -> Reach:
    steps = ((_neighbour(number, d, 1), _neighbour(number, d, 2)) for d in directions)
    return tuple((step, beyond) for step, beyond in steps if step is not None)


MAN_REACH: tuple[Reach, ...] = ((), *(_reach(n, FORWARD) for n in range(1, SQUARES + 1)))
KING_REACH: tuple[Reach, ...] = ((), *(_reach(n, FORWARD + BACKWARD) for n in range(1, SQUARES + 1)))
"""By square number; index 0 is unused."""


@dataclass(frozen=True, slots=True)
class Jump:
    """A move or jump sequence, finished or not: its steps, the squares captured, whether the piece is a king now."""

    play: Play
    taken: Squares
    king: bool

    @property
    def square(self) -> int:
        """Square of the piece now."""
        return self.play[-1].target


@dataclass(frozen=True, slots=True)
class Moves:
    """The moves of a side, in the mover's numbers.

    Attributes:
        finals: the results of the legal moves, each with a move.
        captures: the finals in which a piece is captured.
        jumps: every jump sequence, including unfinished ones.
    """

    finals: dict[View, Play]
    captures: dict[View, Play]
    jumps: tuple[Jump, ...]


class MoveGenerator:
    """Generates the moves under one sheet."""

    def __init__(self, sheet: CheckersSheet) -> None:
        self._must_capture = sheet.capture == "compulsory"
        self._must_finish = sheet.jump_sequence == "must_be_completed"
        self._crowning_ends = sheet.crowning_ends_turn
        self._jump_own = sheet.jump_own

    @property
    def must_capture(self) -> bool:
        """Whether a capture is compulsory."""
        return self._must_capture

    @property
    def must_finish(self) -> bool:
        """Whether a jump must go on while it can."""
        return self._must_finish

    @property
    def jumps_own(self) -> bool:
        """Whether a side may jump its own pieces."""
        return self._jump_own

    @property
    def crowning_ends(self) -> bool:
        """Whether crowning ends a turn."""
        return self._crowning_ends

    def moves(self, view: View) -> Moves:
        """Every legal move, one for each result."""
        jumps = tuple(self._jumps(view))
        finals: dict[View, Play] = {}
        captures: dict[View, Play] = {}
        for jump in jumps:
            if self.may_end(view, jump):
                into = captures if jump.taken else finals
                into.setdefault(after(view, jump), jump.play)
        if not (captures and self._must_capture):
            for jump in self._quiet(view):
                finals.setdefault(after(view, jump), jump.play)
            return Moves(captures | finals, captures, jumps)
        return Moves(captures, captures, jumps)

    def may_end(self, view: View, jump: Jump) -> bool:
        """Whether the sequence may end here under the sheet."""
        return not (self._must_finish and self.may_go_on(view, jump))

    def may_go_on(self, view: View, jump: Jump) -> bool:
        """Whether the piece can capture another one from here."""
        return any(longer.taken != jump.taken for longer in self._longer(view, jump))

    def _quiet(self, view: View) -> Iterator[Jump]:
        """The moves of one step, without a jump."""
        occupied = view.mine | view.theirs
        for source in numbers(view.mine):
            king = bool(view.kings & bit_of(source))
            for target, _ in (KING_REACH if king else MAN_REACH)[source]:
                if not occupied & bit_of(target):
                    yield Jump((Step(source, target),), 0, king or target <= LAST_OF_CROWN_ROW)

    def _jumps(self, view: View) -> Iterator[Jump]:
        """Every sequence of jumps; a sequence comes before those that continue it."""
        for source in numbers(view.mine):
            king = bool(view.kings & bit_of(source))
            growing = list(self._leaps(view, source, source, 0, (), king=king))
            while growing:
                jump = growing.pop()
                yield jump
                growing += self._longer(view, jump)

    def _longer(self, view: View, jump: Jump) -> Iterator[Jump]:
        """The sequence continued by one jump, in every possible way."""
        source = jump.play[0].source
        crowned = jump.king and not view.kings & bit_of(source)
        if crowned and self._crowning_ends:
            return
        for longer in self._leaps(view, source, jump.square, jump.taken, jump.play, king=jump.king):
            quiet = longer.taken == jump.taken
            if not (quiet and longer.square in (source, *(step.target for step in jump.play))):
                yield longer

    def _leaps(self, view: View, source: int, square: int, taken: Squares, play: Play, *, king: bool) -> Iterator[Jump]:
        """One jump from `square` in every direction, after `play` from `source` that captured `taken`."""
        start = bit_of(source)
        occupied = (view.mine | view.theirs) & ~start
        for over, target in (KING_REACH if king else MAN_REACH)[square]:
            if target is None or occupied & bit_of(target):
                continue
            bit = bit_of(over)
            crowned = king or target <= LAST_OF_CROWN_ROW
            if view.theirs & ~taken & bit:
                yield Jump((*play, Step(square, target, over)), taken | bit, crowned)
            elif self._jump_own and view.mine & bit & ~start:
                yield Jump((*play, Step(square, target)), taken, crowned)


def taken_by(play: Play) -> Squares:
    """The squares of the pieces that a play captures."""
    return sum(bit_of(step.captured) for step in play if step.captured)


def after(view: View, jump: Jump) -> View:
    """The board after a move, from the mover's side."""
    start, end = bit_of(jump.play[0].source), bit_of(jump.square)
    kings = view.kings & ~start & ~jump.taken
    return View(view.mine & ~start | end, view.theirs & ~jump.taken, kings | end if jump.king else kings)
