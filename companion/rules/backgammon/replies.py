"""Tells whether a play and the opponent's reply to it together explain a board."""

from __future__ import annotations

from itertools import combinations_with_replacement
from operator import ge
from typing import TYPE_CHECKING

from companion.notation import BAR, OFF
from companion.rules.backgammon.moves import pack, unpack
from companion.rules.backgammon.position import OPPONENT, VIEW_CELLS, turned

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.rules.backgammon.moves import RolledTurn, State, StepGenerator
    from companion.rules.backgammon.position import View

_ROLLS = [pair * 2 if pair[0] == pair[1] else pair for pair in combinations_with_replacement(range(1, 7), 2)]
"""The numbers of every roll: what the opponent rolled is not known."""


def explained_by_reply(turn: RolledTurn, seen: Sequence[int]) -> bool:
    """Whether a play of the mover and a reply to any roll, each complete or not, lead to the counts `seen`.

    False if the opponent's checkers are where they were: then nothing shows that one was moved.
    """
    result = bytes(seen)
    if result[OPPONENT:] == turn.before[OPPONENT:]:
        return False
    result = _other_side(result)
    plays = (unpack(state) for state in (pack(turn.before), *turn.tree.reached))
    return any(_only_hit(view, seen) and _leads_to(turn.generator, _other_side(view), result) for view in plays)


def _only_hit(view: View, seen: Sequence[int]) -> bool:
    """Whether the mover's checkers are seen where `view` has them, except for some that may have been hit."""
    return view[OFF] == seen[OFF] and all(map(ge, view[:BAR], seen))


def _leads_to(generator: StepGenerator, view: View, result: View) -> bool:
    """Whether steps with the numbers of any one roll lead from `view` to `result`, both from the same side."""
    pips = _pips(view) - _pips(result)
    final = pack(result)
    for numbers in _ROLLS:
        for order in {numbers, numbers[::-1]} if 0 < pips <= sum(numbers) else ():
            layer = {pack(view)}
            for left in range(len(order) - 1, -1, -1):
                layer = set(_steps_towards(generator, layer, order[left], result, left))
                if final in layer:
                    return True
    return False


def _steps_towards(generator: StepGenerator, states: set[State], die: int, result: View, left: int) -> Iterator[State]:
    """The states one step with `die` further from which `result` can be reached with `left` more steps."""
    for state in states:
        for after, _ in generator.steps(state, die):
            view = unpack(after)
            elsewhere = sum(now - then for now, then in zip(result[:OPPONENT], view, strict=False) if now > then)
            if elsewhere <= left and all(map(ge, view[OPPONENT : VIEW_CELLS - 1], result[OPPONENT:])):
                yield after


def _pips(view: View) -> int:
    return sum(point * view[point] for point in range(OPPONENT))


def _other_side(view: View) -> View:
    """The same position as the opponent's view."""
    return turned(view[OPPONENT:]) + turned(view[:OPPONENT])
