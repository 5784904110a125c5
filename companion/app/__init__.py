"""Runs a table: opens camera, session, panel, page and storage, and runs them in threads. Also replays filmed games.

Each command is imported when it is first asked for: a table at rest keeps nothing of the others in memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import lazy_face

if TYPE_CHECKING:
    from companion.app.panel_commands import show_wiring, test_panel
    from companion.app.replay import replay_film
    from companion.app.run_command import run

__all__ = [
    "replay_film",
    "run",
    "show_wiring",
    "test_panel",
]
__getattr__ = lazy_face(
    __name__,
    {"replay_film": "replay", "run": "run_command", "show_wiring": "panel_commands", "test_panel": "panel_commands"},
)
