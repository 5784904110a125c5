"""Reads a record: its entries, its matches (chapters), and what a table continues after a restart."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from companion.core import BoardsideError, one_line, parse_json, read_start, read_text
from companion.game import (
    AS_BEFORE,
    DiceRevealed,
    DiceSealed,
    Drawn,
    Ended,
    Event,
    Game,
    MatchBegan,
    Passed,
    Played,
    Resigned,
    Rolled,
    Started,
    TakenBack,
    evolve,
)
from companion.record.backup import connect
from companion.record.event_codec import EventJson
from companion.record.faults import SQLITE_ERRORS, RecordError, is_damage, log_remedy
from companion.record.state_directory import record_in
from companion.record.store import Entry
from companion.texts import error_text, render

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from companion.core import PositionT
    from companion.rules import Ruleset

    RulesNamed = Callable[[str], Ruleset[Any]]

GAME_ENDS = frozenset(kind.__name__ for kind in (Ended, Passed, Resigned, Drawn))
"""Events that end a game."""
OF_DICE = frozenset(kind.__name__ for kind in (DiceSealed, DiceRevealed))
"""Events of the dice's commitments, which do not count as play."""
MOST_BYTES_OF_RECORD = 64_000_000
"""Largest exported record in bytes: 250,000 events, those of 200 evenings."""
LONG_PAUSE_S = 6 * 3600.0
"""Seconds without play after the end of a game, after which the score starts again at 0."""
SQLITE_MAGIC = b"SQLite format 3\x00"


class RecordedError(BoardsideError):
    """The file has no recorded events; the message names it and what was expected."""


class ChapterError(BoardsideError):
    """A record has no match, or one that the rules do not allow; the message names the entry."""


def sheet_of_running_game(entries: Sequence[Entry]) -> str | None:
    """Sheet of the unfinished game; None if there is none."""
    taken_back = 0
    for entry in reversed(entries):
        kind = entry.event.get("event")
        taken_back += _revokes_an_end(entry)
        if kind in GAME_ENDS and not taken_back:
            return None
        taken_back -= kind in GAME_ENDS
        if kind == Started.__name__:
            return str(entry.event.get("sheet"))
    return None


def since_last_pause(entries: Sequence[Entry], now_s: float) -> Sequence[Entry]:
    """Entries since the last long pause between games; `now_s` in seconds since 1970.

    The entries of a match stay together, even over several days.
    """
    return entries[min(_last_pause(entries, now_s), _last_match(entries)) :]


def _last_pause(entries: Sequence[Entry], now_s: float) -> int:
    """Number of entries before the last long pause; commitments and reveals of dice do not count as play."""
    next_s, taken_back = now_s, 0
    for number in range(len(entries), 0, -1):
        entry = entries[number - 1]
        if entry.event.get("event") in OF_DICE:
            continue
        taken_back += _revokes_an_end(entry)
        ends = entry.event.get("event") in GAME_ENDS
        if ends and not taken_back and next_s - entry.at_s > LONG_PAUSE_S:
            return number
        taken_back -= ends and taken_back > 0
        next_s = entry.at_s
    return 0


def _revokes_an_end(entry: Entry) -> bool:
    """Whether the entry takes back the end of a game."""
    return entry.event.get("event") == TakenBack.__name__ and bool(entry.event.get("end"))


def _last_match(entries: Sequence[Entry]) -> int:
    """Number of entries before the last match; of all entries where a series without a set end began later."""
    for number in range(len(entries) - 1, -1, -1):
        event = entries[number].event
        if event.get("event") == MatchBegan.__name__:
            return _with_commitments(entries, number) if event.get("length") else len(entries)
    return len(entries)


def _with_commitments(entries: Sequence[Entry], number: int) -> int:
    """The first of the commitments and reveals just before entry `number`, which belong to the same match."""
    while number and entries[number - 1].event.get("event") in OF_DICE:
        number -= 1
    return number


def open_commitments(entries: Sequence[Entry]) -> dict[str, int]:
    """Commitments whose secret is not revealed, each with the number of its entry."""
    found: dict[str, int] = {}
    for entry in entries:
        kind, commitment = entry.event.get("event"), str(entry.event.get("commitment"))
        if kind == DiceSealed.__name__:
            found[commitment] = entry.number
        elif kind == DiceRevealed.__name__:
            found.pop(commitment, None)
    return found


def rolls_under_first_commitment(entries: Sequence[Entry]) -> int:
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


def recorded_entries(path: Path) -> list[dict[str, Any]]:
    """Entries of `path`, as `boardside export` prints them: `{"entry", "at_s", "event", …}`. Raises RecordedError.

    `path` is a state directory, its database (opened read-only; a table may be using it), or an export: one JSON
    object a line, or a list of them.
    """
    path = record_in(path) if path.is_dir() else path
    try:
        database = read_start(path, len(SQLITE_MAGIC)) == SQLITE_MAGIC
        entries = _from_database(path) if database else _from_json(read_text(path, MOST_BYTES_OF_RECORD))
    except OSError as error:
        raise RecordedError(f"cannot read the record {str(path)!r}: {error.strerror}") from error
    except SQLITE_ERRORS as error:
        log = log_remedy(path, error)
        mend = "; when Boardside starts, it recovers it" if is_damage(error) else f". {log}" if log else ""
        raise RecordedError(f"cannot read the record {str(path)!r}: {one_line(str(error), 200)}{mend}") from error
    except ValueError as error:
        raise RecordedError(f"{str(path)!r} is not a record: {error}") from error
    try:
        for entry in entries:
            Entry.from_json(entry, 0, 0.0)  # the dice can be verified without numbers and times
    except RecordError as error:
        raise RecordedError(f"{str(path)!r} is not a record: {error}") from error
    return entries


def _from_database(path: Path) -> list[dict[str, Any]]:
    with closing(connect(path, "ro")) as reader:
        rows = reader.execute("SELECT number, at_s, event FROM events ORDER BY number").fetchall()
    return [{"entry": number, "at_s": at_s, **parse_json(event)} for number, at_s, event in rows]


def _from_json(text: str) -> list[Any]:
    """Parse a JSON list, or one JSON value a line."""
    if text.lstrip().startswith("["):
        listed: list[Any] = parse_json(text)
        return listed
    return [parse_json(line) for line in text.split("\n") if line.strip()]


def chapters(entries: Sequence[Entry]) -> list[list[Entry]]:
    """Entries by match or series, oldest first; parts without a game are left out.

    A chapter ends where a match or series begins, where the sheet changes, and in a series after a pause of
    LONG_PAUSE_S.
    """
    found: list[list[Entry]] = [[]]
    for entry in entries:
        if found[-1] and ends_before(found[-1], entry):
            found.append([])
        found[-1].append(entry)
    return [chapter for chapter in found if sheet_of(chapter) is not None]


def sheet_of(chapter: Sequence[Entry]) -> str | None:
    """Sheet of a chapter; None if no game begins in it."""
    sheets = (entry.event.get("sheet") for entry in chapter if entry.event.get("event") == Started.__name__)
    return next((str(sheet) for sheet in sheets), None)


def events_in(chapter: Sequence[Entry], rules_named: RulesNamed) -> tuple[Ruleset[Any], list[Event[Any]]]:
    """Rules and events of a chapter. Raises EventJsonError or SheetError."""
    rules = rules_named(sheet_of(chapter) or "")
    return rules, events_of(chapter, rules)


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
            if isinstance(event, Rolled) and event.source == AS_BEFORE:
                _check_roll_again(game, event)
            game = evolve(game, event)
        except ChapterError as error:
            turn = f"game {game.number}, turn {len(game.history) + 1}"
            raise ChapterError(f"entry {entry.number}, {turn}: {error_text(error)}") from error
        except BoardsideError as error:
            raise ChapterError(f"entry {entry.number}: {error_text(error)}") from error


def _check_play(game: Game[Any], event: Played[Any], rules: Ruleset[Any]) -> None:
    if game.position is None or game.on_roll is not event.side:
        return  # `evolve` refuses events out of turn
    successors = rules.successors(game.position, event.side, game.dice)
    if not successors and event.after == game.position:
        return
    if all(successor.after != event.after for successor in successors):
        verdict = rules.explain(game.position, event.side, game.dice, rules.visible(event.after), done=True)
        raise ChapterError(f"{event.side.value} {event.play!r} is not a legal play. {render(verdict.message)}")


def _check_roll_again(game: Game[Any], event: Rolled) -> None:
    if game.pending_rolls[:1] != ((event.side, event.dice),):
        raise ChapterError(f"{event.side.value} {event.dice} is no roll that was to be played again")


def ends_before(current: Sequence[Entry], entry: Entry) -> bool:
    """Whether a chapter with the entries `current` (at least one) ends before `entry`."""
    kind = entry.event.get("event")
    if kind == MatchBegan.__name__:
        return True
    if kind == Started.__name__ and sheet_of(current) not in (None, str(entry.event.get("sheet"))):
        return True
    last = next((one for one in reversed(current) if one.event.get("event") not in OF_DICE), current[-1])
    paused = last.event.get("event") in GAME_ENDS and entry.at_s - last.at_s > LONG_PAUSE_S
    first = current[0].event
    in_match = first.get("event") == MatchBegan.__name__ and bool(first.get("length"))
    return paused and not in_match
