"""What a move of checkers does: pieces won and lost by force, kings, the centre, the back row, the replies left.

Where captures must be made, an exchange is forced from its first capture to its last; its result is what both sides
can be sure of while it lasts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core import Side, message
from companion.hints.why.wording import number_suffix
from companion.rules import CheckersSheet, MoveGenerator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core import Message
    from companion.rules import CheckersPosition, Ruleset

CENTRE = sum(1 << square - 1 for square in (14, 15, 18, 19))
BACK_ROW = sum(1 << square - 1 for square in range(29, 33))
"""Squares, for the side that moves towards square 1."""
SECOND_ROW, THIRD_ROW = (sum(1 << square - 1 for square in row) for row in (range(5, 9), range(9, 13)))
FEW = 3
"""Numbers of replies up to this are mentioned."""
DEEPEST = 16
"""Most captures in a row that are examined; longer exchanges are not mentioned."""


class Exchange(NamedTuple):
    """Pieces that the mover takes and loses."""

    taken: int
    lost: int

    @property
    def won(self) -> int:
        """Pieces won."""
        return self.taken - self.lost


def checkers_facts(
    rules: Ruleset[CheckersPosition], before: CheckersPosition, after: CheckersPosition, side: Side
) -> Iterator[Message]:
    """The facts of a move of `side`, what matters most first."""
    was, now = before.view(side), after.view(side)
    yield from _exchanged(rules, before, after, side)
    if (now.kings & now.mine).bit_count() > (was.kings & was.mine).bit_count():
        yield message("why.crowns")
    yield from _replies(rules, after, side.opponent)
    arrived, left = now.mine & ~was.mine, was.mine & ~now.mine
    yield from _near_crown(arrived & ~now.kings)
    if arrived & CENTRE and not left & CENTRE:
        yield message("why.centre")
    if left & ~was.kings & BACK_ROW:
        staying = (now.mine & BACK_ROW).bit_count()
        yield message("why.back_row", number=staying) if staying else message("why.back_row.none")


def _replies(rules: Ruleset[CheckersPosition], after: CheckersPosition, opponent: Side) -> Iterator[Message]:
    """How few quiet moves the opponent has left; a capture as the only reply does not count."""
    replies = rules.successors(after, opponent, None)
    if not replies:
        yield message("why.replies.none", opponent=opponent)
    elif len(replies) <= FEW and _pieces(replies[0].after, opponent.opponent) == _pieces(after, opponent.opponent):
        yield message(f"why.replies{number_suffix(len(replies))}", opponent=opponent, number=len(replies))


def _near_crown(men: int) -> Iterator[Message]:
    """How far a man that moved is from the last row."""
    if men & SECOND_ROW:
        yield message("why.crown_near.one")
    elif men & THIRD_ROW:
        yield message("why.crown_near", number=2)


def _exchanged(
    rules: Ruleset[CheckersPosition], before: CheckersPosition, after: CheckersPosition, side: Side
) -> Iterator[Message]:
    """What the move takes, and where captures must be made also what follows by force."""
    taken = _pieces(before, side.opponent) - _pieces(after, side.opponent)
    forced = isinstance(rules.sheet, CheckersSheet) and MoveGenerator(rules.sheet).must_capture
    follows = _by_force(rules, after, side) if forced else Exchange(0, 0)
    if follows is None:
        return
    taken, lost = taken + follows.taken, follows.lost
    if taken and lost:
        yield message("why.trades", taken=taken, lost=lost)
    elif taken:
        yield message(f"why.takes{number_suffix(taken)}", number=taken)
    elif lost:
        yield message(f"why.loses{number_suffix(lost)}", number=lost)


def _by_force(
    rules: Ruleset[CheckersPosition], position: CheckersPosition, side: Side, depth: int = 0
) -> Exchange | None:
    """What `side` takes and loses by the captures that must follow, each side choosing its best; None: too many."""
    to_move = position.to_move
    count = _pieces(position, to_move.opponent)
    best: Exchange | None = None
    for successor in rules.successors(position, to_move, None):
        taken = count - _pieces(successor.after, to_move.opponent)
        if not taken:
            return Exchange(0, 0)
        rest = _by_force(rules, successor.after, side, depth + 1) if depth < DEEPEST else None
        if rest is None:
            return None
        found = Exchange(rest.taken + taken, rest.lost) if to_move is side else Exchange(rest.taken, rest.lost + taken)
        better = best is None or (found.won > best.won if to_move is side else found.won < best.won)
        best = found if better else best
    return best or Exchange(0, 0)


def _pieces(position: CheckersPosition, side: Side) -> int:
    return (position.white if side is Side.WHITE else position.black).bit_count()
