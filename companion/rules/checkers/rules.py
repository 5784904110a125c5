"""Checkers under a sheet, as a `Ruleset`, and claims of a draw.

A player may claim a draw when the same position with the same player to move stands for the third time, or when in the
last forty moves of each player no man advanced and no piece was removed (WCDF Rules of Draughts (English), 1.32).
Neither ends the game by itself.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from companion.core import CHECKERS_CELLS, Board, Content, Dice, Play, Side, Verdict, message, quoted
from companion.notation import COLUMNS, ROWS, NotationError, cell_of, format_move, parse_move, square_of
from companion.rules.checkers.explain import CheckersJudgement
from companion.rules.checkers.moves import MoveGenerator
from companion.rules.checkers.position import START, CheckersPosition, numbers
from companion.rules.checkers.turn import MoverTurn, numbered
from companion.rules.ruleset import Outcome, PositionError, RulesError, Score, Successor
from companion.rules.sheet_terms import starter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Message
    from companion.rules.checkers.position import Squares
    from companion.rules.sheet import CheckersSheet


REPETITIONS = 3
MOVES_WITHOUT_PROGRESS = 40
"""Moves of each player."""


class DrawClaim(StrEnum):
    """Why a draw may be claimed."""

    THREEFOLD_REPETITION = "threefold_repetition"
    FORTY_MOVES = "forty_moves"


def draw_claim(positions: Sequence[CheckersPosition]) -> DrawClaim | None:
    """The draw that a player may claim; `positions` are those of the game, the one on the board last."""
    if not positions:
        return None
    if positions.count(positions[-1]) >= REPETITIONS:
        return DrawClaim.THREEFOLD_REPETITION
    if moves_without_progress(positions) >= 2 * MOVES_WITHOUT_PROGRESS:
        return DrawClaim.FORTY_MOVES
    return None


def moves_without_progress(positions: Sequence[CheckersPosition]) -> int:
    """Number of last moves, of both players together, that neither advanced a man nor captured a piece."""
    last = _progress_key(positions[-1])
    moves = 0
    for position in reversed(positions[:-1]):
        if _progress_key(position) != last:
            break
        moves += 1
    return moves


def _progress_key(position: CheckersPosition) -> tuple[Squares, Squares, int]:
    """White's men, Black's men and the number of kings; a king's move without capture changes none of them."""
    men = ~position.kings
    return position.white & men, position.black & men, position.kings.bit_count()


class CheckersRules:
    """Checkers under one sheet; `dice` is always None."""

    has_draws = True

    def __init__(self, sheet: CheckersSheet) -> None:
        self.sheet = sheet
        self._generator = MoveGenerator(sheet)
        self._last_turn: MoverTurn | None = None

    def start(self) -> CheckersPosition:
        """The starting position; where the players agree who begins, Black is to move."""
        return replace(START, to_move=starter(self.sheet) or START.to_move)

    def with_turn(self, position: CheckersPosition, side: Side | None) -> tuple[CheckersPosition, Side | None]:
        """The position with `side` to move; None leaves the position as it is."""
        turned = position if side is None else replace(position, to_move=side)
        return turned, turned.to_move

    def dice_count(self, position: CheckersPosition, side: Side) -> int:  # noqa: ARG002 - as the Protocol has it
        """0: there are no dice."""
        return 0

    def successors(
        self, position: CheckersPosition, side: Side, dice: Dice | None = None
    ) -> tuple[Successor[CheckersPosition], ...]:
        """The legal moves, one for each result."""
        finals = self._turn(position, side, dice).moves.finals
        return tuple(
            Successor(numbered(play, side), view.position(side, side.opponent)) for view, play in finals.items()
        )

    def visible(self, position: CheckersPosition) -> Board:
        """The position as camera cells; kings look like men."""
        return position.board()

    def explain(
        self, before: CheckersPosition, side: Side, dice: Dice | None, seen: Board, *, done: bool
    ) -> Verdict[CheckersPosition]:
        """The verdict on a board; a cell that is None is taken as unchanged."""
        return CheckersJudgement(self._turn(before, side, dice), seen, done).verdict()

    def expected_totals(
        self, before: CheckersPosition, side: Side, dice: Dice | None, seen: tuple[bool, ...]
    ) -> tuple[range, range]:
        """Possible numbers of White and of Black pieces in the cells that are seen, after any legal move."""
        turn = self._turn(before, side, dice)
        taken = max((sum(step.captured is not None for step in p) for p in turn.moves.captures.values()), default=0)
        ranges = []
        for owner, squares in ((Side.WHITE, before.white), (Side.BLACK, before.black)):
            hidden = not all(seen[cell_of(number)] for number in numbers(squares))
            total = squares.bit_count()
            fewest = 0 if hidden else total - (taken if owner is not side else 0)
            ranges.append(range(fewest, total + 1))
        return ranges[0], ranges[1]

    def cell_name(self, cell: int, side: Side) -> Message:  # noqa: ARG002 - squares have one number for both
        """A cell by its square's number: "square 14"."""
        number = square_of(cell)
        return message("light_square") if number is None else message("checkers.square", square=number)

    def cell_label(self, cell: int) -> int | str:
        """The square's number, or "light square"."""
        return square_of(cell) or "light square"

    def places(self, cells: Sequence[int], side: Side = Side.WHITE) -> Message:  # noqa: ARG002  # squares have one number
        """Cells as a list: "squares 11 and 15"."""
        squares = tuple(sorted(number for number in map(square_of, cells) if number))
        one = (message("checkers.square", square=squares[0]),) if len(squares) == 1 else ()
        many = (message("checkers.squares", squares=squares),) if len(squares) > 1 else ()
        light = (message("light_square"),) * (len(squares) < len(cells))
        return message("list", facts=(*one, *many, *light))

    def outcome(self, position: CheckersPosition) -> Outcome | None:
        """A loss for the player to move where there is no legal move; else None."""
        if self._turn(position, position.to_move, None).moves.finals:
            return None
        return self.won_by(position, position.to_move.opponent)

    def won_by(self, position: CheckersPosition, winner: Side) -> Outcome:  # noqa: ARG002 - a win is a win
        """A win; there is only one kind."""
        return Outcome(winner, "win")

    def draw_claim(self, past: Sequence[CheckersPosition]) -> str | None:
        """Why a draw may be claimed (a `DrawClaim`); None where it may not."""
        return draw_claim(past)

    def score(self, outcome: Outcome, *, cube: int, for_stakes: bool) -> Score:  # noqa: ARG002 - a win is a win
        """One point."""
        return Score(1, outcome.kind)

    def write_play(self, play: Play) -> str:
        """A move in PDN."""
        return format_move(play)

    def find_play(
        self, position: CheckersPosition, side: Side, dice: Dice | None, play: str
    ) -> Successor[CheckersPosition] | None:
        """The legal move from the first square to the last that touches the others in order; None where none fits.

        Raises NotationError where several fit.
        """
        squares = parse_move(play)
        fitting = [s for s in self.successors(position, side, dice) if _fits(s.play, squares)]
        exact = [s for s in fitting if len(s.play) == len(squares) - 1]
        if len(exact or fitting) > 1:
            several = " and ".join(self.write_play(s.play) for s in exact or fitting)
            raise NotationError(f"move {quoted(play)} may be {several}: write every square that is touched")
        return next(iter(exact or fitting), None)

    def board_after(self, position: CheckersPosition, side: Side, play: str) -> Board:
        """The board after a move, legal or not; an opposing piece that is jumped is removed."""
        cells = [content or (0, 0) for content in position.board()]
        squares = parse_move(play) if play.strip() else ()
        for first, second in pairwise(squares):
            source, target = cell_of(first), cell_of(second)
            if not cells[source][0 if side is Side.WHITE else 1]:
                raise PositionError(f"{side.value} has no piece on {first} to move to {second}")
            cells[target], cells[source] = cells[source], (0, 0)
            middle = (source + target) // 2
            jumped = abs(source // COLUMNS - target // COLUMNS) == abs(source % COLUMNS - target % COLUMNS) == 2
            if jumped and cells[middle][1 if side is Side.WHITE else 0]:
                cells[middle] = (0, 0)
        return tuple(cells)

    def to_json(self, position: CheckersPosition) -> Any:
        """The position as a PDN FEN."""
        return position.fen()

    def from_json(self, value: object, player: Side | None = None) -> CheckersPosition:
        """Read a PDN FEN or `{"fen": …}`; `player`, where given, must be the FEN's side to move."""
        value = value.get("fen") if isinstance(value, dict) else value
        if not isinstance(value, str):
            raise PositionError(f"FEN {quoted(value)} is not text such as B:W21,22,K3:B1,5,K32")
        position = CheckersPosition.from_fen(value)
        if player not in (None, position.to_move):
            raise PositionError(
                f"FEN {quoted(value)} has {position.to_move.value} to move, but the player is {player!s}"
            )
        return position

    def board_to_json(self, board: Board) -> dict[str, Any]:
        """`{"squares": {"row,col": "w" or "b"}}`."""
        taken = ((cell, content) for cell, content in enumerate(board) if content is not None and any(content))
        return {"squares": {f"{c // COLUMNS},{c % COLUMNS}": "w" if content[0] else "b" for c, content in taken}}

    def board_from_json(self, value: object, player: Side | None = None) -> Board:  # noqa: ARG002
        """Read `{"squares": {"row,col": "w" or "b"}}`, or a FEN whose side to move does not matter."""
        if isinstance(value, str):
            return CheckersPosition.from_fen(value).board()
        if not isinstance(value, dict) or not isinstance(value.get("squares"), dict) or len(value) != 1:
            raise PositionError(f'board {quoted(value)} is not {{"squares": {{"0,0": "w", …}}}} or a FEN')
        cells: list[Content] = [(0, 0)] * CHECKERS_CELLS
        for key, piece in value["squares"].items():
            cells[_cell(key)] = _piece(key, piece)
        return tuple(cells)

    def _turn(self, position: CheckersPosition, side: Side, dice: Dice | None) -> MoverTurn:
        """The turn; the last one is cached, as it is judged many times."""
        if dice is not None:
            raise RulesError(f"dice {list(dice.values)!r}: sheet {self.sheet.name!r} is a game without dice")
        last = self._last_turn
        if last is None or (last.position, last.side) != (position, side):
            last = self._last_turn = MoverTurn(self._generator, position, side)
        return last


def _fits(play: Play, squares: tuple[int, ...]) -> bool:
    """Whether the move goes from the first square to the last and touches the others in between, in order."""
    touched = iter([play[0].source, *(step.target for step in play)])
    ends = (play[0].source, play[-1].target)
    return ends == (squares[0], squares[-1]) and all(square in touched for square in squares)


_CELLS = {f"{row},{column}": row * COLUMNS + column for row in range(ROWS) for column in range(COLUMNS)}


def _cell(key: str) -> int:
    cell = _CELLS.get(key)
    if cell is None:
        raise PositionError(f'square {quoted(key)} is not "row,col", each from 0 to 7')
    return cell


def _piece(key: str, piece: object) -> Content:
    if piece in ("w", "W"):
        return (1, 0)
    if piece in ("b", "B"):
        return (0, 1)
    raise PositionError(f'square {quoted(key)} holds {quoted(piece)}; expected "w" or "b"')
