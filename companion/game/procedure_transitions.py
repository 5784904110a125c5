"""State transitions of the referee's procedure: disputes, rulings, proposals, corrections, takebacks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core import PositionT, Side
from companion.game.agreement import Agreed, Declined, Proposed, ReadAs, Remedy, TakenBack
from companion.game.events import Corrected, Disputed, Ruled
from companion.game.game_log import Turn
from companion.game.state import Game, OutOfTurnError, Phase, Settled, in_phase
from companion.notation import WhyItStands
from companion.rules import is_false_move

if TYPE_CHECKING:
    from companion.game.agreement import Taps

ProcedureEvent = (
    Disputed[PositionT]
    | Ruled[PositionT]
    | Corrected[PositionT]
    | Proposed[PositionT]
    | Agreed
    | Declined
    | TakenBack
    | ReadAs
)


NOTES = {
    Remedy.OVERRULED: WhyItStands.OVERRULED,
    Remedy.POSITION: WhyItStands.AS_AGREED,
    Remedy.BOTH: WhyItStands.BOTH,
}
"""Why the play of a turn that a ruling ended stands, by remedy; `WhyItStands.STANDS` for every other remedy."""


def after_procedure(game: Game[PositionT], event: ProcedureEvent[PositionT]) -> Game[PositionT]:
    """The game after a dispute, ruling, correction, proposal or takeback. Raises OutOfTurnError.

    Proposals before the first game, left over from a previous session, are ignored.
    """
    if game.position is None and isinstance(event, Proposed | Agreed | Declined):
        return game
    match event:
        case Disputed():
            return replace(game, dispute=event, disputes=event.number, proposal=None)
        case Ruled():
            return _ruled(game, event)
        case Corrected():
            return _corrected(game, event)
        case Proposed():
            return replace(game, proposal=event, proposals=event.number)
        case Agreed():
            return _agreed(game, event)
        case Declined():
            _check_pending(game, event.number)
            return replace(game, proposal=None)
        case TakenBack():
            return _taken_back(game, event)
        case ReadAs():
            return replace(in_phase(game, event, Phase.TO_MOVE), read_as=event.reading, proposal=None)


def _set_position(game: Game[PositionT], position: PositionT, on_roll: Side | None) -> Game[PositionT]:
    """The game with a new position of record; repetitions count from here, dispute and proposal are closed."""
    return replace(
        game,
        position=position,
        on_roll=on_roll,
        dice=None,
        opening=None,
        past=(position,),
        dispute=None,
        proposal=None,
        read_as=None,
        taken_back=None,
    )


def turn_ends(game: Game[PositionT], side: Side, after: PositionT, play: str, note: str = "") -> Game[PositionT]:
    """The game after `side` has played. Raises OutOfTurnError if it is not their turn."""
    if game.phase is not Phase.TO_MOVE or game.on_roll is not side:
        raise OutOfTurnError(f"{side} cannot play {play!r}: {game.on_roll or 'nobody'} is to move")
    turn = Turn(side, game.dice, play, note, game.position, game.match.cube)
    history, past = (*game.history, turn), (*game.past, after)
    false_moves = game.false_moves.next_turn()
    return replace(_set_position(game, after, side.opponent), history=history, past=past, false_moves=false_moves)


def _ruled(game: Game[PositionT], event: Ruled[PositionT]) -> Game[PositionT]:
    dispute = game.dispute
    if dispute is None or dispute.number != event.number:
        raise OutOfTurnError(f"dispute {event.number} is not open")
    ruling = event.ruling or (Remedy.CORRECTED if event.after is None else Remedy.STANDS)
    game = replace(_settled(game, ruling, event.agreed), proposal=None)
    found = dispute.verdict
    if found is not None and found.reason and is_false_move(found.reason) and game.on_roll is not None:
        game = replace(game, false_moves=game.false_moves.after_ruling(game.on_roll, ruling))
    if event.after is None:
        return game
    if game.phase is Phase.TO_MOVE and game.on_roll is not None:
        reason = None if dispute.verdict is None else dispute.verdict.reason
        note = NOTES.get(ruling, WhyItStands.STANDS).note(reason)
        return turn_ends(game, game.on_roll, event.after, event.play, note)
    return replace(game, position=event.after, past=(event.after,), taken_back=None)


def _settled(game: Game[PositionT], ruling: Remedy, agreed: Taps) -> Game[PositionT]:
    """The game with its open dispute, if any, settled by `ruling`."""
    if game.dispute is None:
        return game
    return replace(game, dispute=None, settled=(*game.settled, Settled(game.dispute, ruling, agreed)))


def _corrected(game: Game[PositionT], event: Corrected[PositionT]) -> Game[PositionT]:
    settled = _settled(game, Remedy.POSITION, event.agreed)
    goes_on = event.dice_stay and game.early is not None
    cleared = settled if goes_on else replace(settled, pending_rolls=(), early=None)
    if not event.agreed:  # a script sets up the board: a double is void
        cleared = replace(cleared, match=game.match.offer_voided())
    corrected = _set_position(cleared, event.position, event.on_roll)
    return replace(corrected, dice=game.dice) if event.dice_stay and event.on_roll is game.on_roll else corrected


def _agreed(game: Game[PositionT], event: Agreed) -> Game[PositionT]:
    proposal = _check_pending(game, event.number)
    if event.by is not None and event.by in proposal.agreed:
        raise OutOfTurnError(f"{event.by} has agreed to proposal {event.number} already")
    return replace(game, proposal=replace(proposal, agreed=(*proposal.agreed, event.by)))


def _check_pending(game: Game[PositionT], number: int) -> Proposed[PositionT]:
    if game.proposal is None or game.proposal.number != number:
        raise OutOfTurnError(f"proposal {number} is not open")
    return game.proposal


def _taken_back(game: Game[PositionT], event: TakenBack) -> Game[PositionT]:
    game = replace(_settled(game, Remedy.TAKEBACK, event.agreed), proposal=None)
    if event.end:
        game = _end_taken_back(game)
    return _turn_taken_back(game) if event.turn else game


def _end_taken_back(game: Game[PositionT]) -> Game[PositionT]:
    before = game.before_end
    if before is None:
        raise OutOfTurnError("there is no end of a game to take back")
    return replace(
        game,
        match=before.match,
        dice=before.dice,
        pending_rolls=before.pending_rolls,
        early=before.early,
        ended=None,
        before_end=None,
    )


def _turn_taken_back(game: Game[PositionT]) -> Game[PositionT]:
    if not game.history or game.position is None:
        raise OutOfTurnError("no turn was played in this game: there is none to take back")
    last, current = game.history[-1], game.position
    rolled = () if game.dice is None or game.on_roll is None else ((game.on_roll, game.dice),)
    past = game.past[:-1] if len(game.past) > 1 else (last.before,)
    return replace(
        game,
        position=last.before,
        on_roll=last.side,
        dice=last.dice,
        opening=None,
        read_as=None,
        history=game.history[:-1],
        past=past,
        pending_rolls=(*rolled, *game.pending_rolls),
        early=None,
        taken_back=current,
        takebacks=game.takebacks + 1,
        false_moves=game.false_moves.next_turn(),
    )
