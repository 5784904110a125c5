"""A checkers position, and the geometry of the board."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core import CHECKERS_CELLS, Board, Side
from companion.notation import COLUMNS, SQUARES, Pieces, cell_of, format_fen, parse_fen
from companion.rules.ruleset import PositionError

Squares = int
"""A set of squares: bit n - 1 for square n."""

ALL_SQUARES: Squares = (1 << SQUARES) - 1
PIECES_A_SIDE = 12


@dataclass(frozen=True, slots=True)
class CheckersPosition:
    """Where the pieces stand and who is to move; `kings` are of both sides."""

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
                raise PositionError(f"FEN {text!r} has {len(squares)} {name} pieces; expected at most {PIECES_A_SIDE}")
        return cls(bits(pieces.white), bits(pieces.black), bits(pieces.kings), pieces.to_move)

    def fen(self) -> str:
        """The position as a PDN FEN."""
        sets = (frozenset(numbers(squares)) for squares in (self.white, self.black, self.kings))
        return format_fen(Pieces(self.to_move, *sets))

    def view(self, side: Side) -> View:
        """The position as `side` sees it."""
        if side is Side.WHITE:
            return View(self.white, self.black, self.kings)
        return View(turned(self.black), turned(self.white), turned(self.kings))

    def board(self) -> Board:
        """What a camera sees of it: one checker on each square that is taken, kings not told apart."""
        cells = [(0, 0)] * CHECKERS_CELLS
        for squares, content in ((self.white, (1, 0)), (self.black, (0, 1))):
            for number in numbers(squares):
                cells[cell_of(number)] = content
        return tuple(cells)


@dataclass(frozen=True, slots=True)
class View:
    """A position as the mover sees it: their men move towards square 1, whichever side they are."""

    mine: Squares
    theirs: Squares
    kings: Squares

    def position(self, side: Side, to_move: Side) -> CheckersPosition:
        """The position that `side` sees like this."""
        if side is Side.WHITE:
            return CheckersPosition(self.mine, self.theirs, self.kings, to_move)
        return CheckersPosition(turned(self.theirs), turned(self.mine), turned(self.kings), to_move)


START = CheckersPosition(white=0xFFF00000, black=0x00000FFF)


def bits(squares: frozenset[int]) -> Squares:
    """Numbered squares as a set of bits."""
    return sum(1 << number - 1 for number in squares)


def numbers(squares: Squares) -> list[int]:
    """The squares' numbers in rising order."""
    return [number for number in range(1, SQUARES + 1) if squares >> (number - 1) & 1]


def turned(squares: Squares) -> Squares:
    """The board turned round: square n becomes 33 - n."""
    return int(f"{squares:032b}"[::-1], 2)


def seen_from(number: int, side: Side) -> int:
    """A square's number as the mover sees it, and back again."""
    return number if side is Side.WHITE else SQUARES + 1 - number


def offset(source: int, target: int) -> tuple[int, int]:
    """From one cell to another: rows towards Black's edge, columns to White's right."""
    return target // COLUMNS - source // COLUMNS, target % COLUMNS - source % COLUMNS
