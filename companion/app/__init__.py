"""Runs a table: opens camera, session, panel, page and storage, and runs them in threads. Also replays filmed games."""

from __future__ import annotations

from companion.app.live import run
from companion.app.panel_commands import show_wiring, test_panel
from companion.app.replay import replay_film

__all__ = [
    "replay_film",
    "run",
    "show_wiring",
    "test_panel",
]
