"""Backs up a record, and recovers a damaged one at the start from its backup and from what can still be read."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from companion.core import sync_directory
from companion.record.schema import (
    SCHEMA_VERSION,
    RecordError,
    create,
    is_sound,
    last_link,
    last_number,
    migrate,
    picture_name,
    sound_rows,
    transaction,
    version_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SQLITE_SUFFIXES = ("", "-wal", "-shm")
"""Suffixes of the database file and of SQLite's files beside it."""


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
        last = copied(path, fresh)
        _synced(fresh)
        os.replace(fresh, target)  # noqa: PTH105 - one name for the kill test to stop at
        sync_directory(target.parent)
    except (OSError, sqlite3.Error, RecordError) as error:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise RecordError(f"cannot back up the record to {str(target)!r}: {error}") from error
    return last


def copied(path: Path, fresh: Path) -> int:
    """Copy the record at `path`, which may be in use, to the new file `fresh`; returns its last event's number.

    Raises RecordError where it is damaged, OSError and sqlite3.Error.
    """
    with closing(opened(path, "ro")) as source, closing(opened(fresh, "rwc")) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, readable where nothing can be written
        if not is_sound(copy):
            raise RecordError("it is damaged; it is put right when Boardside starts the next time")
        return last_number(copy)


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


@dataclass(frozen=True, slots=True)
class Rescue:
    """A recovery of the record at start.

    Attributes:
        set_aside: new name of the damaged file; None where the file was missing.
        events: number of events recovered.
        until_s: when the last one was written (seconds since 1970); None without events.
    """

    set_aside: Path | None
    events: int
    until_s: float | None

    @property
    def words(self) -> str:
        """Message to the players."""
        damaged = "was gone" if self.set_aside is None else f"was damaged: it is kept as {self.set_aside}"
        if self.until_s is None:
            return f"The record {damaged}. A new one begins."
        until = f"{datetime.fromtimestamp(self.until_s).astimezone():%Y-%m-%d %H:%M:%S}"
        return (
            f"The record {damaged}. All {self.events} events until {until} were saved; look whether the game is right."
        )


def sound_or_rescued(path: Path) -> Rescue | None:
    """Make sure that `path` has a sound record or no file; returns None where nothing had to be done.

    Raises RecordError for a foreign file or a newer version, OSError and sqlite3.Error for errors of the disk.
    """
    fresh = path.with_name(f"{path.name}.restored")
    if not path.exists():
        if not fresh.exists():  # else a restart interrupted the steps below
            if not events_in_backup(path):
                return None
            _restore(path, fresh, salvage=False)
        return _put_in_place(path, fresh, None)
    events = _sound_events(path)
    if events >= 0 and (events >= claimed_by_backup(path) or events >= events_in_backup(path)):
        fresh.unlink(missing_ok=True)
        return None
    _restore(path, fresh, salvage=True)
    return _put_in_place(path, fresh, _move_aside(path))


def _sound_events(path: Path) -> int:
    """Number of events in the file; -1 where it is damaged."""
    try:
        with closing(opened(path, "rw")) as connection:
            if not is_sound(connection):
                return -1
            version = version_of(connection)
            count = connection.execute("SELECT count(*) FROM events").fetchone()[0] if version else 0
            return int(count)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        return -1


def _restore(path: Path, fresh: Path, *, salvage: bool) -> None:
    """Rebuild the record at `fresh` from the backup and the later events of the damaged file."""
    for suffix in SQLITE_SUFFIXES:
        fresh.with_name(fresh.name + suffix).unlink(missing_ok=True)
    if events_in_backup(path):
        shutil.copyfile(backup_of(path), fresh)
    with closing(opened(fresh, "rwc")) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA synchronous = FULL")
        version = version_of(connection)
        if version is None:
            create(connection)
        elif version < SCHEMA_VERSION:
            migrate(connection, version)
        if salvage:
            _salvage(path, connection)


def _salvage(path: Path, target: sqlite3.Connection) -> None:
    """Append to `target` the readable events of a copy of the file at `path`, up to the first break of its chain."""
    copy = path.with_name(f"{path.name}.salvaging")
    try:
        for suffix in SQLITE_SUFFIXES[:2]:
            part = path.with_name(path.name + suffix)
            if part.exists():
                shutil.copyfile(part, copy.with_name(copy.name + suffix))
        with closing(opened(copy, "rw")) as source, transaction(target):
            for row in _readable(lambda: sound_rows(source, *last_link(target))):
                target.execute("INSERT INTO events VALUES (?, ?, ?, ?)", row)
            for row in _readable(lambda: _pictures(source)):
                target.execute("INSERT OR IGNORE INTO pictures VALUES (?, ?)", row)
    finally:
        for suffix in SQLITE_SUFFIXES:
            copy.with_name(copy.name + suffix).unlink(missing_ok=True)


def _readable(read: Callable[[], Iterator[tuple[Any, ...]]]) -> Iterator[tuple[Any, ...]]:
    """Rows of a damaged file up to the first unreadable one."""
    try:
        rows = read()
        while (row := next(rows, None)) is not None:
            yield row
    except sqlite3.DatabaseError:
        return


def _pictures(source: sqlite3.Connection) -> Iterator[tuple[str, bytes]]:
    """Pictures whose content matches their name."""
    for name, jpeg in source.execute("SELECT name, jpeg FROM pictures"):
        if picture_name(jpeg) == name:
            yield name, jpeg


def _move_aside(path: Path) -> Path:
    """Rename the damaged file and SQLite's files beside it to the first free name; returns that name."""
    number = 1
    while (target := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    for suffix in SQLITE_SUFFIXES:  # the database first: once it is renamed, a restart continues with the restored file
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(target.with_name(target.name + suffix))
    return target


def _put_in_place(path: Path, fresh: Path, set_aside: Path | None) -> Rescue:
    with closing(opened(fresh, "ro")) as connection:
        if not is_sound(connection):
            raise RecordError(f"the record cannot be restored: {str(fresh)!r} is damaged too; move it away")
        events = last_link(connection)[0]
        row = connection.execute("SELECT at_s FROM events ORDER BY number DESC LIMIT 1").fetchone()
    for suffix in SQLITE_SUFFIXES[1:]:  # left by an interrupted recovery; they do not belong to the new file
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    os.replace(fresh, path)  # noqa: PTH105 - one name for the kill test to stop at
    sync_directory(path.parent)
    return Rescue(set_aside, events, None if row is None else float(row[0]))
