"""A backgammon position, and how it looks from either side."""

from __future__ import annotations

from dataclasses import dataclass
from operator import sub

from companion.model import BoardsideError, Side
from companion.notation.position_id import CHECKERS, format_position_id
from companion.observation import BLACK_BAR, BLACK_OFF, WHITE_BAR, WHITE_OFF, Board, Content

View = bytes
"""A position as the player to move sees it: 52 counts. At p (0 off, 1 to 24 the mover's own points, 25 the bar) the
mover's checkers, at `OPPONENT` + p the opponent's on that same point of the mover's; the opponent's off is at
`OPPONENT` and their bar at `OPPONENT` + 25. All rules are written for a View, and so for one side only."""

OFF, BAR = 0, 25
OPPONENT = 26
VIEW_CELLS = 52


class PositionError(BoardsideError):
    """A position cannot be; the text quotes it."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where all checkers stand.

    Attributes:
        points: 24 signed counts, White's 1 point first, positive for White, negative for Black.
        bar, off: (White's, Black's) checkers on the bar and borne off.
    """

    points: tuple[int, ...]
    bar: tuple[int, int] = (0, 0)
    off: tuple[int, int] = (0, 0)

    def view(self, side: Side) -> View:
        """The position as `side` sees it."""
        white = bytes([self.off[0], *(max(0, n) for n in self.points), self.bar[0]])
        black = bytes([self.off[1], *(-n if n < 0 else 0 for n in self.points), self.bar[1]])
        if side is Side.WHITE:
            return white + black
        return turned(black) + turned(white)

    @classmethod
    def from_view(cls, view: View, side: Side) -> Position:
        """The position that `side` sees as `view`."""
        mine, theirs = view[1:25], view[27:51]
        if side is Side.WHITE:
            return cls(tuple(map(sub, mine, theirs)), (view[25], view[51]), (view[0], view[26]))
        return cls(tuple(map(sub, theirs[::-1], mine[::-1])), (view[51], view[25]), (view[26], view[0]))

    def board(self) -> Board:
        """What a camera that sees all cells sees of it."""
        points: tuple[Content, ...] = tuple((n, 0) if n >= 0 else (0, -n) for n in self.points)
        bar_and_off = ((self.bar[0], 0), (0, self.bar[1]), (self.off[0], 0), (0, self.off[1]))
        return points + bar_and_off

    def position_id(self, on_roll: Side) -> str:
        """The gnubg Position ID with `on_roll` to play."""
        mine, theirs = self.view(on_roll), self.view(on_roll.opponent)
        return format_position_id(mine[1:26], theirs[1:26])


START = Position((-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2))


def turned(half: bytes) -> bytes:
    """One player's 26 counts under the other player's numbers; off and bar stay where they are."""
    return half[:1] + half[24:0:-1] + half[25:]


def cell_of(point: int, side: Side) -> int:
    """The camera's cell of a point (0 off, 25 bar) in the numbers of `side`."""
    white = side is Side.WHITE
    if point == BAR:
        return WHITE_BAR if white else BLACK_BAR
    if point == OFF:
        return WHITE_OFF if white else BLACK_OFF
    return point - 1 if white else 24 - point


def check_totals(position: Position) -> None:
    """Refuse a position in which a player has none or more than fifteen checkers. Raises PositionError."""
    view = position.view(Side.WHITE)
    for name, total in (("White", sum(view[:OPPONENT])), ("Black", sum(view[OPPONENT:]))):
        if not 1 <= total <= CHECKERS:
            raise PositionError(f"{name} has {total} checkers on points, bar and off; expected 1 to {CHECKERS}")
