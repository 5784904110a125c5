"""The backup of a record beside it: made while the record is in use, checked before it replaces the one before."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from companion.core import sync_directory
from companion.record.faults import SQLITE_ERRORS, ForeignRecordError, RecordError, has_pending_log, ignoring_damage
from companion.record.schema import is_sound, last_link, last_number, picture_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def backup_of(path: Path) -> Path:
    """Path of the backup of the record at `path`."""
    return path.with_name(f"{path.name}.backup")


def unfinished_backup_of(path: Path) -> Path:
    """Path of the next backup of the record at `path`, until it is complete; a power cut may leave it there."""
    return path.with_name(f"{path.name}.backup.new")


def back_up(path: Path) -> int:
    """Replace the backup by a copy of the record at `path`, which may be in use; returns its last event's number.

    The old backup stays until the new one is on the disk and checked. Raises RecordError with the old one unchanged.
    """
    target = backup_of(path)
    fresh = unfinished_backup_of(path)
    try:
        fresh.unlink(missing_ok=True)
        last = copy_record(path, fresh)
        _mend_pictures(fresh, target)
        sync_file(fresh)
        os.replace(fresh, target)  # noqa: PTH105 - the kill test interrupts calls of os.replace
        sync_directory(target.parent)
    except (OSError, *SQLITE_ERRORS, RecordError) as error:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise RecordError(f"cannot back up the record to {str(target)!r}: {error}") from error
    return last


def copy_record(path: Path, fresh: Path) -> int:
    """Copy the record at `path`, which may be in use, to the new file `fresh`; returns its last event's number.

    Raises RecordError if it is damaged, OSError and sqlite3.Error.
    """
    with closing(connect(path, "ro")) as source, closing(connect(fresh, "rwc")) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, readable where nothing can be written
        if not is_sound(copy):
            raise RecordError("it is damaged; it is put right when Boardside starts the next time")
        return last_number(copy)


def _mend_pictures(fresh: Path, old: Path) -> None:
    """Replace damaged pictures in `fresh` by those of the backup `old`, which is about to be replaced."""
    named: set[str] = set()
    with suppress(*SQLITE_ERRORS):
        named = picture_names(old)
    with closing(connect(fresh, "rw")) as copy:
        whole = {name for name, _ in whole_pictures(copy)}
        for name in named - whole:
            jpeg = picture_in(old, name)
            if jpeg is not None:
                copy.execute("INSERT OR REPLACE INTO pictures VALUES (?, ?)", (name, jpeg))


def sync_file(path: Path) -> None:
    """Sync the content of a file to the disk."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def events_claimed_by_backup(path: Path) -> int:
    """Number of events that the backup of the record at `path` states; 0: there is none, -1: it is damaged."""
    if not backup_of(path).is_file():
        return 0
    try:
        with closing(_open_backup(backup_of(path))) as connection:
            return last_link(connection)[0]
    except SQLITE_ERRORS:
        return -1


def events_in_backup(path: Path) -> int:
    """Number of events in the backup of the record at `path`; 0 if it is missing or damaged.

    Raises sqlite3.Error if the disk is at fault: the backup may be whole.
    """
    backup = backup_of(path)
    if not backup.is_file():
        return 0
    with suppress(ForeignRecordError), ignoring_damage(), closing(_open_backup(backup)) as connection:
        return last_number(connection) if is_sound(connection) else 0
    return 0


def _open_backup(backup: Path) -> sqlite3.Connection:
    """A connection to read a backup, in which SQLite takes back a deletion that a power cut interrupted."""
    return connect(backup, "rw" if has_pending_log(backup) else "ro")


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection to the file at `path`: "ro" to read, "rw" to write, "rwc" to create it too."""
    # One thread appends; the thread that builds the table opens and closes. They never run at the same time.
    uri = f"{path.absolute().as_uri()}?mode={mode}{'&immutable=1' if mode == 'ro' and _is_unchangeable(path) else ''}"
    return sqlite3.connect(uri, uri=True, check_same_thread=False, isolation_level=None)


def _is_unchangeable(path: Path) -> bool:
    """Whether the directory is read-only and no log is pending, so that SQLite may open the file as immutable.

    SQLite reads a record in WAL mode only with a log and shared memory beside it, or as immutable.
    """
    return not os.access(path.parent, os.W_OK) and not has_pending_log(path)


def picture_in(path: Path, name: str) -> bytes | None:
    """The picture of that name in the record or backup at `path`; None if it is not whole there.

    Raises sqlite3.Error if the disk is at fault.
    """
    if not path.is_file():
        return None
    row = None
    with ignoring_damage(), closing(connect(path, "ro")) as reader:
        row = reader.execute("SELECT jpeg FROM pictures WHERE name = ?", (name,)).fetchone()
    jpeg = None if row is None else row[0]
    return jpeg if isinstance(jpeg, bytes) and picture_name(jpeg) == name else None


def whole_picture(record: Path, name: str) -> bytes | None:
    """The picture of that name in the record at `record`, else in its backup; None if it is whole in neither.

    Raises sqlite3.Error if the disk is at fault.
    """
    return picture_in(record, name) or picture_in(backup_of(record), name)


def picture_names(path: Path) -> set[str]:
    """Names of the pictures in the record or backup at `path`, whole or not; none if it is missing.

    Raises SQLITE_ERRORS.
    """
    if not path.is_file():
        return set()
    with closing(connect(path, "ro")) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM pictures")}


def whole_pictures(connection: sqlite3.Connection) -> Iterator[tuple[str, bytes]]:
    """Pictures whose content matches their name."""
    for name, jpeg in connection.execute("SELECT name, jpeg FROM pictures"):
        if isinstance(jpeg, bytes) and picture_name(jpeg) == name:
            yield name, jpeg
