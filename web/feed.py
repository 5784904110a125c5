"""The live feed: server-sent events with the table's state, one stream for each page."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from web.page_state import unversioned_state, versioned_state

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.interface import Snapshot
    from web.table_view import TableView
    from web.texts import PageTexts

HEARTBEAT_S = 10.0
"""Longest silence of a stream: proxies close idle connections."""

MOST_STREAMS = 64
"""A quarter of them is reserved for devices with a seat."""

STREAMS_PER_ADDRESS = 8
"""Most streams of an address without a seat; a page closes its stream while it is hidden."""

WATCHERS_EVERY_S = 0.1
"""Shortest time between two events for streams without a seat: the table's own work comes first."""

PUSHER_WAKES_S = 1.0
RETRY_MS = 2000
GREETING = b": Boardside\nretry: %d\n\n" % RETRY_MS
"""The first piece of a stream."""
HEARTBEAT = b": still here\n\n"

LONGEST_VERSION = 15
"""Most digits of a version: a thousand snapshots a second would take thirty thousand years to need more."""


class Feed:
    """Opens streams of events, up to a limit.

    What depends on the snapshot alone is rendered once for each language in use. One thread sends the events of the
    streams that a server has started, to players first; it runs while there are any.
    """

    def __init__(self, table: TableView, *, heartbeat_s: float = HEARTBEAT_S, most_streams: int = MOST_STREAMS) -> None:
        """A feed of `table`; a quarter of `most_streams` is reserved for devices with a seat."""
        self.table = table
        self._versioned: dict[str, tuple[int, dict[str, Any], str]] = {}
        self._events: dict[str, tuple[Snapshot, bytes]] = {}
        self._rendering = threading.Lock()
        self.heartbeat_s = heartbeat_s
        self.run_id = secrets.token_hex(4)
        """Distinguishes this run's versions from those before a restart, which began at the same number."""
        self.most_streams = most_streams
        self._lock = threading.Lock()
        self._streams: set[Stream] = set()
        self._pushing = False

    def state(self, snapshot: Snapshot, words: PageTexts) -> dict[str, Any]:
        """Everything a page draws of `snapshot`, in the language of `words`."""
        words = words.calling(snapshot.names)
        return {**self._versioned_of(snapshot, words)[0], **self._unversioned_of(snapshot, words)}

    def json(self, snapshot: Snapshot, words: PageTexts) -> str:
        """The same as JSON, made once for all pages."""
        words = words.calling(snapshot.names)
        unversioned = json.dumps(self._unversioned_of(snapshot, words), separators=(",", ":"))
        return f"{self._versioned_of(snapshot, words)[1][:-1]},{unversioned[1:]}"

    def event(self, snapshot: Snapshot, words: PageTexts) -> bytes:
        """The event with the state of `snapshot`; made once for all streams that get it together."""
        known, event = self._events.get(words.language, (None, b""))
        if known is not snapshot:
            data = self.json(snapshot, words)
            event = f"id: {self.run_id}-{snapshot.version}\nevent: state\ndata: {data}\n\n".encode()
            self._events[words.language] = (snapshot, event)
        return event

    def _versioned_of(self, snapshot: Snapshot, words: PageTexts) -> tuple[dict[str, Any], str]:
        with self._rendering:
            version, state, text = self._versioned.get(words.language, (None, {}, ""))
            if version != snapshot.version:
                state = versioned_state(snapshot, words)
                text = json.dumps(state, separators=(",", ":"))
                self._versioned[words.language] = (snapshot.version, state, text)
            return state, text

    def _unversioned_of(self, snapshot: Snapshot, words: PageTexts) -> dict[str, Any]:
        simulated = self.table.simulated
        film = None if self.table.film is None else self.table.film.state()
        return unversioned_state(snapshot, None if simulated is None else simulated.checkers(), words, film)

    def open(
        self,
        last_event_id: str | None,
        words: PageTexts,
        address: str = "",
        *,
        seated: bool = False,
        may_continue: Callable[[], bool] = lambda: True,
    ) -> Stream | None:
        """A stream for `address` in the language of `words`, from `last_event_id` on; None if there are too many.

        It ends when `may_continue` returns False: a device whose seat was taken away connects again, without the seat.
        """
        run_id, _, version = (last_event_id or "").partition("-")
        known = run_id == self.run_id and version.isdecimal() and len(version) <= LONGEST_VERSION
        stream = Stream(self, words, int(version) if known else -1, address, seated=seated, may_continue=may_continue)
        with self._lock:
            watching = Counter(each.address for each in self._streams if not each.seated)
            free = self.most_streams - len(self._streams)
            if not seated:
                others = self.most_streams - self.most_streams // 4 - watching.total()
                free = min(free, others, STREAMS_PER_ADDRESS - watching[address])
            if free <= 0:
                return None
            self._streams.add(stream)
        return stream

    def closed(self, stream: Stream) -> None:
        """Forget `stream`, so that another can be opened."""
        with self._lock:
            self._streams.discard(stream)

    def started(self) -> None:
        """Start the thread that sends events, unless it runs."""
        with self._lock:
            if not self._pushing:
                self._pushing = True
                threading.Thread(target=self._push, name="feed", daemon=True).start()

    def _push(self) -> None:
        """Send every change to every started stream."""
        watchers_due_s, snapshot = 0.0, self.table.snapshot()
        while streams := self._to_push():
            now_s = time.monotonic()
            watchers = now_s >= watchers_due_s
            for stream in streams:
                if (stream.seated or watchers) and stream.update(snapshot, now_s) and not stream.seated:
                    watchers_due_s = now_s + WATCHERS_EVERY_S
            behind = not watchers and any(stream.seen < snapshot.version for stream in streams)
            wait_s = max(0.0, watchers_due_s - now_s) if behind else min(PUSHER_WAKES_S, self.heartbeat_s)
            snapshot = self.table.wait(snapshot.version, wait_s) or snapshot

    def _to_push(self) -> list[Stream]:
        """The started streams, players' first; if there are none, the calling thread must end."""
        with self._lock:
            streams = sorted((each for each in self._streams if each.pushed), key=lambda each: not each.seated)
            self._pushing = bool(streams)
        return streams


class Stream:
    """One page's stream, to which its feed sends events once it is started.

    Attributes:
        address, seated: whose page it is, and whether that device holds a seat.
        seen: the newest version that was sent.
        closed: whether nothing more is sent.
    """

    def __init__(
        self,
        feed: Feed,
        words: PageTexts,
        seen: int,
        address: str = "",
        *,
        seated: bool = False,
        may_continue: Callable[[], bool] = lambda: True,
    ) -> None:
        self.address, self.seated, self.seen = address, seated, seen
        self._may_continue = may_continue
        self._feed = feed
        self._words = words
        self._send: Callable[[bytes], bool] | None = None
        self._sent_s = 0.0
        self._updating = threading.Lock()
        self.closed = False

    @property
    def pushed(self) -> bool:
        """Whether its feed sends its events."""
        return self._send is not None

    def start(self, send: Callable[[bytes], bool]) -> None:
        """Have the feed send everything to `send`, which must not block and returns whether it accepted the data."""
        self._sent_s = time.monotonic()
        self._send = send
        self.update(self._feed.table.snapshot(), self._sent_s)
        self._feed.started()

    def update(self, snapshot: Snapshot, now_s: float) -> bool:
        """Send `snapshot` if it is new, or a heartbeat if one is due; returns whether a new snapshot was sent.

        If the reader has not taken the last piece, nothing is sent; it gets the newest snapshot later.
        """
        with self._updating:
            new = snapshot.version > self.seen
            if not self._may_continue():
                self.close()
                return False
            if self._send is None or not (new or now_s - self._sent_s >= self._feed.heartbeat_s):
                return False
            if not self._send(self._feed.event(snapshot, self._words) if new else HEARTBEAT):
                return False
            self._sent_s = now_s
            self.seen = max(self.seen, snapshot.version)
            return new

    def close(self) -> None:
        """End the stream, so that another can be opened."""
        self.closed = True
        self._feed.closed(self)
