"""Background worker that backs up the record during the game and retries writing on a full disk."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Any

from companion.record.backup import back_up
from companion.record.deleting import delete_pictures, empty_log
from companion.record.faults import RecordError
from companion.record.reader import GAME_ENDS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from companion.record.store import Record

LOG = logging.getLogger(__name__)
EVENTS_BETWEEN = 50
"""Events between two backups within a game, about a quarter of a game."""
REST = 20
"""Pause after a backup, as a multiple of its duration: backups take at most a twentieth of the time."""
RETRY_S = 5.0
"""Seconds between attempts while the record, or its backup, cannot be written."""


class BackupWorker:
    """The journal that the session writes to (`companion.record.Journal`)."""

    def __init__(
        self,
        record: Record,
        retry: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
        retry_s: float = RETRY_S,
    ) -> None:
        """Back up `record`; `retry()` makes the session try to write again, every `retry_s`; `clock` gives seconds."""
        self._retry_s = retry_s
        self._record = record
        self._retry = retry
        self._clock = clock
        self._newest = self._saved = 0
        self._failing = self._behind = False
        self._deleting = True  # a power cut may have interrupted it
        self._files = threading.Lock()
        self._due = threading.Event()
        self._stopping = threading.Event()

    @property
    def due(self) -> bool:
        """Whether `run` has something to do."""
        return self._due.is_set()

    def append_all(self, events: Sequence[tuple[dict[str, Any], float]], pictures: tuple[bytes, ...] = ()) -> int:
        """Append events with their times, and pictures. Raises RecordError, with nothing written, on failure."""
        try:
            number = self._record.append_all(events, pictures)
        except RecordError:
            self._failing = True
            self._due.set()
            raise
        self._failing = False
        self._newest = number
        if number - self._saved >= EVENTS_BETWEEN or any(event.get("event") in GAME_ENDS for event, _ in events):
            self._due.set()
        return number

    def try_writing(self) -> None:
        """Test whether the record can be written. Raises RecordError."""
        self._record.try_writing()
        self._failing = False

    def delete_pictures(self, names: Collection[str]) -> int:
        """Delete pictures from the record and its backup; returns how many there were.

        Raises RecordError; NotYetDeletedError if `run` has to finish it.
        """
        with self._files:
            try:
                return delete_pictures(self._record.path, names)
            except RecordError:
                self._deleting = True
                self._due.set()
                raise

    def run(self) -> None:
        """Back up, and finish deleting, whenever it is due until `stop`; back up a last time after it."""
        self._due.set()
        while not self._stopping.is_set():
            self._due.wait()
            self._due.clear()
            while self._failing and not self._stopping.wait(self._retry_s):
                self._retry()
            self._stopping.wait(max(self.finish_deleting(), self.back_up()))
        self.back_up()  # events since the last backup

    def stop(self) -> None:
        """Make `run` return after a last backup."""
        self._stopping.set()
        self._due.set()

    def back_up(self) -> float:
        """Back up if there are new events; returns the pause until the next backup, or attempt, in seconds."""
        if self._newest == self._saved:
            return 0.0
        began_s = self._clock()
        try:
            with self._files:
                self._saved = back_up(self._record.path)
        except RecordError as error:
            if not self._behind:
                LOG.warning("The record continues without a new backup: %s", error)
            self._behind = True
            self._due.set()
            return max(self._retry_s, REST * (self._clock() - began_s))
        self._behind = False
        return REST * (self._clock() - began_s)

    def finish_deleting(self) -> float:
        """Remove what is left of deleted pictures; returns the pause until the next attempt in seconds."""
        with self._files:
            if self._deleting and not empty_log(self._record.path):
                self._due.set()
                return self._retry_s
            self._deleting = False
        return 0.0
