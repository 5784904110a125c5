"""What the rest of Boardside asks of a game's rules; it never asks which game or sheet it is."""

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
    """A question that the rules cannot take: dice that the sheet does not roll, a position of another game."""


@dataclass(frozen=True, slots=True)
class Successor(Generic[PositionT]):
    """A legal play and the position after it."""

    play: Play
    after: PositionT


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished game: who won, and how ("single", "gammon", "backgammon"; checkers: "win")."""

    winner: Side
    kind: str


@dataclass(frozen=True, slots=True)
class Score:
    """What the winner gets, and as what the win counts."""

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
        """`position` with `side` to move, and who that is: in some games a position says so itself."""

    def dice_count(self, position: PositionT, side: Side) -> int:
        """How many dice `side` rolls for a turn that begins here; 0 in a game without dice."""

    def successors(self, position: PositionT, side: Side, dice: Dice | None) -> tuple[Successor[PositionT], ...]:
        """The legal plays, each distinct result once; empty when none exists."""

    def visible(self, position: PositionT) -> Board:
        """What a camera that sees every cell sees of it."""

    def explain(
        self, before: PositionT, side: Side, dice: Dice | None, seen: Board, *, done: bool
    ) -> Verdict[PositionT]:
        """Judge a board known for certain.

        Cells that are None were not seen; what lies there is inferred from the checkers' number where the rules
        allow it.
        """

    def expected_totals(
        self, before: PositionT, side: Side, dice: Dice | None, seen: tuple[bool, ...]
    ) -> tuple[range, range]:
        """How many White and Black checkers can stand in the cells that are `seen`, after anything the turn allows."""

    def cell_name(self, cell: int, side: Side) -> Message:
        """A camera's cell as `side` speaks of it: "the 8 point", "square 14"."""

    def cell_label(self, cell: int) -> int | str:
        """A camera's cell in one word for both players: a point (White's numbers), "bar", "off", a square."""

    def places(self, cells: Sequence[int]) -> Message:
        """Cells as a list for both players: "points 6, 8 and the bar"."""

    def outcome(self, position: PositionT) -> Outcome | None:
        """Who has won, None while the game goes on."""

    def won_by(self, position: PositionT, winner: Side) -> Outcome:
        """How `winner` wins, were the game to end here."""

    def draw_claim(self, past: Sequence[PositionT]) -> str | None:
        """Why a draw may be claimed after a game through `past`, oldest first; None where it may not."""

    def score(self, outcome: Outcome, *, cube: int, for_stakes: bool) -> Score:
        """What a finished game counts under the sheet."""

    def write_play(self, play: Play) -> str:
        """Standard notation."""

    def find_play(self, position: PositionT, side: Side, dice: Dice | None, play: str) -> Successor[PositionT] | None:
        """The legal play written as `play`, however it is written; None where no legal play is meant by it.

        Raises NotationError where it is no play at all.
        """

    def board_after(self, position: PositionT, side: Side, play: str) -> Board:
        """The board after a play in standard notation was made by hand, whatever the rules say of it."""

    def to_json(self, position: PositionT) -> Any:
        """The position as the JSON interfaces write it."""

    def from_json(self, value: object, player: Side | None = None) -> PositionT:
        """Read a position, `player` on roll where it matters; raises PositionError quoting what is wrong."""

    def board_to_json(self, board: Board) -> dict[str, Any]:
        """A board as seen, as the JSON interfaces write it."""

    def board_from_json(self, value: object, player: Side | None = None) -> Board:
        """Read a board as seen, in which a cell may hold both colours and bar or off may be left out."""
