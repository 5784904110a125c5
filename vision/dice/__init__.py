"""Real dice in the picture."""

from __future__ import annotations

from vision.dice.reader import read_dice

__all__ = [
    "read_dice",
]
