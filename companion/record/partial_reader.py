"""Reads parts of a record that a table may be writing, without holding all of it in memory; from any thread."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.record.backup import connect, picture_names, whole_picture
from companion.record.faults import as_record_error
from companion.record.store import Entry

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Link:
    """One event with its place in the chain: `chain` is the hash over the hash before, number, time and `text`."""

    number: int
    at_s: float
    text: str
    chain: str


class RecordReader:
    """Reads the record at `path`, which need not exist yet."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def last(self) -> tuple[int, str]:
        """Number and hash of the last event; (0, "") where there is none. Raises RecordError."""
        rows = list(self._rows("1 ORDER BY number DESC LIMIT 1"))
        return (rows[0].number, rows[0].chain) if rows else (0, "")

    def link_of(self, number: int) -> str:
        """The hash of event `number`; empty where there is none. Raises RecordError."""
        return next((row.chain for row in self._rows("number = ?", number)), "")

    def entries(self, first: int, last: int) -> list[Entry]:
        """The events with the numbers from `first` to `last`. Raises RecordError."""
        return list(self.each(first, last))

    def each(self, first: int, last: int, kinds: Collection[str] = ()) -> Iterator[Entry]:
        """The same, or only those of some kinds, one at a time. Raises RecordError."""
        likes = " OR ".join(["event LIKE ?"] * len(kinds)) or "1"
        patterns = (f'{{"event":"{kind}"%' for kind in kinds)
        return map(_entry, self._rows(f"number BETWEEN ? AND ? AND ({likes}) ORDER BY number", first, last, *patterns))

    def links(self, first: int, last: int) -> list[Link]:
        """The same with their places in the chain. Raises RecordError."""
        return list(self._rows("number BETWEEN ? AND ? ORDER BY number", first, last))

    def picture(self, name: str) -> bytes | None:
        """The JPEG picture of that name of a dispute or an answer, if need be from the backup; None: there is none.

        Raises RecordError.
        """
        with as_record_error(self.path, "read"):
            return whole_picture(self.path, name)

    def picture_names(self) -> set[str]:
        """Names of all pictures in the record itself. Raises RecordError."""
        with as_record_error(self.path, "read"):
            return picture_names(self.path)

    def _rows(self, which: str, *values: int | str) -> Iterator[Link]:
        if not self.path.exists():
            return
        query = f"SELECT number, at_s, event, chain FROM events WHERE {which}"  # noqa: S608 - written above
        with as_record_error(self.path, "read"), closing(connect(self.path, "ro")) as connection:
            for row in connection.execute(query, values):
                yield Link(*row)


def _entry(row: Link) -> Entry:
    return Entry(row.number, row.at_s, json.loads(row.text))
