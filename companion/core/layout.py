"""How a backgammon board is turned, and the numbers of its points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core.model import Side
from companion.core.observation import WHITE_BAR

if TYPE_CHECKING:
    from typing import Any

POINTS = WHITE_BAR
"""Number of points of a board; they are its first cells."""


def space_of(point: int) -> int:
    """The space of a point in its owner's numbers, 1 to 24: a board of tiles is counted forward."""
    return POINTS + 1 - point


@dataclass(frozen=True, slots=True)
class BoardLayout:
    """How a board is turned; eye, simulated table, page, picture and voice all use one such value.

    Attributes:
        tiles: whether it is laid from tiles; spaces are then counted forward.
        mirrored: White's home is on the left.
    """

    tiles: bool = False
    mirrored: bool = False

    def numbers(self, side: Side) -> tuple[int, ...]:
        """What a player calls the points, White's 1 point first."""
        of_white = range(1, POINTS + 1)
        return tuple(of_white if (side is Side.WHITE) is not self.tiles else reversed(of_white))

    def kind(self, game: str) -> str:
        """The kind of board on which `game` is played: "points", "tiles" or "squares"."""
        return "squares" if game == "checkers" else "tiles" if self.tiles else "points"

    def to_json(self, game: str) -> dict[str, Any]:
        """For the page: `{"kind", "mirrored"}`; a chequered board is never mirrored."""
        return {"kind": self.kind(game), "mirrored": self.mirrored and game != "checkers"}


USUAL_LAYOUT = BoardLayout()
WHITE_NUMBERS = USUAL_LAYOUT.numbers(Side.WHITE)
"""White's numbers of the points."""


@dataclass(frozen=True, slots=True)
class BoardMarks:
    """Marks drawn over a picture of the board in addition to the reading.

    Attributes:
        numbers: what the points are called, White's 1 point first.
        ringed: cells that get a line round them, where the board differs from the game.
    """

    numbers: tuple[int, ...] = WHITE_NUMBERS
    ringed: tuple[int, ...] = ()


NO_MARKS = BoardMarks()
"""White's numbers, and nothing ringed."""
