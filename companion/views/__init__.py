"""Converts the session's state to the snapshot that page, lights and speech show."""

from __future__ import annotations

from companion.views.match_view import game_over
from companion.views.procedure_view import doubtful_cells
from companion.views.sheet_view import described, sheet_json
from companion.views.snapshot_view import draw

__all__ = ["described", "doubtful_cells", "draw", "game_over", "sheet_json"]
