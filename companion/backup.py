"""Backup of the record: a complete, checked copy beside it, replaced atomically."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from companion.dice_secrets import sync_directory
from companion.record_schema import RecordError, is_sound, last_link

if TYPE_CHECKING:
    from pathlib import Path


def backup_of(path: Path) -> Path:
    """Path of the backup of the record at `path`."""
    return path.with_name(f"{path.name}.backup")


def back_up(path: Path) -> int:
    """Replace the backup by a copy of the record at `path`, which may be in use; returns its last event's number.

    The old backup stays until the new one is on the disk and checked. Raises RecordError with the old one unchanged.
    """
    target = backup_of(path)
    fresh = target.with_name(f"{target.name}.new")
    try:
        fresh.unlink(missing_ok=True)
        last = _copied(path, fresh)
        _synced(fresh)
        os.replace(fresh, target)  # noqa: PTH105 - one name for the kill test to stop at
        sync_directory(target.parent)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise RecordError(f"cannot back up the record to {str(target)!r}: {error}") from error
    return last


def _copied(path: Path, fresh: Path) -> int:
    with closing(opened(path, "ro")) as source, closing(opened(fresh, "rwc")) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, readable where nothing can be written
        if not is_sound(copy):
            raise RecordError(f"cannot back up the record {str(path)!r}: it is damaged; the previous backup stays")
        return last_link(copy)[0]


def _synced(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def claimed_by_backup(path: Path) -> int:
    """Number of events in the backup of the record at `path`, without checking the backup."""
    try:
        with closing(opened(backup_of(path), "ro")) as connection:
            return last_link(connection)[0]
    except sqlite3.Error:
        return 0


def events_in_backup(path: Path) -> int:
    """Number of events in the backup of the record at `path`; 0 where it is missing or damaged."""
    backup = backup_of(path)
    if not backup.exists():
        return 0
    try:
        with closing(opened(backup, "ro")) as connection:
            return last_link(connection)[0] if is_sound(connection) else 0
    except (sqlite3.Error, RecordError):
        return 0


def opened(path: Path, mode: str) -> sqlite3.Connection:
    """A connection to the file at `path`: "ro" to read, "rw" to write, "rwc" to create it too."""
    # One thread appends; the thread that builds the table opens and closes. They never run at the same time.
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, check_same_thread=False, isolation_level=None)
