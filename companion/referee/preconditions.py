"""When Roll does nothing, and what the table says then: each check of what stands raises Refusal with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import Finding, PositionT, Refusal, Side, name, unreadable
from companion.game import rolls_next
from companion.rules import condoned
from companion.texts import render

if TYPE_CHECKING:
    from companion.game import Game
    from companion.referee.assessment import Assessment
    from companion.rules import Sheet


def refuse_while_disputed(game: Game[PositionT]) -> None:
    """Nothing else before the players agree on what is in question."""
    if game.proposal is not None:
        raise Refusal("Something is proposed: agree with a tap on Roll, or tap Hint for no.")
    if game.dispute is not None:
        raise Refusal("The Referee view is open: tap Roll to put the play right, or Referee for what else there is.")


def refuse_other_player(game: Game[PositionT], player: Side | None) -> None:
    """No roll for the one whose turn it is not; None is nobody in particular."""
    side = rolls_next(game)
    if game.running and game.rolls and player is not None and side is not None and player is not side:
        raise Refusal(f"It is {name(side)} who rolls next, not {name(player)}.")


def refuse_while_doubled(game: Game[PositionT]) -> None:
    """No roll, no second double before the first is answered."""
    match = game.match
    if match.offered_by is not None:
        verb = "beavers" if match.beavered else "doubles"
        raise Refusal(
            f"{name(match.offered_by)} {verb} to {2 * match.cube}: {name(match.asked)} takes or passes first."
        )


def refuse_double(game: Game[PositionT], player: Side | None) -> Side:
    """No double but by the player about to roll, where the cube allows it; returns who that is."""
    side = rolls_next(game)
    if not game.running or side is None:
        raise Refusal("No double now: nobody is about to roll.")
    refuse_while_doubled(game)
    refuse_other_player(game, player)
    reason = game.match.no_double_because(side)
    if reason is not None:
        raise Refusal(f"{name(side)} may not double: {reason}.")
    return side


def refuse_answer(game: Game[PositionT], player: Side | None) -> None:
    """No answer where nobody asks, or by the one who asked."""
    if game.match.offered_by is None:
        raise Refusal("There is no double to take or to pass.")
    if player is game.match.offered_by:
        raise Refusal(f"It is {name(game.match.asked)} who takes or passes, not {name(player)}.")


def refuse_while_not_playing(game: Game[PositionT]) -> None:
    """No end to a game that has not begun."""
    if not game.running or game.on_roll is None:
        raise Refusal("There is no game to end: no turn has begun.")


def refuse_unread(standing: Assessment[PositionT], what: str = "roll") -> None:
    """No roll (or what else is asked for) without a settled look that can be read."""
    if standing.camera is not None:
        raise Refusal(f"No {what} yet. {standing.camera}")
    if standing.look is None:
        raise Refusal(f"No {what} yet: the board does not lie still.")
    if standing.look.unreadable is not None:
        raise Refusal(f"No {what} yet. {render(unreadable(standing.look.unreadable, standing.look.where))}")


def refuse_unless_acceptable(standing: Assessment[PositionT], sheet: Sheet, what: str = "roll") -> None:
    """No roll before a complete legal play stands, or one that the sheet lets the opponent condone by rolling."""
    refuse_unread(standing, what)
    if standing.verdict is not None and condoned(sheet, standing.verdict):
        return
    if standing.verdict is None or standing.verdict.finding is not Finding.LEGAL:
        why = "" if standing.verdict is None else f" {render(standing.verdict.message)}"
        raise Refusal(f"No {what} yet.{why}")


def refuse_unless_as_recorded(standing: Assessment[PositionT], what: str = "roll") -> None:
    """No roll on a board that differs from the position of record (between games: from the starting position)."""
    refuse_unread(standing, what)
    if standing.differs:
        expected = "the game" if standing.game.running else "the starting position"
        raise Refusal(f"No {what} yet: the board differs from {expected} on {standing.where}.")
