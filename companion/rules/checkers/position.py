"""Checkers positions as sets of squares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core import CHECKERS_CELLS, Board, Side, quoted
from companion.notation import COLUMNS, SQUARES, Pieces, cell_of, format_fen, parse_fen
from companion.rules.ruleset import PositionError

if TYPE_CHECKING:
    from collections.abc import Iterator

Squares = int
"""A set of squares: bit n - 1 for square n."""

PIECES_A_SIDE = 12
LAST_OF_CROWN_ROW = 4
"""A man that reaches squares 1 to 4, in the mover's numbers, is crowned."""


@dataclass(frozen=True, slots=True)
class CheckersPosition:
    """The pieces and the side to move; `kings` holds both sides' kings."""

    white: Squares
    black: Squares
    kings: Squares = 0
    to_move: Side = Side.BLACK

    @classmethod
    def from_fen(cls, text: str) -> CheckersPosition:
        """Read a PDN FEN. Raises FenError, or PositionError for more than twelve pieces a side."""
        pieces = parse_fen(text)
        for name, squares in (("white", pieces.white), ("black", pieces.black)):
            if len(squares) > PIECES_A_SIDE:
                raise PositionError(
                    f"FEN {quoted(text)} has {len(squares)} {name} pieces; expected at most {PIECES_A_SIDE}"
                )
        return cls(bits(pieces.white), bits(pieces.black), bits(pieces.kings), pieces.to_move)

    def fen(self) -> str:
        """The position as a PDN FEN."""
        sets = (frozenset(numbers(squares)) for squares in (self.white, self.black, self.kings))
        return format_fen(Pieces(self.to_move, *sets))

    def view(self, side: Side) -> View:
        """The position from the side of `side`."""
        if side is Side.WHITE:
            return View(self.white, self.black, self.kings)
        return View(turned(self.black), turned(self.white), turned(self.kings))

    def board(self) -> Board:
        """The position as camera cells: one checker on each occupied square, kings like men."""
        cells = [(0, 0)] * CHECKERS_CELLS
        for squares, content in ((self.white, (1, 0)), (self.black, (0, 1))):
            rest = squares  # written out for speed: it runs for every legal move of a turn
            while rest:
                lowest = rest & -rest
                cells[CELLS[lowest.bit_length()]] = content
                rest ^= lowest
        return tuple(cells)


@dataclass(frozen=True, slots=True)
class View:
    """A position from the mover's side: `mine` are the mover's pieces, whose men move towards square 1."""

    mine: Squares
    theirs: Squares
    kings: Squares

    def position(self, side: Side, to_move: Side) -> CheckersPosition:
        """The position whose view for `side` this is."""
        if side is Side.WHITE:
            return CheckersPosition(self.mine, self.theirs, self.kings, to_move)
        return CheckersPosition(turned(self.theirs), turned(self.mine), turned(self.kings), to_move)


CELLS = (-1, *map(cell_of, range(1, SQUARES + 1)))
"""The camera's cell of each square, by the square's number."""
START = CheckersPosition(white=0xFFF00000, black=0x00000FFF)


def bits(squares: frozenset[int]) -> Squares:
    """Numbered squares as a set of bits."""
    return sum(map(bit_of, squares))


def bit_of(number: int) -> Squares:
    """The set that holds one square."""
    return 1 << (number - 1)


def numbers(squares: Squares) -> Iterator[int]:
    """The squares' numbers in ascending order."""
    while squares:
        lowest = squares & -squares
        yield lowest.bit_length()
        squares ^= lowest


def turned(squares: Squares) -> Squares:
    """The squares numbered from the other side: square n becomes 33 - n."""
    return int(f"{squares:032b}"[::-1], 2)


def seen_from(number: int, side: Side) -> int:
    """A square's number from the side of `side`; the same function converts back."""
    return number if side is Side.WHITE else SQUARES + 1 - number


def offset(source: int, target: int) -> tuple[int, int]:
    """(rows towards Black's edge, columns to White's right) from one cell to another."""
    return target // COLUMNS - source // COLUMNS, target % COLUMNS - source % COLUMNS
