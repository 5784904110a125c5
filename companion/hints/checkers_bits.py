"""Bitboards for checkers: a position as three bit sets and a fast move generator for the search.

Legality at the table comes from `companion.rules`; a test checks that both generators agree.

Square n is bit (n - 1) + (n - 1) // 8, so that every ninth bit is not a square and a step is a shift by four or
five from every square (A. Samuel, "Some studies in machine learning using the game of checkers", 1959).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core import Side
from companion.rules import MoveGenerator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.rules import CheckersPosition, CheckersSheet

BOARD = 0x7FBFDFEFF
"""Mask of all squares."""
STEPS = (4, 5)
CROWNING = {Side.WHITE: 0xF, Side.BLACK: 0xF << 31}
"""Masks of the crowning rows; White's is squares 1 to 4."""


class Bits(NamedTuple):
    """Masks of White's and Black's pieces and of both sides' kings, and the side to move."""

    white: int
    black: int
    kings: int
    to_move: Side

    @classmethod
    def of(cls, position: CheckersPosition) -> Bits:
        """Convert from the rules' position."""
        return cls(spread(position.white), spread(position.black), spread(position.kings), position.to_move)


def spread(squares: int) -> int:
    """Convert a mask with bit n - 1 for square n to this module's layout."""
    return squares & 0xFF | (squares & 0xFF00) << 1 | (squares & 0xFF0000) << 2 | (squares & 0xFF000000) << 3


class BitMoves:
    """Moves under one sheet, without jumps over own pieces (see `CheckersEngine`)."""

    def __init__(self, sheet: CheckersSheet) -> None:
        """Read the sheet's rules on captures."""
        rules = MoveGenerator(sheet)
        self.must_capture = rules.must_capture
        self._must_finish = rules.must_finish
        self._crowning_ends = rules.crowning_ends

    def captures(self, at: Bits) -> list[Bits]:
        """Positions after each capture."""
        white, black, kings, side = at
        mine, theirs = (white, black) if side is Side.WHITE else (black, white)
        empty = BOARD & ~(white | black)
        found: dict[Bits, None] = {}
        for jumper in _bits(_jumpers(mine, theirs, kings, empty, side)):
            for landed, taken, king in self._jumps(jumper, theirs, empty | jumper, bool(jumper & kings), side):
                found[_after(at, jumper, landed, taken, king=king)] = None
        return list(found)

    def quiet(self, at: Bits) -> list[Bits]:
        """Positions after each move without a capture."""
        white, black, kings, side = at
        mine = white if side is Side.WHITE else black
        empty, crowning = BOARD & ~(white | black), CROWNING[side]
        reached = []
        for step in STEPS:
            for up in (True, False):
                movers = mine if up == (side is Side.WHITE) else mine & kings
                movers &= empty << step if up else empty >> step
                for piece in _bits(movers):
                    target = piece >> step if up else piece << step
                    king = bool(piece & kings or target & crowning)
                    reached.append(_after(at, piece, target, 0, king=king))
        return reached

    def _jumps(self, jumper: int, theirs: int, empty: int, king: bool, side: Side) -> Iterator[tuple[int, int, bool]]:
        """(target, captured mask, whether a king at the end) of each sequence of jumps."""
        growing = [(jumper, 0, king)]
        while growing:
            square, taken, crowned = growing.pop()
            longer = []
            if not (crowned and not king and self._crowning_ends):
                for over, target in _leaps(square, theirs & ~taken, empty, crowned, side):
                    longer.append((target, taken | over, crowned or bool(target & CROWNING[side])))
            if taken and not (longer and self._must_finish):
                yield square, taken, crowned
            growing += longer


def _jumpers(mine: int, theirs: int, kings: int, empty: int, side: Side) -> int:
    """Mask of the pieces that can capture."""
    found = 0
    for step in STEPS:
        up = (theirs & empty << step) << step
        down = (theirs & empty >> step) >> step
        ahead, back = (up, down) if side is Side.WHITE else (down, up)
        found |= mine & ahead | mine & kings & back
    return found


def _leaps(square: int, prey: int, empty: int, king: bool, side: Side) -> Iterator[tuple[int, int]]:
    """(jumped square, landing square) masks of single jumps from a square."""
    for step in STEPS:
        if king or side is Side.WHITE:
            over, target = square >> step, square >> 2 * step
            if over & prey and target & empty:
                yield over, target
        if king or side is Side.BLACK:
            over, target = square << step, square << 2 * step
            if over & prey and target & empty:
                yield over, target


def _after(at: Bits, source: int, target: int, taken: int, *, king: bool) -> Bits:
    white, black, kings, side = at
    kings = kings & ~(source | taken) | (target if king else 0)
    if side is Side.WHITE:
        return Bits(white & ~source | target, black & ~taken, kings, Side.BLACK)
    return Bits(white & ~taken, black & ~source | target, kings, Side.WHITE)


def _bits(squares: int) -> Iterator[int]:
    while squares:
        lowest = squares & -squares
        yield lowest
        squares ^= lowest
