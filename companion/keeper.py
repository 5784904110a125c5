"""Keeps the record safe while the game goes on: backs it up in a thread of its own, and tries again on a full disk."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Any

from companion.backup import back_up
from companion.record import RecordError
from companion.resume import GAME_ENDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.record import Record

LOG = logging.getLogger(__name__)
EVENTS_BETWEEN = 50
"""Some quarter of a game: after so many events the record is backed up in the middle of one."""
REST = 20
"""A backup copies everything: the next waits this many times as long as the last took, so that even a huge record and
a slow card are busy with it one part in twenty."""
RETRY_S = 5.0
"""While nothing can be written, so often is it tried."""


class Keeper:
    """The journal that the session writes to (`companion.ledger.Journal`)."""

    def __init__(
        self,
        record: Record,
        retry: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
        retry_s: float = RETRY_S,
    ) -> None:
        """Keep `record`; `retry()` lets the session try again to write, every `retry_s`; `clock` gives seconds."""
        self._retry_s = retry_s
        self._record = record
        self._retry = retry
        self._clock = clock
        self._newest = self._saved = 0
        self._failing = False
        self._due = threading.Event()
        self._stopping = threading.Event()

    @property
    def due(self) -> bool:
        """Whether there is something to do for `run`."""
        return self._due.is_set()

    def append(self, event: dict[str, Any], at_s: float, pictures: tuple[bytes, ...] = ()) -> int:
        """Keep one event and its pictures. Raises RecordError, with nothing kept, where it cannot."""
        try:
            number = self._record.append(event, at_s, pictures)
        except RecordError:
            self._failing = True
            self._due.set()
            raise
        self._failing = False
        self._newest = number
        if number - self._saved >= EVENTS_BETWEEN or event.get("event") in GAME_ENDS:
            self._due.set()
        return number

    def try_writing(self) -> None:
        """Write what changes nothing. Raises RecordError where that cannot be."""
        self._record.try_writing()
        self._failing = False

    def run(self) -> None:
        """Back up whenever it is due, until `stop`; a last time then."""
        while not self._stopping.is_set():
            self._due.wait()
            self._due.clear()
            while self._failing and not self._stopping.wait(self._retry_s):
                self._retry()
            self._stopping.wait(self.back_up())
        self.back_up()  # of what came while it rested

    def stop(self) -> None:
        """Let `run` return after a last backup."""
        self._stopping.set()
        self._due.set()

    def back_up(self) -> float:
        """Back up if anything was added since; returns for how many seconds to rest then."""
        if self._newest == self._saved:
            return 0.0
        began_s = self._clock()
        try:
            self._saved = back_up(self._record.path)
        except RecordError as error:
            LOG.warning("The record goes on without a fresh backup: %s", error)
            return RETRY_S
        return REST * (self._clock() - began_s)
