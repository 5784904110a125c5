"""The inbox: items come in from any thread, and are handled in one."""

from __future__ import annotations

import queue
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BEAT_S = 1.0
"""Seconds between ticks of a loop that has nothing to do."""


def handed_out(inbox: queue.SimpleQueue[Any], turned: Callable[[], None]) -> Iterator[Any]:
    """Items of `inbox` until None; calls `turned` after each item, and every BEAT_S seconds while waiting."""
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
