"""What an error of SQLite or the system means for the record: the disk cannot be used now, or the file is damaged."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

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
SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What reading a database raises; the second where SQLite quotes damaged text in a message of its own."""


def is_damage(error: Exception) -> bool:
    """Whether `error`, one of SQLITE_ERRORS or an OSError, means damage; otherwise the disk may be mended meanwhile.

    The class does not tell: text that is not UTF-8 is an OperationalError without a code.
    """
    if isinstance(error, OSError):
        return False
    code = getattr(error, "sqlite_errorcode", None)
    return code is None or code & PRIMARY not in OF_DISK


@contextmanager
def damage_passed_over() -> Iterator[None]:
    """Suppress errors that mean damage to the database that is read; those of the disk are raised."""
    try:
        yield
    except SQLITE_ERRORS as error:
        if not is_damage(error):
            raise
