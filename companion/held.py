"""A table that cannot open its record yet: the page says why, and it is tried again until it can be."""

from __future__ import annotations

import errno
import logging
import sqlite3
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from companion.model import BoardsideError
from companion.phase import Phase
from companion.snapshot import Light, Snapshot
from companion.table import Table
from web import create_app, make_server

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from companion.heartbeat import Heartbeat
    from companion.threads import Threads

LOG = logging.getLogger(__name__)
OpenedT = TypeVar("OpenedT")
RETRY_S = 5.0
MAY_PASS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EIO})
"""What the system says of a disk that is full, read-only, not ours to write, or failing: all can be mended."""
SQLITE_MAY_PASS = frozenset(
    {sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}
)


def may_pass(error: BaseException | None) -> bool:
    """Whether an error comes from a disk that may be put right while the table waits."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in MAY_PASS:
            return True
        code = getattr(error, "sqlite_errorcode", None)  # extended codes have the plain one in their lowest byte
        if code is not None and code & 0xFF in SQLITE_MAY_PASS:
            return True
        error = error.__cause__
    return False


def opened_at_last(
    args: argparse.Namespace,
    stack: ExitStack,
    threads: Threads,
    heartbeat: Heartbeat,
    open_it: Callable[[ExitStack], OpenedT],
) -> OpenedT:
    """What `open_it(stack)` opens, as soon as the disk lets it; until then the page says what is the matter.

    Raises what `open_it` raises where waiting does not help, or when the table is stopped meanwhile.
    """
    try:
        return _tried(stack, open_it)
    except BoardsideError as error:
        if not may_pass(error):
            raise
        trouble = error
    with ExitStack() as page:
        table = Table("backgammon", "standard")
        server = make_server(create_app(table), args.host, args.port)
        threads.start(page, "waiting page", partial(server.run, partial(heartbeat.tick, "web")), server.close)
        heartbeat.ready(f"waiting: {trouble}")
        LOG.warning("The table waits: %s", trouble)
        while True:
            table.publish(Snapshot(1, Phase.WAITING, Light.RED, "backgammon", "standard", storage=str(trouble)))
            for loop in ("capture", "game"):  # nothing is lost while nothing is begun
                heartbeat.tick(loop)
            if threads.stopping.wait(RETRY_S):
                raise trouble
            try:
                return _tried(stack, open_it)
            except BoardsideError as error:
                if not may_pass(error):
                    raise
                trouble = error


def _tried(stack: ExitStack, open_it: Callable[[ExitStack], OpenedT]) -> OpenedT:
    """One attempt; what it opened before it failed is closed again."""
    with ExitStack() as attempt:
        opened = open_it(attempt)
        stack.push(attempt.pop_all())
        return opened
