"""Checks before a roll and other actions: each raises Refusal with the reason why the action has no effect now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import Finding, PositionT, Refusal, Side, both, message, unreadable
from companion.game import rolls_next
from companion.rules import condoned

if TYPE_CHECKING:
    from companion.core import Message, Verdict
    from companion.game import Early, Game, Match
    from companion.referee.assessment import Assessment
    from companion.rules import Sheet

NO_ROLL, NO_DOUBLE, NO_TURN = message("no_roll"), message("no_double"), message("no_turn")
"""What a tap that comes too early does not do: the first part of a refusal."""
MOST_PLACES = 6
"""Most places that are named where the starting position is not set up: a list of half the board helps nobody."""


def refuse_while_disputed(game: Game[PositionT]) -> None:
    """Refuse other actions until the players have settled the dispute or proposal."""
    if game.proposal is not None:
        raise Refusal(message("ruling.proposed"))
    if game.dispute is not None:
        raise Refusal(call_message(game.dispute.by))


def call_message(by: Side | None) -> Message:
    """The message who called the referee, and what the players do before anything is proposed."""
    who = message("dispute.called") if by is None else message("dispute.called_by", player=by)
    return both(who, message("dispute.what_now"))


def refuse_other_player(game: Game[PositionT], player: Side | None) -> None:
    """Refuse a roll by a player who is not on roll; None: the player is not known."""
    side = rolls_next(game)
    if game.running and game.rolls and player is not None and side is not None and player is not side:
        raise Refusal(message("other_rolls", player=side, other=player))


def refuse_while_doubled(game: Game[PositionT]) -> None:
    """Refuse a roll or a second double before the first is answered."""
    if game.match.offered_by is not None:
        raise Refusal(double_message(game.match))


def double_message(match: Match) -> Message:
    """The message about the double that waits for its answer. Raises MatchError where there is none."""
    asked = match.asked
    what = "beavers" if match.beavered else "doubles"
    return message(f"cube.{what}", player=asked.opponent, number=2 * match.cube, opponent=asked)


def refuse_double(game: Game[PositionT], player: Side | None) -> Side:
    """Refuse a double unless the player about to roll offers it and the cube allows it; returns that player."""
    side = rolls_next(game)
    if not game.running or side is None:
        raise Refusal(message("cube.not_now"))
    refuse_while_doubled(game)
    refuse_other_player(game, player)
    reason = no_double_because(game, side)
    if reason is not None:
        raise Refusal(message("cube.may_not", player=side, why=reason))
    return side


def no_double_because(game: Game[PositionT], side: Side) -> Message | None:
    """Why `side` may not double now, as the end of a sentence; None where it may."""
    if game.early is not None and game.early.side is side and game.early.dice is not None:
        return message("cube.rolled_early", player=side)
    return game.match.no_double_because(side)


def early_message(early: Early) -> Message:
    """The message that a player rolled or doubled before the other's turn was finished, and that it counts."""
    player, opponent = early.side, early.side.opponent
    if early.dice is None:
        return message("early.doubled", player=player, opponent=opponent)
    return message("early.rolled", player=player, dice=early.dice, opponent=opponent)


def early_next_message(early: Early) -> Message:
    """The message what follows from an early roll or double once the play on the board is accepted."""
    player, opponent = early.side, early.side.opponent
    if early.dice is None:
        return message("early.doubled.next", player=player, opponent=opponent)
    return message("early.rolled.next", player=player, dice=early.dice)


def refuse_answer(game: Game[PositionT], player: Side | None) -> None:
    """Refuse an answer without a question, or by the player who asked."""
    if game.match.offered_by is None:
        raise Refusal(message("cube.no_double"))
    if player is game.match.offered_by:
        raise Refusal(message("cube.other_answers", player=game.match.asked, other=player))


def refuse_while_not_playing(game: Game[PositionT]) -> None:
    """Refuse to end a game that has not begun."""
    if not game.running or game.on_roll is None:
        raise Refusal(message("ending.no_game"))


def refuse_unread(assessment: Assessment[PositionT], what: Message = NO_ROLL) -> None:
    """Refuse a roll (or another action) without a settled look that can be read."""
    if assessment.camera is not None:
        raise Refusal(message("not_yet.because", what=what, why=assessment.camera))
    if assessment.look is None:
        raise Refusal(message("not_yet", what=what, why=message("not_still")))
    if assessment.look.unreadable is not None:
        why = unreadable(assessment.look.unreadable, assessment.look.where)
        raise Refusal(message("not_yet.because", what=what, why=why))


def refuse_unless_acceptable(assessment: Assessment[PositionT], sheet: Sheet | None, what: Message = NO_ROLL) -> None:
    """Refuse a roll without a complete legal play, or one that `sheet` lets the opponent condone (None: none)."""
    refuse_unread(assessment, what)
    verdict = assessment.verdict
    if verdict is None:
        raise Refusal(message("sentence", what=what))
    if verdict.finding is not Finding.LEGAL and (sheet is None or not condoned(sheet, verdict)):
        raise Refusal(message("not_yet", what=what, why=_short_reason(verdict)))


def _short_reason(verdict: Verdict[PositionT]) -> Message:
    """Why a play is not acceptable, as the end of a sentence; the verdict shown with it has the details."""
    if verdict.reason is not None:
        return message(f"reason.{verdict.reason}")
    return message(f"not_yet.{verdict.message.key if verdict.to_set_up else verdict.finding}")


def refuse_unless_as_recorded(assessment: Assessment[PositionT], what: Message = NO_ROLL) -> None:
    """Refuse a roll on a board that differs from the position of record (between games: the starting position)."""
    refuse_unread(assessment, what)
    if not assessment.game.running and len(assessment.differs) > MOST_PLACES:
        raise Refusal(message("not_yet.because", what=what, why=message("set_up")))
    if assessment.differs:
        key = "game" if assessment.game.running else "start"
        raise Refusal(message("not_yet", what=what, why=message(f"differs.{key}", places=assessment.where)))
