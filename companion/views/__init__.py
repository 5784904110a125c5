"""From the session's state to the snapshot."""

from __future__ import annotations

from companion.views.procedure_view import RULED, doubtful_cells
from companion.views.snapshot_view import draw

__all__ = [
    "RULED",
    "doubtful_cells",
    "draw",
]
