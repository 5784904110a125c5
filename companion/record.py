"""The record: an append-only SQLite store of what happened at the table; nothing is shown before it is in here.

One transaction an event, WAL with `synchronous=FULL`: an event that `append` has returned from survives a power cut.
The store knows JSON and pictures, not games: `companion.event_json` turns events into JSON and back.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from companion.model import BoardsideError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

APPLICATION_ID = 0x42534445
"""Marks the file as Boardside's ("BSDE") for `file` and for ourselves."""
SCHEMA_VERSION = 1
SCHEMA = """
CREATE TABLE events (number INTEGER PRIMARY KEY, at_s REAL NOT NULL, event TEXT NOT NULL) STRICT;
CREATE TABLE pictures (name TEXT PRIMARY KEY, jpeg BLOB NOT NULL) STRICT;
"""


class RecordError(BoardsideError):
    """The record cannot be opened, written or read; the text names the file and the mend."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One event of the record: its number (from 1), when it was written (seconds since 1970), what it says."""

    number: int
    at_s: float
    event: dict[str, Any]


class Record:
    """An open record. Use `Record.open`; `append` from one thread only, `picture` from any."""

    def __init__(self, path: Path, connection: sqlite3.Connection, set_aside: Path | None) -> None:
        """Wrap an open database; `set_aside` is where a damaged predecessor was moved to."""
        self.path = path
        self.set_aside = set_aside
        self._connection = connection

    @classmethod
    def open(cls, path: Path) -> Self:
        """The record at `path`, created where there is none.

        A damaged file is moved aside under a new name and a fresh record begun. Raises RecordError where the file
        cannot be opened or created, is no record of Boardside's, or was written by a newer version.
        """
        with _explained(path, "open"):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                raise RecordError(f"the record {str(path)!r} is a directory: expected a file, or a name not yet taken")
            set_aside = None
            connection = _sound(path)
            if connection is None:
                set_aside = _move_aside(path)
                connection = _connected(path)
            _prepare(connection, path)
        return cls(path, connection, set_aside)

    def append(self, event: dict[str, Any], at_s: float, pictures: tuple[bytes, ...] = ()) -> int:
        """Write one event (and the JPEG pictures that belong to it) in one transaction; returns its number.

        When this returns, the event is on the disk. Raises RecordError, with nothing written, where it cannot be.
        """
        text = json.dumps(event, separators=(",", ":"))
        with _explained(self.path, "write to"), self._connection:
            for jpeg in pictures:
                self._connection.execute("INSERT OR IGNORE INTO pictures VALUES (?, ?)", (picture_name(jpeg), jpeg))
            cursor = self._connection.execute("INSERT INTO events (at_s, event) VALUES (?, ?)", (at_s, text))
        return cursor.lastrowid or 0

    def entries(self) -> tuple[Entry, ...]:
        """All events in the order they were written. Raises RecordError."""
        with _explained(self.path, "read"):
            rows = self._connection.execute("SELECT number, at_s, event FROM events ORDER BY number").fetchall()
        return tuple(Entry(number, at_s, json.loads(event)) for number, at_s, event in rows)

    def picture(self, name: str) -> bytes | None:
        """The evidence picture of that name (JPEG), None where there is none. Raises RecordError."""
        with _explained(self.path, "read"), closing(sqlite3.connect(_uri(self.path, "ro"), uri=True)) as reader:
            row = reader.execute("SELECT jpeg FROM pictures WHERE name = ?", (name,)).fetchone()
        return None if row is None else bytes(row[0])

    def close(self) -> None:
        """Close the file; what was appended stays."""
        self._connection.close()


def picture_name(jpeg: bytes) -> str:
    """The name under which a picture is kept: it follows from the content, so equal pictures are kept once."""
    return hashlib.sha256(jpeg).hexdigest()[:20]


def _sound(path: Path) -> sqlite3.Connection | None:
    """A connection to an undamaged (or new) file at `path`; None where the file is damaged."""
    connection = _connected(path)
    try:
        answer = connection.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.OperationalError:
        connection.close()
        raise
    except sqlite3.DatabaseError:
        connection.close()
        return None
    if answer == ("ok",):
        return connection
    connection.close()
    return None


def _connected(path: Path) -> sqlite3.Connection:
    # The session's thread appends, the thread that builds the table opens and closes: never two at a time.
    return sqlite3.connect(_uri(path, "rwc"), uri=True, check_same_thread=False)


def _uri(path: Path, mode: str) -> str:
    return f"{path.absolute().as_uri()}?mode={mode}"


def _move_aside(path: Path) -> Path:
    """Rename the damaged file (and what SQLite keeps beside it) to the first free name; returns that name."""
    number = 1
    while (target := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    for suffix in ("", "-wal", "-shm"):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(target.with_name(target.name + suffix))
    return target


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Create the tables of a new file, refuse one that is not ours, and set the durability of the connection."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    try:
        if tables and application != APPLICATION_ID:
            raise RecordError(f"{str(path)!r} is a database, but no record of Boardside's: choose another with --state")
        if version > SCHEMA_VERSION:
            raise RecordError(
                f"the record {str(path)!r} has version {version}, this Boardside reads up to {SCHEMA_VERSION}: "
                "update Boardside"
            )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        if not tables:
            numbers = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {SCHEMA_VERSION};"
            connection.executescript(f"BEGIN; {numbers} {SCHEMA} COMMIT;")
    except (RecordError, sqlite3.Error):
        connection.close()
        raise


@contextmanager
def _explained(path: Path, doing: str) -> Iterator[None]:
    """Turn what the disk and SQLite say into a RecordError that names the file and the mend."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise RecordError(f"cannot {doing} the record {str(path)!r}: {error}. {_mend(str(error))}") from error


def _mend(error: str) -> str:
    """What to do about an error of SQLite's or the system's."""
    for word, mend in (
        ("full", "Free some space on that disk; nothing recorded so far is lost."),
        ("locked", "Stop the other Boardside that uses this state directory."),
        ("readonly", "Make the file and its directory writable, or choose another with --state."),
    ):
        if word in error:
            return mend
    return "Check that its directory exists and can be written to, or choose another with --state."
