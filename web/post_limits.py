"""How often an address may post: a few taps a second, and the positions of a dragged checker more often."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ALLOWED = {"simulated": (40.0, 200)}
USUALLY = (5.0, 60)
"""Posts a second, and how many at once, by blueprint: dragging a checker posts its place seven times a second, and a
page that was suspended may send many posts together."""

MOST_ADDRESSES = 4096
"""Most addresses that are remembered; a further one replaces the one whose last post is oldest."""


class PostLimits:
    """A token bucket for each address and kind of posts. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._spent: OrderedDict[tuple[str, str | None], tuple[float, float]] = OrderedDict()

    def allowed(self, address: str, blueprint: str | None) -> bool:
        """Whether `address` may post once more; if so, the post is counted."""
        rate, burst = ALLOWED.get(blueprint or "", USUALLY)
        kind = blueprint if blueprint in ALLOWED else None
        with self._lock:
            now_s = self._clock()
            spent, at_s = self._spent.pop((address, kind), (0.0, now_s))
            spent = max(0.0, spent - rate * (now_s - at_s))
            allowed = spent + 1 <= burst
            self._spent[address, kind] = (spent + allowed, now_s)
            if len(self._spent) > MOST_ADDRESSES:
                self._spent.popitem(last=False)
            return allowed
