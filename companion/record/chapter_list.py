"""The chapters of a record that a table may be writing; only the new part is read again."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Generic, TypeVar

from companion.record.reader import ends_before, sheet_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from companion.record.partial_reader import RecordReader
    from companion.record.store import Entry

ChapterT = TypeVar("ChapterT")


class GrowingChapters(Generic[ChapterT]):
    """The chapters of a record, oldest first, as `chapters` divides it, each summed up from its entries.

    Attribute `open` has the entries of the last chapter, which may grow.
    """

    def __init__(
        self,
        reader: RecordReader,
        sum_up: Callable[[Sequence[Entry], int | None], tuple[ChapterT, ...]],
        kinds: Collection[str] = (),
    ) -> None:
        """Read only the events of these `kinds`; empty: all.

        `sum_up(entries, last)` returns the chapter of these entries as a tuple, empty if no game begins in it. `last`
        is the number of the last event before the next chapter; None if that has not begun.
        """
        self.open: list[Entry] = []
        self._reader = reader
        self._sum_up = sum_up
        self._kinds = kinds
        self._closed: list[ChapterT] = []
        self._read = 0, ""

    def all(self) -> list[ChapterT]:
        """All chapters of the record as it is now. Raises RecordError."""
        number, link = self._read
        last = self._reader.last()
        closed, going_on = list(self._closed), list(self.open)  # an error leaves both as they were
        if number and self._reader.link_of(number) != link:  # the record was replaced, or a match was deleted
            closed, going_on, number = [], [], 0
        for entry in self._reader.each(number + 1, last[0], self._kinds) if last[0] > number else ():
            if going_on and ends_before(going_on, entry):
                closed += self._sum_up(going_on, entry.number - 1)
                going_on = []
            going_on.append(entry)
        self._closed, self.open, self._read = closed, going_on, last
        return [*closed, *self._sum_up(going_on, None)]


class ChapterList:
    """The chapters of a record with their entries; any thread may ask."""

    def __init__(self, reader: RecordReader) -> None:
        self._reader = reader
        self._lock = threading.Lock()
        self._chapters = GrowingChapters(reader, _span)

    def __len__(self) -> int:
        """Number of chapters. Raises RecordError."""
        with self._lock:
            return len(self._chapters.all())

    def of_entry(self, entry: int | None) -> tuple[int, list[Entry], bool] | None:
        """The chapter with event `entry` (None: the last): its number, from 1, its entries, and whether it is the last.

        None if no chapter has it. Raises RecordError.
        """
        with self._lock:
            spans = self._chapters.all()
            found = (n for n, (first, last) in enumerate(spans, 1) if entry is None or first <= entry <= last)
            return self._chapter(max(found, default=0), spans)

    def numbered(self, number: int) -> tuple[int, list[Entry], bool] | None:
        """The same for the chapter with that number."""
        with self._lock:
            return self._chapter(number, self._chapters.all())

    def _chapter(self, number: int, spans: list[tuple[int, int]]) -> tuple[int, list[Entry], bool] | None:
        if not 1 <= number <= len(spans):
            return None
        first, last = spans[number - 1]
        going_on = self._chapters.open
        entries = list(going_on) if going_on and going_on[0].number == first else self._reader.entries(first, last)
        return number, entries, number == len(spans)


def _span(chapter: Sequence[Entry], _last: int | None) -> tuple[tuple[int, int], ...]:
    """The numbers of a chapter's first and last entry."""
    return () if sheet_of(chapter) is None else ((chapter[0].number, chapter[-1].number),)
