"""Runs the chess clock from the table's snapshots and saves it for a restart."""

from __future__ import annotations

from companion.clock.chess_clock import MOST_DELAY_S, MOST_MINUTES, ClockError, ClockSetting
from companion.clock.clock_controller import ClockController, ClockPaused, NoClockError
from companion.clock.clock_file import ClockFile

__all__ = [
    "MOST_DELAY_S",
    "MOST_MINUTES",
    "ClockController",
    "ClockError",
    "ClockFile",
    "ClockPaused",
    "ClockSetting",
    "NoClockError",
]
