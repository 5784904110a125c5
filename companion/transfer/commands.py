"""`boardside export` and `boardside import`: write a recorded match to a file, read one into the record."""

from __future__ import annotations

import os
import sys
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core import BoardsideError, OutsideError, one_line, parse_json, read_bytes, written_whole
from companion.notation import FORMATS, JSON, format_named
from companion.record import (
    MOST_BYTES_OF_RECORD,
    ChapterError,
    Entry,
    EventJson,
    Record,
    RecordError,
    StateDirectory,
    chapters,
    check,
    default_path,
    events_in,
    exported,
    record_in,
    recorded_entries,
    sheet_of_running_game,
    sheets_in,
)
from companion.rules import base_sheet, keep_copies, rules_named, rules_on_record, with_own_sheets
from companion.transfer.exporter import transcribe
from companion.transfer.importer import reenact

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from companion.notation import MatchScript

STANDARD_STREAM = "-"
MOST_BYTES = 8_000_000
"""Largest match as text, in bytes; gnubg's longest files, with analysis, have 3 MB."""
MOST_SHOWN = 160
"""Most letters shown of the reason why a match ends early."""


class TransferError(BoardsideError):
    """A match cannot be exported or imported; the message says why and what to do."""


def export_match(args: argparse.Namespace) -> int:
    """Write the record (JSON, one event a line) or one match as text, to a file or the standard output."""
    directory = args.state or default_path(os.environ)
    path = record_in(directory)
    if not path.exists():
        raise RecordError(f"there is no record {str(path)!r}: name the directory with --state")
    to_stream = args.file in (None, STANDARD_STREAM)
    name = JSON if to_stream and args.format is None else format_named(args.format, args.file or "")
    recorded = enumerate(recorded_entries(path), 1)  # read-only: a table may be using it
    text = _text([Entry.from_json(line, number) for number, line in recorded], name, args.match, directory)
    if to_stream:
        sys.stdout.write(text)
        return 0
    fresh = Path(args.file)
    if fresh.exists():
        raise TransferError(f"cannot write {args.file!r}: it exists; name another file")
    try:
        with written_whole(fresh) as file:
            file.write(text.encode())
    except OSError as error:
        raise TransferError(f"cannot write {args.file!r}: {error.strerror}; name another file") from error
    return 0


def import_match(args: argparse.Namespace) -> int:
    """Add a match to the record of a state directory after checking every play; nothing is added if one fails."""
    name = format_named(args.format, args.file)
    text = _read(args.file, MOST_BYTES_OF_RECORD if name == JSON else MOST_BYTES)
    with closing(StateDirectory.open(args.state)) as state, closing(Record.open(state.record)) as record:
        running = sheet_of_running_game(record.entries())
        if running is not None:
            raise TransferError(
                f"a game is not finished in {str(state.path)!r}: finish it, or name another directory with --state"
            )
        rules_in_reach = partial(rules_on_record, folder=sheets_in(state.path))
        cut = ""
        if name == JSON:
            entries = _entries(text)
            for chapter in chapters(entries):
                check(chapter, rules_in_reach)
        else:
            script = FORMATS[name].read(text)
            cut, entries = script.cut, _reenacted(script, args.sheet, state.path)
        record.append_all((entry.event, entry.at_s) for entry in entries)
    games = sum(entry.event.get("event") == "Started" for entry in entries)
    print(f"{args.file}: {games} game{'s' * (games != 1)} imported, every play legal or accepted by the players.")
    if cut:
        print(f"{args.file} has not the whole match, only up to {one_line(cut, MOST_SHOWN)}")
    return 0


def _text(entries: Sequence[Entry], name: str, number: int | None, directory: Path) -> str:
    """The record, or its chapter `number` (from 1; None: in a text format the last one), in format `name`."""
    found = chapters(entries)
    if number is not None and not 1 <= number <= len(found):
        raise TransferError(f"match {number}: the record holds {len(found)}, counted from 1")
    if name == JSON:
        return exported(entries if number is None else found[number - 1])
    if not found:
        raise TransferError("the record holds no game yet: play one, or name another record with --state")
    chapter = found[-1 if number is None else number - 1]
    rules, events = events_in(chapter, partial(rules_on_record, folder=sheets_in(directory)))
    known = FORMATS[name]
    if known.game != rules.sheet.game:
        fitting = ", ".join([JSON, *(f.name for f in FORMATS.values() if f.game == rules.sheet.game)])
        raise TransferError(f"{name} is for {known.game}, and this is a match of {rules.sheet.game}: use {fitting}")
    script = known.cut(transcribe(events, rules))
    if script.cut:
        print(f"not the whole match, only up to {script.cut}", file=sys.stderr)
    return known.formatted(script)


def _reenacted(script: MatchScript, sheet: str, directory: Path) -> list[Entry]:
    """Entries for the record from a match, checked by replaying it."""
    own = sheets_in(directory)
    named = with_own_sheets(sheet or script.sheet or base_sheet(script.game), own)
    rules = rules_named(named)
    try:
        keep_copies(named, own)
    except OSError as error:
        raise TransferError(f"no copy of the rule sheet {named!r} can be kept: {error.strerror}") from error
    codec = EventJson(rules.to_json, rules.from_json)
    now_s = time.time()
    return [Entry(0, now_s, codec.encode(event)) for event in reenact(script, rules)]


def _entries(text: str) -> list[Entry]:
    """Entries of an exported record. Raises ChapterError naming the line."""
    entries = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            entries.append(Entry.from_json(parse_json(line), number))
        except (OutsideError, RecordError) as error:
            raise ChapterError(f'line {number} is no entry such as {{"entry": 1, "at_s": 0.0, "event": …}}') from error
    if not any(entry.event.get("event") == "Started" for entry in entries):
        raise ChapterError("there is no game in it: expected what `boardside export` prints")
    return entries


def _read(file: str, most: int) -> str:
    if file == STANDARD_STREAM and sys.stdin is None:
        raise TransferError("the standard input is closed: send the match to it, or name a file")
    try:
        raw = sys.stdin.buffer.read(most + 1) if file == STANDARD_STREAM else read_bytes(Path(file), most)
    except OSError as error:
        raise TransferError(f"cannot read {file!r}: {error.strerror}") from error
    if len(raw) > most:
        raise TransferError(f"the standard input has more than {most:,} bytes: a match has fewer")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:  # older programs write names in Latin-1, which decodes every byte
        return raw.decode("latin-1")
