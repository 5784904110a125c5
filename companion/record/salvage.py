"""Finds events in the bytes of damaged files: a row that continues the chain of hashes is intact, wherever it is.

SQLite discards a page with one wrong byte, and everything after such a byte in a write-ahead log. An event's text and
hash follow each other in the file (https://www.sqlite.org/fileformat2.html, 2.1), so SQLite is not needed to find them.
"""

from __future__ import annotations

import re
import struct
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.record.schema import chain_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Row = tuple[int, float, str, str]
    """Number, seconds since 1970, event in JSON, hash."""

_ROW = re.compile(rb"(?=(.{8})(\{\"[\x20-\x7e]{0,4000}?\})([0-9a-f]{64}))", re.DOTALL)
"""Eight bytes that end with the time, the JSON text (ASCII), and the hash; rows on overflow pages are not found."""
_INTEGER_BYTES = (1, 2, 3, 4, 6, 8)
"""Bytes of an integer; SQLite stores a real number without a fraction as one. 0 and 1 take none."""


class Carved:
    """The rows found in the bytes of some files."""

    def __init__(self, contents: Iterable[bytes]) -> None:
        """Search the contents of the files, which often contain the same rows."""
        found = {match.groups() for content in contents for match in _ROW.finditer(content)}
        self._rows = sorted(found, key=lambda row: _real(row[0]))  # nearly the order of the events
        self._next = 0

    def after(self, number: int, link: str) -> Row | None:
        """The row that follows event `number` with hash `link`; None if no whole copy of it was found."""
        rows = self._rows
        for offset in range(len(rows)):
            at = (self._next + offset) % len(rows)
            time, text, chain = rows[at]
            event = text.decode("ascii")
            for at_s in _times(time):
                if chain_hash(link, number + 1, at_s, event) == chain.decode("ascii"):
                    self._next = at + 1
                    return number + 1, at_s, event, chain.decode("ascii")
        return None


def _real(time: bytes) -> float:
    value: float = struct.unpack(">d", time)[0]
    return value if value == value else 0.0  # not a number


def _times(time: bytes) -> Iterator[float]:
    """The times that the bytes before an event may encode."""
    yield _real(time)
    for length in _INTEGER_BYTES:
        with suppress(OverflowError):
            yield float(int.from_bytes(time[-length:], "big", signed=True))
    yield from (0.0, 1.0)
