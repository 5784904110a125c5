"""Errors of the record; errors of SQLite and the system sorted into damage and trouble with the disk."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from companion.core import BoardsideError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PRIMARY = 0xFF
"""The lowest byte of an extended result code is the primary code (https://www.sqlite.org/rescode.html)."""
OF_DISK = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_IOERR,
    }
)
JOURNAL = "-journal"
"""Ending of SQLite's file beside a database that is not in WAL mode."""
LOGS = ("-wal", JOURNAL)
"""Endings of the files with what SQLite has not put into the database yet."""
SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""Exceptions from reading a database; the second if SQLite quotes damaged text in its message."""


class RecordError(BoardsideError):
    """The record cannot be opened, written or read; the message names the file and the remedy."""


class RecordDamage(RecordError):
    """The record's content is not what was written."""


class ForeignRecordError(RecordError):
    """The file is another program's, or a newer Boardside's."""


def is_damage(error: Exception) -> bool:
    """Whether `error`, one of SQLITE_ERRORS or an OSError, means damage; if not, the disk is at fault and may recover.

    The exception's class is not enough: text that is not UTF-8 raises an OperationalError without a code.
    """
    if isinstance(error, OSError):
        return False
    code = getattr(error, "sqlite_errorcode", None)
    return code is None or code & PRIMARY not in OF_DISK


def has_pending_log(path: Path) -> bool:
    """Whether a write-ahead log or journal beside the database at `path` holds changes that are not in it yet."""
    try:
        logs = (path.with_name(f"{path.name}{ending}") for ending in LOGS)
        return any(log.exists() and log.stat().st_size for log in logs)
    except OSError:
        return False


def log_remedy(path: Path, error: Exception) -> str:
    """The remedy if the database could not be opened because of its log; else empty.

    A log is only read if shared memory can be made beside it.
    """
    code = getattr(error, "sqlite_errorcode", None)
    if code is None or code & PRIMARY != sqlite3.SQLITE_CANTOPEN or not has_pending_log(path):
        return ""
    return (
        f"What was recorded last is in {path.name}{LOGS[0]} and is read only where its directory can be written to: "
        "copy both to where they can be written."
    )


@contextmanager
def ignoring_damage() -> Iterator[None]:
    """Suppress errors that mean damage to the database in the block; errors of the disk are raised."""
    try:
        yield
    except SQLITE_ERRORS as error:
        if not is_damage(error):
            raise


@contextmanager
def as_record_error(path: Path, doing: str) -> Iterator[None]:
    """Convert errors of SQLite and the system in the block to a RecordError naming the file and the remedy."""
    try:
        yield
    except RecordError as error:
        raise RecordError(f"cannot {doing} the record {str(path)!r}: {error}") from error
    except (OSError, *SQLITE_ERRORS) as error:
        raise RecordError(f"cannot {doing} the record {str(path)!r}: {error}. {_remedy(path, error)}") from error


def _remedy(path: Path, error: Exception) -> str:
    """The remedy for an error of SQLite or the system."""
    if mend := log_remedy(path, error):
        return mend
    for word, mend in (
        ("full", "Free some space on that disk; nothing recorded so far is lost."),
        ("No space", "Free some space on that disk; nothing recorded so far is lost."),
        ("locked", "Stop the other Boardside that uses this state directory."),
        ("readonly", "Make the file and its directory writable, or choose another with --state."),
        ("Read-only", "Make the file and its directory writable, or choose another with --state."),
    ):
        if word in str(error):
            return mend
    if is_damage(error):
        return "Start Boardside again: it recovers the record from its backup and from what can still be read."
    return (
        "Check that its directory exists and can be written to, and that its disk has free space, or choose another "
        "directory with --state."
    )
