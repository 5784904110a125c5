"""When a player may claim a draw at checkers.

WCDF Rules of Draughts (English), section 1.32: a player may claim a draw when the same position, with the same player
to move, stands for the third time in the game; and when in the last forty moves of each player no man was advanced and
no piece was removed. Neither ends the game by itself. A draw by agreement needs no claim.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.rules.checkers import Position, Squares

REPETITIONS = 3
MOVES_WITHOUT_PROGRESS = 40
"""Of each player: eighty in all."""


class DrawClaim(StrEnum):
    """Why a draw may be claimed."""

    THREEFOLD_REPETITION = "threefold_repetition"
    FORTY_MOVES = "forty_moves"


def draw_claim(positions: Sequence[Position]) -> DrawClaim | None:
    """What a player may claim after a game through `positions`, oldest first, the last one now on the board."""
    if not positions:
        return None
    if positions.count(positions[-1]) >= REPETITIONS:
        return DrawClaim.THREEFOLD_REPETITION
    if moves_without_progress(positions) >= 2 * MOVES_WITHOUT_PROGRESS:
        return DrawClaim.FORTY_MOVES
    return None


def moves_without_progress(positions: Sequence[Position]) -> int:
    """How many of the last moves (of both players) neither advanced a man nor took a piece."""
    last = _what_progress_changes(positions[-1])
    moves = 0
    for position in reversed(positions[:-1]):
        if _what_progress_changes(position) != last:
            break
        moves += 1
    return moves


def _what_progress_changes(position: Position) -> tuple[Squares, Squares, int]:
    """White's men, Black's men and how many kings there are: a king's quiet move leaves all three."""
    men = ~position.kings
    return position.white & men, position.black & men, position.kings.bit_count()
