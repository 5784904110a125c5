"""Shows timed frames on a device (LEDs or buzzer) in a thread; new frames replace those still waiting."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FrameT = TypeVar("FrameT")
JOIN_S = 2.0
"""Seconds that `close` waits for the thread."""


class LightWorker(Generic[FrameT]):
    """Plays frames on one device. Thread-safe."""

    def __init__(self, name: str, show: Callable[[FrameT], None]) -> None:
        """`show` sets the device to a frame; it is called by one thread at a time."""
        self._name = name
        self._show = show
        self._changed = threading.Condition()
        self._coming: list[tuple[FrameT, float]] = []
        self._for_s: float | None = None
        self._generation = 0
        self._closed = False
        self._thread: threading.Thread | None = None

    def play(self, frames: Sequence[tuple[FrameT, float]]) -> None:
        """Show `frames`, pairs of frame and seconds; the last one stays.

        The first frame is set before this returns, so that a button press takes effect without a thread switch.
        """
        with self._changed:
            if not frames or self._closed:
                return
            (first, self._for_s), *self._coming = frames
            self._generation += 1
            self._show(first)
            if self._coming and self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def close(self) -> None:
        """End the thread; the device keeps its last frame."""
        with self._changed:
            self._closed, self._coming = True, []
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(JOIN_S)

    def _run(self) -> None:
        with self._changed:
            while not self._closed:
                generation = self._generation
                self._changed.wait(self._for_s if self._coming else None)
                if self._coming and self._generation == generation:
                    (frame, self._for_s), *self._coming = self._coming
                    self._show(frame)
