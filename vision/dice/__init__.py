"""Reads real dice on a calibrated board: their numbers, places, and whether they lie flat.

It offers `read_dice`.
"""

from __future__ import annotations

from vision.dice.reader import read_dice

__all__ = [
    "read_dice",
]
