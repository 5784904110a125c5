"""The processor time that each address may use: one that has used it up has to wait, a player does not."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

PLAYER_S = 300.0
"""Seconds after a player's request during which its address counts as a player's."""

MOST_OWING = 256
"""Addresses with a debt at the same time: more than a home has. The debt of an occasional request lasts a fraction of
a second."""


class ProcessorBudget:
    """The time spent on the requests of each address, as a debt that shrinks at a fixed rate. Thread-safe."""

    def __init__(
        self, share: float, reserve_s: float, reserves_s: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """All addresses together may use at most the part `share` of one core in the long run.

        An address without debt has `reserve_s` seconds in reserve, all together `reserves_s`.
        """
        self._share, self._reserve_s, self._reserves_s, self._clock = share, reserve_s, reserves_s, clock
        self._lock = threading.Lock()
        self._debts: dict[str, float] = {}
        self._players: dict[str, float] = {}
        self._paid_s = clock()

    def may_ask(self, address: str) -> bool:
        """Whether `address` has processor time left; a player always has.

        An address without debt waits while MOST_OWING others have debts: otherwise a client with many addresses would
        never wait.
        """
        if address in self._players:
            return True
        debt = self._debts.get(address)
        if debt is None:
            return len(self._debts) < MOST_OWING
        return debt < self._reserve_s and debt * len(self._debts) < self._reserves_s

    def is_player(self, address: str) -> bool:
        """Whether a player sent a request from `address` in the last PLAYER_S."""
        return address in self._players

    def note_player(self, address: str) -> None:
        """Note that a player has sent a request from `address`."""
        with self._lock:
            self._players[address] = self._clock()

    def charge(self, address: str, seconds: float) -> None:
        """Add processor time to the debt of `address`."""
        with self._lock:
            self._debts[address] = self._debts.get(address, 0.0) + seconds

    def reduce_debts(self) -> None:
        """Reduce all debts by equal parts of the time passed; what one does not need goes to the others."""
        with self._lock:
            now_s = self._clock()
            due = self._share * (now_s - self._paid_s)
            owing = sorted(self._debts.items(), key=lambda item: item[1])
            for n, (address, debt) in enumerate(owing):
                paid = min(debt, due / (len(owing) - n))
                due -= paid
                self._debts[address] = debt - paid
                if paid == debt:
                    del self._debts[address]
            self._players = {address: at_s for address, at_s in self._players.items() if now_s - at_s < PLAYER_S}
            self._paid_s = now_s
