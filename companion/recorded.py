"""Reads recorded events from a record's database, a state directory or an exported file."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

from companion.model import BoardsideError
from companion.state import record_in

if TYPE_CHECKING:
    from pathlib import Path

SQLITE_MAGIC = b"SQLite format 3\x00"


class RecordedError(BoardsideError):
    """The file has no recorded events; the message names it and what was expected."""


def recorded_entries(path: Path) -> list[dict[str, Any]]:
    """Entries of `path`, as `boardside export` prints them: `{"entry", "at_s", "event", …}`. Raises RecordedError.

    `path` is a state directory, its database (opened read-only; a table may be using it), or an export: one JSON
    object a line, or a list of them.
    """
    path = record_in(path) if path.is_dir() else path
    try:
        with path.open("rb") as file:
            database = file.read(len(SQLITE_MAGIC)) == SQLITE_MAGIC
        entries = _from_database(path) if database else _from_json(path.read_text(encoding="utf-8"))
    except (OSError, sqlite3.Error, UnicodeDecodeError) as error:
        raise RecordedError(f"cannot read the record {str(path)!r}: {error}") from error
    except ValueError as error:
        raise RecordedError(f"{str(path)!r} is not a record: {error}") from error
    for entry in entries:
        if not isinstance(entry, dict) or "event" not in entry:
            expected = f"expected events such as {EXAMPLE}, not {str(entry)[:80]!r}"
            raise RecordedError(f"{str(path)!r} is not a record: {expected}")
    return entries


EXAMPLE = '{"entry": 5, "at_s": 1763720004.0, "event": "Rolled", "side": "black", "dice": [5, 3]}'


def _from_database(path: Path) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as reader:
        rows = reader.execute("SELECT number, at_s, event FROM events ORDER BY number").fetchall()
    return [{"entry": number, "at_s": at_s, **json.loads(event)} for number, at_s, event in rows]


def _from_json(text: str) -> list[Any]:
    """Parse a JSON list, or one JSON value a line."""
    if text.lstrip().startswith("["):
        listed: list[Any] = json.loads(text)
        return listed
    return [json.loads(line) for line in text.splitlines() if line.strip()]
