"""State transitions: the game after one event (`evolve`) or after all events of a record (`replay`).

The rules of play are not applied here: a `Played` event contains the position after the play.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING

from companion.core import Dice, PositionT, Side
from companion.game.agreement import Agreed, Declined, Proposed, ReadAs, Remedy, TakenBack
from companion.game.events import (
    AS_BEFORE,
    Beavered,
    Corrected,
    DiceRevealed,
    DiceSealed,
    Disputed,
    Doubled,
    Drawn,
    Ended,
    Event,
    MatchBegan,
    OpeningRolled,
    Passed,
    Played,
    Resigned,
    Rolled,
    RollVoided,
    Ruled,
    Started,
    Taken,
)
from companion.game.match import Match
from companion.game.state import BeforeEnd, Early, Game, OutOfTurnError, Phase, Settled, Turn

if TYPE_CHECKING:
    from collections.abc import Iterable

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


NOTES = {**{remedy: remedy.value for remedy in Remedy}, Remedy.POSITION: "as agreed"}
"""Note in the history of a turn that a ruling ended."""


def evolve(game: Game[PositionT], event: Event[PositionT]) -> Game[PositionT]:
    """The game after `event`. Raises OutOfTurnError (or MatchError) where the event cannot follow."""
    match event:
        case MatchBegan():
            return replace(_in_phase(game, event, Phase.WAITING, Phase.OVER), match=_began(event))
        case Started():
            return _started(game, event)
        case DiceSealed() | DiceRevealed():
            return replace(game, dice_book=game.dice_book.with_event(event))
        case OpeningRolled():
            return _opening_rolled(_in_phase(game, event, Phase.OPENING), event)
        case Rolled() | RollVoided():
            return _rolled(game, event)
        case Played():
            return _played(_in_phase(game, event, Phase.TO_MOVE), event)
        case Doubled() | Beavered() | Taken() | Passed():
            return _cube_turned(game, event)
        case Corrected() | Disputed() | Ruled() | Proposed() | Agreed() | Declined() | TakenBack() | ReadAs():
            return _procedure(game, event)
        case Ended() | Resigned() | Drawn():
            return _ended(_in_phase(game, event, Phase.OPENING, Phase.TO_ROLL, Phase.TO_MOVE), event)


def replay(events: Iterable[Event[PositionT]]) -> Game[PositionT]:
    """The game that `events` lead to, from an empty table."""
    empty: Game[PositionT] = Game()
    return reduce(evolve, events, empty)


def _in_phase(game: Game[PositionT], event: Event[PositionT], *phases: Phase) -> Game[PositionT]:
    """`game`; raises OutOfTurnError where it is in none of `phases`."""
    if game.phase not in phases:
        expected = " or ".join(phases)
        raise OutOfTurnError(f"{event!r} cannot happen while the game is in phase {game.phase!s}; expected {expected}")
    return game


def _began(event: MatchBegan) -> Match:
    return Match(
        event.length,
        stake=event.stake,
        jacoby=event.jacoby,
        crawford=event.crawford,
        beavers=event.beavers,
        automatic_doubles=event.automatic_doubles,
        win_points=event.win_points,
        draw_points=event.draw_points,
        change_colours=event.change_colours,
        names=(event.white, event.black) if event.white or event.black else (),
    )


def _started(game: Game[PositionT], event: Started[PositionT]) -> Game[PositionT]:
    """A new game, which keeps the match, the dice book and the counts of disputes and proposals."""
    return Game(
        name=event.game,
        sheet=event.sheet,
        number=game.number + 1,
        position=event.position,
        on_roll=event.on_roll,
        match=replace(game.match.without_a_winner().next_game(), has_cube=event.cube),
        rolls=event.rolls,
        past=(event.position,),
        disputes=game.disputes,
        proposals=game.proposals,
        dice_book=game.dice_book,
    )


def _opening_rolled(game: Game[PositionT], event: OpeningRolled) -> Game[PositionT]:
    rolled = (event.white, event.black)
    game = replace(game, dice_book=game.dice_book.rolled(rolled, event.proof))
    if event.white == event.black:
        return replace(game, opening=rolled, match=game.match.tied())
    starter = Side.WHITE if event.white > event.black else Side.BLACK
    return replace(game, opening=rolled, on_roll=starter, dice=Dice(rolled) if event.kept else None)


def _rolled(game: Game[PositionT], event: Rolled | RollVoided) -> Game[PositionT]:
    if isinstance(event, RollVoided):
        return _roll_voided(_in_phase(game, event, Phase.TO_MOVE), event)
    if event.early:
        return _acted_early(game, event)
    game = _in_phase(game, event, Phase.TO_ROLL, Phase.OPENING)
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
    """The game in which the opponent has rolled or doubled before the turn under way was finished."""
    game = _in_phase(game, event, Phase.TO_MOVE)
    if event.side is game.on_roll or game.early is not None:
        raise OutOfTurnError(f"{event!r} does not come before the end of an opponent's turn")
    if isinstance(event, Doubled):
        game.match.doubled(event.side)  # raises where it cannot follow
        return replace(game, early=Early(event.side))
    book = game.dice_book.rolled(event.dice.values, event.proof)
    return replace(game, early=Early(event.side, event.dice), pending_rolls=((event.side, event.dice),), dice_book=book)


def _played(game: Game[PositionT], event: Played[PositionT]) -> Game[PositionT]:
    note = f"condoned: {event.condoned}" if event.condoned else ""
    return _turn_ends(game, event.side, event.after, event.play, note)


def _cube_turned(game: Game[PositionT], event: Doubled | Beavered | Taken | Passed) -> Game[PositionT]:
    if isinstance(event, Doubled) and event.early:
        return _acted_early(game, event)
    game = _in_phase(game, event, Phase.TO_ROLL)
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
    return _ended(game, Ended(event.side.opponent, game.match.cube, "double passed"))


def _ended(game: Game[PositionT], event: Ended | Resigned | Drawn) -> Game[PositionT]:
    played, before = game.match, BeforeEnd(game.match, game.dice)
    match event:
        case Resigned():
            ended = Ended(event.side.opponent, event.points, f"{event.kind}, resigned")
        case Drawn():
            ended = Ended(None, played.draw_points, f"drawn: {event.how}")
        case Ended():
            ended = event
    if ended.winner is not None:
        played = played.game_won(ended.winner, ended.points)
    else:
        played = played.game_drawn() if isinstance(event, Drawn) else played.without_a_winner()
    return replace(game, ended=ended, dice=None, dispute=None, proposal=None, match=played, before_end=before)


def _procedure(game: Game[PositionT], event: ProcedureEvent[PositionT]) -> Game[PositionT]:
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
            return replace(_in_phase(game, event, Phase.TO_MOVE), read_as=event.reading, proposal=None)


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


def _turn_ends(game: Game[PositionT], side: Side, after: PositionT, play: str, note: str = "") -> Game[PositionT]:
    """The game after `side` has played. Raises OutOfTurnError where it is not their turn."""
    if game.phase is not Phase.TO_MOVE or game.on_roll is not side:
        raise OutOfTurnError(f"{side} cannot play {play!r}: {game.on_roll or 'nobody'} is to move")
    turn = Turn(side, game.dice, play, note, game.position, game.match.cube)
    history, past = (*game.history, turn), (*game.past, after)
    return replace(_set_position(game, after, side.opponent), history=history, past=past)


def _ruled(game: Game[PositionT], event: Ruled[PositionT]) -> Game[PositionT]:
    dispute = game.dispute
    if dispute is None or dispute.number != event.number:
        raise OutOfTurnError(f"dispute {event.number} is not open")
    ruling = event.ruling or (Remedy.CORRECTED if event.after is None else Remedy.STANDS)
    game = replace(_settled(game, ruling, event.agreed), proposal=None)
    if event.after is None:
        return game
    if game.phase is Phase.TO_MOVE and game.on_roll is not None:
        reason = None if dispute.verdict is None else dispute.verdict.reason
        note = f"{NOTES[ruling]}: {reason}" if reason else NOTES[ruling]
        return _turn_ends(game, game.on_roll, event.after, event.play, note)
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
        cleared = replace(cleared, match=replace(game.match, offered_by=None))
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
        if game.before_end is None:
            raise OutOfTurnError("there is no end of a game to take back")
        game = replace(game, match=game.before_end.match, dice=game.before_end.dice, ended=None, before_end=None)
    return _turn_taken_back(game) if event.turn else game


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
    )
