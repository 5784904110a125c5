"""The referee's judgement of a backgammon board that is known for certain."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.model import Dice, Finding, Side, Verdict
from companion.notation.play import format_play
from companion.observation import BLACK_BAR, BLACK_OFF, WHITE_BAR, WHITE_OFF
from companion.rules import backgammon_words as words
from companion.rules.backgammon import BAR, OFF, OPPONENT, VIEW_CELLS, Position, View, cell_of
from companion.rules.readings import Situation
from companion.rules.steps import all_home, pack, unpack

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.observation import Board
    from companion.rules.steps import StepGenerator, Tree

HANDS = 2
"""A player carries at most a checker in each hand."""


@dataclass(slots=True)
class Judgement:
    """One turn to be judged: everything is seen as the mover sees it."""

    generator: StepGenerator
    position: Position
    side: Side
    dice: Dice
    board: Board
    done: bool
    before: View = field(init=False)
    tree: Tree = field(init=False)
    seen: list[int] = field(init=False)

    def __post_init__(self) -> None:
        """Work out what the roll allows and fill in the cells that were not seen."""
        self.before = self.position.view(self.side)
        self.tree = self.generator.tree(self.before, self.dice.numbers)
        self.seen = self._filled(bearing_off=self._may_bear_off())

    def verdict(self) -> Verdict[Position]:
        """Legal, not moved, unfinished, or illegal with its reason."""
        state = pack(self.seen)
        if state == pack(self.before) and not self.tree.finals:
            message = f"{words.rolled(self.dice)} Nothing can be played: the turn passes."
            return self._verdict(Finding.LEGAL, message, play="")
        if state in self.tree.finals:
            play = format_play(self.tree.finals[state])
            return self._verdict(Finding.LEGAL, f"{words.name(self.side)} plays {play}.", play=play)
        if state == pack(self.before):
            return self._verdict(Finding.NOT_MOVED, self._with_plays("No checker has moved."))
        if not self.done and (unfinished := self._unfinished(state)):
            return self._verdict(Finding.UNFINISHED, unfinished)
        if state in self.tree.reached:
            return self._incomplete(state)
        return self._broken()

    # -- the board as the mover sees it

    def _may_bear_off(self) -> bool:
        """Whether some legal order of steps has all checkers home at a moment when one may be borne off."""
        return all_home(self.before) or any(all_home(unpack(state)) for state in self.tree.reached)

    def _filled(self, *, bearing_off: bool) -> list[int]:
        """The seen board as a view. Cells not seen are inferred: what is not on the board stayed on the bar where
        it was, or else was borne off where that was possible; no other place hides a checker.
        """  # noqa: D205
        seen: list[int | None] = [0] * VIEW_CELLS
        for half, side in ((0, self.side), (OPPONENT, self.side.opponent)):
            mine = 0 if side is Side.WHITE else 1
            for point in range(1, BAR):
                content = self.board[cell_of(point, self.side)]
                seen[half + point] = None if content is None else content[mine]
            bar, off = (WHITE_BAR, WHITE_OFF) if side is Side.WHITE else (BLACK_BAR, BLACK_OFF)
            for point, cell in ((BAR, bar), (OFF, off)):
                content = self.board[cell]
                seen[half + point] = None if content is None else content[mine]
        return self._inferred(seen, 0, bearing_off=bearing_off) + self._inferred(seen, OPPONENT, bearing_off=False)

    def _inferred(self, seen: list[int | None], half: int, *, bearing_off: bool) -> list[int]:
        was = self.before[half : half + OPPONENT]
        counts = seen[half : half + OPPONENT]
        unseen = [p for p in range(OPPONENT) if counts[p] is None]
        filled = [was[p] if counts[p] is None and p not in (BAR, OFF) else counts[p] or 0 for p in range(OPPONENT)]
        if not unseen:
            return filled
        if OFF in unseen:
            filled[OFF] = was[OFF]
        rest = sum(was) - sum(filled)
        if BAR in unseen:
            filled[BAR] = max(min(rest, was[BAR] if half == 0 else rest), 0)
            rest -= filled[BAR]
        if OFF in unseen and bearing_off and rest > 0:
            filled[OFF] += rest
        return filled

    # -- a turn that goes on

    def _unfinished(self, state: int) -> str | None:
        """What is still to come, where the turn is not declared done and a legal play can come of it."""
        leading = self.generator.leading(self.before, self.tree)
        if state in leading:
            return f"{format_play(leading[state])} so far: the turn goes on."
        hittable = {step.target for play in self.tree.finals.values() for step in play if step.captured}
        views = [self.seen]
        if self.board[cell_of(OFF, self.side)] is None:
            views.append(self._filled(bearing_off=False))
        for view in views:
            if any(self._on_the_way(view, unpack(lead), hittable) for lead in leading):
                return "A checker is on its way: the turn goes on."
        return None

    def _on_the_way(self, seen: list[int], lead: View, hittable: set[int]) -> bool:
        """Whether `seen` is `lead` but for checkers in the mover's hands.

        That is: up to two of the mover's own are missing; a blot that a legal play hits is lifted already; a hit
        checker is not on the bar yet, but in the hand or still beside the checker that hit it.
        """
        carried = 0
        for point in range(OPPONENT):
            missing = lead[point] - seen[point]
            if missing < 0:
                return False
            carried += missing
        if carried > HANDS:
            return False
        lifted = waiting = 0
        for point in range(BAR):
            missing = lead[OPPONENT + point] - seen[OPPONENT + point]
            if missing == 1 and point in hittable:
                lifted += 1
            elif missing == -1 and point and self.before[OPPONENT + point] == 1:
                waiting += 1
            elif missing:
                return False
        hit = lead[OPPONENT + BAR] - self.before[OPPONENT + BAR]
        lacking = lead[OPPONENT + BAR] - seen[OPPONENT + BAR]
        return -lifted <= lacking <= hit and waiting <= max(lacking, 0)

    # -- a turn that is wrong

    def _incomplete(self, state: int) -> Verdict[Position]:
        """Every step was right, but it is not a whole play."""
        larger = max(self.dice.values)
        played = format_play(self.tree.reached[state])
        if self.tree.most == 1:
            text = f"Only one of the numbers can be played, and it must be the larger: the {larger}, not {played}."
            return self._verdict(Finding.ILLEGAL, self._with_plays(text), codes=("must_play_larger_die",))
        text = f"{played} leaves numbers unplayed that can be played."
        return self._verdict(Finding.ILLEGAL, self._with_plays(text), codes=("could_play_more",))

    def _broken(self) -> Verdict[Position]:
        """Some step was wrong, or the checkers do not add up."""
        if self._opponent_played():
            text = f"It is {words.name(self.side)}'s turn, but {words.name(self.side.opponent)}'s checkers were moved."
            return self._verdict(Finding.ILLEGAL, self._with_plays(text), codes=("wrong_player_moved",))
        reading = Situation(self.before, self.seen, self.dice.numbers, self.generator).best()
        turn = words.Turn(self.side, self.dice, self.before, self.seen, self.generator.full)
        first = next(fault for fault in reading.faults if fault.code == reading.codes[0])
        text = words.fault_sentence(first, turn)
        return self._verdict(Finding.ILLEGAL, self._with_plays(text), codes=reading.codes)

    def _opponent_played(self) -> bool:
        theirs = Position.from_view(self.before, self.side).view(self.side.opponent)
        mine, opposing = bytes(self.seen[:OPPONENT]), bytes(self.seen[OPPONENT:])
        if any(m and o for m, o in zip(mine[1:BAR], opposing[1:BAR], strict=True)):
            return False
        seen = Position.from_view(mine + opposing, self.side).view(self.side.opponent)
        return pack(seen) in self.generator.tree(theirs, self.dice.numbers).reached

    # -- putting it into words

    def _plays(self) -> tuple[str, ...]:
        return words.written(self.tree.finals.values())

    def _with_plays(self, text: str) -> str:
        return f"{words.rolled(self.dice)} {text} {words.legal_here(self._plays())}"

    def _verdict(
        self, finding: Finding, message: str, *, play: str | None = None, codes: tuple[str, ...] = ()
    ) -> Verdict[Position]:
        return Verdict(
            finding=finding,
            message=message,
            reason=codes[0] if codes else None,
            also=codes[1:],
            after=self._after(),
            play=play,
            plays=self._plays(),
            cells=tuple(self._changed_cells()),
        )

    def _after(self) -> Position | None:
        """The position that stands there; None where a point holds both colours."""
        if any(self.seen[p] and self.seen[OPPONENT + p] for p in range(1, BAR)):
            return None
        return Position.from_view(bytes(self.seen), self.side)

    def _changed_cells(self) -> Iterator[int]:
        for point in range(OPPONENT):
            if self.seen[point] != self.before[point]:
                yield cell_of(point, self.side)
            if self.seen[OPPONENT + point] != self.before[OPPONENT + point]:
                yield cell_of(point, self.side.opponent if point in (BAR, OFF) else self.side)
