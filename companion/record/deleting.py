"""Deletes pictures from a record and its backup for good: their bytes are overwritten, the events stay as they are."""

from __future__ import annotations

from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any

from companion.game import Disputed
from companion.record.backup import backup_of, connect, unfinished_backup_of
from companion.record.faults import SQLITE_ERRORS, RecordError, as_record_error
from companion.record.schema import transaction

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

    from companion.record.store import Entry


class NotYetDeletedError(RecordError):
    """Pictures are deleted, but their bytes are still in the log, because somebody is reading the record."""


def pictures_named(entries: Iterable[Entry]) -> Iterator[str]:
    """The names of all pictures that events name: of turns, disputes and answers."""
    for entry in entries:
        event: dict[str, Any] = entry.event
        reading = event.get("reading")
        named = [event.get("picture"), reading.get("picture") if isinstance(reading, dict) else None]
        if event.get("event") == Disputed.__name__:
            named += [event.get("before"), event.get("after")]
        yield from (name for name in named if isinstance(name, str))


def delete_pictures(path: Path, names: Collection[str]) -> int:
    """Delete pictures from the record at `path`, which a table may be using, and from its backup.

    Returns how many there were. Nothing may back up the record meanwhile: that would restore them from the old
    backup. Raises RecordError; NotYetDeletedError if `empty_log` has to finish it.
    """
    found, finished = 0, True
    with as_record_error(path, "write to"):
        unfinished_backup_of(path).unlink(missing_ok=True)
    for file in (backup_of(path), path):  # after a power cut in between, the record has them, and the next backup too
        if not file.is_file():
            continue
        with as_record_error(file, "write to"), closing(connect(file, "rw")) as connection:
            connection.execute("PRAGMA secure_delete = ON")
            with transaction(connection):
                delete = "DELETE FROM pictures WHERE name = ?"
                deleted = [connection.execute(delete, (name,)).rowcount for name in names]
            finished = _truncated(connection)
            found = max(found, sum(deleted))
    if not finished:
        raise NotYetDeletedError(f"the pictures are still in the log of the record {str(path)!r}, which is being read")
    return found


def empty_log(path: Path) -> bool:
    """Remove what was deleted from the log of the record at `path`; False if it is in use now."""
    with suppress(*SQLITE_ERRORS), closing(connect(path, "rw")) as connection:
        connection.execute("PRAGMA busy_timeout = 0")  # while it waited for a reader, no event could be written
        return _truncated(connection)
    return False


def _truncated(connection: sqlite3.Connection) -> bool:
    """Write the log into the database and truncate it; returns whether nobody prevented that by reading."""
    busy: int = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    return not busy
