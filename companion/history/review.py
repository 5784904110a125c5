"""Converts a recorded match to moments that a page can step through, game by game."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from companion.core import BoardsideError
from companion.game import (
    Beavered,
    Corrected,
    Disputed,
    Doubled,
    FalseMove,
    Game,
    OpeningDrawn,
    OpeningRolled,
    Passed,
    Phase,
    Played,
    ReadAs,
    Ruled,
    Started,
    Taken,
    TakenBack,
    evolve,
)
from companion.record import EventJson
from companion.referee import shown_position
from companion.rules import laid_of_tiles, names_on_record
from companion.texts import error_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from companion.core import Dice, Names, Side
    from companion.game import Event, NamedReading, Settled, Turn
    from companion.record import Entry
    from companion.rules import Ruleset


class MomentKind(StrEnum):
    """The kind of a moment."""

    START = "start"
    OPENING = "opening"
    LOT = "lot"
    TURN = "turn"
    ROLL = "roll"
    FALSE_MOVE = "false_move"
    DOUBLE = "double"
    BEAVER = "beaver"
    TAKE = "take"
    PASS = "pass"  # noqa: S105 - of a double
    DISPUTE = "dispute"
    RULING = "ruling"
    READING = "reading"
    TAKEBACK = "takeback"
    CORRECTION = "correction"
    END = "end"


CUBE_KINDS: dict[type[Any], MomentKind] = {
    Doubled: MomentKind.DOUBLE,
    Beavered: MomentKind.BEAVER,
    Taken: MomentKind.TAKE,
    Passed: MomentKind.PASS,
}


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a game: what happened, and the game after it.

    Attributes:
        kind: what happened.
        entry: number of its event in the record.
        at_s: when, in seconds since 1970.
        game: the game after it.
        position: the position after it, in the form of the JSON interfaces.
        side: the player who acted; None if both acted, or neither.
        dice: the roll concerned.
        opening: (White's, Black's) die, of the opening roll.
        turn: the turn that ended with it.
        reason: of a false move, its reason code and the play.
        pictures: names of the pictures by which it was judged: before the turn (if stored), and at the verdict.
        dispute: the dispute that was opened.
        settled: the dispute that was settled, and how.
        reading: the reading of the board that both players named.
    """

    kind: MomentKind
    entry: int
    at_s: float
    game: Game[Any]
    position: dict[str, Any]
    side: Side | None = None
    dice: Dice | None = None
    opening: tuple[int, int] | None = None
    turn: Turn | None = None
    reason: tuple[str, str] = ("", "")
    pictures: tuple[str | None, str | None] = (None, None)
    dispute: Disputed[Any] | None = None
    settled: Settled[Any] | None = None
    reading: NamedReading | None = None


@dataclass(frozen=True, slots=True)
class GameReview:
    """A game of a match: its number in the match, from 1, and its moments, at least one."""

    number: int
    moments: tuple[Moment, ...]


@dataclass(slots=True)
class Review:
    """The review of a match.

    Attributes:
        games: its games.
        names: the players' names in each.
        tiles: whether the board is laid of tiles.
        trouble: why the rest of the record cannot be reviewed; empty if the review is complete.
    """

    games: list[GameReview] = field(default_factory=list)
    names: list[Names] = field(default_factory=list)
    tiles: bool = False
    trouble: str = ""


def reviewed(entries: Iterable[Entry], rules: Ruleset[Any]) -> Review:
    """Review the entries of a match under its rules, up to the first invalid one."""
    review = Review(tiles=laid_of_tiles(rules.sheet))
    codec = EventJson(rules.to_json, rules.from_json)
    game: Game[Any] = Game()
    moments: list[Moment] = []
    try:
        for entry in entries:
            event = codec.decode(entry.event)
            before, game = game, evolve(game, event)
            if isinstance(event, Started):
                _close(review, moments)
                moments = []
                match = game.match
                review.names.append(names_on_record(rules.sheet, match.names, colours_changed=match.colours_changed))
            moments += _moments(before, game, event, entry, rules)
    except BoardsideError as error:
        review.trouble = f"entry {entry.number}: {error_text(error)}"
    if moments and game.phase is Phase.TO_MOVE and game.rolls:
        last = moments[-1]
        shown = shown_position(rules, game.position)
        moments.append(Moment(MomentKind.ROLL, last.entry, last.at_s, game, shown, game.on_roll, game.dice))
    _close(review, moments)
    return review


def _close(review: Review, moments: list[Moment]) -> None:
    if moments:
        review.games.append(GameReview(len(review.games) + 1, tuple(moments)))


def _moments(
    before: Game[Any], game: Game[Any], event: Event[Any], entry: Entry, rules: Ruleset[Any]
) -> Iterator[Moment]:
    """The moments of one event: none for most; the end of a game comes with what ended it."""
    if game.position is None:
        return
    shown = shown_position(rules, game.position)
    kind, about = _about(before, game, event)
    if kind is not None:
        yield Moment(kind, entry.number, entry.at_s, game, shown, **about)
    if game.ended is not None and before.ended is None:
        yield Moment(MomentKind.END, entry.number, entry.at_s, game, shown, game.ended.winner)


def _about(before: Game[Any], game: Game[Any], event: Event[Any]) -> tuple[MomentKind | None, dict[str, Any]]:
    """The kind of an event's moment (None: no moment), and its details."""
    turn = game.history[-1] if len(game.history) > len(before.history) else None
    match event:
        case Started():
            return MomentKind.START, {}
        case OpeningRolled():
            return MomentKind.OPENING, {"opening": (event.white, event.black), "side": game.on_roll}
        case Doubled() | Beavered() | Taken() | Passed():
            early = isinstance(event, Doubled) and event.early
            return (None if early else CUBE_KINDS[type(event)]), {"side": event.side}
        case OpeningDrawn():
            return MomentKind.LOT, {}
        case Played() if turn is not None:
            return MomentKind.TURN, _turn_details(turn) | {"pictures": (None, event.picture)}
        case FalseMove():
            about = {"side": event.side, "dice": before.dice, "reason": (event.reason, event.play)}
            return MomentKind.FALSE_MOVE, about | {"pictures": (None, event.picture)}
        case TakenBack() | Corrected():
            kind = MomentKind.TAKEBACK if isinstance(event, TakenBack) else MomentKind.CORRECTION
            return kind, {"dice": game.dice}
        case _:
            return _asked(before, game, event, turn)


def _asked(
    before: Game[Any], game: Game[Any], event: Event[Any], turn: Turn | None
) -> tuple[MomentKind | None, dict[str, Any]]:
    """The same for disputes, rulings and readings that the players named."""
    match event:
        case Disputed():
            pictures = (event.before, event.after)
            return MomentKind.DISPUTE, {"side": event.by, "dice": before.dice, "dispute": event, "pictures": pictures}
        case Ruled():
            return MomentKind.RULING, {"settled": game.settled[-1]} | ({} if turn is None else _turn_details(turn))
        case ReadAs():
            about = {"dice": before.dice, "reading": event.reading}
            return MomentKind.READING, about | {"pictures": (None, event.reading.picture)}
        case _:
            return None, {}


def _turn_details(turn: Turn) -> dict[str, Any]:
    return {"side": turn.side, "dice": turn.dice, "turn": turn}
