"""What one event adds to the log of its game: turns, the cube, agreements, takebacks and the result."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core import Dice, Side, message
from companion.game.agreement import Remedy, TakenBack
from companion.game.dice_events import OpeningRolled
from companion.game.events import Beavered, Corrected, Doubled, Passed, Resigned, Ruled, Started, Taken
from companion.game.game_log import GameLog, Happening

if TYPE_CHECKING:
    from companion.core import Message, PositionT
    from companion.game.events import Event
    from companion.game.game_log import Turn
    from companion.game.state import Game

MOST_GAMES = 25
"""Finished games of a match or an evening that are kept in memory; a record holds all."""

DEEDS: dict[type, str] = {
    Doubled: "doubles",
    Beavered: "beavers",
    Taken: "takes",
    Passed: "passes",
    Resigned: "resigns",
}


def with_log_entry(before: Game[PositionT], event: Event[PositionT], game: Game[PositionT]) -> Game[PositionT]:
    """`game`, which is `before` after `event`, with that event added to its log."""
    if isinstance(event, Started):
        fresh = GameLog(before.log.number + 1, colours_changed=game.match.colours_changed)
        earlier = (*before.earlier, before.log) if before.log.number else before.earlier
        return replace(game, log=fresh, earlier=earlier[-MOST_GAMES:])
    entries = _entries(before, event, game)
    if not entries and game.ended is before.ended:
        return game
    score = game.match.score
    log = replace(game.log, entries=(*game.log.entries, *entries), ended=game.ended, score=score)
    return replace(game, log=log)


def opening_message(opening: tuple[int, int], *, kept: bool) -> Message:
    """The message who rolled what for the start; `kept`: the starter plays these two numbers."""
    white, black = opening
    if white == black:
        return message("opening.both", number=white)
    starter, other = (Side.WHITE, Side.BLACK) if white > black else (Side.BLACK, Side.WHITE)
    dice = Dice(opening)
    then = "begins" if kept else "first"
    return message(f"opening.{then}", player=starter, high=dice.written[0], other=other, low=dice.written[1], dice=dice)


def _entries(before: Game[PositionT], event: Event[PositionT], game: Game[PositionT]) -> tuple[Turn | Happening, ...]:
    """The log entries for one event; none for most."""
    if len(game.history) > len(before.history):
        return game.history[-1:]
    match event:
        case OpeningRolled():
            doubled = game.match.cube != before.match.cube
            rolled = Happening(opening_message((event.white, event.black), kept=event.kept))
            return (rolled, Happening(message("cube.automatic", number=game.match.cube))) if doubled else (rolled,)
        case Doubled() | Beavered() | Taken() | Passed() | Resigned():
            return _cube_action(event, game)
        case TakenBack() | Ruled() | Corrected() if event.agreed:
            return _agreed(before, event)
    return ()


def _cube_action(event: Doubled | Beavered | Taken | Passed | Resigned, game: Game[PositionT]) -> tuple[Happening, ...]:
    """The log entry of a cube action or resignation; none for an early double, which is logged once it counts."""
    if isinstance(event, Doubled) and event.early:
        return ()
    offered = isinstance(event, Doubled | Beavered)
    number = 2 * game.match.cube if offered else game.match.cube
    return (Happening(message(f"log.{DEEDS[type(event)]}", player=event.side, number=number), event.side),)


def _agreed(
    before: Game[PositionT], event: TakenBack | Ruled[PositionT] | Corrected[PositionT]
) -> tuple[Happening, ...]:
    """The log entry of a takeback, a ruling without a new position, or a position that the players stated."""
    match event:
        case TakenBack():
            what = before.history[-1].taken_back if event.turn and before.history else message("offer.end")
        case Ruled():
            what = message(f"remedy.{event.ruling or Remedy.CORRECTED}")
        case Corrected():
            what = message("remedy.position")
    return (Happening(message("agreed", what=what)),)
