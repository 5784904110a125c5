"""Recovers a damaged record from its backup, and from what can still be read or found in its bytes."""

from __future__ import annotations

import os
import shutil
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from companion.core import message, sync_directory
from companion.record.backup import (
    backup_of,
    connect,
    events_claimed_by_backup,
    events_in_backup,
    sync_file,
    unfinished_backup_of,
    whole_pictures,
)
from companion.record.faults import (
    JOURNAL,
    SQLITE_ERRORS,
    ForeignRecordError,
    RecordError,
    ignoring_damage,
    is_damage,
)
from companion.record.kept_files import damaged_name
from companion.record.salvage import Carved
from companion.record.schema import (
    FIRST_VERSION,
    SCHEMA_VERSION,
    create,
    is_sound,
    last_link,
    migrate,
    sound_rows,
    transaction,
    version_of,
)
from companion.texts import render

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from companion.core import Message

SQLITE_SUFFIXES = ("", "-wal", "-shm")
"""Suffixes of the database file and of SQLite's files beside it."""
WRITE_FORMAT = 18
"""Offset of the format's number for writers in the header (https://www.sqlite.org/fileformat2.html, 1.3.3)."""


@dataclass(frozen=True, slots=True)
class Rescue:
    """A recovery of the record at start.

    Attributes:
        set_aside: new name of the damaged file; None if the file was missing.
        events: number of events recovered.
        until_s: when the last one was written (seconds since 1970); None without events.
    """

    set_aside: Path | None
    events: int
    until_s: float | None

    @property
    def message(self) -> Message:
        """Message to the players."""
        gone = self.set_aside is None
        if self.until_s is None:
            return message("record.gone.new") if gone else message("record.damaged.new", kept=str(self.set_aside))
        until = f"{datetime.fromtimestamp(self.until_s).astimezone():%Y-%m-%d %H:%M:%S}"
        if gone:
            return message("record.gone", count=self.events, until=until)
        return message("record.damaged", kept=str(self.set_aside), count=self.events, until=until)

    @property
    def words(self) -> str:
        """The message in English, for the log."""
        return render(self.message)


def ensure_sound(path: Path) -> Rescue | None:
    """Make sure that `path` has a sound record or no file, by recovery if needed; returns None if nothing was done.

    Raises ForeignRecordError for a foreign file or a newer version, OSError and sqlite3.Error for errors of the disk.
    """
    fresh = path.with_name(f"{path.name}.restored")
    if not path.exists():
        if not fresh.exists():  # else a restart interrupted the steps below, and it is complete
            if not any(map(os.path.getsize, _event_files(path))):
                return None
            _restore(path, fresh)
        return _put_in_place(path, fresh, None)
    if _is_whole(path):
        fresh.unlink(missing_ok=True)
        _clear_away(_unfinished(fresh))
        return None
    _restore(path, fresh)
    return _put_in_place(path, fresh, _move_aside(path))


def _is_whole(path: Path) -> bool:
    """Whether the file is sound, and neither its backup nor its write-ahead log holds later events.

    Raises ForeignRecordError, OSError and sqlite3.Error.
    """
    log = path.with_name(f"{path.name}-wal")
    logged = log.read_bytes() if log.exists() else b""
    try:
        with closing(connect(path, "ro")) as connection:  # a writer would delete the log when it closes
            if not _header_is_sound(path) or not is_sound(connection):
                return False
            version = version_of(connection)
            if version == FIRST_VERSION:
                return not events_in_backup(path)
            number, link = (0, "") if version is None else last_link(connection)
    except ForeignRecordError:
        if not _began_as_backup(path):
            raise
        return False
    except SQLITE_ERRORS as error:
        if not is_damage(error):
            raise
        return False
    suspects = [logged] if logged else []
    if not 0 <= events_claimed_by_backup(path) <= number:
        if number < events_in_backup(path):
            return False
        suspects.append(backup_of(path).read_bytes())
    return not suspects or Carved(suspects).after(number, link) is None


def _header_is_sound(path: Path) -> bool:
    """Whether SQLite would write to the file; a higher format number makes it say that the disk is read-only."""
    with path.open("rb") as file:
        header = file.read(WRITE_FORMAT + 1)
    return len(header) <= WRITE_FORMAT or header[WRITE_FORMAT] in (1, 2)


def _began_as_backup(path: Path) -> bool:
    """Whether the file contains the first event of its backup: then it is this record with a damaged header."""
    if not events_in_backup(path):
        return False
    with closing(connect(backup_of(path), "ro")) as connection:
        link: str = connection.execute("SELECT chain FROM events WHERE number = 1").fetchone()[0]
    return link.encode() in path.read_bytes()


def _restore(path: Path, fresh: Path) -> None:
    """Rebuild the record at `fresh` from its backup, the damaged files, and the rows found in their bytes.

    It has another name until it is complete and on the disk: what a power cut leaves half done is not used.
    """
    unfinished = _unfinished(fresh)
    _clear_away(unfinished)
    if events_in_backup(path):
        shutil.copyfile(backup_of(path), unfinished)
    with closing(connect(unfinished, "rwc")) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA synchronous = FULL")
        version = version_of(connection)
        if version is None:
            create(connection)
        elif version < SCHEMA_VERSION:
            migrate(connection, version)
        _salvage(path, connection)
    sync_file(unfinished)
    os.replace(unfinished, fresh)  # noqa: PTH105 - the kill test interrupts calls of os.replace
    sync_directory(fresh.parent)


def _unfinished(fresh: Path) -> Path:
    return fresh.with_suffix(".restoring")


def _clear_away(database: Path) -> None:
    """Delete a database and SQLite's files beside it."""
    for suffix in (*SQLITE_SUFFIXES, JOURNAL):
        database.with_name(database.name + suffix).unlink(missing_ok=True)


def _event_files(path: Path) -> list[Path]:
    """The files that may hold events of the record at `path`."""
    names = (path, path.with_name(f"{path.name}-wal"), backup_of(path), unfinished_backup_of(path))
    return [part for part in names if part.is_file()]


def _salvage(path: Path, target: sqlite3.Connection) -> None:
    """Append to `target` the events that continue its chain, from the record, its backup and the bytes of both."""
    carved = Carved([part.read_bytes() for part in _event_files(path)])
    copy = path.with_name(f"{path.name}.salvaging")
    for damaged in (path, backup_of(path)):
        try:
            for suffix in SQLITE_SUFFIXES[:2]:
                part = damaged.with_name(damaged.name + suffix)
                if part.exists():
                    shutil.copyfile(part, copy.with_name(copy.name + suffix))
            with closing(connect(copy, "rwc")) as source, transaction(target):
                _append_rows(source, carved, target)
                for row in _readable(lambda source=source: whole_pictures(source)):  # type: ignore[misc]
                    target.execute("INSERT OR IGNORE INTO pictures VALUES (?, ?)", row)
        finally:
            _clear_away(copy)


def _append_rows(source: sqlite3.Connection, carved: Carved, target: sqlite3.Connection) -> None:
    """Append the rows that continue the chain in `target`, from `source` or, where it is damaged, from the bytes."""
    while True:
        for row in _readable(lambda: sound_rows(source, *last_link(target))):
            target.execute("INSERT INTO events VALUES (?, ?, ?, ?)", row)
        found = carved.after(*last_link(target))
        if found is None:
            return
        target.execute("INSERT INTO events VALUES (?, ?, ?, ?)", found)


def _readable(read: Callable[[], Iterator[tuple[Any, ...]]]) -> Iterator[tuple[Any, ...]]:
    """Rows of a damaged file up to the first unreadable one. Raises sqlite3.Error if the disk is at fault."""
    with ignoring_damage():
        yield from read()


def _move_aside(path: Path) -> Path:
    """Rename the damaged file and SQLite's files beside it to the first free name; returns that name."""
    target = damaged_name(path)
    for suffix in SQLITE_SUFFIXES:  # the database first: without it, a restart continues with the restored file
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(target.with_name(target.name + suffix))
    return target


def _put_in_place(path: Path, fresh: Path, set_aside: Path | None) -> Rescue:
    with closing(connect(fresh, "ro")) as connection:
        if not is_sound(connection):
            raise RecordError(f"the record cannot be restored: {str(fresh)!r} is damaged too; move it away")
        events = last_link(connection)[0]
        row = connection.execute("SELECT at_s FROM events ORDER BY number DESC LIMIT 1").fetchone()
    for suffix in SQLITE_SUFFIXES[1:]:  # left by an interrupted recovery; they do not belong to the new file
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    os.replace(fresh, path)  # noqa: PTH105 - the kill test interrupts calls of os.replace
    sync_directory(path.parent)
    return Rescue(set_aside, events, None if row is None else float(row[0]))
