"""The camera that films the simulated table."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from vision.cameras import CameraLost, Frame

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.simulation.table import SimulatedTable

FRAMES_PER_S = 10.0
IDLE_FRAMES_PER_S = 2.0
LIVELY_S = 2.0
"""Seconds after the last change on the table until the rate falls to `IDLE_FRAMES_PER_S`, to save processor time."""


class SimulatedCamera:
    """Renders a simulated table at ten frames a second, or at two while nothing changes on it."""

    def __init__(
        self,
        table: SimulatedTable,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = "simulated table"
        self._table = table
        self._clock = clock
        self._sleep = sleep
        self._number = 0
        self._version = -1
        self._changed_s = clock()
        self._due_s = self._changed_s
        self._closed = False

    def read(self) -> Frame | None:
        """Return the next frame when it is due; while the table is idle, a change on it ends the wait early.

        Raises:
            CameraLost: if the camera has been closed.
        """
        if self._closed:
            raise CameraLost("the simulated table's camera has been closed: start Boardside again")
        self._wait_until_due()
        now = self._clock()
        if self._table.version != self._version:
            self._version, self._changed_s = self._table.version, now
        lively = now - self._changed_s < LIVELY_S
        self._due_s = now + 1 / (FRAMES_PER_S if lively else IDLE_FRAMES_PER_S)
        self._number += 1
        return Frame(self._table.render(), now, self._number)

    def close(self) -> None:
        """Close the camera; later reads fail."""
        self._closed = True

    def _wait_until_due(self) -> None:
        remaining = self._due_s - self._clock()
        if remaining > 1 / FRAMES_PER_S:
            self._table.wait(self._version, remaining)
        elif remaining > 0:
            self._sleep(remaining)
