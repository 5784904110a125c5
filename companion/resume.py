"""Taking up an evening from the record after a restart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.event_json import EventJson
from companion.events import Ended, Event, Started

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.model import PositionT
    from companion.record import Entry
    from companion.rules.ruleset import Ruleset

NEW_EVENING_S = 6 * 3600.0
"""When nobody has played for so long after the end of a game, the score begins at nil."""


def sheet_of_running_game(entries: Sequence[Entry]) -> str | None:
    """The sheet of the game that is not over yet, None where there is none."""
    for entry in reversed(entries):
        kind = entry.event.get("event")
        if kind == Ended.__name__:
            return None
        if kind == Started.__name__:
            return str(entry.event.get("sheet"))
    return None


def this_evening(entries: Sequence[Entry], now_s: float) -> Sequence[Entry]:
    """The entries since the last long pause between two games; `now_s` in seconds since 1970, like theirs."""
    times = [*(entry.at_s for entry in entries[1:]), now_s]
    for number in range(len(entries), 0, -1):
        entry = entries[number - 1]
        if entry.event.get("event") == Ended.__name__ and times[number - 1] - entry.at_s > NEW_EVENING_S:
            return entries[number:]
    return entries


def events_of(entries: Sequence[Entry], rules: Ruleset[PositionT]) -> list[Event[PositionT]]:
    """The events that the entries tell of. Raises EventJsonError, or what the ruleset says of a bad position."""
    codec = EventJson(rules.to_json, rules.from_json)
    return [codec.decode(entry.event) for entry in entries]
