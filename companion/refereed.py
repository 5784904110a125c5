"""What the referee's procedure does to a game: disputes and rulings, proposals and agreements, takebacks.

Pure functions from a game and an event to the next game, as in `companion.game`, which calls them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.agreement import Agreed, Declined, Proposed, Remedy, TakenBack
from companion.events import Corrected, Disputed, Ruled
from companion.history import OutOfTurnError, Settled, Turn
from companion.model import PositionT, Side
from companion.snapshot import Phase

if TYPE_CHECKING:
    from companion.agreement import Taps
    from companion.game import Game

ProcedureEvent = (
    Disputed[PositionT] | Ruled[PositionT] | Corrected[PositionT] | Proposed[PositionT] | Agreed | Declined | TakenBack
)


NOTES = {**{remedy: remedy.value for remedy in Remedy}, Remedy.POSITION: "as agreed"}
"""What the history notes of a turn that a ruling ended."""


def refereed(game: Game[PositionT], event: ProcedureEvent[PositionT]) -> Game[PositionT]:
    """The game after an event of the procedure. Raises OutOfTurnError where it cannot follow.

    What was asked after the last game of an evening before is of no matter on an empty table.
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


def stands(game: Game[PositionT], position: PositionT, on_roll: Side | None) -> Game[PositionT]:
    """`position` stands by the players' word; the repetitions count from here, and nothing is in question any more."""
    return replace(
        game,
        position=position,
        on_roll=on_roll,
        dice=None,
        opening=None,
        past=(position,),
        dispute=None,
        proposal=None,
        taken_back=None,
    )


def turn_ends(game: Game[PositionT], side: Side, after: PositionT, play: str, note: str = "") -> Game[PositionT]:
    """`side` has played, and `after` stands. Raises OutOfTurnError where it was not their turn."""
    if game.phase is not Phase.TO_MOVE or game.on_roll is not side:
        raise OutOfTurnError(f"{side} cannot play {play!r}: {game.on_roll or 'nobody'} is to move")
    turn = Turn(side, game.dice, play, note, game.position, game.match.cube)
    history, past = (*game.history, turn), (*game.past, after)
    return replace(stands(game, after, side.opponent), history=history, past=past)


def _ruled(game: Game[PositionT], event: Ruled[PositionT]) -> Game[PositionT]:
    dispute = game.dispute
    if dispute is None or dispute.number != event.number:
        raise OutOfTurnError(f"dispute {event.number} is not open")
    ruling = event.ruling or (Remedy.CORRECTED if event.after is None else Remedy.STANDS)
    game = replace(_settled(game, ruling, event.agreed), proposal=None)
    if event.after is None:
        return game
    if game.phase is Phase.TO_MOVE and game.on_roll is not None:
        reason = (dispute.verdict or {}).get("reason")
        note = f"{NOTES[ruling]}: {reason}" if reason else NOTES[ruling]
        return turn_ends(game, game.on_roll, event.after, event.play, note)
    return replace(game, position=event.after, past=(event.after,), taken_back=None)


def _settled(game: Game[PositionT], ruling: Remedy, agreed: Taps) -> Game[PositionT]:
    """The dispute, where one is open, goes among those that are settled."""
    if game.dispute is None:
        return game
    return replace(game, dispute=None, settled=(*game.settled, Settled(game.dispute, ruling, agreed)))


def _corrected(game: Game[PositionT], event: Corrected[PositionT]) -> Game[PositionT]:
    settled = _settled(game, Remedy.POSITION, event.agreed)
    unasked = replace(settled, owed=())
    if not event.agreed:  # a script sets the board up: whatever was going on there is over
        unasked = replace(unasked, match=replace(game.match, offered_by=None))
    stood = stands(unasked, event.position, event.on_roll)
    return replace(stood, dice=game.dice) if event.dice_stay and event.on_roll is game.on_roll else stood


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
        if game.before_end is None:
            raise OutOfTurnError("there is no end of a game to take back")
        game = replace(game, match=game.before_end.match, dice=game.before_end.dice, ended=None, before_end=None)
    return _turn_taken_back(game) if event.turn else game


def _turn_taken_back(game: Game[PositionT]) -> Game[PositionT]:
    if not game.history or game.position is None:
        raise OutOfTurnError("no turn was played in this game: there is none to take back")
    last, stood = game.history[-1], game.position
    rolled = () if game.dice is None or game.on_roll is None else ((game.on_roll, game.dice),)
    past = game.past[:-1] if len(game.past) > 1 else (last.before,)
    return replace(
        game,
        position=last.before,
        on_roll=last.side,
        dice=last.dice,
        opening=None,
        history=game.history[:-1],
        past=past,
        owed=(*rolled, *game.owed),
        taken_back=stood,
        takebacks=game.takebacks + 1,
    )
