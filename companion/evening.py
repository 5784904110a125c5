"""What players do at the table, each deed in the record before it counts; no cameras, no buttons, no threads here.

Every method leads to events. What may not happen now raises Refusal, and then nothing has happened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Protocol

from companion.event_json import EventJson
from companion.events import (
    Corrected,
    Disputed,
    Ended,
    Event,
    OpeningRolled,
    Played,
    Rolled,
    Ruled,
    Started,
)
from companion.game import Game, evolve, replay
from companion.model import Dice, PositionT, Side
from companion.record import picture_name
from companion.refusal import Refusal
from companion.rules.sheet import BackgammonSheet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.dice import DiceSource
    from companion.rules.ruleset import Ruleset


class Journal(Protocol):
    """Where events are kept; `companion.record.Record` is one."""

    def append(self, event: dict[str, Any], at_s: float, pictures: tuple[bytes, ...] = ()) -> int:
        """Keep one event and its pictures. Raises RecordError, with nothing kept, where it cannot."""


class Evening(Generic[PositionT]):
    """The games of one evening: `game` is how it stands."""

    def __init__(
        self,
        rules: Ruleset[PositionT],
        dice: DiceSource,
        record: Journal | None,
        clock: Callable[[], float],
        events: Sequence[Event[PositionT]] = (),
    ) -> None:
        """Take up the game that `events` lead to; `clock` gives seconds since 1970 for the record (None: no record)."""
        self.game: Game[PositionT] = replay(events)
        self._rules = rules
        self._dice = dice
        self._record = record
        self._clock = clock
        self._codec = EventJson(rules.to_json, rules.from_json)

    def start(self) -> None:
        """A game begins from the starting position."""
        sheet, ended = self._rules.sheet, self.game.ended
        previous_winner_starts = isinstance(sheet, BackgammonSheet) and sheet.next_game_starter == "previous_winner"
        starter = ended.winner if previous_winner_starts and ended is not None else None
        self._append(Started(sheet.game, sheet.name, self._rules.start(), starter))

    def roll(self) -> None:
        """Whoever is on roll rolls; before the first turn, one die each. Raises NoDiceError."""
        sheet, game = self._rules.sheet, self.game
        if game.on_roll is None:
            white, black = self._dice.roll(2)
            kept = isinstance(sheet, BackgammonSheet) and sheet.opening_roll == "kept"
            self._append(OpeningRolled(white, black, kept))
        elif game.position is not None:
            count = self._rules.dice_count(game.position, game.on_roll)
            self._append(Rolled(game.on_roll, Dice(self._dice.roll(count)), self._dice.name))

    def roll_by_hand(self, side: Side, dice: Dice) -> None:
        """`side` has rolled the set's own dice; before the first turn the roll says who starts."""
        self._append(Rolled(side, dice, "by hand"))

    def accept(self, play: str, after: PositionT) -> None:
        """The play of the side on roll stands for good."""
        if self.game.on_roll is not None:
            self._append(Played(self.game.on_roll, play, after))

    def end_if_over(self) -> bool:
        """Count the game if one side has won it; whether it has."""
        outcome = None
        if self.game.running and self.game.position is not None:
            outcome = self._rules.outcome(self.game.position)
        if outcome is not None:
            score = self._rules.score(outcome, cube=1, for_stakes=False)
            self._append(Ended(outcome.winner, score.points, score.kind))
        return outcome is not None

    def leave(self) -> None:
        """The game is left unfinished: nobody scores."""
        self._append(Ended(None, 0, "unfinished"))

    def set_up(self, position: PositionT, on_roll: Side | None) -> None:
        """The players say what stands on the board: the game goes on from there, or one begins."""
        if self.game.running:
            self._append(Corrected(position, on_roll))
        else:
            self._append(Started(self._rules.sheet.game, self._rules.sheet.name, position, on_roll))

    def dispute(
        self, seen: PositionT | None, verdict: dict[str, Any] | None, before: bytes | None, after: bytes | None
    ) -> None:
        """Somebody calls the referee: freeze the evidence (JPEG pictures, the verdict, the position if certain)."""
        if not self.game.running or self.game.on_roll is None:
            raise Refusal("There is nothing to rule on yet: no turn has begun.")
        names = [None if jpeg is None else picture_name(jpeg) for jpeg in (before, after)]
        event = Disputed(self.game.disputes + 1, self.game.on_roll, seen, verdict, *names)
        self._append(event, tuple(jpeg for jpeg in (before, after) if jpeg is not None))

    def rule(self, number: int, *, stands: bool) -> None:
        """The players settle dispute `number`: what was seen stands, or the play is put right."""
        dispute = self.game.dispute
        if dispute is None or dispute.number != number:
            raise Refusal("That dispute is settled already.")
        if stands and dispute.seen is None:
            raise Refusal("What stood on the board was not certain, so it cannot stand: put the play right.")
        self._append(Ruled(number, dispute.seen if stands else None))

    def _append(self, event: Event[PositionT], pictures: tuple[bytes, ...] = ()) -> None:
        """Let `event` happen: first in the record, then in the game."""
        game = evolve(self.game, event)
        if self._record is not None:
            self._record.append(self._codec.encode(event), self._clock(), pictures)
        self.game = game
