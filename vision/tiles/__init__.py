"""The backgammon board laid from twelve loose tiles."""

from __future__ import annotations

from vision.tiles.board import TileBoard

__all__ = [
    "TileBoard",
]
