"""A camera that films by itself: a thread of its own reads it, and only the newest picture is kept."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Protocol

from vision.camera import CameraLost, Frame

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.camera import Picture

READ_TIMEOUT_S = 5.0
"""So long `read` waits for a picture; then the camera counts as lost. In dim light they still give five a second."""
JOIN_S = 1.0


class Device(Protocol):
    """What gives pictures, one after the other, each as soon as it is there; used by one thread only."""

    def grab(self) -> Picture:
        """Wait for the next picture (BGR) and give it. Raises CameraLost."""

    def close(self) -> None:
        """Release the device."""


class LiveCamera:
    """Reads a device in a thread and gives its newest picture; older ones, of which drivers keep a few, are dropped.

    The thread owns the device and closes it: a driver that hangs leaves a thread behind, not the caller.
    """

    def __init__(
        self, name: str, device: Device, clock: Callable[[], float], *, timeout_s: float = READ_TIMEOUT_S
    ) -> None:
        self.name = name
        self._device = device
        self._clock = clock
        self._patience_s = timeout_s
        self._arrived = threading.Condition()
        self._newest: Frame | None = None
        self._lost: CameraLost | None = None
        self._closed = False
        self._given = 0
        self._thread = threading.Thread(target=self._film, name=f"camera {name}", daemon=True)
        self._thread.start()

    def read(self) -> Frame | None:
        """The newest frame, waiting for one that was not given before.

        Raises:
            CameraLost: the device says so, no picture has come for `timeout_s` seconds, or the camera is closed.
        """
        with self._arrived:
            self._arrived.wait_for(self._something_new, self._patience_s)
            if self._lost is not None:
                raise CameraLost(str(self._lost))
            if self._closed:
                raise CameraLost(f"the {self.name} has been closed: open it again")
            if self._newest is None or self._newest.number <= self._given:
                raise CameraLost(
                    f"the {self.name} gave no picture for {self._patience_s:g} s: check its cable, plug it in again"
                )
            self._given = self._newest.number
            return self._newest

    def close(self) -> None:
        """Stop filming and release the device."""
        with self._arrived:
            self._closed = True
            self._arrived.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(JOIN_S)

    def _something_new(self) -> bool:
        fresh = self._newest is not None and self._newest.number > self._given
        return fresh or self._lost is not None or self._closed

    def _film(self) -> None:
        number = 0
        try:
            while not self._closed:
                image = self._device.grab()
                number += 1
                with self._arrived:
                    self._newest = Frame(image, self._clock(), number)
                    self._arrived.notify_all()
        except CameraLost as lost:
            with self._arrived:
                self._lost = lost
                self._arrived.notify_all()
        finally:
            self._device.close()
