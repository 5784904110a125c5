"""Waits while the disk is full or broken: the page shows why the record cannot be opened; opening is retried."""

from __future__ import annotations

import errno
import logging
import sqlite3
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from companion.app.table import Table
from companion.core import BoardsideError, verbatim
from companion.game import Phase
from companion.interface import Light, Snapshot
from companion.record import is_damage
from companion.settings import Watch
from web import create_app, make_server

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from companion.app.service import Heartbeat, Threads

LOG = logging.getLogger(__name__)
OpenedT = TypeVar("OpenedT")
RETRY_S = 5.0
"""Seconds between attempts."""
MENDABLE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EIO})
"""Errors of a full, read-only, protected or failing disk, which somebody can repair while the table waits."""


class StoppedWaiting(BoardsideError):
    """The table was stopped while it waited for its disk."""


def is_repairable(error: BaseException | None) -> bool:
    """Whether `error` or one of its causes comes from a disk that can be repaired while the table waits."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in MENDABLE:
            return True
        if isinstance(error, sqlite3.Error) and not is_damage(error):
            return True
        error = error.__cause__
    return False


def open_when_possible(
    args: argparse.Namespace,
    stack: ExitStack,
    threads: Threads,
    heartbeat: Heartbeat,
    open_it: Callable[[ExitStack], OpenedT],
    language: str | None = None,
) -> OpenedT:
    """Call `open_it(stack)` until it succeeds; meanwhile the page shows the error in `language`.

    Raises the error of `open_it` if waiting cannot help, and StoppedWaiting if the table is stopped.
    """
    try:
        return _attempt(stack, open_it)
    except BoardsideError as error:
        if not is_repairable(error):
            raise
        trouble = error
    with ExitStack() as page:
        table = Table("backgammon", "standard")
        app = create_app(table, names=args.site, language=language, watch=args.watch or Watch.ALL)
        server = make_server(app, args.host, args.port, proxy=args.proxy)
        threads.start(page, "waiting page", partial(server.run, partial(heartbeat.tick, "web")), server.close)
        heartbeat.ready(f"waiting: {trouble}")
        LOG.warning("The table waits: %s", trouble)
        while True:
            table.publish(
                Snapshot(1, Phase.WAITING, Light.RED, "backgammon", "standard", storage=verbatim(str(trouble)))
            )
            for loop in ("capture", "game"):  # for the watchdog: these loops have not started yet
                heartbeat.tick(loop)
            if threads.stopping.wait(RETRY_S):
                raise StoppedWaiting from trouble
            try:
                return _attempt(stack, open_it)
            except BoardsideError as error:
                if not is_repairable(error):
                    raise
                trouble = error


def _attempt(stack: ExitStack, open_it: Callable[[ExitStack], OpenedT]) -> OpenedT:
    """One attempt; if it fails, everything that it opened is closed."""
    with ExitStack() as attempt:
        opened = open_it(attempt)
        stack.push(attempt.pop_all())
        return opened
