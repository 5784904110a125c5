"""Reads real dice on a calibrated board: their numbers, places, and whether they lie flat.

It offers `read_dice` and the `BoardScene` that it reads.
"""

from __future__ import annotations

from vision.dice.reader import read_dice
from vision.dice.view import BoardScene

__all__ = [
    "BoardScene",
    "read_dice",
]
