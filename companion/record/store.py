"""The record: an append-only SQLite store of a table's events, written before anything is shown.

One transaction for an event, or for several that belong together, in WAL mode with `synchronous=FULL`: once `append` or
`append_all` returns, the events survive a power cut.
The store holds JSON and pictures; `companion.record.event_codec` converts events.
"""

from __future__ import annotations

import json
import logging
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from companion.core import quoted
from companion.record.backup import connect, whole_picture
from companion.record.faults import SQLITE_ERRORS, RecordError, as_record_error, is_damage
from companion.record.recovery import ensure_sound
from companion.record.schema import (
    SCHEMA_VERSION,
    chain_hash,
    create,
    last_link,
    migrate,
    picture_name,
    transaction,
    version_of,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from companion.record.recovery import Rescue

LOG = logging.getLogger(__name__)
LAST_S = 2.0**35
"""Times in a record are before this, in seconds since 1970: the year 3058."""
EXAMPLE = '{"entry": 5, "at_s": 1763720004.0, "event": "Rolled", "side": "black", "dice": [5, 3]}'
"""An entry as `boardside export` prints it, for error messages."""
BULK = ("Played", "Rolled", "OpeningRolled")
"""The most frequent kinds of events."""
__all__ = ["Entry", "Record", "RecordError", "picture_name"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One event of the record: its number (from 1), the time of writing (seconds since 1970), and the event in JSON."""

    number: int
    at_s: float
    event: dict[str, Any]

    def to_json(self) -> dict[str, Any]:
        """`{"entry", "at_s", "event", …}`."""
        return {"entry": self.number, "at_s": self.at_s, **self.event}

    @classmethod
    def from_json(cls, line: Any, number: int | None = None, at_s: float | None = None) -> Self:
        """The entry of a JSON object as from `to_json`; `number` and `at_s` are its defaults. Raises RecordError.

        Whether its event is one of `companion.record.event_codec` is not checked.
        """
        event = dict(line) if isinstance(line, dict) else {}
        number, at_s = event.pop("entry", number), event.pop("at_s", at_s)
        timed = type(at_s) in (int, float) and 0 <= at_s < LAST_S
        if not isinstance(event.get("event"), str) or type(number) is not int or not timed:
            raise RecordError(f"expected events such as {EXAMPLE}, not {quoted(line)}")
        return cls(number, float(at_s), event)

    @classmethod
    def from_row(cls, number: int, at_s: float, text: str) -> Self:
        """The entry of a row of the record. Raises RecordError if its text is damaged."""
        event = None
        with suppress(ValueError):
            event = json.loads(text)
        if not isinstance(event, dict):
            raise RecordError(f"event {number} is damaged; when Boardside starts, it recovers the record")
        return cls(number, at_s, event)


def exported(entries: Iterable[Entry]) -> str:
    """Entries as a file holds them: JSON, one on a line."""
    return "".join(json.dumps(entry.to_json(), ensure_ascii=False) + "\n" for entry in entries)


class Record:
    """An open record. Use `Record.open`; `append` from one thread only, `picture` from any."""

    def __init__(self, path: Path, connection: sqlite3.Connection, rescue: Rescue | None) -> None:
        """Wrap an open database; `rescue` describes the recovery of a damaged one."""
        self.path = path
        self.rescue = rescue
        self._connection = connection
        self._last = last_link(connection)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the record at `path`; create a missing one, migrate an older one.

        A damaged file is renamed and replaced by what can be recovered from its backup and itself. Raises RecordError
        if the file cannot be opened or created, is not a Boardside record, or comes from a newer version.
        """
        with as_record_error(path, "open"):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                raise RecordError("it is a directory: expected a file, or a name not yet taken")
            connection, rescue = _open_recovered(path)
            try:
                return cls(path, connection, rescue)
            except SQLITE_ERRORS:
                connection.close()
                raise

    def append(self, event: dict[str, Any], at_s: float, pictures: tuple[bytes, ...] = ()) -> int:
        """Write one event and its JPEG pictures in one transaction; returns the event's number.

        Once this returns, the event is on the disk. Raises RecordError, with nothing written, on failure.
        """
        return self.append_all([(event, at_s)], pictures)

    def append_all(self, events: Iterable[tuple[dict[str, Any], float]], pictures: tuple[bytes, ...] = ()) -> int:
        """Write several events with their times, and JPEG pictures, in one transaction; returns the last one's number.

        Once this returns, all are on the disk. Raises RecordError, with nothing written, on failure.
        """
        rows, last = [], self._last
        for event, at_s in events:
            text = json.dumps(event, separators=(",", ":"))
            last = last[0] + 1, chain_hash(last[1], last[0] + 1, float(at_s), text)
            rows.append((last[0], float(at_s), text, last[1]))
        with as_record_error(self.path, "write to"):
            try:
                self._insert(rows, pictures)
            except SQLITE_ERRORS as error:
                if not is_damage(error) or not self._repair():
                    raise
                self._insert(rows, pictures)
        self._last = last
        return last[0]

    def _insert(self, rows: Sequence[tuple[int, float, str, str]], pictures: tuple[bytes, ...]) -> None:
        with transaction(self._connection):
            for jpeg in pictures:
                self._connection.execute("INSERT OR IGNORE INTO pictures VALUES (?, ?)", (picture_name(jpeg), jpeg))
            self._connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?)", rows)

    def _repair(self) -> bool:
        """Recover the file, which was damaged while it was open; returns whether all its events are there.

        If not, it stays closed, so that no event is written after a gap.
        """
        self._connection.close()
        self._connection, _ = _open_recovered(self.path)
        if last_link(self._connection) == self._last:
            return True
        self._connection.close()
        return False

    def entries(self, since: int = 1) -> tuple[Entry, ...]:
        """All events from number `since` on, in order. Raises RecordError."""
        return self._read("number >= ?", since)

    def outline(self) -> tuple[Entry, ...]:
        """All events except rolls and plays, enough to find long pauses and matches. Raises RecordError."""
        return self._read(" AND ".join(["event NOT LIKE ?"] * len(BULK)), *(f'{{"event":"{kind}"%' for kind in BULK))

    def _read(self, which: str, *values: int | str) -> tuple[Entry, ...]:
        query = f"SELECT number, at_s, event FROM events WHERE {which} ORDER BY number"  # noqa: S608 - written above
        with as_record_error(self.path, "read"):
            return tuple(Entry.from_row(*row) for row in self._connection.execute(query, values))

    def picture(self, name: str) -> bytes | None:
        """The JPEG picture of that name, from the backup if need be; None if it is missing or damaged.

        Raises RecordError.
        """
        with as_record_error(self.path, "read"):
            return whole_picture(self.path, name)

    def try_writing(self) -> None:
        """Test whether the record can be written, with a write that changes nothing. Raises RecordError."""
        with as_record_error(self.path, "write to"), transaction(self._connection):
            self._connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def _open_recovered(path: Path) -> tuple[sqlite3.Connection, Rescue | None]:
    """Open the record at `path`, after recovery if it is damaged; returns the connection and what was recovered."""
    rescue = ensure_sound(path)
    if rescue is not None:
        LOG.warning("%s", rescue.words)
    connection = connect(path, "rwc")
    try:
        _prepare(connection, path)
    except (RecordError, OSError, *SQLITE_ERRORS):
        connection.close()
        raise
    return connection, rescue


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Configure durability; create the tables of a new file; migrate an old file after copying it."""
    version = version_of(connection)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    if version is None:
        create(connection)
    elif version < SCHEMA_VERSION:
        old = path.with_name(f"{path.name}.version-{version}")
        old.unlink(missing_ok=True)
        with closing(connect(old, "rwc")) as copy:
            connection.backup(copy)
        migrate(connection, version)
