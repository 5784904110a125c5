"""The games of a recorded match as an analysis needs them: actions with the position and the match before each."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from companion.core import Side
from companion.game import Beavered, Doubled, Game, MatchBegan, Passed, Started, Taken, TakenBack, evolve
from companion.hints import worth

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Dice
    from companion.game import Event, Match
    from companion.record import Entry

CubeEvent = Doubled | Beavered | Taken | Passed


@dataclass(frozen=True, slots=True)
class TurnTaken:
    """A turn: the play that was made (empty: none), from `before` to `after`, with the match before it."""

    side: Side
    dice: Dice | None
    play: str
    before: Any
    after: Any
    match: Match


@dataclass(frozen=True, slots=True)
class CubeTurned:
    """A double, beaver, take or pass of `side` at `position`, with the match before it."""

    side: Side
    kind: type[CubeEvent]
    position: Any
    match: Match


Action = TurnTaken | CubeTurned


@dataclass(slots=True)
class FinishedGame:
    """A finished game.

    Attributes:
        number: number of the game in the match, from 1.
        match: the match as the game began.
        winner, points: the result; `winner` None: a draw or no result.
        digest: a hash of the game's events and of `match`, equal only for the same game.
        events: the event that began the match and the game's events, for `companion.transfer`.
        actions_by_turn: (number of turns before it, action) in order, without turns taken back.
    """

    number: int
    match: Match
    winner: Side | None = None
    points: int = 0
    digest: str = ""
    events: list[Event[Any]] = field(default_factory=list)
    actions_by_turn: list[tuple[int, Action]] = field(default_factory=list)

    @property
    def actions(self) -> tuple[Action, ...]:
        """Turns and cube actions in order."""
        return tuple(action for _, action in self.actions_by_turn)

    @property
    def begun_by_a_roll(self) -> bool:
        """Whether an opening roll decided who begins."""
        return any(isinstance(event, Started) and event.on_roll is None for event in self.events)

    @property
    def result(self) -> float:
        """What the end changed for White: match-winning probability, or points in a series."""
        if self.winner is None:
            return 0.0
        value = worth(self.match, Side.WHITE)
        points = self.points if self.winner is Side.WHITE else -self.points
        return value(points) - value(0)


def finished_games(entries: Sequence[Entry], events: Sequence[Event[Any]]) -> tuple[Match, list[FinishedGame]]:
    """The present match and its finished games; `events` belong to the entries of one chapter."""
    game: Game[Any] = Game()
    began = MatchBegan(0)
    found: list[tuple[FinishedGame, list[dict[str, Any]], bool]] = []
    for entry, event in zip(entries, events, strict=True):
        before, game = game, evolve(game, event)
        if isinstance(event, MatchBegan):
            began = event
        elif isinstance(event, Started):
            found.append((FinishedGame(len(found) + 1, game.match, events=[began]), [], False))
        if not found:
            continue
        record, rows, _ = found[-1]
        record.events.append(event)
        rows.append(entry.event)
        _add_action(record, event, before, game)
        if game.ended is not None:
            record.winner, record.points = game.ended.winner, game.ended.points
        found[-1] = (record, rows, game.ended is not None)
    for record, rows, _ in found:
        text = json.dumps([asdict(record.match), rows], sort_keys=True, default=str)
        record.digest = hashlib.sha256(text.encode()).hexdigest()
    return game.match, [record for record, _, ended in found if ended]


def _add_action(record: FinishedGame, event: Event[Any], before: Game[Any], game: Game[Any]) -> None:
    """Add the action of an event to the game's actions, or remove the actions that the event takes back."""
    turns = len(game.history)
    if turns < len(before.history):
        record.actions_by_turn = [
            (at, a) for at, a in record.actions_by_turn if at < turns or (at == turns and isinstance(a, CubeTurned))
        ]
    elif turns > len(before.history):
        turn = game.history[-1]
        action = TurnTaken(turn.side, turn.dice, turn.play, before.position, game.position, before.match)
        record.actions_by_turn.append((turns - 1, action))
    elif isinstance(event, Doubled) and event.early:
        return
    elif isinstance(event, Doubled | Beavered | Taken | Passed):
        record.actions_by_turn.append((turns, CubeTurned(event.side, type(event), before.position, before.match)))
    elif isinstance(event, TakenBack) and event.end and record.actions_by_turn:
        last = record.actions_by_turn[-1][1]
        if isinstance(last, CubeTurned) and last.kind is Passed:
            record.actions_by_turn.pop()
