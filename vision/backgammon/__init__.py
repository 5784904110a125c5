"""The framed backgammon board: find it, calibrate it, read it."""

from __future__ import annotations

from vision.backgammon.board import FramedBoard

__all__ = [
    "FramedBoard",
]
