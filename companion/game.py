"""The game on the table as a value, and how each event changes it.

Nothing here knows rules: a `Played` event carries the position that stands after the play. `evolve` is pure, and
`replay` of the recorded events gives the game as it stood; that is how a restart resumes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Generic

from companion.agreement import Agreed, Declined, Proposed, TakenBack
from companion.events import (
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
from companion.history import BeforeEnd, OutOfTurnError, Settled, Turn
from companion.match import Match
from companion.model import Dice, PositionT, Side
from companion.refereed import refereed, turn_ends
from companion.seal import DiceBook
from companion.snapshot import Phase

if TYPE_CHECKING:
    from collections.abc import Iterable


EVENING = Match()
"""Games without a set end and without a stake: what is played where nothing else was agreed."""
NO_DICE = DiceBook()


@dataclass(frozen=True, slots=True)
class Game(Generic[PositionT]):
    """The game on the table, and the match or the evening's series around it.

    Attributes:
        number: games begun this evening; 0 before the first.
        position: the position of record at the start of the turn.
        on_roll: who rolls or moves; None before the opening roll.
        dice: what `on_roll` has to play; None while they are to roll.
        opening: the last opening roll, (white, black); None once a turn is played.
        ended: how the game ended; None while it goes on.
        match: the score, the cube and what is played for.
        rolls: whether the game is played with dice.
        history: the turns of this game, oldest first.
        past: the positions of record in this game since it was last set up, oldest first, the present one included.
        dispute: the dispute that waits for a ruling.
        disputes: how many there were in the record.
        settled: the disputes of this game that are settled, oldest first.
        proposal: what was proposed and waits for both players to agree.
        proposals: how many there were in the record.
        taken_back: the position that stood when the last turn was taken back; None once a turn is played again.
        takebacks: how many turns of this game were taken back.
        owed: what was rolled before a takeback and will be rolled again, in order: (who, dice).
        before_end: what the end of the game put away.
        dice_book: what the evening's events say of its dice.
    """

    name: str = ""
    sheet: str = ""
    number: int = 0
    position: PositionT | None = None
    on_roll: Side | None = None
    dice: Dice | None = None
    opening: tuple[int, int] | None = None
    ended: Ended | None = None
    match: Match = EVENING
    rolls: bool = True
    history: tuple[Turn, ...] = ()
    past: tuple[PositionT, ...] = ()
    dispute: Disputed[PositionT] | None = None
    disputes: int = 0
    settled: tuple[Settled[PositionT], ...] = ()
    proposal: Proposed[PositionT] | None = None
    proposals: int = 0
    taken_back: PositionT | None = None
    takebacks: int = 0
    owed: tuple[tuple[Side, Dice], ...] = ()
    before_end: BeforeEnd | None = None
    dice_book: DiceBook = NO_DICE

    @property
    def phase(self) -> Phase:
        """Where the evening stands as far as the record knows (the board may already stand for the next game)."""
        if self.position is None:
            return Phase.WAITING
        if self.ended is not None:
            return Phase.OVER
        if self.on_roll is None:
            return Phase.OPENING
        return Phase.TO_MOVE if self.dice is not None or not self.rolls else Phase.TO_ROLL

    @property
    def score(self) -> tuple[int, int]:
        """Points of the match or the evening, (white, black)."""
        return self.match.score

    @property
    def running(self) -> bool:
        """Whether a game has begun and is not over."""
        return self.phase not in (Phase.WAITING, Phase.OVER)


def evolve(game: Game[PositionT], event: Event[PositionT]) -> Game[PositionT]:
    """The game after `event`. Raises OutOfTurnError (or MatchError) where the event cannot follow."""
    match event:
        case MatchBegan():
            began = Match(event.length, stake=event.stake, jacoby=event.jacoby, beavers=event.beavers)
            return replace(_in(game, event, Phase.WAITING, Phase.OVER), match=began)
        case Started():
            return _started(game, event)
        case DiceSealed() | DiceRevealed():
            return replace(game, dice_book=game.dice_book.opened(event))
        case OpeningRolled():
            return _opening_rolled(_in(game, event, Phase.OPENING), event)
        case Rolled() | RollVoided():
            return _rolled(game, event)
        case Played():
            return _played(_in(game, event, Phase.TO_MOVE), event)
        case Doubled() | Beavered() | Taken() | Passed():
            return _cube_turned(_in(game, event, Phase.TO_ROLL), event)
        case Corrected() | Disputed() | Ruled() | Proposed() | Agreed() | Declined() | TakenBack():
            return refereed(game, event)
        case Ended() | Resigned() | Drawn():
            return _ended(_in(game, event, Phase.OPENING, Phase.TO_ROLL, Phase.TO_MOVE), _end_of(event))


def replay(events: Iterable[Event[PositionT]]) -> Game[PositionT]:
    """The game that `events` lead to, from an empty table."""
    empty: Game[PositionT] = Game()
    return reduce(evolve, events, empty)


def _in(game: Game[PositionT], event: Event[PositionT], *phases: Phase) -> Game[PositionT]:
    """`game`, provided that it is in one of `phases`."""
    if game.phase not in phases:
        expected = " or ".join(phases)
        raise OutOfTurnError(f"{event!r} cannot happen while the game is in phase {game.phase!s}; expected {expected}")
    return game


def _started(game: Game[PositionT], event: Started[PositionT]) -> Game[PositionT]:
    """A new game; of the one before, only the match, the dice and the counts of the record go on."""
    return Game(
        name=event.game,
        sheet=event.sheet,
        number=game.number + 1,
        position=event.position,
        on_roll=event.on_roll,
        match=replace(game.match.without_a_winner(), has_cube=event.cube),
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
        return replace(game, opening=rolled)
    starter = Side.WHITE if event.white > event.black else Side.BLACK
    return replace(game, opening=rolled, on_roll=starter, dice=Dice(rolled) if event.kept else None)


def _rolled(game: Game[PositionT], event: Rolled | RollVoided) -> Game[PositionT]:
    if isinstance(event, RollVoided):
        return _roll_voided(_in(game, event, Phase.TO_MOVE), event)
    game = _in(game, event, Phase.TO_ROLL, Phase.OPENING)
    if game.on_roll not in (event.side, None):
        raise OutOfTurnError(f"{event.side} cannot roll {event.dice}: {game.on_roll} is on roll")
    if game.match.offered_by is not None:
        raise OutOfTurnError(f"{event.side} cannot roll {event.dice}: a double waits for its answer")
    game = replace(game, on_roll=event.side, dice=event.dice, opening=None)
    if event.source == AS_BEFORE:
        return replace(game, owed=game.owed[1:])
    return replace(game, owed=(), dice_book=game.dice_book.rolled(event.dice.values, event.proof))


def _roll_voided(game: Game[PositionT], event: RollVoided) -> Game[PositionT]:
    if game.on_roll is not event.side:
        raise OutOfTurnError(f"{event.side} cannot repeat the roll: {game.on_roll} is to move")
    return replace(game, dice=None, opening=None)


def _played(game: Game[PositionT], event: Played[PositionT]) -> Game[PositionT]:
    note = f"condoned: {event.condoned}" if event.condoned else ""
    return turn_ends(game, event.side, event.after, event.play, note)


def _cube_turned(game: Game[PositionT], event: Doubled | Beavered | Taken | Passed) -> Game[PositionT]:
    if isinstance(event, Doubled):
        if event.side is not game.on_roll:
            raise OutOfTurnError(f"{event.side} cannot double: {game.on_roll} is on roll")
        return replace(game, match=game.match.doubled(event.side))
    if event.side is not game.match.asked:
        raise OutOfTurnError(f"{event.side} cannot answer a double of their own")
    if isinstance(event, Beavered):
        return replace(game, match=game.match.beaver())
    if isinstance(event, Taken):
        return replace(game, match=game.match.taken())
    return _ended(game, Ended(event.side.opponent, game.match.cube, "double passed"))


def _end_of(event: Ended | Resigned | Drawn) -> Ended:
    """The end as such."""
    match event:
        case Resigned():
            return Ended(event.side.opponent, event.points, f"{event.kind}, resigned")
        case Drawn():
            return Ended(None, 0, f"drawn: {event.how}")
        case _:
            return event


def _ended(game: Game[PositionT], event: Ended) -> Game[PositionT]:
    match, before = game.match, BeforeEnd(game.match, game.dice)
    match = match.without_a_winner() if event.winner is None else match.game_won(event.winner, event.points)
    return replace(game, ended=event, dice=None, dispute=None, proposal=None, match=match, before_end=before)
