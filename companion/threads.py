"""The threads of a table: started together, stopped in order, and none fails unseen."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import ExitStack

JOIN_S = 5.0
"""A thread that takes longer than this to end is left behind; the process ends anyway."""


class Threads:
    """The table's threads; when one of them fails, the table stops."""

    def __init__(self) -> None:
        self.stopping = threading.Event()
        self.failed = False
        self.other_game: str | None = None

    def end(self) -> None:
        """Stop the table for good."""
        self.other_game = None
        self.stopping.set()

    def turn_to(self, game: str) -> None:
        """Stop the table, to be opened anew for another game."""
        self.other_game = game
        self.stopping.set()

    def start(self, stack: ExitStack, name: str, work: Callable[[], None], stop: Callable[[], None]) -> None:
        """Run `work` in a thread of that name; `stack` calls `stop` and waits for it."""

        def watched() -> None:
            done = False
            try:
                work()
                done = True
            finally:
                if not done:  # the traceback is on its way to the log
                    self.failed = True
                    self.stopping.set()

        thread = threading.Thread(target=watched, name=name, daemon=True)
        thread.start()
        stack.callback(thread.join, JOIN_S)
        stack.callback(stop)
