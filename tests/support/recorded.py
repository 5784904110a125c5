"""A record with given events, and its content after it was reopened."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from companion.record import Record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PICTURE = b"jpeg" * 3000


def appended(path: Path, events: Sequence[dict[str, Any]], first: int = 0) -> None:
    """Append events, one a second, to the record at `path`; the first of all with a picture."""
    with closing(Record.open(path)) as record:
        for n, event in enumerate(events, start=first):
            record.append(event, 1000.5 + n, (PICTURE,) if n == 0 else ())


def opened(path: Path) -> tuple[list[dict[str, Any]], Any]:
    """The events in the record after opening it, and the recovery."""
    with closing(Record.open(path)) as record:
        return [entry.event for entry in record.entries()], record.rescue
