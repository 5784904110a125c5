"""The chequered board."""

from __future__ import annotations

from vision.checkers.board import CheckersBoard

__all__ = [
    "CheckersBoard",
]
