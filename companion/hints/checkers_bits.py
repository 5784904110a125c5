"""A checkers position as three sets of bits, and its moves, quickly enough for a search.

What is legal at the table the rules say; a test sees that both agree.

Square n is bit (n - 1) + (n - 1) // 8, so that one bit in nine lies beside the board and a step is a shift by four or
five from every square (A. Samuel, "Some studies in machine learning using the game of checkers", 1959).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.model import Side
from companion.rules.checkers_moves import MoveGenerator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.rules.checkers import Position
    from companion.rules.sheet import CheckersSheet

BOARD = 0x7FBFDFEFF
"""All bits that are squares."""
STEPS = (4, 5)
CROWNING = {Side.WHITE: 0xF, Side.BLACK: 0xF << 31}
"""Where a side's men are crowned: White's on squares 1 to 4."""


class Bits(NamedTuple):
    """Where the pieces stand: `white` and `black`, `kings` of both, and who moves."""

    white: int
    black: int
    kings: int
    to_move: Side

    @classmethod
    def of(cls, position: Position) -> Bits:
        """The same position."""
        return cls(spread(position.white), spread(position.black), spread(position.kings), position.to_move)


def spread(squares: int) -> int:
    """A set of squares, bit n - 1 for square n, with the bits beside the board put in."""
    return squares & 0xFF | (squares & 0xFF00) << 1 | (squares & 0xFF0000) << 2 | (squares & 0xFF000000) << 3


class BitMoves:
    """Moves under one sheet; jumps over pieces of one's own are left out (see `CheckersEngine`)."""

    def __init__(self, sheet: CheckersSheet) -> None:
        """Read what the sheet says of captures."""
        rules = MoveGenerator(sheet)
        self.must_capture = rules.must_capture
        self._must_finish = rules.must_finish
        self._crowning_ends = rules.crowning_ends

    def captures(self, at: Bits) -> list[Bits]:
        """What captures lead to."""
        white, black, kings, side = at
        mine, theirs = (white, black) if side is Side.WHITE else (black, white)
        empty = BOARD & ~(white | black)
        found: dict[Bits, None] = {}
        for jumper in _bits(_jumpers(mine, theirs, kings, empty, side)):
            for landed, taken, king in self._jumps(jumper, theirs, empty | jumper, bool(jumper & kings), side):
                found[_after(at, jumper, landed, taken, king=king)] = None
        return list(found)

    def quiet(self, at: Bits) -> list[Bits]:
        """What moves without a capture lead to."""
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
        """Where a jumper's sequences may end, what they took, and whether the jumper is a king then."""
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
    """Which pieces can capture."""
    found = 0
    for step in STEPS:
        up = (theirs & empty << step) << step
        down = (theirs & empty >> step) >> step
        ahead, back = (up, down) if side is Side.WHITE else (down, up)
        found |= mine & ahead | mine & kings & back
    return found


def _leaps(square: int, prey: int, empty: int, king: bool, side: Side) -> Iterator[tuple[int, int]]:
    """What can be jumped from a square, and where that lands."""
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
