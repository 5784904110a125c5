"""Backgammon positions: points, bar and borne-off checkers, and their JSON."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from operator import sub
from typing import Any

from companion.core import BLACK_BAR, BLACK_OFF, CHECKERS, WHITE_BAR, WHITE_OFF, Board, Content, Side, quoted
from companion.notation import BAR, OFF, completed, format_position_id, parse_position_id, xgid_of
from companion.rules.ruleset import PositionError

View = bytes
"""A position from the mover's side: 52 counts. Index p is the mover's checkers on p: 0 off, 1 to 24 the mover's points,
25 the bar. Index OPPONENT + p is the opponent's checkers off (0), on the mover's point p, or on the bar (25)."""

OPPONENT = 26
"""Index in a View of the opponent's counts."""
VIEW_CELLS = 52
HIGHEST_HOME_POINT = 6
"""The last point of the home board, in its owner's numbers."""


@dataclass(frozen=True, slots=True)
class BackgammonPosition:
    """The place of every checker.

    Attributes:
        points: 24 signed counts, White's 1 point first, positive for White, negative for Black.
        bar, off: (White's, Black's) checkers on the bar and borne off.
    """

    points: tuple[int, ...]
    bar: tuple[int, int] = (0, 0)
    off: tuple[int, int] = (0, 0)

    def view(self, side: Side) -> View:
        """The position from the side of `side`."""
        white = bytes([self.off[0], *(max(0, n) for n in self.points), self.bar[0]])
        black = bytes([self.off[1], *(-n if n < 0 else 0 for n in self.points), self.bar[1]])
        if side is Side.WHITE:
            return white + black
        return turned(black) + turned(white)

    def pips(self, side: Side) -> int:
        """The pip count of `side`."""
        return sum(point * count for point, count in enumerate(self.view(side)[:OPPONENT]))

    @property
    def contact(self) -> bool:
        """Whether the two sides still have to pass each other, each counted in its own numbers, the bar as 25."""
        hindmost = (max((k for k, count in enumerate(self.view(side)[:OPPONENT]) if count), default=0) for side in Side)
        return sum(hindmost) >= BAR

    @classmethod
    def from_view(cls, view: View, side: Side) -> BackgammonPosition:
        """The position whose view for `side` is `view`."""
        mine, theirs = view[1:25], view[27:51]
        if side is Side.WHITE:
            return cls(tuple(map(sub, mine, theirs)), (view[25], view[51]), (view[0], view[26]))
        return cls(tuple(map(sub, theirs[::-1], mine[::-1])), (view[51], view[25]), (view[26], view[0]))

    def board(self) -> Board:
        """The position as camera cells."""
        points: tuple[Content, ...] = tuple(map(content_of, self.points))
        bar_and_off = ((self.bar[0], 0), (0, self.bar[1]), (self.off[0], 0), (0, self.off[1]))
        return points + bar_and_off

    def position_id(self, on_roll: Side) -> str:
        """The gnubg Position ID with `on_roll` to play."""
        mine, theirs = self.view(on_roll), self.view(on_roll.opponent)
        return format_position_id(mine[1:26], theirs[1:26])


START = BackgammonPosition((-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2))


@cache
def content_of(count: int) -> Content:
    """The camera's content of a point: (White's, Black's) checkers."""
    return (count, 0) if count >= 0 else (0, -count)


def turned(half: bytes) -> bytes:
    """One player's 26 counts in the other player's point numbers; off and bar keep their index."""
    return half[:1] + half[24:0:-1] + half[25:]


def cell_of_point(point: int, side: Side) -> int:
    """The camera's cell of a point (0 off, 25 bar) given in the numbers of `side`."""
    white = side is Side.WHITE
    if point == BAR:
        return WHITE_BAR if white else BLACK_BAR
    if point == OFF:
        return WHITE_OFF if white else BLACK_OFF
    return point - 1 if white else 24 - point


def check_totals(position: BackgammonPosition) -> None:
    """Refuse a position in which a player has none or more than fifteen checkers. Raises PositionError."""
    view = position.view(Side.WHITE)
    for name, total in (("White", sum(view[:OPPONENT])), ("Black", sum(view[OPPONENT:]))):
        if not 1 <= total <= CHECKERS:
            raise PositionError(f"{name} has {total} checkers on points, bar and off; expected 1 to {CHECKERS}")


JSON_KEYS = ("points", "bar", "off", "id", "player", "xgid", "match_id")


def position_to_json(position: BackgammonPosition) -> dict[str, Any]:
    """`{"points", "bar", "off"}`."""
    return {"points": list(position.points), "bar": list(position.bar), "off": list(position.off)}


def position_from_json(value: object, player: object = None) -> BackgammonPosition:
    """Read a position: points, bar and off, an XGID, or a gnubg Position ID with the player on roll or a Match ID.

    `player` is the player on roll where the value does not name one. Where "off" is left out, all checkers that are
    not on the board are off. Raises PositionError or the notation's error, which quote the faulty value.
    """
    data = _mapping(value)
    coded = _from_code(data, player)
    if coded is not None:
        return coded
    points = tuple(_signed(n, i) for i, n in enumerate(_points(data)))
    bar = _pair(data, "bar", (0, 0))
    on_board = [
        sum(n for n in points if n > 0) + bar[0],
        -sum(n for n in points if n < 0) + bar[1],
    ]
    rest = (max(CHECKERS - on_board[0], 0), max(CHECKERS - on_board[1], 0))
    position = BackgammonPosition(points, bar, _pair(data, "off", rest))
    check_totals(position)
    return position


def board_from_json(value: object, player: object = None) -> Board:
    """Read a board as seen: a point with both colours is `[white, black]`; bar or off left out was not seen."""
    data = _mapping(value)
    coded = _from_code(data, player)
    if coded is not None:
        return coded.board()
    cells: list[Content | None] = [_content(n, i) for i, n in enumerate(_points(data))]
    for key in ("bar", "off"):
        if data.get(key) is None:
            cells += [None, None]
        else:
            white, black = _pair(data, key, (0, 0))
            cells += [(white, 0), (0, black)]
    return tuple(cells)


def board_to_json(board: Board) -> dict[str, Any]:
    """A board as seen: a point with both colours is `[white, black]`; bar or off that was not seen is None."""
    points = [None if cell is None else list(cell) if all(cell) else cell[0] - cell[1] for cell in board[:24]]
    pairs = [
        None if white is None or black is None else [white[0], black[1]]
        for white, black in ((board[WHITE_BAR], board[BLACK_BAR]), (board[WHITE_OFF], board[BLACK_OFF]))
    ]
    return {"points": points, "bar": pairs[0], "off": pairs[1]}


def _mapping(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise PositionError(
            f'position {quoted(value)} is not an object such as {{"points": [24 numbers], "bar", "off"}}'
        )
    unknown = [key for key in value if key not in JSON_KEYS]
    if unknown:
        raise PositionError(f"position has an unknown key {quoted(unknown[0])}; known are {', '.join(JSON_KEYS)}")
    return value


def _points(data: dict[str, Any]) -> list[Any]:
    points = data.get("points")
    if not isinstance(points, list) or len(points) != 24:
        size = f" ({len(points)} of them)" if isinstance(points, list) else ""
        raise PositionError(f"points {quoted(points)}{size} are not a list of 24 numbers, White's 1 point first")
    return points


def _signed(number: object, index: int) -> int:
    if type(number) is not int or not -CHECKERS <= number <= CHECKERS:
        raise PositionError(f"point {index + 1} holds {quoted(number)}; expected a whole number from -15 to 15")
    return number


def _content(number: object, index: int) -> Content:
    if isinstance(number, list):
        if len(number) != 2 or any(type(n) is not int or not 0 <= n <= CHECKERS for n in number):
            raise PositionError(f"point {index + 1} holds {quoted(number)}; expected [white, black], each from 0 to 15")
        return number[0], number[1]
    count = _signed(number, index)
    return (count, 0) if count >= 0 else (0, -count)


def _pair(data: dict[str, Any], key: str, default: tuple[int, int]) -> tuple[int, int]:
    pair = data.get(key)
    if pair is None:
        return default
    if not isinstance(pair, list) or len(pair) != 2 or any(type(n) is not int or not 0 <= n <= CHECKERS for n in pair):
        raise PositionError(f"{key} {quoted(pair)} is not [white, black], each a whole number from 0 to 15")
    return pair[0], pair[1]


def _from_code(data: dict[str, Any], player: object) -> BackgammonPosition | None:
    """The position of an XGID or a Position ID; None where the counts are given."""
    on_roll = completed({"player": data.get("player")}, data)["player"]
    xgid = xgid_of(data)
    if xgid is not None:
        white = sum(n for n in xgid.points if n > 0) + xgid.bar[0]
        black = -sum(n for n in xgid.points if n < 0) + xgid.bar[1]
        return BackgammonPosition(xgid.points, xgid.bar, (CHECKERS - white, CHECKERS - black))
    if "id" in data and "points" not in data:
        return _from_id(data["id"], player if on_roll is None else on_roll)
    return None


def _from_id(text: object, player: object) -> BackgammonPosition:
    if not isinstance(player, str) or player not in ("white", "black"):
        raise PositionError(
            f'a Position ID needs the player on roll: "player" is {quoted(player)}, expected "white" or "black"'
        )
    if not isinstance(text, str):
        raise PositionError(f"Position ID {quoted(text)} is not 14 letters of base64 such as 4HPwATDgc/ABMA")
    mine, theirs = (bytes([CHECKERS - sum(counts), *counts]) for counts in parse_position_id(text))
    return BackgammonPosition.from_view(mine + turned(theirs), Side(player))
