"""Backgammon under a sheet, as a `Ruleset`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core import BLACK_BAR, BLACK_OFF, WHITE_BAR, WHITE_OFF, Dice, Play, Side, Verdict, cell_name, message
from companion.notation import BAR, OFF, format_play, parse_play
from companion.rules.backgammon import position as backgammon_json
from companion.rules.backgammon import words as backgammon_words
from companion.rules.backgammon.explain import BackgammonJudgement
from companion.rules.backgammon.moves import RolledTurn, StepGenerator, all_home, unpack
from companion.rules.backgammon.position import OPPONENT, START, BackgammonPosition, cell_of_point
from companion.rules.backgammon.scoring import backgammon_kind, backgammon_score
from companion.rules.ruleset import Outcome, PositionError, RulesError, Score, Successor
from companion.rules.sheet_terms import movement_terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Board, Message
    from companion.rules.sheet import BackgammonSheet


def move_checkers(position: BackgammonPosition, side: Side, play: Play) -> Board:
    """The board after the checkers are moved as `play` has it, legal or not.

    A blot where a checker lands goes to the bar; a point that the opponent holds then has both colours.
    Raises PositionError where there is no checker to move.
    """
    mine, theirs = (0, 1) if side == "white" else (1, 0)
    cells = [list(content or (0, 0)) for content in position.board()]
    for step in play:
        source, target = cell_of_point(step.source, side), cell_of_point(step.target, side)
        if not cells[source][mine]:
            raise PositionError(f"{side.value} has no checker on {step.source} to move to {step.target}")
        cells[source][mine] -= 1
        cells[target][mine] += 1
        if step.target not in (BAR, OFF) and cells[target][theirs] == 1:
            cells[target][theirs] = 0
            cells[cell_of_point(BAR, side.opponent)][theirs] += 1
    return tuple((white, black) for white, black in cells)


class BackgammonRules:
    """Backgammon under one sheet."""

    has_draws = False

    def __init__(self, sheet: BackgammonSheet) -> None:
        self.sheet = sheet
        self._generator = StepGenerator(sheet)
        self._last_turn: RolledTurn | None = None

    def start(self) -> BackgammonPosition:
        """The starting position."""
        return START

    def with_turn(self, position: BackgammonPosition, side: Side | None) -> tuple[BackgammonPosition, Side | None]:
        """Both unchanged: a position does not contain the player on roll."""
        return position, side

    def dice_count(self, position: BackgammonPosition, side: Side) -> int:
        """2; 1 where the sheet rolls a single die for a turn that begins with all checkers at home."""
        if movement_terms(self.sheet).one_die_at_home and all_home(position.view(side)):
            return 1
        return 2

    def successors(
        self, position: BackgammonPosition, side: Side, dice: Dice | None
    ) -> tuple[Successor[BackgammonPosition], ...]:
        """The legal plays, one for each result. Raises RulesError for a number of dice that the sheet does not roll."""
        tree = self._turn(position, side, dice).tree
        from_view = BackgammonPosition.from_view
        return tuple(Successor(play, from_view(unpack(state), side)) for state, play in tree.finals.items())

    def visible(self, position: BackgammonPosition) -> Board:
        """The position as camera cells."""
        return position.board()

    def explain(
        self, before: BackgammonPosition, side: Side, dice: Dice | None, seen: Board, *, done: bool
    ) -> Verdict[BackgammonPosition]:
        """The verdict on a board; the content of cells that are None is inferred."""
        return BackgammonJudgement(self._turn(before, side, dice), seen, done).verdict()

    def expected_totals(
        self, before: BackgammonPosition, side: Side, dice: Dice | None, seen: tuple[bool, ...]
    ) -> tuple[range, range]:
        """Possible numbers of White and of Black checkers in the cells that are seen, after any play of the roll."""
        mine, theirs = before.view(side)[:OPPONENT], before.view(side.opponent)[:OPPONENT]
        turn = self._turn(before, side, dice)
        borne_off = len(turn.dice.numbers) if turn.may_bear_off else 0
        hidden_off, hidden_bar = not seen[cell_of_point(OFF, side)], not seen[cell_of_point(BAR, side)]
        most = sum(mine) - mine[OFF] * hidden_off
        own = range(most - borne_off * hidden_off - mine[BAR] * hidden_bar, most + 1)
        hidden_off, hidden_bar = (
            not seen[cell_of_point(OFF, side.opponent)],
            not seen[cell_of_point(BAR, side.opponent)],
        )
        most = sum(theirs) - theirs[OFF] * hidden_off - theirs[BAR] * hidden_bar
        other = range(most - len(turn.dice.numbers) * hidden_bar, most + 1)
        return (own, other) if side is Side.WHITE else (other, own)

    def cell_name(self, cell: int, side: Side) -> Message:
        """A cell in the numbers of `side`: "the 8 point", "the bar"."""
        if cell in (WHITE_BAR, BLACK_BAR):
            return message("the_bar")
        if cell in (WHITE_OFF, BLACK_OFF):
            return message("borne_off")
        return backgammon_words.point_name(cell + 1 if side is Side.WHITE else 24 - cell)

    def cell_label(self, cell: int) -> int | str:
        """The point in White's numbers, "bar" or "off"."""
        return cell_name(cell)

    def places(self, cells: Sequence[int], side: Side = Side.WHITE) -> Message:
        """Cells as a list, points in the numbers of `side`."""
        return backgammon_words.places(cells, side)

    def outcome(self, position: BackgammonPosition) -> Outcome | None:
        """The winner, who has borne off all checkers, and the kind of win; None while the game goes on."""
        for side in Side:
            view = position.view(side)
            if view[0] and view[0] == sum(view[:OPPONENT]):
                return self.won_by(position, side)
        return None

    def won_by(self, position: BackgammonPosition, winner: Side) -> Outcome:
        """The kind of win if the game ended here."""
        return Outcome(winner, backgammon_kind(self.sheet, position, winner))

    def draw_claim(self, past: Sequence[BackgammonPosition]) -> None:
        """None: there are no draws."""

    def score(self, outcome: Outcome, *, cube: int, for_stakes: bool) -> Score:
        """The points of a finished game."""
        return backgammon_score(self.sheet, outcome.kind, cube=cube, for_stakes=for_stakes)

    def write_play(self, play: Play) -> str:
        """A play in standard notation."""
        return format_play(play)

    def find_play(
        self, position: BackgammonPosition, side: Side, dice: Dice | None, play: str
    ) -> Successor[BackgammonPosition] | None:
        """The legal play that results in the same board as `play`; None where there is none."""
        try:
            board = self.board_after(position, side, play)
        except PositionError:
            return None
        return next((s for s in self.successors(position, side, dice) if s.after.board() == board), None)

    def board_after(self, position: BackgammonPosition, side: Side, play: str) -> Board:
        """The board after a play, legal or not."""
        return move_checkers(position, side, parse_play(play))

    def to_json(self, position: BackgammonPosition) -> dict[str, Any]:
        """`{"points", "bar", "off"}`."""
        return backgammon_json.position_to_json(position)

    def from_json(self, value: object, player: Side | None = None) -> BackgammonPosition:
        """Read a position; `player` is on roll where the value does not name a player."""
        return backgammon_json.position_from_json(value, player)

    def board_to_json(self, board: Board) -> dict[str, Any]:
        """`{"points", "bar", "off"}`; a point with both colours is a pair, bar or off not seen is None."""
        return backgammon_json.board_to_json(board)

    def board_from_json(self, value: object, player: Side | None = None) -> Board:
        """Read a board as seen."""
        return backgammon_json.board_from_json(value, player)

    def _turn(self, position: BackgammonPosition, side: Side, dice: Dice | None) -> RolledTurn:
        """The turn; the last one is cached, as it is judged many times."""
        expected = self.dice_count(position, side)
        if dice is None or len(dice.values) != expected:
            got = "no dice" if dice is None else f"dice {list(dice.values)!r}"
            raise RulesError(f"{got}: under sheet {self.sheet.name!r} this turn is rolled with {expected}")
        last = self._last_turn
        if last is None or (last.position, last.side, last.dice) != (position, side, dice):
            last = self._last_turn = RolledTurn(self._generator, position, side, dice)
        return last
