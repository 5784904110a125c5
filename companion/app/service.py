"""Threads of the table, a stop event for signal handlers, and systemd's watchdog.

A thread that fails stops the table. systemd passes the address of a datagram socket that takes lines of text
(sd_notify(3)). Without an address (`make run`) nothing is sent.
"""

from __future__ import annotations

import logging
import math
import socket
import threading
import time
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from contextlib import ExitStack

LOG = logging.getLogger(__name__)
JOIN_S = 5.0
"""Seconds to wait for a thread to end. A slower one is left running; `companion.__main__` then ends the process."""
CHECK_S = 0.5
"""Seconds between checks in `Stop.wait`."""
PINGS_PER_TIMEOUT = 4
"""Pings within the watchdog's timeout. sd_watchdog_enabled(3) advises at least two; a slow reading may delay one."""


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
        self.opens_again = False

    def end(self) -> None:
        """Stop the table for good."""
        self.other_game, self.opens_again = None, False
        self.stopping.set()

    def stop_for_game(self, game: str) -> None:
        """Stop the table so that it is opened again for `game`."""
        self.other_game = game
        self.open_again()

    def open_again(self) -> None:
        """Stop the table so that it is opened again."""
        self.opens_again = True
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


class ServiceManager:
    """The notification socket of systemd; does nothing without an address."""

    def __init__(self, address: str | None) -> None:
        """`address` is a path, or "@" and an abstract name; None: nothing is sent."""
        self._address = None if not address else "\0" + address[1:] if address.startswith("@") else address
        self._socket = (
            None if address is None else socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        )
        if self._socket is not None:
            self._socket.setblocking(False)  # a busy service manager must not delay the game

    def say(self, *lines: str) -> None:
        """Send assignments such as "READY=1"; an error is only logged."""
        notify = self._socket
        if notify is None or self._address is None:
            return
        try:
            notify.sendto("\n".join(lines).encode(), self._address)
        except OSError as error:
            LOG.warning("could not send %s to the service manager: %s", " ".join(lines), error)

    def close(self) -> None:
        """Close the socket; `say` does nothing from now on."""
        notify, self._socket = self._socket, None
        if notify is not None:
            notify.close()


class Heartbeat:
    """Pings the watchdog while all loops are alive. `tick` may be called from any thread."""

    def __init__(
        self,
        loops: Iterable[str],
        manager: ServiceManager,
        watchdog_s: float | None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`loops` are the names of the loops to supervise; `clock` returns seconds.

        `watchdog_s` is systemd's timeout in seconds; None: no watchdog.
        """
        self._loops = frozenset(loops)
        self._alive: frozenset[str] = frozenset()
        self._manager = manager
        self._every_s = None if watchdog_s is None else watchdog_s / PINGS_PER_TIMEOUT
        self._clock = clock
        self._pinged_s = clock()

    @classmethod
    def of_service(cls, loops: Iterable[str], environment: Mapping[str, str]) -> Self:
        """A heartbeat as the environment asks for ($NOTIFY_SOCKET, $WATCHDOG_USEC)."""
        microseconds = environment.get("WATCHDOG_USEC", "")
        watched = microseconds.isdecimal() and int(microseconds) > 0
        return cls(
            loops,
            ServiceManager(environment.get("NOTIFY_SOCKET")),
            int(microseconds) / 1e6 if watched else None,
        )

    def tick(self, loop: str) -> None:
        """Mark `loop` as alive; pings the watchdog when all loops were marked since the last ping.

        Two threads at the same moment may ping twice, which is harmless. Raises KeyError for an unknown loop.
        """
        if loop not in self._loops:
            raise KeyError(f"no loop {loop!r} is supervised: expected one of {', '.join(sorted(self._loops))}")
        if self._every_s is None:
            return
        self._alive |= {loop}
        now = self._clock()
        if self._alive == self._loops and now - self._pinged_s >= self._every_s:
            self._alive, self._pinged_s = frozenset(), now
            self._manager.say("WATCHDOG=1")

    def ready(self, status: str) -> None:
        """Report that the table is ready; `systemctl status` shows `status`."""
        self._manager.say("READY=1", f"STATUS={status}")

    def close(self) -> None:
        """Report that the table stops, and close the socket."""
        self._manager.say("STOPPING=1")
        self._manager.close()
