"""Reads real dice on a calibrated board: their numbers, places, and whether they lie flat.

It offers `read_dice`, the `BoardScene` that it reads, and `DiceSeen` with its `Cube`s.
"""

from __future__ import annotations

from vision.dice.cube import Cube
from vision.dice.reader import DiceSeen, read_dice
from vision.dice.view import BoardScene

__all__ = [
    "BoardScene",
    "Cube",
    "DiceSeen",
    "read_dice",
]
