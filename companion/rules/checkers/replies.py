"""Finds a legal move and the opponent's legal reply that together explain the board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.rules.checkers.position import View

if TYPE_CHECKING:
    from companion.core import Play, Side
    from companion.rules.checkers.moves import MoveGenerator, Moves
    from companion.rules.checkers.position import Squares


@dataclass(frozen=True, slots=True)
class MoveAndReply:
    """Two moves that follow each other.

    Attributes:
        move: the mover's, in the mover's square numbers.
        reply: the opponent's, in the opponent's.
        after: the position after both, from the opponent's side.
    """

    move: Play
    reply: Play
    after: View


def moves_with_replies(
    generator: MoveGenerator, moves: Moves, side: Side, mine: Squares, theirs: Squares
) -> tuple[MoveAndReply, ...]:
    """Every legal move of `side` with every legal reply that leads to what is seen.

    `mine` and `theirs` are the squares that the mover's and the opponent's pieces hold now, in the mover's numbers.
    """
    found = []
    for view, move in moves.finals.items():
        left, came = view.theirs & ~theirs, theirs & ~view.theirs
        if mine & ~view.mine or not left.bit_count() == came.bit_count() <= 1:
            continue  # a reply moves one piece, and removes at most
        seen = _from_other_side(View(mine, theirs, 0), side)
        answers = generator.moves(_from_other_side(view, side)).finals
        found += [
            MoveAndReply(move, reply, after)
            for after, reply in answers.items()
            if (after.mine, after.theirs) == (seen.mine, seen.theirs)
        ]
    return tuple(found)


def _from_other_side(view: View, side: Side) -> View:
    """What `side` sees as the opponent of `side` sees it."""
    return view.position(side, side).view(side.opponent)
