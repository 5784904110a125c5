"""A page on its real server, which is always closed: its thread would keep the tests from ending."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from web import make_server

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE_S = 20.0


@contextmanager
def served(app: Any, host: str = "127.0.0.1", port: int = 0, **options: Any) -> Iterator[int]:
    """Serves `app` with the options of `web.make_server`; gives the port."""
    server = make_server(app, host, port, **options)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server.port
    finally:
        server.close()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()
