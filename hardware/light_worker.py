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
    """Plays frames on one device. Thread-safe.

    A frame at which the device fails is left out, and the error logged by `threading`; the frames after it follow.
    """

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
            self._start_thread()
            self._changed.notify_all()

    def close(self) -> None:
        """End the thread; the device keeps its last frame."""
        with self._changed:
            self._closed, self._coming, thread = True, [], self._thread
            self._changed.notify_all()
        if thread is not None:
            thread.join(JOIN_S)

    def _start_thread(self) -> None:
        """Start the thread if frames wait and there is none; the caller holds the lock."""
        if self._coming and self._thread is None:
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()

    def _run(self) -> None:
        try:
            self._show_coming()
        finally:  # also where the device failed: another thread shows the rest
            with self._changed:
                self._thread = None
                self._start_thread()

    def _show_coming(self) -> None:
        """Show each frame at its time, until `close`."""
        with self._changed:
            while not self._closed:
                generation = self._generation
                self._changed.wait(self._for_s if self._coming else None)
                if self._coming and self._generation == generation:
                    (frame, self._for_s), *self._coming = self._coming
                    self._show(frame)
