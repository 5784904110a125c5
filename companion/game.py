"""The game on the table as a value: its events, and how each event changes it.

Nothing here knows rules: a `Played` event carries the position that stands after the play. `evolve` is pure, and
`replay` of the recorded events gives the game as it stood; that is how a restart resumes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Any, Generic

from companion.model import BoardsideError, Dice, PositionT, Side
from companion.snapshot import Phase

if TYPE_CHECKING:
    from collections.abc import Iterable


class OutOfTurnError(BoardsideError):
    """An event that cannot follow what happened before it."""


@dataclass(frozen=True, slots=True)
class Started(Generic[PositionT]):
    """A game begins: which one by which sheet, from where; `on_roll` is None until the opening roll decides."""

    game: str
    sheet: str
    position: PositionT
    on_roll: Side | None = None


@dataclass(frozen=True, slots=True)
class OpeningRolled:
    """One die each for the start; a tie is rolled again, `kept` says that the starter plays these two numbers."""

    white: int
    black: int
    kept: bool = True


@dataclass(frozen=True, slots=True)
class Rolled:
    """`side` rolled `dice`; `source` names where they came from ("fair", "by hand", …)."""

    side: Side
    dice: Dice
    source: str


@dataclass(frozen=True, slots=True)
class Played(Generic[PositionT]):
    """`side` made a legal play, and `after` stands. `play` is in standard notation, empty where no play existed."""

    side: Side
    play: str
    after: PositionT


@dataclass(frozen=True, slots=True)
class Corrected(Generic[PositionT]):
    """The players say what stands on the board, and who is on roll (None: whoever rolls next)."""

    position: PositionT
    on_roll: Side | None


@dataclass(frozen=True, slots=True)
class Disputed(Generic[PositionT]):
    """The Referee button was tapped.

    Attributes:
        number: counts the disputes of the record from 1.
        side: who was on roll.
        seen: the position that stood on the board, None where it was not certain.
        verdict: the referee's answer as JSON ({"finding", "reason", "message", …}), None where there was none.
        before, after: names of the pictures kept as evidence, None where there is none.
    """

    number: int
    side: Side | None
    seen: PositionT | None
    verdict: dict[str, Any] | None
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Ruled(Generic[PositionT]):
    """A dispute is settled: `after` stands as played, or None: the play is put right (position and dice stay)."""

    number: int
    after: PositionT | None


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over: `winner` takes `points`; None where it was left unfinished. `kind` is the sheet's word."""

    winner: Side | None
    points: int
    kind: str


Event = (
    Started[PositionT]
    | OpeningRolled
    | Rolled
    | Played[PositionT]
    | Corrected[PositionT]
    | Disputed[PositionT]
    | Ruled[PositionT]
    | Ended
)


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn as the history tells it; `note` is empty for an ordinary play."""

    side: Side
    dice: Dice
    play: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Game(Generic[PositionT]):
    """The game on the table, and the evening's score around it.

    Attributes:
        number: games begun this evening; 0 before the first.
        position: the position of record at the start of the turn.
        on_roll: who rolls or moves; None before the opening roll.
        dice: what `on_roll` has to play; None while they are to roll.
        opening: the last opening roll, (white, black); None once a turn is played.
        ended: how the game ended; None while it goes on.
        score: points of the evening, (white, black).
        history: the turns of this game, oldest first.
        dispute: the dispute that waits for a ruling.
        disputes: how many there were in the record.
    """

    name: str = ""
    sheet: str = ""
    number: int = 0
    position: PositionT | None = None
    on_roll: Side | None = None
    dice: Dice | None = None
    opening: tuple[int, int] | None = None
    ended: Ended | None = None
    score: tuple[int, int] = (0, 0)
    history: tuple[Turn, ...] = ()
    dispute: Disputed[PositionT] | None = None
    disputes: int = 0

    @property
    def phase(self) -> Phase:
        """Where the evening stands as far as the record knows (the board may already stand for the next game)."""
        if self.position is None:
            return Phase.WAITING
        if self.ended is not None:
            return Phase.OVER
        if self.dice is not None:
            return Phase.TO_MOVE
        return Phase.OPENING if self.on_roll is None else Phase.TO_ROLL

    @property
    def running(self) -> bool:
        """Whether a game has begun and is not over."""
        return self.phase not in (Phase.WAITING, Phase.OVER)


def evolve(game: Game[PositionT], event: Event[PositionT]) -> Game[PositionT]:
    """The game after `event`. Raises OutOfTurnError where the event cannot follow."""
    match event:
        case Started():
            return Game(event.game, event.sheet, game.number + 1, event.position, event.on_roll,
                        score=game.score, disputes=game.disputes)  # fmt: skip
        case OpeningRolled():
            return _opening_rolled(_in(game, event, Phase.OPENING), event)
        case Rolled():
            return _rolled(_in(game, event, Phase.TO_ROLL, Phase.OPENING), event)
        case Played():
            return _turn_ends(_in(game, event, Phase.TO_MOVE), event.side, event.after, event.play)
        case Corrected():
            return replace(game, position=event.position, on_roll=event.on_roll, dice=None, opening=None, dispute=None)
        case Disputed():
            return replace(game, dispute=event, disputes=event.number)
        case Ruled():
            return _ruled(game, event)
        case Ended():
            return _ended(_in(game, event, Phase.OPENING, Phase.TO_ROLL, Phase.TO_MOVE), event)


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


def _opening_rolled(game: Game[PositionT], event: OpeningRolled) -> Game[PositionT]:
    rolled = (event.white, event.black)
    if event.white == event.black:
        return replace(game, opening=rolled)
    starter = Side.WHITE if event.white > event.black else Side.BLACK
    return replace(game, opening=rolled, on_roll=starter, dice=Dice(rolled) if event.kept else None)


def _rolled(game: Game[PositionT], event: Rolled) -> Game[PositionT]:
    if game.on_roll not in (event.side, None):
        raise OutOfTurnError(f"{event.side} cannot roll {event.dice}: {game.on_roll} is on roll")
    return replace(game, on_roll=event.side, dice=event.dice, opening=None)


def _turn_ends(game: Game[PositionT], side: Side, after: PositionT, play: str, note: str = "") -> Game[PositionT]:
    if game.dice is None or game.on_roll is not side:
        raise OutOfTurnError(f"{side} cannot play {play!r}: {game.on_roll or 'nobody'} is to move")
    turn = Turn(side, game.dice, play, note)
    return replace(game, position=after, on_roll=side.opponent, dice=None, opening=None,
                   history=(*game.history, turn), dispute=None)  # fmt: skip


def _ruled(game: Game[PositionT], event: Ruled[PositionT]) -> Game[PositionT]:
    if game.dispute is None or game.dispute.number != event.number:
        raise OutOfTurnError(f"dispute {event.number} is not open")
    if event.after is None:
        return replace(game, dispute=None)
    if game.dice is not None and game.on_roll is not None:
        reason = (game.dispute.verdict or {}).get("reason")
        note = f"stands: {reason}" if reason else "stands"
        return _turn_ends(game, game.on_roll, event.after, "", note)
    return replace(game, position=event.after, dispute=None)


def _ended(game: Game[PositionT], event: Ended) -> Game[PositionT]:
    white, black = game.score
    if event.winner is Side.WHITE:
        white += event.points
    elif event.winner is Side.BLACK:
        black += event.points
    return replace(game, ended=event, dice=None, dispute=None, score=(white, black))
