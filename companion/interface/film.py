"""A filmed game on the page: its controls and its progress."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Multiples of the filmed speed."""


class FilmDeed(StrEnum):
    """A control of the film."""

    PLAY = "play"
    PAUSE = "pause"
    STEP = "step"
    """Show the film up to the next turn, then pause."""
    RESTART = "restart"


@dataclass(frozen=True, slots=True)
class FilmState:
    """The progress of a film: `turn` of `turns` have begun; `over`: it was shown to its end."""

    playing: bool
    speed: float
    turn: int
    turns: int
    over: bool = False
