"""The session's journal: writes every event and remembers whether writing works."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Generic, Protocol, runtime_checkable

from companion.core import PositionT
from companion.record.faults import RecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.game import Event
    from companion.record.event_codec import EventJson

LOG = logging.getLogger(__name__)


class Journal(Protocol):
    """Store of events, such as `companion.record.Record`."""

    def append_all(self, events: Sequence[tuple[dict[str, Any], float]], pictures: tuple[bytes, ...] = ()) -> int:
        """Append events with their times, and pictures. Raises RecordError, with nothing written, on failure."""


@runtime_checkable
class Probed(Protocol):
    """A journal that can be tested for writing."""

    def try_writing(self) -> None:
        """Test whether the record can be written. Raises RecordError."""


class RecordJournal(Generic[PositionT]):
    """Writes events before they take effect.

    Attributes:
        trouble: why nothing can be written now; None if writing works. The game waits until it does.
    """

    def __init__(self, journal: Journal | None, codec: EventJson[PositionT], clock: Callable[[], float]) -> None:
        """`journal` None: nothing is stored; `clock` gives seconds since 1970."""
        self._journal = journal
        self._codec = codec
        self._clock = clock
        self.trouble: str | None = None

    def now_s(self) -> float:
        """Seconds since 1970."""
        return self._clock()

    def keep(self, events: Sequence[Event[PositionT]], pictures: tuple[bytes, ...] = ()) -> None:
        """Write `events`; once this returns, all are on the disk. Raises RecordError with nothing written."""
        if self._journal is None:
            return
        try:
            self._journal.append_all([(self._codec.encode(event), self._clock()) for event in events], pictures)
        except RecordError as error:
            self._failed(error)
            raise
        self._recovered()

    def try_again(self) -> None:
        """After a failure, test whether writing works again."""
        journal: object = self._journal
        if self.trouble is None or not isinstance(journal, Probed):
            return
        try:
            journal.try_writing()
        except RecordError as error:
            self._failed(error)
        else:
            self._recovered()

    def _failed(self, error: RecordError) -> None:
        if self.trouble is None:
            LOG.warning("The game waits: %s", error)
        self.trouble = str(error)

    def _recovered(self) -> None:
        if self.trouble is not None:
            LOG.warning("The record can be written again: the game goes on.")
        self.trouble = None
