"""The rules of backgammon under one sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.model import Dice, Play, Side, Verdict
from companion.notation.play import format_play, parse_play
from companion.rules import backgammon_json
from companion.rules.backgammon import OPPONENT, START, Position
from companion.rules.explain_backgammon import Judgement
from companion.rules.played_by_hand import played
from companion.rules.ruleset import Outcome, RulesError, Score, Successor
from companion.rules.scoring import backgammon_kind, backgammon_score
from companion.rules.steps import StepGenerator, all_home, unpack

if TYPE_CHECKING:
    from companion.observation import Board
    from companion.rules.sheet import BackgammonSheet


class BackgammonRules:
    """See `companion.rules.ruleset.Ruleset`."""

    def __init__(self, sheet: BackgammonSheet) -> None:
        self.sheet = sheet
        self._generator = StepGenerator(sheet)

    def start(self) -> Position:
        """The starting position."""
        return START

    def dice_count(self, position: Position, side: Side) -> int:
        """Two, or one where the sheet rolls a single die for a turn that begins with all checkers at home."""
        if self.sheet.bear_off_dice == "one" and all_home(position.view(side)):
            return 1
        return 2

    def successors(self, position: Position, side: Side, dice: Dice | None) -> tuple[Successor[Position], ...]:
        """The legal plays, each distinct result once. Raises RulesError where the sheet rolls other dice."""
        numbers = self._checked(position, side, dice).numbers
        tree = self._generator.tree(position.view(side), numbers)
        from_view = Position.from_view
        return tuple(Successor(play, from_view(unpack(state), side)) for state, play in tree.finals.items())

    def visible(self, position: Position) -> Board:
        """What a camera that sees every cell sees of it."""
        return position.board()

    def explain(self, before: Position, side: Side, dice: Dice | None, seen: Board, *, done: bool) -> Verdict[Position]:
        """Judge a board known for certain; cells that are None are inferred where the rules allow it."""
        rolled = self._checked(before, side, dice)
        return Judgement(self._generator, before, side, rolled, seen, done).verdict()

    def outcome(self, position: Position) -> Outcome | None:
        """Who has borne off all, and what that is."""
        for side in Side:
            view = position.view(side)
            if view[0] and view[0] == sum(view[:OPPONENT]):
                return self.won_by(position, side)
        return None

    def won_by(self, position: Position, winner: Side) -> Outcome:
        """How `winner` wins, were the game to end here."""
        return Outcome(winner, backgammon_kind(self.sheet, position, winner))

    def score(self, outcome: Outcome, *, cube: int, for_stakes: bool) -> Score:
        """What a finished game counts under the sheet."""
        return backgammon_score(self.sheet, outcome.kind, cube=cube, for_stakes=for_stakes)

    def write_play(self, play: Play) -> str:
        """Standard notation, the mover's own numbers."""
        return format_play(play)

    def played(self, position: Position, side: Side, play: str) -> Board:
        """The board after a play was made by hand, whatever the rules say of it."""
        return played(position, side, parse_play(play))

    def to_json(self, position: Position) -> dict[str, Any]:
        """`{"points", "bar", "off"}`."""
        return backgammon_json.position_to_json(position)

    def from_json(self, value: object, player: Side | None = None) -> Position:
        """Read a position; `player` is on roll where a Position ID does not say."""
        return backgammon_json.position_from_json(value, player)

    def board_from_json(self, value: object, player: Side | None = None) -> Board:
        """Read a board as seen."""
        return backgammon_json.board_from_json(value, player)

    def _checked(self, position: Position, side: Side, dice: Dice | None) -> Dice:
        wanted = self.dice_count(position, side)
        if dice is None or len(dice.values) != wanted:
            got = "no dice" if dice is None else f"dice {list(dice.values)!r}"
            raise RulesError(f"{got}: under sheet {self.sheet.name!r} this turn is rolled with {wanted}")
        return dice
