"""Requests that both players must make, each from their own seat, or both from one screen."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core import Side


class JointRequests:
    """The requests since the start. Thread-safe."""

    def __init__(self) -> None:
        self._asked: dict[int, frozenset[Side]] = {}
        self._lock = threading.Lock()

    def ask(self, number: int, side: Side | None) -> bool:
        """Note a request of `side` (None: both) about match `number`; returns whether both have now made it."""
        with self._lock:
            asked = self._asked.pop(number, frozenset())
            if side is None or asked - {side}:
                return True
            self._asked[number] = asked | {side}
            return False

    def withdraw(self, number: int) -> None:
        """Forget the requests about match `number`."""
        with self._lock:
            self._asked.pop(number, None)

    def waiting(self, number: int) -> Side | None:
        """The only player who has made the request; None if neither has."""
        with self._lock:
            return next(iter(self._asked.get(number, ())), None)
