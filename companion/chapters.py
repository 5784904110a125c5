"""Divides a record into chapters: one match or series each, played under one sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.event_json import EventJson
from companion.events import Event, MatchBegan, Played, Started
from companion.game import Game
from companion.model import BoardsideError
from companion.refereed import evolve
from companion.resume import GAME_ENDS, NEW_EVENING_S
from companion.texts import render

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.record import Entry
    from companion.rules.ruleset import Ruleset

    RulesNamed = Callable[[str], Ruleset[Any]]


class ChapterError(BoardsideError):
    """A record has no match, or one that the rules do not allow; the message names the entry."""


def chapters(entries: Sequence[Entry]) -> list[list[Entry]]:
    """Entries by match or series, oldest first; parts without a game are left out.

    A chapter ends where a match or series begins, where the sheet changes, and in a series after a pause of
    NEW_EVENING_S.
    """
    found: list[list[Entry]] = []
    current: list[Entry] = []
    for entry in entries:
        if current and _ends_before(current, entry):
            found.append(current)
            current = []
        current.append(entry)
    return [chapter for chapter in [*found, current] if sheet_of(chapter) is not None]


def sheet_of(chapter: Sequence[Entry]) -> str | None:
    """Sheet of a chapter; None where no game begins in it."""
    sheets = (entry.event.get("sheet") for entry in chapter if entry.event.get("event") == Started.__name__)
    return next((str(sheet) for sheet in sheets), None)


def events_in(chapter: Sequence[Entry], rules_named: RulesNamed) -> tuple[Ruleset[Any], list[Event[Any]]]:
    """Rules and events of a chapter. Raises EventJsonError or SheetError."""
    rules = rules_named(sheet_of(chapter) or "")
    codec = EventJson(rules.to_json, rules.from_json)
    return rules, [codec.decode(entry.event) for entry in chapter]


def check(chapter: Sequence[Entry], rules_named: RulesNamed) -> None:
    """Check that a chapter follows the rules. Raises ChapterError naming the entry and the fault.

    Every event must be possible after those before it, and every play not marked as condoned must be legal.
    """
    rules, events = events_in(chapter, rules_named)
    game: Game[Any] = Game()
    for entry, event in zip(chapter, events, strict=True):
        try:
            if isinstance(event, Played) and event.condoned is None:
                _check_play(game, event, rules)
            game = evolve(game, event)
        except ChapterError as error:
            turn = f"game {game.number}, turn {len(game.history) + 1}"
            raise ChapterError(f"entry {entry.number}, {turn}: {error}") from error
        except BoardsideError as error:
            raise ChapterError(f"entry {entry.number}: {error}") from error


def _check_play(game: Game[Any], event: Played[Any], rules: Ruleset[Any]) -> None:
    if game.position is None or game.on_roll is not event.side:
        return  # `evolve` refuses events out of turn
    successors = rules.successors(game.position, event.side, game.dice)
    if not successors and event.after == game.position:
        return
    if all(successor.after != event.after for successor in successors):
        verdict = rules.explain(game.position, event.side, game.dice, rules.visible(event.after), done=True)
        raise ChapterError(f"{event.side.value} {event.play!r} is not a legal play. {render(verdict.message)}")


def _ends_before(current: Sequence[Entry], entry: Entry) -> bool:
    kind = entry.event.get("event")
    if kind == MatchBegan.__name__:
        return True
    if kind == Started.__name__ and sheet_of(current) not in (None, str(entry.event.get("sheet"))):
        return True
    last = current[-1]
    paused = last.event.get("event") in GAME_ENDS and entry.at_s - last.at_s > NEW_EVENING_S
    first = current[0].event
    in_match = first.get("event") == MatchBegan.__name__ and bool(first.get("length"))
    return paused and not in_match
