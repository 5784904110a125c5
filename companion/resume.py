"""Selection of the record's entries from which a table resumes after a restart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.agreement import TakenBack
from companion.event_json import EventJson
from companion.events import DiceRevealed, DiceSealed, Drawn, Ended, Event, MatchBegan, Passed, Resigned, Started

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.model import PositionT
    from companion.record import Entry
    from companion.rules.ruleset import Ruleset

GAME_ENDS = frozenset(kind.__name__ for kind in (Ended, Passed, Resigned, Drawn))
OF_DICE = frozenset(kind.__name__ for kind in (DiceSealed, DiceRevealed))
NEW_EVENING_S = 6 * 3600.0
"""Seconds without play after the end of a game, after which the score starts again at 0."""


def sheet_of_running_game(entries: Sequence[Entry]) -> str | None:
    """Sheet of the unfinished game; None where there is none."""
    taken_back = 0
    for entry in reversed(entries):
        kind = entry.event.get("event")
        taken_back += _takes_an_end_back(entry)
        if kind in GAME_ENDS and not taken_back:
            return None
        taken_back -= kind in GAME_ENDS
        if kind == Started.__name__:
            return str(entry.event.get("sheet"))
    return None


def this_evening(entries: Sequence[Entry], now_s: float) -> Sequence[Entry]:
    """Entries since the last long pause between games; `now_s` in seconds since 1970.

    The entries of a match stay together, even over several evenings.
    """
    return entries[min(_last_pause(entries, now_s), _last_match(entries)) :]


def _last_pause(entries: Sequence[Entry], now_s: float) -> int:
    """Number of entries before the last long pause; commitments and reveals of dice do not count as play."""
    next_s, taken_back = now_s, 0
    for number in range(len(entries), 0, -1):
        entry = entries[number - 1]
        if entry.event.get("event") in OF_DICE:
            continue
        taken_back += _takes_an_end_back(entry)
        ends = entry.event.get("event") in GAME_ENDS
        if ends and not taken_back and next_s - entry.at_s > NEW_EVENING_S:
            return number
        taken_back -= ends and taken_back > 0
        next_s = entry.at_s
    return 0


def _takes_an_end_back(entry: Entry) -> bool:
    """Whether the entry takes back the end of a game."""
    return entry.event.get("event") == TakenBack.__name__ and bool(entry.event.get("end"))


def _last_match(entries: Sequence[Entry]) -> int:
    """Number of entries before the last match; all entries where a series without a set end began later."""
    for number in range(len(entries) - 1, -1, -1):
        event = entries[number].event
        if event.get("event") == MatchBegan.__name__:
            return _with_seal(entries, number) if event.get("length") else len(entries)
    return len(entries)


def _with_seal(entries: Sequence[Entry], number: int) -> int:
    """Go back from entry `number` over commitments and reveals just before it, which belong to the match."""
    while number and entries[number - 1].event.get("event") in OF_DICE:
        number -= 1
    return number


def open_seals(entries: Sequence[Entry]) -> dict[str, int]:
    """Commitments whose secret is not revealed, each with the number of its entry."""
    found: dict[str, int] = {}
    for entry in entries:
        kind, commitment = entry.event.get("event"), str(entry.event.get("commitment"))
        if kind == DiceSealed.__name__:
            found[commitment] = entry.number
        elif kind == DiceRevealed.__name__:
            found.pop(commitment, None)
    return found


def rolls_under_first_seal(entries: Sequence[Entry]) -> int:
    """Number of rolls under the commitment of the first entry, until the next commitment."""
    rolls = 0
    for entry in entries[1:]:
        if entry.event.get("event") == DiceSealed.__name__:
            break
        rolls += bool(entry.event.get("proof"))
    return rolls


def events_of(entries: Sequence[Entry], rules: Ruleset[PositionT]) -> list[Event[PositionT]]:
    """Decode the events of entries. Raises EventJsonError, or the ruleset's error for a bad position."""
    codec = EventJson(rules.to_json, rules.from_json)
    return [codec.decode(entry.event) for entry in entries]
