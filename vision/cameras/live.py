"""A live camera: a thread reads the device and keeps only the newest picture."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Protocol

from vision.cameras.base import CameraLost, Frame

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.arrays import Picture


READ_TIMEOUT_S = 5.0
"""Seconds that `read` waits for a picture before the camera counts as lost. In dim light cameras still deliver five
pictures a second."""
JOIN_S = 1.0
"""Seconds that `close` waits for the reading thread to end."""


class Device(Protocol):
    """A capture device; used by one thread only."""

    def grab(self) -> Picture:
        """Wait for the next picture and return it (BGR). Raises CameraLost."""

    def close(self) -> None:
        """Release the device."""


class LiveCamera:
    """Reads a device in a thread and returns its newest picture; older pictures in the driver's queue are dropped.

    The thread owns the device and closes it, so a driver that hangs blocks only the thread, not the caller.
    """

    def __init__(
        self, name: str, device: Device, clock: Callable[[], float], *, timeout_s: float = READ_TIMEOUT_S
    ) -> None:
        self.name = name
        self._device = device
        self._clock = clock
        self._timeout_s = timeout_s
        self._arrived = threading.Condition()
        self._newest: Frame | None = None
        self._lost: CameraLost | None = None
        self._closed = False
        self._last_returned = 0
        self._thread = threading.Thread(target=self._read_device, name=f"camera {name}", daemon=True)
        self._thread.start()

    def read(self) -> Frame | None:
        """Return the newest frame; waits for one that was not returned before.

        Raises:
            CameraLost: the device is lost, no picture came within `timeout_s` seconds, or the camera is closed.
        """
        with self._arrived:
            self._arrived.wait_for(self._can_return, self._timeout_s)
            if self._lost is not None:
                raise CameraLost(str(self._lost))
            if self._closed:
                raise CameraLost(f"the {self.name} has been closed: open it again")
            if self._newest is None or self._newest.number <= self._last_returned:
                raise CameraLost(
                    f"the {self.name} gave no picture for {self._timeout_s:g} s: check its cable, plug it in again"
                )
            self._last_returned = self._newest.number
            return self._newest

    def close(self) -> None:
        """Stop the thread and release the device."""
        with self._arrived:
            self._closed = True
            self._arrived.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(JOIN_S)

    def _can_return(self) -> bool:
        fresh = self._newest is not None and self._newest.number > self._last_returned
        return fresh or self._lost is not None or self._closed

    def _read_device(self) -> None:
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
