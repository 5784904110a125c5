"""Starts the threads of the table, stops them in order, and stops the table when one fails."""

from __future__ import annotations

import math
import threading
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import ExitStack

JOIN_S = 5.0
"""Seconds to wait for a thread to end. A slower one is left running; `companion.__main__` then ends the process."""
CHECK_S = 0.5
"""Seconds between checks in `Stop.wait`."""


class Stop:
    """An event that any thread or a signal handler may set.

    A signal handler runs in the main thread. Inside `threading.Event.wait`, `Event.set` would wait for a lock that the
    main thread holds; `SimpleQueue.put` is reentrant. A signal just before the wait does not wake the thread, so it
    checks every CHECK_S.
    """

    def __init__(self) -> None:
        self._tokens: SimpleQueue[None] = SimpleQueue()

    def set(self) -> None:
        """Set the event."""
        self._tokens.put(None)

    def is_set(self) -> bool:
        """Whether the event is set."""
        return not self._tokens.empty()

    def wait(self, timeout_s: float = math.inf) -> bool:
        """Wait for the event, at most `timeout_s` seconds; returns whether it is set."""
        left_s = timeout_s
        while True:
            try:
                self._tokens.get(timeout=max(min(left_s, CHECK_S), 0.0))
            except Empty:
                left_s -= CHECK_S
                if left_s <= 0:
                    return False
                continue
            self._tokens.put(None)  # the event stays set
            return True


class Threads:
    """The table's threads. A thread that fails sets `stopping` and `failed`."""

    def __init__(self) -> None:
        self.stopping = Stop()
        self.failed = False
        self.other_game: str | None = None

    def end(self) -> None:
        """Stop the table for good."""
        self.other_game = None
        self.stopping.set()

    def turn_to(self, game: str) -> None:
        """Stop the table so that it is opened again for another game."""
        self.other_game = game
        self.stopping.set()

    def start(self, stack: ExitStack, name: str, work: Callable[[], None], stop: Callable[[], None]) -> None:
        """Run `work` in a thread; when `stack` closes, it calls `stop` and waits up to JOIN_S for the thread."""

        def watched() -> None:
            done = False
            try:
                work()
                done = True
            finally:
                if not done:  # `threading` logs the traceback
                    self.failed = True
                    self.stopping.set()

        thread = threading.Thread(target=watched, name=name, daemon=True)
        thread.start()
        stack.callback(thread.join, JOIN_S)
        stack.callback(stop)
