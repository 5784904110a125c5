"""The interface of a game's rules, the same for every game and sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol

from companion.core import BoardsideError, Dice, Play, PositionT, Side, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Board, Message
    from companion.rules.sheet import Sheet


class PositionError(BoardsideError):
    """A position cannot be read or does not exist under the rules; the text quotes it."""


class RulesError(BoardsideError):
    """A call that the rules do not allow, such as dice that the sheet does not roll."""


@dataclass(frozen=True, slots=True)
class Successor(Generic[PositionT]):
    """A legal play and the position after it."""

    play: Play
    after: PositionT


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished game: the winner and the kind of win ("single", "gammon", "backgammon"; checkers: "win")."""

    winner: Side
    kind: str


@dataclass(frozen=True, slots=True)
class Score:
    """The winner's points, and the kind of win that they are for."""

    points: int
    kind: str


class Ruleset(Protocol[PositionT]):
    """The rules of one game under one sheet.

    `dice` is None in a game without dice. Every method is pure.
    """

    @property
    def sheet(self) -> Sheet:
        """The rule sheet followed."""

    @property
    def has_draws(self) -> bool:
        """Whether a game can be drawn."""

    def start(self) -> PositionT:
        """The starting position."""

    def with_turn(self, position: PositionT, side: Side | None) -> tuple[PositionT, Side | None]:
        """`position` with `side` to move (None: unchanged), and the side to move; None if neither says which."""

    def dice_count(self, position: PositionT, side: Side) -> int:
        """Number of dice that `side` rolls for a turn from here; 0 in a game without dice."""

    def successors(self, position: PositionT, side: Side, dice: Dice | None) -> tuple[Successor[PositionT], ...]:
        """The legal plays, one for each result; empty when none exists. Raises RulesError for dice not of this turn."""

    def visible(self, position: PositionT) -> Board:
        """The position as camera cells, all of them seen."""

    def explain(
        self, before: PositionT, side: Side, dice: Dice | None, seen: Board, *, done: bool
    ) -> Verdict[PositionT]:
        """The verdict on a board whose contents are certain; `done`: the turn is declared over.

        Cells that are None were not seen; their content is inferred from the number of checkers or taken as unchanged.
        """

    def expected_totals(
        self, before: PositionT, side: Side, dice: Dice | None, seen: tuple[bool, ...]
    ) -> tuple[range, range]:
        """Possible numbers of White and of Black checkers in the cells that are `seen`, after any legal play."""

    def cell_name(self, cell: int, side: Side) -> Message:
        """A cell in the numbers of `side`: "the 8 point", "square 14"."""

    def cell_label(self, cell: int) -> int | str:
        """A cell for both players: a point in White's numbers, "bar", "off" or a square."""

    def places(self, cells: Sequence[int], side: Side = Side.WHITE) -> Message:
        """Cells as a list, points in the numbers of `side`: "points 6, 8 and the bar"."""

    def outcome(self, position: PositionT) -> Outcome | None:
        """How the game ended; None while it goes on."""

    def won_by(self, position: PositionT, winner: Side) -> Outcome:
        """The outcome if the game ended here with `winner` as the winner."""

    def draw_claim(self, past: Sequence[PositionT]) -> str | None:
        """Why a draw may be claimed after the positions `past`, oldest first; None where it may not."""

    def score(self, outcome: Outcome, *, cube: int, for_stakes: bool) -> Score:
        """The points of a finished game under the sheet."""

    def write_play(self, play: Play) -> str:
        """A play in standard notation."""

    def find_play(self, position: PositionT, side: Side, dice: Dice | None, play: str) -> Successor[PositionT] | None:
        """The legal play written as `play` in any accepted notation; None where it is not legal.

        Raises NotationError where it cannot be read.
        """

    def board_after(self, position: PositionT, side: Side, play: str) -> Board:
        """The board after a play in standard notation, legal or not. Raises NotationError or PositionError."""

    def to_json(self, position: PositionT) -> Any:
        """The position in the form of the JSON interfaces."""

    def from_json(self, value: object, player: Side | None = None) -> PositionT:
        """Read a position; `player` is on roll where the value does not name one. Raises PositionError."""

    def board_to_json(self, board: Board) -> dict[str, Any]:
        """A board as seen in the form of the JSON interfaces."""

    def board_from_json(self, value: object, player: Side | None = None) -> Board:
        """Read a board as seen; a cell may hold both colours, bar and off may be left out. Raises PositionError."""
