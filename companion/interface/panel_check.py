"""What is tried out on the panel, and what was pressed meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core import Side
    from companion.interface.messages import Button


class PanelPart(StrEnum):
    """What is checked at a time."""

    WHITE_DIE = "white_die"
    BLACK_DIE = "black_die"
    RED = "red"
    GREEN = "green"
    BLUE = "blue"
    BUZZER = "buzzer"
    BUTTONS = "buttons"


@dataclass(frozen=True, slots=True)
class Press:
    """A press during the check: the button, its owner (None: both players), and its number since the check began."""

    button: Button
    player: Side | None
    number: int
