"""Positions of checkers in PDN's FEN, and moves of checkers in PDN.

Squares 1 to 32 with White at the bottom: 1 top left, 4 top right, 32 bottom right. `K` marks a king; the first letter
is the side to move.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core import BoardsideError, Side, quoted
from companion.notation.play import NotationError

if TYPE_CHECKING:
    from companion.core import Play


SQUARES = 32
ROWS = COLUMNS = 8

_SIDES = {"W": Side.WHITE, "B": Side.BLACK}
_PIECE = re.compile(r"(K?)(\d{1,2})(?:-(\d{1,2}))?")
_MOVE = re.compile(r"\d{1,2}(?:[-x:]\d{1,2})+")


class FenError(BoardsideError):
    """A FEN cannot be read; the message quotes it."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """Contents of a FEN: the side to move and the squares (1 to 32) of the pieces; `kings` holds both sides' kings."""

    to_move: Side
    white: frozenset[int]
    black: frozenset[int]
    kings: frozenset[int]


def parse_fen(text: str) -> Pieces:
    """Read a FEN; ranges (`1-12`) and a final full stop are allowed. Raises FenError."""
    parts = text.strip().strip('"').rstrip(".").split(":")
    if len(parts) != 3 or parts[0] not in _SIDES or {parts[1][:1], parts[2][:1]} != {"W", "B"}:
        raise FenError(f"FEN {quoted(text)} is not of the form B:W21,22,K3:B1,5,K32")
    squares: dict[str, frozenset[int]] = {}
    kings: set[int] = set()
    for part in parts[1:]:
        squares[part[0]] = _squares(part[1:], kings, text)
    if both := squares["W"] & squares["B"]:
        raise FenError(f"FEN {quoted(text)} has two pieces on square {min(both)}")
    return Pieces(_SIDES[parts[0]], squares["W"], squares["B"], frozenset(kings))


def format_fen(pieces: Pieces) -> str:
    """Write a FEN, squares in ascending order."""

    def listed(squares: frozenset[int]) -> str:
        return ",".join(f"{'K' if n in pieces.kings else ''}{n}" for n in sorted(squares))

    letter = "W" if pieces.to_move is Side.WHITE else "B"
    return f"{letter}:W{listed(pieces.white)}:B{listed(pieces.black)}"


def cell_of(number: int) -> int:
    """Cell index of a square: row * 8 + column, row 0 at White's edge, column 0 at White's left."""
    row = ROWS - 1 - (number - 1) // 4
    return row * COLUMNS + 2 * ((number - 1) % 4) + row % 2


def square_of(cell: int) -> int | None:
    """Number (1 to 32) of the square at a cell index; None for a light square."""
    row, column = divmod(cell, COLUMNS)
    if (row + column) % 2:
        return None
    return (ROWS - 1 - row) * 4 + column // 2 + 1


def _squares(text: str, kings: set[int], fen: str) -> frozenset[int]:
    found: set[int] = set()
    for word in filter(None, (word.strip() for word in text.split(","))):
        match = _PIECE.fullmatch(word)
        if match is None:
            raise FenError(f"{quoted(word)} in FEN {quoted(fen)} is not a square such as 14 or K14")
        first, last = int(match[2]), int(match[3] or match[2])
        for square in range(first, last + 1):
            if not 1 <= square <= SQUARES:
                raise FenError(f"square {square} in FEN {quoted(fen)} is not from 1 to 32")
            if square in found:
                raise FenError(f"FEN {quoted(fen)} has two pieces on square {square}")
            found.add(square)
            if match[1]:
                kings.add(square)
    return frozenset(found)


def format_move(play: Play) -> str:
    """Write a move with every square that the piece lands on; `x` where it captures, else `-`."""
    if not play:
        return ""
    joint = "x" if any(step.captured for step in play) else "-"
    return joint.join(map(str, (play[0].source, *(step.target for step in play))))


def parse_move(text: str) -> tuple[int, ...]:
    """Read the squares of a move; `-`, `x` and `:` are the same, as real files mix them. Raises NotationError."""
    word = text.strip()
    if not _MOVE.fullmatch(word):
        raise NotationError(f"{quoted(text)} is not a move such as 11-15, 12x19 or 2x11x4")
    squares = tuple(int(number) for number in re.split(r"[-x:]", word))
    if not all(1 <= square <= SQUARES for square in squares):
        raise NotationError(f"a square of the move {quoted(text)} is not from 1 to 32")
    return squares
