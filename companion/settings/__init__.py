"""The players' settings for their table: stored in a file, changed on the page, and when a change takes effect."""

from __future__ import annotations

from companion.settings.desk import Busy, DeskPorts, Effect, SettingsDesk, busy
from companion.settings.file import KeptSettings, SettingsFile
from companion.settings.values import (
    CAMERAS,
    LEAST_STAKE,
    LONGEST_MATCH,
    LONGEST_NAME,
    MOST_AUTOMATIC_DOUBLES,
    MOST_STAKE,
    ONE_OF,
    Settings,
    Terms,
    Watch,
    fitting,
)

__all__ = [
    "CAMERAS",
    "LEAST_STAKE",
    "LONGEST_MATCH",
    "LONGEST_NAME",
    "MOST_AUTOMATIC_DOUBLES",
    "MOST_STAKE",
    "ONE_OF",
    "Busy",
    "DeskPorts",
    "Effect",
    "KeptSettings",
    "Settings",
    "SettingsDesk",
    "SettingsFile",
    "Terms",
    "Watch",
    "busy",
    "fitting",
]
