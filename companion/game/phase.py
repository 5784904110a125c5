"""The phases of an evening at the table."""

from __future__ import annotations

from enum import StrEnum


class Phase(StrEnum):
    """Where the evening stands."""

    WAITING = "waiting"
    """No game yet: the board has not been found or does not stand at a starting position."""
    OPENING = "opening"
    """The starting position stands; Roll rolls one die each."""
    TO_ROLL = "to_roll"
    """The player on roll may roll; what they leave unmoved is the position of record."""
    TO_MOVE = "to_move"
    """Dice lie; the player on roll is to move."""
    OVER = "over"
    """One player has borne off all checkers."""
