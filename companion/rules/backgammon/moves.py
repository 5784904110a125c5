"""Legal backgammon plays: the steps of a single die, and the plays of a roll.

All step rules live here, inside the generator: a filter afterwards would leave positions without a legal turn. States
are `View`s packed into one integer (little-endian), so that a step is an addition and equal states meet in a dict.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from companion.core import Play, Step
from companion.notation import BAR
from companion.rules.backgammon import words as words
from companion.rules.backgammon.position import OPPONENT, VIEW_CELLS, BackgammonPosition, View, turned
from companion.rules.sheet_terms import stack_limit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.core import Dice, Side
    from companion.rules.sheet import BackgammonSheet


State = int

Layer = dict[State, Play]
"""States reached with the same dice, each with one way to get there."""

HIGHEST_BEAR_OFF_POINT = 6

NO_LIMIT = 255


@dataclass(frozen=True, slots=True)
class _Move:
    """A checker's way from one point over one die: what to add to a state, without and with a hit."""

    target: int
    quiet: int
    hitting: int
    quiet_play: Play
    hitting_play: Play


def _move(source: int, die: int) -> _Move:
    target = max(source - die, 0)
    quiet = (1 << 8 * target) - (1 << 8 * source)
    hit = (1 << 8 * (OPPONENT + BAR)) - (1 << 8 * (OPPONENT + target)) if target else 0
    return _Move(target, quiet, quiet + hit, (Step(source, target),), (Step(source, target, target),))


_MOVES = tuple(tuple(_move(source, die) for source in range(1, BAR + 1)) for die in range(1, 7))

_SOURCES = tuple(range(BAR - 1, 0, -1))

_OUTSIDE_AND_BAR = slice(HIGHEST_BEAR_OFF_POINT + 1, BAR + 1)

_NONE_OUTSIDE = bytes(BAR - HIGHEST_BEAR_OFF_POINT)


def pack(view: View | Sequence[int]) -> State:
    """A view as one integer."""
    return int.from_bytes(bytes(view), "little")


def unpack(state: State) -> View:
    """The view of a state."""
    return state.to_bytes(VIEW_CELLS, "little")


def all_home(view: View) -> bool:
    """Whether the mover may bear off: none outside the home board, none on the bar."""
    return view[_OUTSIDE_AND_BAR] == _NONE_OUTSIDE


@dataclass(frozen=True, slots=True)
class Tree:
    """All that a roll can do to a position.

    Attributes:
        finals: the legal plays' results, each with a play; empty when nothing can be played.
        reached: every state after at least one legal step, the finals among them.
        most: how many dice can be played at most.
        ladders: for each order of the numbers, that order and the states after one, two … of them.
    """

    finals: Layer
    reached: Layer
    most: int
    ladders: tuple[tuple[tuple[int, ...], list[Layer]], ...]


class StepGenerator:
    """Steps and plays under one sheet."""

    def __init__(self, sheet: BackgammonSheet) -> None:
        self._full = stack_limit(sheet) or NO_LIMIT
        self._larger_bears_off = sheet.bear_off_with_larger_die
        self._as_many_as_possible = sheet.use_as_many_dice_as_possible
        self._larger_if_only_one = sheet.larger_die_if_only_one

    @property
    def full(self) -> int:
        """How many checkers of the mover close a point to them."""
        return self._full

    @property
    def larger_bears_off(self) -> bool:
        """Whether a number higher than every occupied point bears off from the highest."""
        return self._larger_bears_off

    def steps(self, state: State, die: int) -> Iterator[tuple[State, Play]]:
        """Every step with `die`: the state after it and the step itself."""
        view = state.to_bytes(VIEW_CELLS, "little")
        moves, full = _MOVES[die - 1], self._full
        for source in (BAR,) if view[BAR] else _SOURCES:
            if not view[source]:
                continue
            move = moves[source - 1]
            target = move.target
            if target:
                opposing = view[OPPONENT + target]
                if opposing > 1 or view[target] >= full:
                    continue
                if opposing:
                    yield state + move.hitting, move.hitting_play
                else:
                    yield state + move.quiet, move.quiet_play
            elif not all_home(view):
                return
            elif source == die or (self._larger_bears_off and not any(view[source + 1 : BAR])):
                yield state + move.quiet, move.quiet_play

    def tree(self, view: View, numbers: tuple[int, ...]) -> Tree:
        """Every state that the numbers can reach, and which of them end a legal play."""
        root: Layer = {pack(view): ()}
        orders = (numbers,) if len(set(numbers)) == 1 else (numbers, numbers[::-1])
        ladders = [self._ladder(root, order) for order in orders]
        most = max(len(ladder) for ladder in ladders)
        reached: Layer = {}
        for ladder in ladders:
            for layer in ladder:
                reached = layer | reached
        return Tree(self._finals(ladders, reached, most), reached, most, tuple(zip(orders, ladders, strict=True)))

    def _ladder(self, root: Layer, order: tuple[int, ...]) -> list[Layer]:
        """The states after one, two … of the numbers in this order, as far as it goes."""
        ladder: list[Layer] = []
        layer = root
        for die in order:
            reached: Layer = {}
            for state, play in layer.items():
                for after, step in self.steps(state, die):
                    if after not in reached:
                        reached[after] = play + step
            if not reached:
                break
            ladder.append(reached)
            layer = reached
        return ladder

    def _finals(self, ladders: list[list[Layer]], reached: Layer, most: int) -> Layer:
        if not self._as_many_as_possible:
            return reached
        if most == 1 and self._larger_if_only_one:
            return next(ladder[0] for ladder in ladders if ladder)
        finals: Layer = {}
        for ladder in ladders:
            if most and len(ladder) == most:
                finals = ladder[-1] | finals
        return finals

    def leading(self, view: View, tree: Tree) -> Layer:
        """The states from which a legal play can still come, the position itself and the finals among them."""
        leads: Layer = dict(tree.finals)
        for order, ladder in tree.ladders:
            for depth in range(len(ladder) - 1, 0, -1):
                for state, play in ladder[depth - 1].items():
                    if any(after in leads for after, _ in self.steps(state, order[depth])):
                        leads[state] = play
        if leads:
            leads[pack(view)] = ()
        return leads


@dataclass(frozen=True)
class RolledTurn:
    """`side` is to play `dice` from `position`; everything else is derived on demand and kept."""

    generator: StepGenerator
    position: BackgammonPosition
    side: Side
    dice: Dice

    @cached_property
    def before(self) -> View:
        """The position as the mover sees it."""
        return self.position.view(self.side)

    @cached_property
    def tree(self) -> Tree:
        """All that the roll can do."""
        return self.generator.tree(self.before, self.dice.numbers)

    @cached_property
    def leading(self) -> Layer:
        """The states from which a legal play can still come."""
        return self.generator.leading(self.before, self.tree)

    @cached_property
    def plays(self) -> tuple[str, ...]:
        """The legal plays in standard notation."""
        return words.written(self.tree.finals.values())

    @cached_property
    def hittable(self) -> frozenset[int]:
        """The mover's numbers of the points where some legal play hits."""
        return frozenset(step.target for play in self.tree.finals.values() for step in play if step.captured)

    @cached_property
    def may_bear_off(self) -> bool:
        """Whether some order of legal steps has all checkers home at a moment when one may be borne off."""
        return all_home(self.before) or any(all_home(unpack(state)) for state in self.tree.reached)

    @cached_property
    def opponents_states(self) -> frozenset[int]:
        """What the opponent could make of the same roll, as the opponent's states."""
        theirs = turned(self.before[OPPONENT:]) + turned(self.before[:OPPONENT])
        return frozenset(self.generator.tree(theirs, self.dice.numbers).reached)
