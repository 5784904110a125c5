"""Reads parts of a record that a table may be writing, without holding all of it in memory; from any thread."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from companion.record.backup import connect, picture_names, whole_picture
from companion.record.faults import as_record_error
from companion.record.store import Entry

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from pathlib import Path

RowT = TypeVar("RowT")


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
        """Number and hash of the last event; (0, "") if there is none. Raises RecordError."""
        rows = list(self._rows(Link, "1 ORDER BY number DESC LIMIT 1"))
        return (rows[0].number, rows[0].chain) if rows else (0, "")

    def link_of(self, number: int) -> str:
        """The hash of event `number`; empty if there is none. Raises RecordError."""
        return next((row.chain for row in self._rows(Link, "number = ?", number)), "")

    def entries(self, first: int, last: int) -> list[Entry]:
        """The events with the numbers from `first` to `last`. Raises RecordError."""
        return list(self.each(first, last))

    def each(self, first: int, last: int, kinds: Collection[str] = ()) -> Iterator[Entry]:
        """The same, or only those of some kinds, one at a time. Raises RecordError."""
        likes = " OR ".join(["event LIKE ?"] * len(kinds)) or "1"
        patterns = (f'{{"event":"{kind}"%' for kind in kinds)
        which = f"number BETWEEN ? AND ? AND ({likes}) ORDER BY number"
        return self._rows(_entry, which, first, last, *patterns)

    def links(self, first: int, last: int) -> list[Link]:
        """The same with their places in the chain. Raises RecordError."""
        return list(self._rows(_whole_link, "number BETWEEN ? AND ? ORDER BY number", first, last))

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

    def _rows(self, made: Callable[[int, float, str, str], RowT], which: str, *values: int | str) -> Iterator[RowT]:
        """What `made` makes of each row, in a block that converts its errors too."""
        if not self.path.exists():
            return
        query = f"SELECT number, at_s, event, chain FROM events WHERE {which}"  # noqa: S608 - written above
        with as_record_error(self.path, "read"), closing(connect(self.path, "ro")) as connection:
            for row in connection.execute(query, values):
                yield made(*row)


def _entry(number: int, at_s: float, text: str, _chain: str) -> Entry:
    return Entry.from_row(number, at_s, text)


def _whole_link(number: int, at_s: float, text: str, chain: str) -> Link:
    """The row itself; raises RecordError if its text is damaged."""
    Entry.from_row(number, at_s, text)
    return Link(number, at_s, text, chain)
