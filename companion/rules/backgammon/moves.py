"""Legal backgammon plays: the steps of one die and the plays of a roll.

The generator applies all rules itself: removing illegal plays afterwards could leave none where a shorter legal play
exists. A state is a `View` packed into one integer, least significant byte first, so that a step is one addition.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from companion.core import Play, Step
from companion.notation import BAR, format_play
from companion.rules.backgammon.position import (
    HIGHEST_HOME_POINT,
    OPPONENT,
    VIEW_CELLS,
    BackgammonPosition,
    View,
)
from companion.rules.sheet_terms import movement_terms

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.core import Dice, Side
    from companion.rules.sheet import BackgammonSheet


State = int
"""A `View` as one integer."""
Layer = dict[State, Play]
"""States reached with the same dice, each with one way to get there."""

NO_LIMIT = 255
"""Checkers; more than a point can ever hold."""


@dataclass(frozen=True, slots=True)
class _Move:
    """A step from one point with one die: what to add to a state, and the step, without and with a hit."""

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
_OUTSIDE_AND_BAR = slice(HIGHEST_HOME_POINT + 1, BAR + 1)
_NONE_OUTSIDE = bytes(BAR - HIGHEST_HOME_POINT)


def pack(view: View | Sequence[int]) -> State:
    """A view as one integer."""
    return int.from_bytes(bytes(view), "little")


def unpack(state: State) -> View:
    """The view of a state."""
    return state.to_bytes(VIEW_CELLS, "little")


def higher_points_first(play: Play) -> list[int]:
    """Sort key of plays: those from higher points come first."""
    return [-number for step in play for number in (step.source, step.target)]


def all_home(view: View) -> bool:
    """Whether the mover may bear off: no checker outside the home board or on the bar."""
    return view[_OUTSIDE_AND_BAR] == _NONE_OUTSIDE


@dataclass(frozen=True, slots=True)
class Tree:
    """The states that a roll can lead to.

    Attributes:
        finals: the results of the legal plays, each with a play; empty when nothing can be played.
        reached: every state after at least one legal step, including `finals`.
        most: the largest number of dice that can be played.
        sequences: for each order of the numbers: that order, and the states after one, two … of them.
    """

    finals: Layer
    reached: Layer
    most: int
    sequences: tuple[tuple[tuple[int, ...], list[Layer]], ...]


class StepGenerator:
    """Steps and plays under one sheet."""

    def __init__(self, sheet: BackgammonSheet) -> None:
        self._terms = terms = movement_terms(sheet)
        self._stack_limit = terms.stack_limit or NO_LIMIT
        self._larger_bears_off = terms.larger_bears_off

    @property
    def stack_limit(self) -> int:
        """The mover's checkers that a point can hold; a point with as many is closed to them."""
        return self._stack_limit

    @property
    def larger_bears_off(self) -> bool:
        """Whether a number higher than every occupied point bears off from the highest."""
        return self._larger_bears_off

    def steps(self, state: State, die: int) -> Iterator[tuple[State, Play]]:
        """Every legal step with `die`: the state after it, and the step."""
        view = state.to_bytes(VIEW_CELLS, "little")
        moves, full = _MOVES[die - 1], self._stack_limit
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
        """The states that the numbers can lead to from `view`."""
        root: Layer = {pack(view): ()}
        orders = (numbers,) if len(set(numbers)) == 1 else (numbers, numbers[::-1])
        by_order = [self._layers(root, order) for order in orders]
        most = max(len(layers) for layers in by_order)
        reached: Layer = {}
        for layers in by_order:
            for layer in layers:
                reached = layer | reached
        return Tree(self._finals(by_order, reached, most), reached, most, tuple(zip(orders, by_order, strict=True)))

    def _layers(self, root: Layer, order: tuple[int, ...]) -> list[Layer]:
        """The states after one, two … of the numbers in this order, until a number cannot be played."""
        layers: list[Layer] = []
        layer = root
        for die in order:
            reached: Layer = {}
            for state, play in layer.items():
                for after, step in self.steps(state, die):
                    if after not in reached:
                        reached[after] = play + step
            if not reached:
                break
            layers.append(reached)
            layer = reached
        return layers

    def _finals(self, by_order: list[list[Layer]], reached: Layer, most: int) -> Layer:
        """The results of the legal plays."""
        if not self._terms.as_many_as_possible:
            return reached
        if most == 1 and self._terms.larger_if_only_one:
            return next(layers[0] for layers in by_order if layers)  # the larger number comes first in the first order
        finals: Layer = {}
        for layers in by_order:
            if most and len(layers) == most:
                finals = layers[-1] | finals
        return finals

    def leading(self, view: View, tree: Tree) -> Layer:
        """The states from which a legal play can still be completed, including `view` and the finals."""
        leads: Layer = dict(tree.finals)
        for order, layers in tree.sequences:
            for depth in range(len(layers) - 1, 0, -1):
                for state, play in layers[depth - 1].items():
                    if any(after in leads for after, _ in self.steps(state, order[depth])):
                        leads[state] = play
        if leads:
            leads[pack(view)] = ()
        return leads


@dataclass(frozen=True)
class RolledTurn:
    """`side` has rolled `dice` in `position`; what follows from that is computed on demand, once."""

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
        """The states that the roll can lead to."""
        return self.generator.tree(self.before, self.dice.numbers)

    @cached_property
    def leading(self) -> Layer:
        """The states from which a legal play can still be completed."""
        return self.generator.leading(self.before, self.tree)

    @cached_property
    def plays(self) -> tuple[str, ...]:
        """The legal plays in standard notation, those from higher points first."""
        return tuple(map(format_play, sorted(self.tree.finals.values(), key=higher_points_first)))

    @cached_property
    def hittable(self) -> frozenset[int]:
        """Points, in the mover's numbers, where some legal play hits."""
        return frozenset(step.target for play in self.tree.finals.values() for step in play if step.captured)

    @cached_property
    def may_bear_off(self) -> bool:
        """Whether all checkers are home before the turn or after some of its legal steps."""
        return all_home(self.before) or any(all_home(unpack(state)) for state in self.tree.reached)
