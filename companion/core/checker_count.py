"""Estimates the board of a single observation, with a prior on the number of checkers but without rules of play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core.board_search import likely_boards
from companion.core.observation import BLACK_BAR, BLACK_OFF, WHITE_BAR, WHITE_OFF, differing_cells

if TYPE_CHECKING:
    from companion.core.observation import Board, Observation

CHECKERS = 15
POINTS = 24
FULL_ROW = 5
"""Checkers in a row before a second layer begins, as in the drawings of most rule sheets."""
_HOME = 6
_MOST_BOARDS = 2000
_EXTRA_NATS = 14.0
"""Cost of each checker too many; a foreign object can look like one."""
_GONE_NATS = 7.0
"""Cost of the first missing checker if bearing off cannot explain it: it was hit after bearing off began, or is not on
the board."""
_FURTHER_NATS = 2.0
"""Cost of each further such checker."""
_UNSEEN_LAYER_NATS = 2.0
"""Cost of a checker inferred on top of a full row from the number of checkers alone: the missing one may be in a hand.
Equal to the referee's ANOTHER_HEIGHT_NATS. Measured: of 64 boards with a checker taken away, 0 are misread (2 without
this cost); of 441 other pictures, 5 more are read and none fewer."""


def missing_checkers(board: Board, side: int, total: int = CHECKERS) -> int:
    """Number of checkers of a side (0 White, 1 Black) not on points or bar; negative where there are too many."""
    return total - sum(content[side] for content in board[: BLACK_BAR + 1] if content)


def all_home(board: Board, side: int) -> bool:
    """Whether all checkers of a side (0 White, 1 Black) on points and bar are in its home board."""
    home = range(_HOME) if side == 0 else range(POINTS - _HOME, POINTS)
    bar = (WHITE_BAR, BLACK_BAR)[side]
    return not any(
        content and content[side]
        for cell, content in enumerate(board[: BLACK_BAR + 1])
        if cell not in home or cell == bar
    )


@dataclass(frozen=True, slots=True)
class CheckerCount:
    """The estimate of a board from one observation.

    Attributes:
        board: the best board.
        margin_nats: its score above that of the next board; 0 where it contradicts what is seen.
        doubtful: the cells in which it differs from other boards within `certain_nats`, or contradicts what is seen.
    """

    board: Board
    margin_nats: float
    doubtful: tuple[int, ...]


def count_checkers(
    observation: Observation, certain_nats: float, totals: tuple[int, int] = (CHECKERS, CHECKERS)
) -> CheckerCount | None:
    """Estimate the board of a readable observation of backgammon; None where too many boards fit to find them all.

    Args:
        observation: the camera's reading.
        certain_nats: boards whose score is lower than the best by more than this are ruled out.
        totals: (White, Black) checkers of the set.
    """
    trays_seen = tuple(observation.cells[cell].seen for cell in (WHITE_OFF, BLACK_OFF))

    def cost_nats(white: int, black: int) -> float:
        return sum(
            _count_nats(total - found, tray_seen)
            for total, found, tray_seen in zip(totals, (white, black), trays_seen, strict=True)
        )

    searched, within = 0.0, certain_nats + _GONE_NATS + _FURTHER_NATS
    while searched < within:
        searched = within
        likely = likely_boards(observation, cost_nats, searched, _MOST_BOARDS)
        if likely is None:
            return None
        scored = sorted(
            ((one.score_nats - _prior_nats(one.board, observation, totals), one.board) for one in likely),
            key=lambda pair: -pair[0],
        )
        best, board = scored[0]
        within = likely[0].score_nats - best + certain_nats  # the prior only lowers scores: no rival is further away
    margin = best - scored[1][0] if len(scored) > 1 else searched
    rivals = [other for nats, other in scored if nats >= best - certain_nats]
    doubtful = {cell for other in rivals for cell in differing_cells(board, other)}
    if against := observation.contradicted_cells(board):
        margin, doubtful = 0.0, doubtful.union(against)
    return CheckerCount(board, min(margin, searched), tuple(sorted(doubtful)))


def _count_nats(missing: int, tray_seen: bool) -> float:
    """Cost of a side's missing checkers (negative: extra ones); `tray_seen`: its borne-off checkers are in view."""
    if missing < 0:
        return -_EXTRA_NATS * missing
    return _missing_nats(missing) if tray_seen else 0.0


def _prior_nats(board: Board, observation: Observation, totals: tuple[int, int]) -> float:
    """Prior cost of a board: a side's checkers are missing, or complete only with second layers that were not seen."""
    nats = 0.0
    for side, off in enumerate((WHITE_OFF, BLACK_OFF)):
        if all_home(board, side) and not _tray_agrees(board, observation, side, totals[side]):
            continue
        nats += _UNSEEN_LAYER_NATS * _unseen_layers(board, observation, side)
        if board[off] is None:
            nats += _missing_nats(missing_checkers(board, side, totals[side]))
    return nats


def _tray_agrees(board: Board, observation: Observation, side: int, total: int) -> bool:
    """Whether a side's borne-off checkers are in view and their likeliest number is that missing from the board.

    If it is not, the tray was probably misread, which must not make a second layer less likely.
    """
    tray = observation.cells[WHITE_OFF + side].best
    return tray is not None and tray[side] in {missing_checkers(board, side, one) for one in (CHECKERS, total)}


def _unseen_layers(board: Board, observation: Observation, side: int) -> int:
    """Number of a side's full rows on which the board has a second layer and the cell's likeliest content has none."""
    cells = zip(board[:POINTS], observation.cells, strict=False)
    return sum(bool(held and cell.best and held[side] > cell.best[side] == FULL_ROW) for held, cell in cells)


def _missing_nats(missing: int) -> float:
    return _GONE_NATS + _FURTHER_NATS * (missing - 1) if missing > 0 else 0.0
