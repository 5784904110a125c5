"""The pictures that turns were judged by: files beside the record, each named by the hash of its content.

The session only queues a picture; another thread writes it. A picture that cannot be kept is logged and never stops the
game, and pictures never fill the disk that the game is recorded on.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
from contextlib import suppress
from enum import StrEnum
from queue import SimpleQueue
from typing import TYPE_CHECKING

from companion.core import OWNER_ONLY, read_bytes
from companion.record.schema import picture_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

LOG = logging.getLogger(__name__)
MOST_BYTES = 500_000_000
"""Size of all pictures in bytes: at 200 kB each, those of forty games."""
LARGEST = 20_000_000
"""Size of one picture in bytes."""
LEFT_FREE = 200_000_000
"""Bytes of the disk that pictures leave free for the record and everything else."""
MOST_WAITING = 16
"""Pictures that wait to be written: turns come more slowly than a card writes."""
_NAME = re.compile(r"[0-9a-f]{20}")
_ENDING = ".jpg"


class Keep(StrEnum):
    """Which pictures are kept."""

    NONE = "none"
    MATCH = "match"
    """Those of the last match: the first picture of the next match deletes them."""
    ALL = "all"


class KeptPictures:
    """The folder of pictures. `keep` and `match_begins` are for one thread, `run` for another, the rest for any."""

    def __init__(
        self,
        folder: Path,
        what: Keep = Keep.MATCH,
        *,
        most_bytes: int = MOST_BYTES,
        free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
    ) -> None:
        """Use `folder`, created with the first picture; `free_bytes(folder)` returns the free bytes of its disk.

        Attribute `trouble` says why the last picture was not kept; None if it was.
        """
        self.trouble: str | None = None
        self._folder = folder
        self._what = what
        self._most_bytes = most_bytes
        self._free_bytes = free_bytes
        self._clear_first = False
        self._waiting: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        if what is Keep.NONE:
            self._waiting.put(self._clear)

    def keep(self, jpeg: bytes | None) -> str | None:
        """Queue a picture for writing; returns its name, None if it is not kept."""
        if jpeg is None or self._what is Keep.NONE:
            return None
        if self._waiting.qsize() >= MOST_WAITING:
            self._failed("the disk is too slow")
            return None
        if self._clear_first and self._what is not Keep.ALL:
            self._waiting.put(self._clear)
        self._clear_first = False
        name = picture_name(jpeg)
        self._waiting.put(lambda: self._write(name, jpeg))
        return name

    def match_begins(self) -> None:
        """Another match or series begins: its first picture will delete the old ones, unless all are kept.

        They are not deleted at once, because one player alone can begin a match while the other still wants them.
        """
        self._clear_first = True

    def choose(self, what: Keep) -> None:
        """Keep `what` from now on."""
        self._what = what
        if what is Keep.NONE:
            self._waiting.put(self._clear)

    def picture(self, name: str) -> bytes | None:
        """The picture of that name; None if it is missing or not whole."""
        path = self._path(name)
        if path is None:
            return None
        try:
            jpeg = read_bytes(path, LARGEST)
        except OSError:
            return None
        return jpeg if picture_name(jpeg) == name else None

    def names(self) -> set[str]:
        """The names of all pictures."""
        return {path.stem for path in self._files()}

    def delete(self, names: Iterable[str]) -> int:
        """Delete pictures; returns how many there were. Raises OSError if one cannot be deleted."""
        found = [path for path in map(self._path, names) if path is not None and path.exists()]
        for path in found:
            path.unlink()
        return len(found)

    def run(self) -> None:
        """Write and clear until `stop`."""
        while (work := self._waiting.get()) is not None:
            try:
                work()
            except OSError as error:
                self._failed(f"{error.strerror} ({self._folder})")

    def stop(self) -> None:
        """Let `run` return once everything is written."""
        self._waiting.put(None)

    def _write(self, name: str, jpeg: bytes) -> None:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        if self._free_bytes(self._folder) < LEFT_FREE + len(jpeg):
            self._failed("the disk is nearly full")
            return
        path = self._folder / f"{name}{_ENDING}"
        fresh = path.with_suffix(".new")
        try:
            with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ONLY), "wb") as file:  # noqa: PTH123
                file.write(jpeg)  # not synced: the record comes first, and a torn picture does not match its name
            fresh.replace(path)
        finally:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
        self.trouble = None
        self._make_room()

    def _make_room(self) -> None:
        """Delete the oldest pictures beyond the limit."""
        sizes = [(stat.st_mtime_ns, stat.st_size, path) for path in self._files() for stat in (path.stat(),)]
        too_many = sum(size for _, size, _ in sizes) - self._most_bytes
        for _, size, path in sorted(sizes):
            if too_many <= 0:
                return
            path.unlink()
            too_many -= size

    def _clear(self) -> None:
        for path in self._files():
            path.unlink()

    def _files(self) -> list[Path]:
        return [path for path in self._folder.glob(f"*{_ENDING}") if _NAME.fullmatch(path.stem)]

    def _path(self, name: str) -> Path | None:
        return self._folder / f"{name}{_ENDING}" if _NAME.fullmatch(name) else None

    def _failed(self, why: str) -> None:
        if self.trouble is None:
            LOG.warning("Pictures of turns are not kept, the game goes on: %s", why)
        self.trouble = why
