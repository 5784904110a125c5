"""The census: which board a single look shows, the number of checkers counted in, before any rule is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.likely_boards import likely_boards
from companion.observation import BLACK_BAR, BLACK_OFF, WHITE_BAR, WHITE_OFF

if TYPE_CHECKING:
    from companion.observation import Board, Observation

CHECKERS = 15
POINTS = 24
_HOME = 6
_MOST_BOARDS = 2000
_EXTRA_NATS = 14.0
"""Cost of each checker too many: a set does not grow; but a stray button or a third piece may look like one."""
_GONE_NATS = 7.0
"""Cost of a borne-off checker of a side that still has checkers outside its home (it bore off, was hit and came round), or of
one that simply is not on the board."""
_FURTHER_NATS = 2.0
"""Cost of each further such checker."""


def missing(board: Board, side: int, total: int = CHECKERS) -> int:
    """How many checkers of a side (0 White, 1 Black) are not seen on points or bar; negative where there are too many."""
    return total - sum(content[side] for content in board[: BLACK_BAR + 1] if content)


def all_home(board: Board, side: int) -> bool:
    """Whether a side has every checker that is on the board in its home board."""
    home = range(_HOME) if side == 0 else range(POINTS - _HOME, POINTS)
    bar = (WHITE_BAR, BLACK_BAR)[side]
    return not any(content and content[side] for cell, content in enumerate(board[: BLACK_BAR + 1]) if cell not in home or cell == bar)


@dataclass(frozen=True, slots=True)
class Taken:
    """What one look at a board, taken by itself, is taken for.

    Attributes:
        board: the most plausible board.
        margin_nats: how much more plausible it is than the next.
        doubtful: the cells in which boards that may as well stand there differ from it.
    """

    board: Board
    margin_nats: float
    doubtful: tuple[int, ...]


def take(observation: Observation, certain_nats: float, totals: tuple[int, int] = (CHECKERS, CHECKERS)) -> Taken | None:
    """The board that a readable observation of backgammon shows, its checkers counted; None where far too many fit.

    Args:
        observation: what the camera claims.
        certain_nats: boards less plausible than the best by more than this are not doubted.
        totals: checkers of each side in this set.
    """

    def too_many(white: int, black: int) -> float:
        return _EXTRA_NATS * (max(white - totals[0], 0) + max(black - totals[1], 0))

    within = certain_nats + _GONE_NATS + _FURTHER_NATS
    likely = likely_boards(observation, too_many, within, _MOST_BOARDS)
    if likely is None:
        return None
    weighed = sorted(((one.score_nats - _lacking_nats(one.board, totals), one.board) for one in likely), key=lambda pair: -pair[0])
    best, board = weighed[0]
    margin = best - weighed[1][0] if len(weighed) > 1 else within
    rivals = [other for nats, other in weighed if nats >= best - certain_nats]
    doubtful = tuple(cell for cell in range(len(board)) if any(other[cell] != board[cell] for other in rivals))
    return Taken(board, min(margin, within), doubtful)


def _lacking_nats(board: Board, totals: tuple[int, int]) -> float:
    """Cost of the checkers that a board lacks and that cannot simply have been borne off."""
    nats = 0.0
    for side, off_cell in enumerate((WHITE_OFF, BLACK_OFF)):
        off = board[off_cell]
        lacking = missing(board, side, totals[side]) - (off[side] if off else 0)
        if lacking > 0 and (off or not all_home(board, side)):
            nats += _GONE_NATS + _FURTHER_NATS * (lacking - 1)
    return nats
