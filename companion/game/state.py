"""The state of a game: position, dice, turns, and the dispute or proposal that is open."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Generic

from companion.core import BoardsideError, Dice, PositionT, Side
from companion.game.dice_book import DiceBook
from companion.game.false_moves import FalseMoves
from companion.game.game_log import GameLog, Turn
from companion.game.match import Match

if TYPE_CHECKING:
    from companion.game.agreement import Proposed, Remedy, Taps
    from companion.game.events import Disputed, Ended
    from companion.game.evidence import NamedReading


class Phase(StrEnum):
    """What the game waits for."""

    WAITING = "waiting"
    """No game has begun: the board was not found or does not show a starting position."""
    OPENING = "opening"
    """The starting position is on the board; the opening roll comes next."""
    TO_ROLL = "to_roll"
    """The player on roll may roll; the position of record is on the board."""
    TO_MOVE = "to_move"
    """The player on roll has rolled, or plays without dice, and is to move."""
    OVER = "over"
    """The game has ended."""


PLAYING = (Phase.TO_ROLL, Phase.TO_MOVE)
"""While a game is on."""

EVENING = Match()
"""The default match: a series of games without a stake."""

NO_DICE = DiceBook()
NO_FALSE_MOVES = FalseMoves()
NO_LOG = GameLog()


@dataclass(frozen=True, slots=True)
class Game(Generic[PositionT]):
    """The current game, and the match or series that it belongs to.

    Attributes:
        name: the game's name ("backgammon" or "checkers").
        sheet: the name of its rule sheet.
        number: games begun in the record; 0 before the first.
        position: the position of record at the start of the turn.
        on_roll: the player who rolls or moves; None before the opening roll.
        dice: the dice to play; None before the roll.
        opening: the last opening roll, (White's, Black's) die; None once a turn is played.
        ballot: the moves that were drawn by lot to begin the game, in standard notation; empty if none were.
        ended: how the game ended; None while it goes on.
        won_before: the winner of the last game before this one that somebody won; None if there was none.
        match: the score, the cube and the stake.
        rolls: whether the game is played with dice.
        history: the turns of this game, oldest first.
        past: the positions of record since the board was last set up, oldest first, including the current one.
        dispute: the dispute without a ruling; None if there is none.
        disputes: number of disputes in the record.
        settled: the settled disputes of this game, oldest first.
        proposal: the proposal that is not agreed to by both players yet; None if there is none.
        proposals: number of proposals in the record.
        read_as: which of several readings of the board the players named in this turn; None if they were not asked.
        announced: the play that Boardside announced in this turn, in standard notation; None if it announced none.
        taken_back: the position before the last takeback; None once a turn is played again.
        takebacks: number of turns of this game that were taken back.
        pending_rolls: rolls to replay after a takeback, in order: (player, dice).
        early: the opponent's roll or double before the turn under way was finished; None if there was none.
        false_moves: the false moves of the match or series.
        before_end: what the end of the game cleared, to take the end back; None while the game goes on.
        dice_book: the state of Boardside's dice.
        log: what happened in this game; `earlier` are those of finished games of the match or evening, oldest first.
    """

    name: str = ""
    sheet: str = ""
    number: int = 0
    position: PositionT | None = None
    on_roll: Side | None = None
    dice: Dice | None = None
    opening: tuple[int, int] | None = None
    ballot: str = ""
    ended: Ended | None = None
    won_before: Side | None = None
    match: Match = EVENING
    rolls: bool = True
    history: tuple[Turn, ...] = ()
    past: tuple[PositionT, ...] = ()
    dispute: Disputed[PositionT] | None = None
    disputes: int = 0
    settled: tuple[Settled[PositionT], ...] = ()
    proposal: Proposed[PositionT] | None = None
    proposals: int = 0
    read_as: NamedReading | None = None
    announced: str | None = None
    taken_back: PositionT | None = None
    takebacks: int = 0
    pending_rolls: tuple[tuple[Side, Dice], ...] = ()
    early: Early | None = None
    false_moves: FalseMoves = NO_FALSE_MOVES
    before_end: BeforeEnd | None = None
    dice_book: DiceBook = NO_DICE
    log: GameLog = NO_LOG
    earlier: tuple[GameLog, ...] = ()

    @property
    def phase(self) -> Phase:
        """The phase by the recorded events alone; the board may already be set up for the next game."""
        if self.position is None:
            return Phase.WAITING
        if self.ended is not None:
            return Phase.OVER
        if self.on_roll is None:
            return Phase.OPENING
        return Phase.TO_MOVE if self.dice is not None or not self.rolls else Phase.TO_ROLL

    @property
    def score(self) -> tuple[int, int]:
        """(White's, Black's) points in the match or series."""
        return self.match.score

    @property
    def last_winner(self) -> Side | None:
        """The winner of the last game that somebody won, this one included; None if there was none."""
        won = None if self.ended is None else self.ended.winner
        return won or self.won_before

    @property
    def numbered_for(self) -> Side | None:
        """The player in whose numbering points are named: the one on roll; after a game, the one who played last."""
        return self.history[-1].side if self.ended is not None and self.history else self.on_roll

    @property
    def running(self) -> bool:
        """Whether a game has begun and not ended."""
        return self.phase not in (Phase.WAITING, Phase.OVER)


def rolls_next(game: Game[PositionT]) -> Side | None:
    """The player who rolls next; None before the opening roll."""
    return game.on_roll.opponent if game.phase is Phase.TO_MOVE and game.on_roll else game.on_roll


class OutOfTurnError(BoardsideError):
    """An event that cannot follow the events before it."""


def in_phase(game: Game[PositionT], event: object, *phases: Phase) -> Game[PositionT]:
    """`game` unchanged; raises OutOfTurnError unless it is in one of `phases`."""
    if game.phase not in phases:
        expected = " or ".join(phases)
        raise OutOfTurnError(f"{event!r} cannot happen while the game is in phase {game.phase!s}; expected {expected}")
    return game


@dataclass(frozen=True, slots=True)
class Settled(Generic[PositionT]):
    """A dispute and the ruling that the players agreed to."""

    dispute: Disputed[PositionT]
    ruling: Remedy
    agreed: Taps = ()


@dataclass(frozen=True, slots=True)
class Early:
    """A roll of `dice`, or (None) a double, by `side` before the other player's turn was finished; it counts."""

    side: Side
    dice: Dice | None = None


@dataclass(frozen=True, slots=True)
class BeforeEnd:
    """What of the game as it was before it ended is needed if the end is taken back; fields as in `Game`."""

    match: Match
    dice: Dice | None
    pending_rolls: tuple[tuple[Side, Dice], ...] = ()
    early: Early | None = None


def pending_roll(pending_rolls: tuple[tuple[Side, Dice], ...], side: Side | None, count: int) -> Dice | None:
    """The first of the rolls to replay, if it is a roll of `count` dice by `side`; else None."""
    if pending_rolls and pending_rolls[0][0] is side and len(pending_rolls[0][1].values) == count:
        return pending_rolls[0][1]
    return None
