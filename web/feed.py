"""The live feed: server-sent events with the table's state, one stream for each page that watches."""

from __future__ import annotations

import json
import secrets
import threading
from typing import TYPE_CHECKING, Any

from web.view_model import lasting_state, passing_state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.interface import Snapshot
    from web.table_view import TableView
    from web.texts import PageTexts

HEARTBEAT_S = 10.0
"""An idle stream says something at least this often: only writing shows that a page has gone."""

MOST_STREAMS = 40
"""Of the server's threads the streams may hold so many; the others answer everybody else."""

RETRY_MS = 2000

LONGEST_VERSION = 15
"""Digits: a table that shows a thousand things a second needs thirty thousand years for more."""


class Feed:
    """Hands out streams of events, as many as there is room for.

    Of each snapshot the lasting state is made once for each language in use.
    """

    def __init__(
        self,
        table: TableView,
        *,
        heartbeat_s: float = HEARTBEAT_S,
        most_streams: int = MOST_STREAMS,
    ) -> None:
        self.table = table
        self._lasting: dict[str, tuple[int, dict[str, Any]]] = {}
        self._rendering = threading.Lock()
        self.heartbeat_s = heartbeat_s
        self.run_id = secrets.token_hex(4)
        """Tells this run's versions from those of a run before a restart, which count from the beginning again."""
        self._room = threading.BoundedSemaphore(most_streams)

    def state(self, snapshot: Snapshot, words: PageTexts) -> dict[str, Any]:
        """Everything a page draws of `snapshot`, in the language of `words`."""
        words = words.calling(snapshot.names)
        with self._rendering:
            version, lasting = self._lasting.get(words.language, (None, {}))
            if version != snapshot.version:
                lasting = lasting_state(snapshot, words)
                self._lasting[words.language] = (snapshot.version, lasting)
        loose = self.table.simulated
        return {**lasting, **passing_state(snapshot, None if loose is None else loose.checkers(), words)}

    def open(self, last_event_id: str | None, words: PageTexts) -> Stream | None:
        """A stream in the language of `words` that goes on after `last_event_id`; None where there is no room."""
        run_id, _, version = (last_event_id or "").partition("-")
        known = run_id == self.run_id and version.isdecimal() and len(version) <= LONGEST_VERSION
        seen = int(version) if known else -1
        if not self._room.acquire(blocking=False):
            return None
        return Stream(self, words, seen, self._room.release)


class Stream:
    """One page's stream. Not a generator: closing it must give its room back even where it was never read."""

    def __init__(self, feed: Feed, words: PageTexts, seen: int, give_back: Callable[[], None]) -> None:
        self._feed = feed
        self._words = words
        self._seen = seen
        self._give_back: Callable[[], None] | None = give_back
        self._greeted = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        """The next event, or a comment where nothing has changed for a heartbeat."""
        if self._give_back is None:
            raise StopIteration
        if not self._greeted:
            self._greeted = True
            return f": Boardside\nretry: {RETRY_MS}\n\n"
        snapshot = self._feed.table.snapshot()
        if snapshot.version <= self._seen:
            newer = self._feed.table.wait(self._seen, self._feed.heartbeat_s)
            if newer is None:
                return ": still here\n\n"
            snapshot = newer
        self._seen = snapshot.version
        data = json.dumps(self._feed.state(snapshot, self._words), separators=(",", ":"))
        return f"id: {self._feed.run_id}-{snapshot.version}\nevent: state\ndata: {data}\n\n"

    def close(self) -> None:
        """End the stream and give its room back."""
        if self._give_back is not None:
            give_back, self._give_back = self._give_back, None
            give_back()
