"""Checkers moves in PDN notation: `11-15`, `12x19`, `2x11x4`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from companion.notation.play import NotationError

if TYPE_CHECKING:
    from companion.model import Play

_MOVE = re.compile(r"\d{1,2}(?:[-x:]\d{1,2})+")


def format_move(play: Play) -> str:
    """Write a move with every square the piece lands on; a jump over an own piece is written with `-`."""
    if not play:
        return ""
    joint = "x" if any(step.captured for step in play) else "-"
    return joint.join(map(str, (play[0].source, *(step.target for step in play))))


def parse_move(text: str) -> tuple[int, ...]:
    """Read the squares of a move; `-` and `x` mean the same, as real files mix them up. Raises NotationError."""
    word = text.strip()
    if not _MOVE.fullmatch(word):
        raise NotationError(f"{text!r} is not a move such as 11-15, 12x19 or 2x11x4")
    squares = tuple(int(number) for number in re.split(r"[-x:]", word))
    if not all(1 <= square <= 32 for square in squares):
        raise NotationError(f"a square of the move {text!r} is not from 1 to 32")
    return squares
