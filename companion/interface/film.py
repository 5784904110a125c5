"""A filmed game on the page: what its viewers may do, and how far it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Multiples of the filmed speed."""


class FilmDeed(StrEnum):
    """What may be done with a film."""

    PLAY = "play"
    PAUSE = "pause"
    STEP = "step"
    """Show the film up to the next turn, then pause."""
    RESTART = "restart"


@dataclass(frozen=True, slots=True)
class FilmState:
    """How far a film is: `turn` of `turns` have begun; `over`: it was shown to its end."""

    playing: bool
    speed: float
    turn: int
    turns: int
    over: bool = False
