"""Rolls the dice: virtual ones with commitment, reveal and verification, or the players' own, entered or seen."""

from __future__ import annotations

from companion.dice.commitment import SecretFile
from companion.dice.roller import DiceRoller
from companion.dice.sources import DICE, CameraDice, DiceName, DiceSource, FairDice, HandDice
from companion.dice.statistics import FEWEST, chi_square, in_words
from companion.dice.verify import CheckLine, check, not_holding

__all__ = [
    "DICE",
    "FEWEST",
    "CameraDice",
    "CheckLine",
    "DiceName",
    "DiceRoller",
    "DiceSource",
    "FairDice",
    "HandDice",
    "SecretFile",
    "check",
    "chi_square",
    "in_words",
    "not_holding",
]
