"""The test of the panel: its parts, and presses of buttons."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core import Side
    from companion.interface.messages import Button


class PanelPart(StrEnum):
    """A part of the panel that is tested alone."""

    WHITE_DIE = "white_die"
    BLACK_DIE = "black_die"
    RED = "red"
    GREEN = "green"
    BLUE = "blue"
    BUZZER = "buzzer"
    BUTTONS = "buttons"


@dataclass(frozen=True, slots=True)
class Press:
    """A press during the test: the button, its owner (None: both players), and its number since the test began."""

    button: Button
    player: Side | None
    number: int
