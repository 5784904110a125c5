"""Deletes pictures from a record and its backup for good: their bytes are overwritten, the events stay as they are."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from companion.game import Disputed
from companion.record.backup import backup_of, connect
from companion.record.faults import as_record_error
from companion.record.schema import transaction

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

    from companion.record.store import Entry


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
    backup. Raises RecordError.
    """
    found = 0
    for file in (path, backup_of(path)):
        if not file.is_file():
            continue
        with as_record_error(file, "write to"), closing(connect(file, "rw")) as connection:
            connection.execute("PRAGMA secure_delete = ON")
            with transaction(connection):
                delete = "DELETE FROM pictures WHERE name = ?"
                deleted = [connection.execute(delete, (name,)).rowcount for name in names]
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()  # the log still holds them
            found = max(found, sum(deleted))
    return found
