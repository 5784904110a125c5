"""What both players have to ask for before it is done: each from a seat of their own, or both from one screen."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core import Side


class Wishes:
    """Who has asked for what since the start; any thread may ask."""

    def __init__(self) -> None:
        self._asked: dict[int, frozenset[Side]] = {}
        self._lock = threading.Lock()

    def ask(self, number: int, side: Side | None) -> bool:
        """`side` (None: both) asks for something about match `number`; whether both have now."""
        with self._lock:
            asked = self._asked.pop(number, frozenset())
            if side is None or asked - {side}:
                return True
            self._asked[number] = asked | {side}
            return False

    def withdraw(self, number: int) -> None:
        """It is not wanted any more."""
        with self._lock:
            self._asked.pop(number, None)

    def waiting(self, number: int) -> Side | None:
        """Who has asked and waits for the other; None: nobody."""
        with self._lock:
            return next(iter(self._asked.get(number, ())), None)
