"""What is done about a damaged record: it is set aside, and the last good state is put in its place."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from companion.backup import backup_of, claimed_by_backup, events_in_backup, opened
from companion.dice_secrets import sync_directory
from companion.record_schema import (
    SCHEMA_VERSION,
    RecordError,
    create,
    is_sound,
    last_link,
    migrate,
    picture_name,
    sound_rows,
    transaction,
    version_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

BESIDE = ("", "-wal", "-shm")
"""The database, and what SQLite keeps beside it."""


@dataclass(frozen=True, slots=True)
class Rescue:
    """A record that was put right at the start.

    Attributes:
        set_aside: where the damaged file was moved to; None where there was no file any more.
        events: how many events were saved.
        until_s: when the last of them was written (seconds since 1970); None where there is none.
    """

    set_aside: Path | None
    events: int
    until_s: float | None

    @property
    def words(self) -> str:
        """What the players are told."""
        damaged = "was gone" if self.set_aside is None else f"was damaged: it is kept as {self.set_aside}"
        if self.until_s is None:
            return f"The record {damaged}. A new one begins."
        until = f"{datetime.fromtimestamp(self.until_s).astimezone():%Y-%m-%d %H:%M:%S}"
        return (
            f"The record {damaged}. All {self.events} events until {until} were saved; look whether the game is right."
        )


def sound_or_rescued(path: Path) -> Rescue | None:
    """See that a sound record, or none at all, lies at `path`; None where nothing had to be done.

    Raises RecordError for a file that is not ours or from a newer version, OSError and sqlite3.Error where the disk
    does not let us.
    """
    fresh = path.with_name(f"{path.name}.restored")
    if not path.exists():
        if not fresh.exists():  # else a restart came in the middle of what follows
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
    """How many events the file holds; -1 where it is damaged or was cut off before its first table."""
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
    """Build the record anew at `fresh`: the backup, then what the damaged file still holds beyond it."""
    for suffix in BESIDE:
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
    """Append to `target` what a copy of the damaged file at `path` still tells, as far as its chain is whole."""
    copy = path.with_name(f"{path.name}.salvaging")
    try:
        for suffix in BESIDE[:2]:
            part = path.with_name(path.name + suffix)
            if part.exists():
                shutil.copyfile(part, copy.with_name(copy.name + suffix))
        with closing(opened(copy, "rw")) as source, transaction(target):
            for row in _readable(lambda: sound_rows(source, *last_link(target))):
                target.execute("INSERT INTO events VALUES (?, ?, ?, ?)", row)
            for row in _readable(lambda: _pictures(source)):
                target.execute("INSERT OR IGNORE INTO pictures VALUES (?, ?)", row)
    finally:
        for suffix in BESIDE:
            copy.with_name(copy.name + suffix).unlink(missing_ok=True)


def _readable(read: Callable[[], Iterator[tuple[Any, ...]]]) -> Iterator[tuple[Any, ...]]:
    """The rows of a damaged file up to the first that cannot be read."""
    try:
        rows = read()
        while (row := next(rows, None)) is not None:
            yield row
    except sqlite3.DatabaseError:
        return


def _pictures(source: sqlite3.Connection) -> Iterator[tuple[str, bytes]]:
    """The pictures that are what their name says."""
    for name, jpeg in source.execute("SELECT name, jpeg FROM pictures"):
        if picture_name(jpeg) == name:
            yield name, jpeg


def _move_aside(path: Path) -> Path:
    """Rename the damaged file (and what SQLite keeps beside it) to the first free name; returns that name."""
    number = 1
    while (target := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    for suffix in BESIDE:  # the database first: once it is away, a restart goes on with what was restored
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
    for suffix in BESIDE[1:]:  # left over where a restart came in between: not of the file that comes here
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    os.replace(fresh, path)  # noqa: PTH105 - one name for the kill test to stop at
    sync_directory(path.parent)
    return Rescue(set_aside, events, None if row is None else float(row[0]))
