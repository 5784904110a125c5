"""Database schema of the record, its migrations, and the hash chain over the events."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from companion.record.faults import ForeignRecordError, RecordDamage, ignoring_damage

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator

APPLICATION_ID = 0x42534445
"""SQLite's application_id of Boardside's files, "BSDE" in ASCII."""
SCHEMA_VERSION = 2
FIRST_VERSION = 1
"""The version whose events have no hashes."""
EVENT_COLUMNS = "number INTEGER PRIMARY KEY, at_s REAL NOT NULL, event TEXT NOT NULL, chain TEXT NOT NULL"
TABLES = (
    f"CREATE TABLE events ({EVENT_COLUMNS}) STRICT",
    "CREATE TABLE pictures (name TEXT PRIMARY KEY, jpeg BLOB NOT NULL) STRICT",
)
COLUMNS = {("number", "at_s", "event"): 1, ("number", "at_s", "event", "chain"): 2}
"""The version for each set of columns of the table of events."""
HIGHEST_VERSION = 128
"""Versions stay below this; a header that states more is damaged."""


def chain_hash(before: str, number: int, at_s: float, event: str) -> str:
    """Hash of one event: SHA-256 of the previous event's hash (empty before the first) and of the whole row.

    SQLite checks its own structure only; the chain also detects changed and missing rows.
    """
    return hashlib.sha256(f"{before} {number} {at_s!r} {event}".encode()).hexdigest()


def picture_name(jpeg: bytes) -> str:
    """Name of a picture, a hash of its content, so that equal pictures are stored once."""
    return hashlib.sha256(jpeg).hexdigest()[:20]


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Run the block in one transaction, committed to the disk at its end, rolled back if it raises."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def version_of(connection: sqlite3.Connection) -> int | None:
    """Schema version; None for a file without tables.

    The version in the header must agree with the columns of the tables. Raises RecordDamage if the header must be
    damaged, ForeignRecordError for another program's file and for a newer version.
    """
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if not tables:
        return None
    shown = COLUMNS.get(tuple(row[1] for row in connection.execute("PRAGMA table_info(events)")))
    ours = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    stated: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if ours and stated == shown:
        return stated
    if shown is not None and (not ours or _is_implausible(stated, shown)):
        raise RecordDamage("its header is damaged")
    if not ours:
        raise ForeignRecordError("it is a database, but not a Boardside record: choose another with --state")
    if stated > SCHEMA_VERSION:
        raise ForeignRecordError(
            f"it has version {stated}, this Boardside reads up to {SCHEMA_VERSION}: update Boardside"
        )
    raise RecordDamage("its tables are damaged")


def _is_implausible(stated: int, shown: int) -> bool:
    """Whether a header's version is a damaged one: one bit away from the tables' version, or out of range."""
    return (stated ^ shown).bit_count() == 1 or not 0 < stated < HIGHEST_VERSION


def create(connection: sqlite3.Connection) -> None:
    """Create the tables of a new record."""
    with transaction(connection):
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        for table in TABLES:
            connection.execute(table)


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Migrate a record of an older version, version by version, in one transaction."""
    with transaction(connection):
        for step in range(version, SCHEMA_VERSION):
            MIGRATIONS[step](connection)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _add_hash_chain(connection: sqlite3.Connection) -> None:
    """Migrate version 1, which had no hash chain."""
    rows = connection.execute("SELECT number, at_s, event FROM events ORDER BY number").fetchall()
    connection.execute("ALTER TABLE events ADD COLUMN chain TEXT NOT NULL DEFAULT ''")
    link = ""
    for number, at_s, event in rows:
        link = chain_hash(link, number, at_s, event)
        connection.execute("UPDATE events SET chain = ? WHERE number = ?", (link, number))


MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {1: _add_hash_chain}
"""The migration from each version to the next."""


def is_sound(connection: sqlite3.Connection) -> bool:
    """Whether SQLite's check passes, the header fits the tables, and the chain is complete.

    Raises ForeignRecordError, and sqlite3.Error if the disk is at fault.
    """
    with suppress(RecordDamage), ignoring_damage():
        if connection.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
            return False
        if (version_of(connection) or 0) < SCHEMA_VERSION:
            return True
        rows: int = connection.execute("SELECT count(*) FROM events").fetchone()[0]
        return sum(1 for _ in sound_rows(connection)) == rows
    return False


def sound_rows(connection: sqlite3.Connection, after: int = 0, link: str = "") -> Iterator[tuple[int, float, str, str]]:
    """Rows `(number, at_s, event, chain)` after event `after` with hash `link`, up to the first break of the chain."""
    rows = connection.execute(
        "SELECT number, at_s, event, chain FROM events WHERE number > ? ORDER BY number", (after,)
    )
    for expected, (number, at_s, event, chain) in enumerate(rows, start=after + 1):
        link = chain_hash(link, number, at_s, event)
        if number != expected or chain != link:
            return
        yield number, at_s, event, chain


def last_link(connection: sqlite3.Connection) -> tuple[int, str]:
    """Number and hash of the last event; (0, "") for an empty record."""
    row = connection.execute("SELECT number, chain FROM events ORDER BY number DESC LIMIT 1").fetchone()
    return (0, "") if row is None else (row[0], row[1])


def last_number(connection: sqlite3.Connection) -> int:
    """Number of the last event of a record of any version; 0 if there is none."""
    if version_of(connection) is None:
        return 0
    number: int = connection.execute("SELECT coalesce(max(number), 0) FROM events").fetchone()[0]
    return number
