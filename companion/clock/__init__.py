"""The chess clock."""

from __future__ import annotations

from companion.clock.chess_clock import ClockError, ClockSetting
from companion.clock.clock_controller import ClockPaused, NoClockError, Timekeeper
from companion.clock.clock_file import ClockFile

__all__ = [
    "ClockError",
    "ClockFile",
    "ClockPaused",
    "ClockSetting",
    "NoClockError",
    "Timekeeper",
]
