"""State transitions: the game after one event (`evolve`) or after all events of a record (`replay`).

The rules of play are not applied here: a `Played` event contains the position after the play.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING

from companion.core import Dice, PositionT, Side
from companion.game.agreement import Agreed, Declined, Proposed, ReadAs, TakenBack
from companion.game.dice_events import (
    AS_BEFORE,
    DiceRevealed,
    DiceSealed,
    OpeningDrawn,
    OpeningRolled,
    Rolled,
    RollVoided,
)
from companion.game.events import (
    Announced,
    Beavered,
    Corrected,
    Disputed,
    Doubled,
    Drawn,
    Ended,
    Event,
    FalseMove,
    MatchBegan,
    Passed,
    Played,
    Resigned,
    Ruled,
    Started,
    Taken,
)
from companion.game.log_transitions import with_log_entry
from companion.game.match_terms import ended_by, game_begun, match_after, match_begun
from companion.game.procedure_transitions import after_procedure, turn_ends
from companion.game.state import NO_FALSE_MOVES, NO_LOG, BeforeEnd, Early, Game, OutOfTurnError, Phase, in_phase
from companion.notation import WhyItStands
from companion.rules import is_false_move

if TYPE_CHECKING:
    from collections.abc import Iterable


def evolve(game: Game[PositionT], event: Event[PositionT]) -> Game[PositionT]:
    """The game after `event`. Raises OutOfTurnError (or MatchError) if the event cannot follow."""
    after = _after(game, event)
    if after.announced is not None and _turn(after) != _turn(game):
        after = replace(after, announced=None)
    return with_log_entry(game, event, after)


def _turn(game: Game[PositionT]) -> tuple[object, ...]:
    """The part of the state that changes with every turn and takeback."""
    return game.number, len(game.history), game.position, game.on_roll, game.dice, game.ended


def _after(game: Game[PositionT], event: Event[PositionT]) -> Game[PositionT]:
    match event:
        case MatchBegan():
            game = in_phase(game, event, Phase.WAITING, Phase.OVER)
            begun = match_begun(event)
            return replace(game, match=begun, false_moves=NO_FALSE_MOVES, log=NO_LOG, earlier=())
        case Started():
            return _started(game, event)
        case DiceSealed() | DiceRevealed():
            return replace(game, dice_book=game.dice_book.with_event(event))
        case OpeningRolled() | OpeningDrawn():
            return _opened(game, event)
        case Rolled() | RollVoided():
            return _rolled(game, event)
        case Announced() | Played() | FalseMove():
            return _played(in_phase(game, event, Phase.TO_MOVE), event)
        case Doubled() | Beavered() | Taken() | Passed():
            return _cube_turned(game, event)
        case Corrected() | Disputed() | Ruled() | Proposed() | Agreed() | Declined() | TakenBack() | ReadAs():
            return after_procedure(game, event)
        case Ended() | Resigned() | Drawn():
            return _ended(in_phase(game, event, Phase.OPENING, Phase.TO_ROLL, Phase.TO_MOVE), event)


def replay(events: Iterable[Event[PositionT]]) -> Game[PositionT]:
    """The game that `events` lead to, from an empty table."""
    empty: Game[PositionT] = Game()
    return reduce(evolve, events, empty)


def _started(game: Game[PositionT], event: Started[PositionT]) -> Game[PositionT]:
    """A new game, which keeps the match, the dice book and the counts of disputes and proposals."""
    return Game(
        name=event.game,
        sheet=event.sheet,
        number=game.number + 1,
        position=event.position,
        on_roll=event.on_roll,
        won_before=game.last_winner,
        match=game_begun(game.match, event),
        rolls=event.rolls,
        past=(event.position,),
        disputes=game.disputes,
        proposals=game.proposals,
        dice_book=game.dice_book,
        false_moves=game.false_moves.next_game(change_colours=game.match.colours_due),
    )


def _opened(game: Game[PositionT], event: OpeningRolled | OpeningDrawn) -> Game[PositionT]:
    if isinstance(event, OpeningRolled):
        return _opening_rolled(in_phase(game, event, Phase.OPENING), event)
    dice_book = game.dice_book.rolled([int(number) for number in event.thrown], event.proof, counted=False)
    return replace(in_phase(game, event, Phase.TO_MOVE), ballot=event.opening, dice_book=dice_book)


def _opening_rolled(game: Game[PositionT], event: OpeningRolled) -> Game[PositionT]:
    rolled = (event.white, event.black)
    game = replace(game, dice_book=game.dice_book.rolled(rolled, event.proof))
    if event.white == event.black:
        return replace(game, opening=rolled, match=game.match.tied())
    starter = Side.WHITE if event.white > event.black else Side.BLACK
    return replace(game, opening=rolled, on_roll=starter, dice=Dice(rolled) if event.kept else None)


def _rolled(game: Game[PositionT], event: Rolled | RollVoided) -> Game[PositionT]:
    if isinstance(event, RollVoided):
        return _roll_voided(in_phase(game, event, Phase.TO_MOVE), event)
    if event.early:
        return _acted_early(game, event)
    game = in_phase(game, event, Phase.TO_ROLL, Phase.OPENING)
    if game.on_roll not in (event.side, None):
        raise OutOfTurnError(f"{event.side} cannot roll {event.dice}: {game.on_roll} is on roll")
    if game.match.offered_by is not None:
        raise OutOfTurnError(f"{event.side} cannot roll {event.dice}: a double waits for its answer")
    game = replace(game, on_roll=event.side, dice=event.dice, opening=None, early=None)
    if event.source == AS_BEFORE:
        return replace(game, pending_rolls=game.pending_rolls[1:])
    return replace(game, pending_rolls=(), dice_book=game.dice_book.rolled(event.dice.values, event.proof))


def _roll_voided(game: Game[PositionT], event: RollVoided) -> Game[PositionT]:
    if game.on_roll is not event.side:
        raise OutOfTurnError(f"{event.side} cannot repeat the roll: {game.on_roll} is to move")
    return replace(game, dice=None, opening=None, read_as=None)


def _acted_early(game: Game[PositionT], event: Rolled | Doubled) -> Game[PositionT]:
    """The game after the opponent rolled or doubled before the turn under way was finished."""
    game = in_phase(game, event, Phase.TO_MOVE)
    if event.side is game.on_roll or game.early is not None:
        raise OutOfTurnError(f"{event!r} does not come before the end of an opponent's turn")
    if isinstance(event, Doubled):
        game.match.doubled(event.side)  # raises if it cannot follow
        return replace(game, early=Early(event.side))
    book = game.dice_book.rolled(event.dice.values, event.proof)
    return replace(game, early=Early(event.side, event.dice), pending_rolls=((event.side, event.dice),), dice_book=book)


def _played(game: Game[PositionT], event: Announced | Played[PositionT] | FalseMove) -> Game[PositionT]:
    if isinstance(event, Announced):
        if event.side is not game.on_roll:
            raise OutOfTurnError(f"{event.side} cannot play {event.play!r}: {game.on_roll} is to move")
        return replace(game, announced=event.play)
    if isinstance(event, FalseMove):
        return replace(game, false_moves=game.false_moves.with_turn_counted(event.side))
    if event.condoned and is_false_move(event.condoned):
        game = replace(game, false_moves=game.false_moves.with_turn_counted(event.side))
    note = WhyItStands.CONDONED.note(event.condoned) if event.condoned else ""
    return turn_ends(game, event.side, event.after, event.play, note)


def _cube_turned(game: Game[PositionT], event: Doubled | Beavered | Taken | Passed) -> Game[PositionT]:
    if isinstance(event, Doubled) and event.early:
        return _acted_early(game, event)
    game = in_phase(game, event, Phase.TO_ROLL)
    if isinstance(event, Doubled):
        if event.side is not game.on_roll:
            raise OutOfTurnError(f"{event.side} cannot double: {game.on_roll} is on roll")
        return replace(game, match=game.match.doubled(event.side), early=None)
    if event.side is not game.match.asked:
        raise OutOfTurnError(f"{event.side} cannot answer a double of their own")
    if isinstance(event, Beavered):
        return replace(game, match=game.match.beaver())
    if isinstance(event, Taken):
        return replace(game, match=game.match.taken())
    return _ended(game, event)


def _ended(game: Game[PositionT], event: Ended | Resigned | Drawn | Passed) -> Game[PositionT]:
    return replace(
        game,
        ended=ended_by(game.match, event),
        dice=None,
        dispute=None,
        proposal=None,
        match=match_after(game.match, event),
        pending_rolls=(),
        early=None,
        before_end=BeforeEnd(game.match, game.dice, game.pending_rolls, game.early),
    )
