"""The state of one game: positions, turns, score and what is open between the players."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic

from companion.core import BoardsideError, Dice, PositionT, Side
from companion.game.dice_book import DiceBook
from companion.game.match import Match

if TYPE_CHECKING:
    from companion.game.agreement import Proposed, Remedy, Taps
    from companion.game.events import Disputed, Ended


class Phase(StrEnum):
    """Where the evening stands."""

    WAITING = "waiting"
    """No game yet: the board has not been found or does not stand at a starting position."""
    OPENING = "opening"
    """The starting position stands; Roll rolls one die each."""
    TO_ROLL = "to_roll"
    """The player on roll may roll; what they leave unmoved is the position of record."""
    TO_MOVE = "to_move"
    """Dice lie; the player on roll is to move."""
    OVER = "over"
    """One player has borne off all checkers."""


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
        pending_rolls: what was rolled before a takeback and will be rolled again, in order: (who, dice).
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
    pending_rolls: tuple[tuple[Side, Dice], ...] = ()
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


def rolls_next(game: Game[PositionT]) -> Side | None:
    """Who rolls next; None before the opening roll."""
    return game.on_roll.opponent if game.phase is Phase.TO_MOVE and game.on_roll else game.on_roll


class OutOfTurnError(BoardsideError):
    """An event that cannot follow what happened before it."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn as the history tells it; `note` is empty for an ordinary play, `dice` None in a game without dice.

    `before` is the position it began with, and `cube` what the cube then showed.
    """

    side: Side
    dice: Dice | None
    play: str
    note: str = ""
    before: Any = None
    cube: int = 1


@dataclass(frozen=True, slots=True)
class Settled(Generic[PositionT]):
    """A dispute and what the players agreed on."""

    dispute: Disputed[PositionT]
    ruling: Remedy
    agreed: Taps = ()


@dataclass(frozen=True, slots=True)
class BeforeEnd:
    """What the end of a game put away."""

    match: Match
    dice: Dice | None


def pending_roll(pending_rolls: tuple[tuple[Side, Dice], ...], side: Side | None, count: int) -> Dice | None:
    """The dice that `side` rolled before a takeback and now rolls again; None where there are none of that number."""
    if pending_rolls and pending_rolls[0][0] is side and len(pending_rolls[0][1].values) == count:
        return pending_rolls[0][1]
    return None
