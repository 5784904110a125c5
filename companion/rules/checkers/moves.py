"""The move generator of checkers: written for a mover whose men go towards square 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core import Play, Step
from companion.notation import SQUARES, cell_of, square_of
from companion.rules.checkers.position import View

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.rules.sheet import CheckersSheet

FORWARD = ((1, -1), (1, 1))
BACKWARD = ((-1, -1), (-1, 1))


def _neighbour(number: int, direction: tuple[int, int], distance: int) -> int | None:
    row, column = divmod(cell_of(number), 8)
    row, column = row + direction[0] * distance, column + direction[1] * distance
    return square_of(row * 8 + column) if 0 <= row < 8 and 0 <= column < 8 else None


Reach = tuple[tuple[int, int | None], ...]
"""For each direction in which there is a square: that square and, where there is one, the square beyond it."""


def _reach(number: int, directions: tuple[tuple[int, int], ...]) -> Reach:
    steps = ((_neighbour(number, d, 1), _neighbour(number, d, 2)) for d in directions)
    return tuple((step, beyond) for step, beyond in steps if step is not None)


MAN_REACH: tuple[Reach, ...] = ((), *(_reach(n, FORWARD) for n in range(1, SQUARES + 1)))
KING_REACH: tuple[Reach, ...] = ((), *(_reach(n, FORWARD + BACKWARD) for n in range(1, SQUARES + 1)))


@dataclass(frozen=True, slots=True)
class Jump:
    """A jump sequence, finished or not: its steps, what it took and whether the jumper is a king by now."""

    play: Play
    taken: int
    king: bool

    @property
    def square(self) -> int:
        """Where the jumper stands."""
        return self.play[-1].target


@dataclass(frozen=True, slots=True)
class Moves:
    """All that a side may do, in the mover's numbers.

    Attributes:
        finals: the legal moves' results, each with a move.
        captures: the finals that take something.
        jumps: every jump sequence, the unfinished ones among them.
    """

    finals: dict[View, Play]
    captures: dict[View, Play]
    jumps: tuple[Jump, ...]


class MoveGenerator:
    """Moves under one sheet."""

    def __init__(self, sheet: CheckersSheet) -> None:
        self._must_capture = sheet.capture == "compulsory"
        self._must_finish = sheet.jump_sequence == "must_be_completed"
        self._crowning_ends = sheet.crowning_ends_turn
        self._jump_own = sheet.jump_own

    @property
    def must_capture(self) -> bool:
        """Whether a capture may not be left for a quiet move."""
        return self._must_capture

    @property
    def must_finish(self) -> bool:
        """Whether a jump that can go on must go on."""
        return self._must_finish

    @property
    def jumps_own(self) -> bool:
        """Whether a piece of one's own may be jumped."""
        return self._jump_own

    @property
    def crowning_ends(self) -> bool:
        """Whether a man's turn ends where it is crowned."""
        return self._crowning_ends

    def moves(self, view: View) -> Moves:
        """Every legal move, each distinct result once."""
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
        """Whether the sequence may end here."""
        return not (self._must_finish and self.may_go_on(view, jump))

    def may_go_on(self, view: View, jump: Jump) -> bool:
        """Whether the jumper can take another piece from here."""
        return any(longer.taken != jump.taken for longer in self._longer(view, jump))

    def _quiet(self, view: View) -> Iterator[Jump]:
        taken = view.mine | view.theirs
        for source in _numbers(view.mine):
            king = bool(view.kings >> (source - 1) & 1)
            for target, _ in (KING_REACH if king else MAN_REACH)[source]:
                if not taken >> (target - 1) & 1:
                    yield Jump((Step(source, target),), 0, king or target <= 4)

    def _jumps(self, view: View) -> Iterator[Jump]:
        """Every sequence of jumps; each prefix comes before what it grows into."""
        for source in _numbers(view.mine):
            king = bool(view.kings >> (source - 1) & 1)
            growing = list(self._leaps(view, source, source, 0, (), king=king))
            while growing:
                jump = growing.pop()
                yield jump
                growing += self._longer(view, jump)

    def _longer(self, view: View, jump: Jump) -> Iterator[Jump]:
        """The sequence with one jump more."""
        source = jump.play[0].source
        crowned = jump.king and not view.kings >> (source - 1) & 1
        if crowned and self._crowning_ends:
            return
        for longer in self._leaps(view, source, jump.square, jump.taken, jump.play, king=jump.king):
            quiet = longer.taken == jump.taken
            if not (quiet and longer.square in (source, *(step.target for step in jump.play))):
                yield longer

    def _leaps(self, view: View, source: int, square: int, taken: int, play: Play, *, king: bool) -> Iterator[Jump]:
        start = 1 << (source - 1)
        prey = view.theirs & ~taken
        in_the_way = (view.mine | view.theirs) & ~start
        for over, target in (KING_REACH if king else MAN_REACH)[square]:
            if target is None or in_the_way >> (target - 1) & 1:
                continue
            bit = 1 << (over - 1)
            if prey & bit:
                yield Jump((*play, Step(square, target, over)), taken | bit, king or target <= 4)
            elif self._jump_own and view.mine & bit & ~start:
                yield Jump((*play, Step(square, target)), taken, king or target <= 4)


def after(view: View, jump: Jump) -> View:
    """The board after a move, as the mover still sees it."""
    start, end = 1 << (jump.play[0].source - 1), 1 << (jump.square - 1)
    kings = view.kings & ~start & ~jump.taken
    return View(view.mine & ~start | end, view.theirs & ~jump.taken, kings | end if jump.king else kings)


def _numbers(squares: int) -> Iterator[int]:
    while squares:
        lowest = squares & -squares
        yield lowest.bit_length()
        squares ^= lowest
