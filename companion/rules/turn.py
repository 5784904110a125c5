"""A roll and what it can do to a position, worked out once however many boards are judged against it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from companion.rules import backgammon_words as words
from companion.rules.backgammon import OPPONENT, Position, View, turned
from companion.rules.steps import all_home, unpack

if TYPE_CHECKING:
    from companion.model import Dice, Side
    from companion.rules.steps import Layer, StepGenerator, Tree


@dataclass(frozen=True)
class RolledTurn:
    """`side` is to play `dice` from `position`; everything else is derived on demand and kept."""

    generator: StepGenerator
    position: Position
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
