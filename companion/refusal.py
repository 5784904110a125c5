"""When Roll does nothing, and what the table says then: each check of what stands raises Refusal with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.model import BoardsideError, Finding, PositionT, Side
from companion.referee import MENDS
from companion.snapshot import Phase
from companion.view import name

if TYPE_CHECKING:
    from companion.game import Game
    from companion.standing import Standing


class Refusal(BoardsideError):  # no mistake, but the ordinary answer to a tap that comes too early
    """Nothing happens; the text tells the players why."""


def refuse_while_disputed(game: Game[PositionT]) -> None:
    """No roll before the referee's question is answered."""
    if game.dispute is not None:
        raise Refusal("The Referee view is open: choose “corrected” or “stands” first.")


def refuse_other_player(game: Game[PositionT], player: Side | None) -> None:
    """No roll for the one whose turn it is not; None is nobody in particular."""
    rolls_next = game.on_roll.opponent if game.phase is Phase.TO_MOVE and game.on_roll else game.on_roll
    if game.running and player is not None and rolls_next is not None and player is not rolls_next:
        raise Refusal(f"It is {name(rolls_next)} who rolls next, not {name(player)}.")


def refuse_unread(standing: Standing[PositionT]) -> None:
    """No roll without a settled look that can be read."""
    if standing.camera is not None:
        raise Refusal(f"No roll yet. {standing.camera}")
    if standing.look is None:
        raise Refusal("No roll yet: the board does not lie still.")
    if standing.look.unreadable is not None:
        raise Refusal(f"No roll yet. {MENDS[standing.look.unreadable]}")


def refuse_unless_legal(standing: Standing[PositionT]) -> None:
    """No roll before a complete legal play stands."""
    refuse_unread(standing)
    if standing.verdict is None or standing.verdict.finding is not Finding.LEGAL:
        raise Refusal("No roll yet." if standing.verdict is None else f"No roll yet. {standing.verdict.message}")


def refuse_unless_as_recorded(standing: Standing[PositionT]) -> None:
    """No roll on a board that differs from the position of record (between games: from the starting position)."""
    refuse_unread(standing)
    if standing.differs:
        expected = "the game" if standing.game.running else "the starting position"
        raise Refusal(f"No roll yet: the board differs from {expected} on {standing.where}.")
