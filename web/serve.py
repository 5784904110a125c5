"""Serving the page: waitress with enough threads for the live feeds."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import waitress

from companion.model import BoardsideError

if TYPE_CHECKING:
    from flask import Flask
    from waitress.server import MultiSocketServer, TcpWSGIServer

THREADS = 64
"""With 30 event streams waitress hangs on 4 threads and answers others in 2 ms on 64, at 32 MB (measured 2026-11)."""


class PageNotServedError(BoardsideError):
    """The page cannot be served at the address asked for."""


def make_server(app: Flask, host: str, port: int) -> TcpWSGIServer | MultiSocketServer:
    """A server that listens at once and answers as soon as its `run` is called; `close` ends it.

    Raises:
        PageNotServedError: if the address cannot be had; the text says why and what to do.
    """
    try:
        return waitress.create_server(
            app, host=host, port=port, threads=THREADS, ident=None, clear_untrusted_proxy_headers=True
        )
    except OSError as error:
        raise PageNotServedError(_mend(error, host, port)) from error
    except ValueError as error:
        raise PageNotServedError(f"cannot serve the page at {host!r}: {error}; try 0.0.0.0") from error


def _mend(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use by another program (another Boardside?): end it or use --port {port + 1}"
    if error.errno == errno.EACCES:
        return f"port {port} may not be used without rights of the administrator: use --port 8000"
    return f"cannot serve the page at {host}:{port}: {error.strerror or error}"
