"""Serving the page: waitress with enough threads for the live feeds, started and stopped from any thread."""

from __future__ import annotations

import errno
import logging
import socket
import sys
import threading
import time
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from companion.core import BoardsideError
from web.connection_limits import LIMITS
from web.connections import Connections

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from web.connection_limits import Limits

LAST_PORT = 65535
THREADS = 4
"""Threads that answer requests; slow senders, slow readers and streams do not hold one."""

HEAD_BYTES = 16 * 1024
BODY_BYTES = 64 * 1024
"""A longer body is refused before it arrives and never reaches the disk; for shorter ones the application sets
limits."""

UNREAD_BYTES = 128 * 1024
"""Send buffer of a connection; a Pi has no memory for the usual megabytes of each."""

FORWARDED = "x-forwarded-for x-forwarded-proto x-forwarded-host"

WAKE_S = 0.25
"""Seconds between checks of the serving thread whether to stop."""

FINISH_S = 2.0
"""Most seconds for answers that are unfinished at the end: the page that changes a setting waits for one while the
table closes to open again."""

AT_ONCE = 32
"""Connections accepted in one round of polling: with one a round, as in waitress, a flood of them would delay all."""

logging.getLogger("waitress").setLevel(logging.ERROR)  # requests of strangers must not fill the journal


class PageNotServedError(BoardsideError):
    """The page cannot be served at the address asked for."""


class Listener(TcpWSGIServer):  # type: ignore[misc]  # waitress has no types
    """Accepts all waiting connections at once."""

    _more = False

    def handle_accept(self) -> None:
        """Accept the waiting connections, AT_ONCE at most."""
        for _ in range(AT_ONCE):
            self._more = False
            super().handle_accept()
            if not self._more:
                return

    def accept(self) -> Any:
        """One connection and its address; None where there is none."""
        accepted = super().accept()
        self._more = accepted is not None
        return accepted


class PageServer:
    """A web server that binds its address at once and answers while `run` runs."""

    def __init__(self, app: Flask, sockets: list[socket.socket], connections: Connections) -> None:
        """Serve `app` to `connections` on listening sockets, which are closed at the end."""
        self.port: int = sockets[0].getsockname()[1]
        self._open: dict[int, Any] = {}
        self._connections = connections
        adjustments = _adjustments(connections.proxy)
        self._dispatcher = ThreadedTaskDispatcher()
        self._dispatcher.set_thread_count(adjustments.threads)
        self._stopping = threading.Event()
        self._waking = threading.Lock()
        self._wakers: list[Callable[[], None]] = []
        for one in sockets:
            info = (one.family, one.type, one.proto, one.getsockname())
            server = Listener(
                app, self._open, True, one, self._dispatcher, adjustments, sockinfo=info, bind_socket=False
            )
            server.channel_class = connections.admit
            self._wakers.append(server.pull_trigger)
            server.pull_trigger = partial(self._wake, server.pull_trigger)

    def run(self, turned: Callable[[], None] = lambda: None) -> None:
        """Answer until `close`; `turned` is called in each round of the loop, at least every WAKE_S.

        Answers that are then unfinished are made and sent, for FINISH_S at most.
        """
        while self._open and not self._stopping.is_set():
            turned()
            self._round()
        until_s = time.monotonic() + FINISH_S
        while self._connections.owe_answers() and time.monotonic() < until_s:
            self._round()
        self._close_all()

    def close(self) -> None:
        """Let `run` return; any thread may ask for it."""
        self._stopping.set()
        for wake in list(self._wakers):
            self._wake(wake)

    def _round(self) -> None:
        """One round of the loop, WAKE_S at most."""
        self._connections.check()
        wasyncore.loop(timeout=WAKE_S, use_poll=True, map=self._open, count=1)

    def _wake(self, wake: Callable[[], None]) -> None:
        """Wake the serving thread through a pipe, unless that is closed."""
        with self._waking:
            if self._wakers:
                wake()

    def _close_all(self) -> None:
        """Close everything, even while requests are answered; their connections are then closed.

        This runs in the polling thread: waitress's own `close` would close sockets during a poll, and pipes that the
        answering threads still use to wake it.
        """
        with self._waking:
            self._wakers.clear()
        for one in list(self._open.values()):
            if isinstance(one, HTTPChannel):
                one.handle_close()  # not `close`, which does not wait for threads that are writing
        wasyncore.close_all(self._open)
        self._dispatcher.set_thread_count(0)


def make_server(app: Flask, host: str, port: int, *, proxy: str | None = None, limits: Limits = LIMITS) -> PageServer:
    """A server at `host` (a name or an address; 0.0.0.0 for every IPv4 address of this machine) and `port` (0: any).

    Args:
        app: what answers.
        host: where it is served.
        port: the TCP port there.
        proxy: the address of a reverse proxy, whose headers on the visitor's address, scheme and host are trusted.
        limits: of the connections.

    Raises:
        PageNotServedError: if the address cannot be used; the text says why and what to do.
    """
    if not 0 <= port <= LAST_PORT:
        raise PageNotServedError(f"there is no port {port}: expected a number from 0 to {LAST_PORT}, such as 8000")
    with ExitStack() as stack:
        sockets: list[socket.socket] = []
        try:
            for family, *_, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE):
                free = (address[0], sockets[0].getsockname()[1] if sockets else port)
                listening = stack.enter_context(socket.create_server(free, family=family))
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD_BYTES)
                sockets.append(listening)
        except socket.gaierror as error:
            raise PageNotServedError(f"there is no host {host!r} to serve the page at: try 0.0.0.0") from error
        except OSError as error:
            raise PageNotServedError(_with_advice(error, host, port)) from error
        server = PageServer(app, sockets, Connections(limits, proxy))
        stack.pop_all()
        return server


def _adjustments(proxy: str | None) -> Adjustments:
    """Waitress's settings; `Connections` counts connections in its place."""
    trusting = {"trusted_proxy": proxy, "trusted_proxy_count": 1, "trusted_proxy_headers": FORWARDED} if proxy else {}
    return Adjustments(
        sockets=[],
        threads=THREADS,
        connection_limit=sys.maxsize,
        max_request_header_size=HEAD_BYTES,
        max_request_body_size=BODY_BYTES,
        ident=None,
        log_socket_errors=False,
        clear_untrusted_proxy_headers=False,  # they distinguish requests through a proxy from local ones
        **trusting,
    )


def _with_advice(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use by another program (another Boardside?): end it, or use --port {port + 1}"
    if error.errno == errno.EACCES:
        return f"port {port} may not be used without rights of the administrator: use --port 8000"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this machine: use --host 0.0.0.0"
    return f"cannot serve the page at {host}:{port}: {error}"
