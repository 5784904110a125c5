"""The backgammon board laid from twelve tiles, with cubes for checkers: finds, calibrates and reads it.

It offers `TileBoard`.
"""

from __future__ import annotations

from vision.tiles.board import TileBoard

__all__ = ["TileBoard"]
