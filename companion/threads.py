"""The threads of a table: started together, stopped in order, and none fails unseen."""

from __future__ import annotations

import math
import threading
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import ExitStack

JOIN_S = 5.0
"""A thread that takes longer than this to end is left behind; the process ends anyway."""
LOOK_UP_S = 0.5
"""So often a thread that waits for the end looks up."""


class Stop:
    """Something that is asked for once, by any thread or by a signal's handler.

    The handler runs in the main thread, wherever that is: in the midst of `threading.Event.wait` it would wait for a
    lock that its own thread holds; `SimpleQueue.put` may come at any moment. And a signal that comes just before the
    thread goes to sleep does not wake it: it looks up every so often.
    """

    def __init__(self) -> None:
        self._asked: SimpleQueue[None] = SimpleQueue()

    def set(self) -> None:
        """Ask for it."""
        self._asked.put(None)

    def is_set(self) -> bool:
        """Whether it has been asked for."""
        return not self._asked.empty()

    def wait(self, timeout_s: float = math.inf) -> bool:
        """Wait until it is asked for, at most so long; whether it was."""
        left_s = timeout_s
        while True:
            try:
                self._asked.get(timeout=max(min(left_s, LOOK_UP_S), 0.0))
            except Empty:
                left_s -= LOOK_UP_S
                if left_s <= 0:
                    return False
                continue
            self._asked.put(None)  # it stays asked for
            return True


class Threads:
    """The table's threads; when one of them fails, the table stops."""

    def __init__(self) -> None:
        self.stopping = Stop()
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
