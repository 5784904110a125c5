"""The page's connections: how many there may be, and how long each may take.

A connection holds no thread until its request is complete, and a stream never holds one: its events are pushed.
Connections are limited by time and number, not by inactivity: sending a byte now and then keeps none open.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.task import WSGITask

from web.connection_limits import Stage
from web.processor_budget import ProcessorBudget

if TYPE_CHECKING:
    import socket

    from web.connection_limits import Limits
    from web.feed import Stream

PUSHED = "boardside.pushed"
"""Key of the request's environment: a list into which a view puts the `Stream` that the server is to push to."""

PLAYERS = "boardside.players"
"""Key of a list into which a view puts the seat of the player who sent the request."""

PROXIED = "boardside.proxied"
"""Key that says whether a request comes from the proxy's address, regardless of its headers."""

CLOSED_TOGETHER = 20
"""If all connections are in use, one in this many is closed: the search for them takes time."""

CHECK_EVERY_S = 0.2


class PageRequest(HTTPRequestParser):  # type: ignore[misc]
    """A request. An unreadable one has a path too, because waitress logs it if the client has disconnected."""

    path = ""


class PageTask(WSGITask):  # type: ignore[misc]  # waitress has no types
    """Answers one request; if the answer is a stream, the connection becomes that stream."""

    def get_environment(self) -> dict[str, Any]:
        """The request's environment, with two lists for views to fill."""
        environ: dict[str, Any] = super().get_environment()
        environ[PROXIED] = self.channel.address == self.channel.connections.proxy
        environ.setdefault(PUSHED, [])
        environ.setdefault(PLAYERS, [])
        return environ

    def finish(self) -> None:
        """End the answer, unless it is a stream."""
        environ = self.get_environment()
        if environ[PLAYERS]:
            self.channel.connections.budget.note_player(self.channel.address)
        streams = environ[PUSHED]
        if not streams:
            super().finish()
            return
        self.close_on_finish = False
        self.channel.stream_to(streams[0], chunked=self.chunked_response)


class PageChannel(HTTPChannel):  # type: ignore[misc]
    """A connection to the page.

    Attributes:
        stage, since_s: what it is doing, and since when, at the last check of its `Connections`.
    """

    parser_class = PageRequest
    task_class = PageTask
    close_when_flushed: bool

    def __init__(self, connections: Connections, server: Any, sock: socket.socket, addr: Any, *rest: Any) -> None:
        self.connections = connections
        self.address: str = addr[0]
        self.stage, self.since_s = Stage.UNUSED, time.monotonic()
        self._stream: Stream | None = None
        self._chunked = False
        self._mark: object = None
        """Replaced with each request and each piece of a stream, to distinguish one wait from the next."""
        self._seen_mark: object = None
        super().__init__(server, sock, addr, *rest)

    def readable(self) -> bool:
        """Whether more is read now; an address that has used up its processor time waits."""
        return bool(super().readable()) and self.connections.may_ask(self.address)

    def handle_read(self) -> None:
        """Read, unless another connection of the address has used up its time in the same round of polling."""
        if self.connections.may_ask(self.address):
            super().handle_read()

    def received(self, data: bytes) -> bool:
        """Process received bytes; a client that sends any during a stream is disconnected."""
        if self._stream is not None:
            self.will_close = True
            return False
        self.connections.answering.add(self)  # before a thread may have answered it
        taken = bool(super().received(data))
        if not self.requests:
            self.connections.answering.discard(self)
        return taken

    def handle_write(self) -> None:
        """Send what waits, under the lock: waitress omits it between requests, but a stream needs it."""
        with self.outbuf_lock:
            super().handle_write()

    def service(self) -> None:
        """Answer, and charge the time to the address; close the connection of a client that pipelines requests.

        Neither browsers nor proxies do. The first request may be answered before the others are seen.
        """
        self._mark = object()
        if len(self.requests) > 1:
            self.will_close, self.connected = True, False
            self.server.pull_trigger()
        began_s = time.thread_time()
        try:
            super().service()
        finally:
            self.connections.budget.charge(self.address, time.thread_time() - began_s)
            if not self.requests:
                self.connections.answering.discard(self)
                self.server.pull_trigger()  # another address may be waiting for it

    def stream_to(self, stream: Stream, *, chunked: bool) -> None:
        """Make this connection the one of `stream`."""
        self._chunked = chunked
        self._stream = stream
        stream.start(self._push)
        if not self.connected:
            stream.close()

    def end_stream(self) -> None:
        """Close a finished stream as soon as its output is read."""
        if self._stream is None or not self._stream.closed or self.close_when_flushed:
            return
        if self._chunked:
            self.write_soon(b"0\r\n\r\n")
        self.close_when_flushed = True

    def _push(self, data: bytes) -> bool:
        """Send a piece of the stream, from any thread; False, with nothing sent, if earlier pieces are unread."""
        if self.total_outbufs_len or not self.connected:
            return False
        self._mark = object()
        try:
            self.write_soon(b"%x\r\n%b\r\n" % (len(data), data) if self._chunked else data)
        except ClientDisconnected:
            return False
        return True

    def owes_answer(self) -> bool:
        """Whether a request is still to be answered, or an answer to be sent; a stream is none."""
        return self._present_stage()[0] in {Stage.ANSWERING, Stage.SENDING}

    def update_stage(self, now_s: float) -> None:
        """Update `stage` and `since_s`."""
        stage, mark = self._present_stage()
        if stage is self.stage and mark is self._seen_mark:
            return
        self.stage, self.since_s, self._seen_mark = stage, now_s, mark

    def _present_stage(self) -> tuple[Stage, object]:
        """The stage, and the mark of this time at it."""
        request = self.request
        if self._stream is not None:
            return (Stage.STALLED if self.total_outbufs_len else Stage.STREAMING), self._mark
        if self.requests:
            return Stage.ANSWERING, self._mark
        if self.total_outbufs_len or self.close_when_flushed:
            return Stage.SENDING, self._mark
        if request is None:
            return (Stage.UNUSED if self._mark is None else Stage.IDLE), self._mark
        return (Stage.BODY if request.headers_finished else Stage.HEAD), request

    def del_channel(self, map: Any = None) -> None:  # noqa: A002
        """Close the stream, if there is one, and forget this connection."""
        super().del_channel(map)
        self.connections.remove(self)
        if self._stream is not None:
            self._stream.close()


class Connections:
    """Admits connections, and closes slow ones. Methods are for the polling thread, attributes for any."""

    def __init__(self, limits: Limits, proxy: str | None) -> None:
        """Connections within `limits`; `proxy` is the address of a reverse proxy, which may have any number."""
        self.limits, self.proxy = limits, proxy
        self._open: dict[PageChannel, None] = {}  # in the order of their opening
        self._of_each: Counter[str] = Counter()
        """Number of connections of each address except the proxy's."""
        self.answering: set[PageChannel] = set()
        """Connections with a request that is answered or waits for a thread."""
        self.budget = ProcessorBudget(limits.share, limits.reserve_s, limits.reserves_s)
        self._checked_s = time.monotonic()

    def admit(self, server: Any, sock: socket.socket, addr: Any, adj: Any, map: Any) -> PageChannel | None:  # noqa: A002
        """The channel of a new connection; None, and it is closed, if there are too many."""
        if not self._make_room(addr[0]):
            sock.close()
            return None
        channel = PageChannel(self, server, sock, addr, adj, map)
        self._open[channel] = None
        self._of_each[channel.address] += channel.address != self.proxy
        return channel

    def remove(self, channel: PageChannel) -> None:
        """Forget a connection that is closed."""
        if channel in self._open:
            del self._open[channel]
            self._of_each -= Counter([channel.address])  # forget an address without connections

    def check(self) -> None:
        """Close connections that take too long or have too much unread; call it a few times a second."""
        now_s = time.monotonic()
        if now_s - self._checked_s < CHECK_EVERY_S:
            return
        self._checked_s = now_s
        self.budget.reduce_debts()
        unread = 0
        for channel in list(self._open):
            channel.update_stage(now_s)
            unread += channel.total_outbufs_len
            channel.end_stream()
            if now_s - channel.since_s >= self.limits.seconds(channel.stage):
                channel.handle_close()
        if unread > self.limits.unread_bytes:
            max(self._open, key=lambda channel: channel.total_outbufs_len).handle_close()

    def owe_answers(self) -> bool:
        """Whether a request is still to be answered, or an answer to be sent; a stream is none."""
        return any(one.owes_answer() for one in self._open)

    def may_ask(self, address: str) -> bool:
        """Whether more may be read from `address` now.

        The cost of an answer is known only afterwards: many at once would delay the players before any is charged.
        """
        if address == self.proxy or self.budget.is_player(address):
            return True
        return self._strangers_answered() < self.limits.answers and self.budget.may_ask(address)

    def _strangers_answered(self) -> int:
        """How many requests of addresses without a seat are being answered."""
        answering = self.answering.copy()  # other threads remove channels from it
        return sum(one.address != self.proxy and not self.budget.is_player(one.address) for one in answering)

    def _make_room(self, address: str) -> bool:
        """If too many are open, close some that only wait; returns whether a further one may be opened."""
        if self._of_each[address] >= self.limits.of_one_address:
            return self._close_some_of([channel for channel in self._open if channel.address == address], 1)
        if len(self._open) < self.limits.connections:
            return True
        waiting = [channel for channel in self._open if channel.stage <= Stage.SENDING]
        waiting = [channel for channel in waiting if not self.budget.is_player(channel.address)] or waiting
        most = max((self._of_each[channel.address] for channel in waiting), default=0)
        most_have = [channel for channel in waiting if self._of_each[channel.address] == most]
        return self._close_some_of(most_have, max(1, self.limits.connections // CLOSED_TOGETHER))

    def _close_some_of(self, channels: list[PageChannel], number: int) -> bool:
        """Close the `number` of them that wait and are needed least; False if none waits."""
        now_s = time.monotonic()
        for channel in channels:
            channel.update_stage(now_s)
        waiting = [channel for channel in channels if channel.stage <= Stage.SENDING]
        waiting.sort(key=lambda channel: (channel.stage is not Stage.IDLE, channel.since_s))
        for channel in waiting[:number]:
            channel.handle_close()
        return bool(waiting)
