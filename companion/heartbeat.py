"""Telling systemd that the table is ready, and that it is alive: fed only while every loop of it turns.

systemd passes the address of a datagram socket; what is sent there is a few lines of text (sd_notify(3)). Where nobody
passes one (`make run`), nothing is sent.
"""

from __future__ import annotations

import logging
import queue
import socket
import time
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

LOG = logging.getLogger(__name__)
FEEDS_A_WATCHDOG = 4
"""So many times within the watchdog's time it is fed: sd_watchdog_enabled(3) advises two at least; a slow look at a
board may miss one."""
BEAT_S = 1.0
"""A loop that waits for something to do turns this often all the same."""


def handed_out(inbox: queue.SimpleQueue[Any], turned: Callable[[], None]) -> Iterator[Any]:
    """What comes into `inbox`, until None comes; `turned` is called for each, and every BEAT_S while nothing comes."""
    while True:
        try:
            item = inbox.get(timeout=BEAT_S)
        except queue.Empty:
            turned()
            continue
        if item is None:
            return
        yield item
        turned()


class ServiceManager:
    """systemd, or nobody: where to say that the table is ready, alive, or ending."""

    def __init__(self, address: str | None) -> None:
        """`address` is a path, or an abstract name after "@"; None: nobody listens."""
        self._address = None if not address else "\0" + address[1:] if address.startswith("@") else address
        self._socket = (
            None if address is None else socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        )
        if self._socket is not None:
            self._socket.setblocking(False)  # a service manager that is busy must not keep the game waiting

    def say(self, *lines: str) -> None:
        """Send assignments such as "READY=1"; what cannot be sent is logged, since the game goes on without."""
        if self._socket is None or self._address is None:
            return
        try:
            self._socket.sendto("\n".join(lines).encode(), self._address)
        except OSError as error:
            LOG.warning("the service manager could not be told %s: %s", " ".join(lines), error)

    def close(self) -> None:
        """Let the socket go."""
        if self._socket is not None:
            self._socket.close()


class Heartbeat:
    """Feeds the watchdog while all loops turn; any thread may call `tick`."""

    def __init__(
        self,
        loops: Iterable[str],
        manager: ServiceManager,
        watchdog_s: float | None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`loops` are the names of the loops that must turn, `clock` gives seconds.

        `watchdog_s` is the patience of systemd; None: there is no watchdog.
        """
        self._loops = frozenset(loops)
        self._turned: frozenset[str] = frozenset()
        self._manager = manager
        self._every_s = None if watchdog_s is None else watchdog_s / FEEDS_A_WATCHDOG
        self._clock = clock
        self._fed_s = clock()

    @classmethod
    def of_service(cls, loops: Iterable[str], environment: Mapping[str, str]) -> Self:
        """The heartbeat that this process's service manager asks for in the environment ($NOTIFY_SOCKET, …)."""
        microseconds = environment.get("WATCHDOG_USEC", "")
        watched = microseconds.isdecimal() and int(microseconds) > 0
        return cls(
            loops,
            ServiceManager(environment.get("NOTIFY_SOCKET")),
            int(microseconds) / 1e6 if watched else None,
        )

    def tick(self, loop: str) -> None:
        """`loop` has turned once more; the watchdog is fed when all of them have since it was fed last.

        Two threads that come at the same moment may feed it twice, which does no harm. Raises KeyError for a loop that
        nobody announced.
        """
        if loop not in self._loops:
            raise KeyError(f"no loop {loop!r} is watched: expected one of {', '.join(sorted(self._loops))}")
        if self._every_s is None:
            return
        self._turned |= {loop}
        now = self._clock()
        if self._turned == self._loops and now - self._fed_s >= self._every_s:
            self._turned, self._fed_s = frozenset(), now
            self._manager.say("WATCHDOG=1")

    def ready(self, status: str) -> None:
        """The table can be played at; `status` is shown by `systemctl status`."""
        self._manager.say("READY=1", f"STATUS={status}")

    def close(self) -> None:
        """The table is being put away."""
        self._manager.say("STOPPING=1")
        self._manager.close()
