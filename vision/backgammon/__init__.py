"""The framed backgammon board: finds, calibrates and reads points, bar, tray and dice.

It offers `FramedBoard`.
"""

from __future__ import annotations

from vision.backgammon.board import FramedBoard

__all__ = [
    "FramedBoard",
]
