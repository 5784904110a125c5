"""What an error of SQLite or the system means for the record: the disk cannot be used now, or the file is damaged."""

from __future__ import annotations

import sqlite3
from enum import Enum

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


class Fault(Enum):
    """DISK: may be mended from outside while the table waits. DAMAGE: the content is not what was written."""

    DISK = "disk"
    DAMAGE = "damage"


SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What reading a database raises; the second where SQLite quotes damaged text in a message of its own."""


def fault_of(error: Exception) -> Fault:
    """What an error of SQLITE_ERRORS or an OSError means.

    The class does not tell: text that is not UTF-8 is an OperationalError without a code.
    """
    if isinstance(error, OSError):
        return Fault.DISK
    code = getattr(error, "sqlite_errorcode", None)
    return Fault.DISK if code is not None and code & PRIMARY in OF_DISK else Fault.DAMAGE


def is_damage(error: Exception) -> bool:
    """Whether `error`, one of SQLITE_ERRORS or an OSError, means that a file is damaged."""
    return fault_of(error) is Fault.DAMAGE
