"""Connections to a record that do not wait for its readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.record import deleting
from companion.record.backup import connect

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    import pytest


def delete_impatiently(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pictures be deleted without waiting for readers of the record."""

    def connected(path: Path, mode: str) -> sqlite3.Connection:
        connection = connect(path, mode)
        connection.execute("PRAGMA busy_timeout = 0")
        return connection

    monkeypatch.setattr(deleting, "connect", connected)
