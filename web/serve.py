"""Serving the page: waitress with enough threads for the live feeds, started and stopped from any thread."""

from __future__ import annotations

import errno
import socket
import threading
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

import waitress
from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer

from companion.core import BoardsideError

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

LAST_PORT = 65535
THREADS = 64
"""With 30 event streams waitress hangs on 4 threads and answers others in 2 ms on 64, at 32 MB (measured 2026-11)."""

WAKE_S = 0.25
"""How often the serving thread looks whether it is to stop."""


class PageNotServedError(BoardsideError):
    """The page cannot be served at the address asked for."""


class PageServer:
    """A web server that has its address from the beginning and answers while `run` runs."""

    def __init__(self, app: Flask, sockets: list[socket.socket]) -> None:
        """Serve `app` on listening sockets, which are closed at the end."""
        self.port: int = sockets[0].getsockname()[1]
        self._open: dict[int, Any] = {}
        self._server = waitress.create_server(
            app, map=self._open, sockets=sockets, threads=THREADS, ident=None, clear_untrusted_proxy_headers=True
        )
        self._stopping = threading.Event()
        self._waking = threading.Lock()
        self._wakers: list[Callable[[], None]] = []
        for one in list(self._open.values()):
            if isinstance(one, BaseWSGIServer):
                self._wakers.append(one.pull_trigger)
                one.pull_trigger = partial(self._wake, one.pull_trigger)

    def run(self, turned: Callable[[], None] = lambda: None) -> None:
        """Answer until `close`; `turned` is called every WAKE_S at least."""
        while self._open and not self._stopping.is_set():
            turned()
            wasyncore.loop(timeout=WAKE_S, map=self._open, count=1)
        self._close_all()

    def close(self) -> None:
        """Let `run` return; any thread may ask for it."""
        self._stopping.set()
        for wake in list(self._wakers):
            self._wake(wake)

    def _wake(self, wake: Callable[[], None]) -> None:
        """Wake the serving thread, by a pipe that must not be written to once it is closed."""
        with self._waking:
            if self._wakers:
                wake()

    def _close_all(self) -> None:
        """Close everything while requests may still be answered: those find their pages gone.

        In the thread that polls them: waitress's own close would pull the sockets from under its poll, and the pipes
        by which it is woken from under the threads that answer.
        """
        with self._waking:
            self._wakers.clear()
        for one in list(self._open.values()):
            if isinstance(one, HTTPChannel):
                one.handle_close()  # not `close`, which does not wait for who is writing
        wasyncore.close_all(self._open)
        self._server.task_dispatcher.set_thread_count(0)


def make_server(app: Flask, host: str, port: int) -> PageServer:
    """A server at `host` (a name or an address; 0.0.0.0 for every IPv4 address of this machine) and `port` (0: any).

    Raises:
        PageNotServedError: if the address cannot be had; the text says why and what to do.
    """
    if not 0 <= port <= LAST_PORT:
        raise PageNotServedError(f"there is no port {port}: expected a number from 0 to {LAST_PORT}, such as 8000")
    with ExitStack() as stack:
        sockets: list[socket.socket] = []
        try:
            for family, *_, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE):
                free = (address[0], sockets[0].getsockname()[1] if sockets else port)
                sockets.append(stack.enter_context(socket.create_server(free, family=family)))
        except socket.gaierror as error:
            raise PageNotServedError(f"there is no host {host!r} to serve the page at: try 0.0.0.0") from error
        except OSError as error:
            raise PageNotServedError(_mend(error, host, port)) from error
        server = PageServer(app, sockets)
        stack.pop_all()
        return server


def _mend(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use by another program (another Boardside?): end it or use --port {port + 1}"
    if error.errno == errno.EACCES:
        return f"port {port} may not be used without rights of the administrator: use --port 8000"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this machine: use --host 0.0.0.0"
    return f"cannot serve the page at {host}:{port}: {error}"
