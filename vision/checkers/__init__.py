"""The chequered board for checkers: finds, calibrates and reads its 64 squares.

It offers `CheckersBoard`.
"""

from __future__ import annotations

from vision.checkers.board import CheckersBoard

__all__ = ["CheckersBoard"]
