"""The inbox: items come in from any thread, and are handled in one."""

from __future__ import annotations

import queue
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BEAT_S = 1.0
"""Seconds between ticks of a loop that has nothing to do."""


def items_until_stop(inbox: queue.SimpleQueue[Any], tick: Callable[[], None]) -> Iterator[Any]:
    """Items of `inbox` until None; calls `tick` after each item, and every BEAT_S seconds while waiting."""
    while True:
        try:
            item = inbox.get(timeout=BEAT_S)
        except queue.Empty:
            tick()
            continue
        if item is None:
            return
        yield item
        tick()
