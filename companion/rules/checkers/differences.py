"""Reading a difference between two checkers boards as a move, with the rules that it breaks.

As in backgammon, only what stood and what stands is known; each pairing of a square left with a square taken is a
story, and the story with the fewest kinds of fault, then the one whose fault comes first in the list, is told.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

from companion.core import Play, Reason, Step
from companion.notation import cell_of, square_of
from companion.rules.checkers.moves import KING_REACH, Jump, MoveGenerator, Moves
from companion.rules.checkers.position import numbers, offset
from companion.rules.reasons import CHECKERS_REASONS, by_precedence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.rules.checkers.position import Squares, View

LAST_OF_CROWN_ROW = 4
MOST_PAIRED = 3


@dataclass(frozen=True, slots=True)
class Story:
    """What one piece did: from a square to a cell (a light one has no number), what it took, the rules broken."""

    source: int
    target_cell: int
    play: Play
    taken: Squares = 0
    codes: frozenset[Reason] = frozenset()


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed, in the mover's numbers; cells for what came, since it may stand on a light square."""

    left: tuple[int, ...]
    came: tuple[int, ...]
    removed: Squares
    added: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MoveReading:
    """The stories of the pieces that moved, and all the codes, the reason first."""

    stories: tuple[Story, ...]
    codes: tuple[Reason, ...]

    @property
    def cost(self) -> tuple[int, int]:
        """How contrived the reading is."""
        return len(self.codes), CHECKERS_REASONS.index(self.codes[0])


class Storyteller:
    """Tells what may have happened between `before` and what is seen."""

    def __init__(self, before: View, moves: Moves, generator: MoveGenerator) -> None:
        self._before = before
        self._moves = moves
        self._generator = generator

    def best(self, difference: Difference) -> MoveReading:
        """The least contrived reading that has a fault in it."""
        return min((reading for reading in self._readings(difference) if reading.codes), key=lambda r: r.cost)

    def _readings(self, difference: Difference) -> Iterator[MoveReading]:
        left, came = difference.left, difference.came
        count = min(len(left), len(came))
        if count > MOST_PAIRED:
            left, came = left[:MOST_PAIRED], came[:MOST_PAIRED]
            count = MOST_PAIRED
        for sources in permutations(left, count):
            for targets in permutations(came, count) if len(came) > len(left) else [came[:count]]:
                for stories in self._told(tuple(zip(sources, targets, strict=True))):
                    yield MoveReading(stories, self._codes(stories, difference))

    def _told(self, pairs: tuple[tuple[int, int], ...]) -> Iterator[tuple[Story, ...]]:
        if not pairs:
            yield ()
            return
        for story in self._stories(*pairs[0]):
            for rest in self._told(pairs[1:]):
                yield (story, *rest)

    def _codes(self, stories: tuple[Story, ...], difference: Difference) -> tuple[Reason, ...]:
        codes = {code for story in stories for code in story.codes}
        taken = 0
        for story in stories:
            taken |= story.taken
        if taken & ~difference.removed:
            codes.add(Reason.CAPTURED_NOT_REMOVED)
        if difference.removed & ~taken:
            codes.add(Reason.REMOVED_WRONGLY if stories else Reason.PIECE_MISSING)
        if len(difference.left) > len(difference.came):
            codes.add(Reason.PIECE_MISSING)
        if len(difference.came) > len(difference.left) or difference.added:
            codes.add(Reason.PIECE_EXTRA)
        ordered = by_precedence(codes, CHECKERS_REASONS)
        if len(stories) > 1:
            ordered = (Reason.TWO_PIECES_MOVED, *(code for code in ordered if code != Reason.MUST_CAPTURE))
        return ordered

    def _stories(self, source: int, target_cell: int) -> Iterator[Story]:
        target = square_of(target_cell)
        if target is None:
            yield Story(source, target_cell, (), codes=frozenset({Reason.LIGHT_SQUARE}))
            return
        jumps = list(self._jumps_to(source, target))
        yield from jumps
        if not jumps:
            play = (Step(source, target),)
            yield Story(source, target_cell, play, codes=frozenset(self._step_codes(source, target)))

    def _is_king(self, source: int) -> bool:
        return bool(self._before.kings >> (source - 1) & 1)

    def _step_codes(self, source: int, target: int) -> set[Reason]:
        """What is wrong with going from one dark square to another without taking anything."""
        forward, sideways = offset(cell_of(source), cell_of(target))
        backwards = {Reason.MAN_MOVED_BACKWARDS} if forward < 0 and not self._is_king(source) else set()
        if not forward or not sideways:
            return {Reason.NOT_DIAGONAL} | backwards
        distance = abs(forward)
        if distance != abs(sideways) or distance > 2:
            return {Reason.TOO_FAR} | backwards
        if distance == 2:
            middle = (cell_of(source) + cell_of(target)) // 2
            over_own = square_of(middle) in numbers(self._before.mine)
            if not over_own:
                return {Reason.NOTHING_TO_JUMP} | backwards
            if not self._generator.jumps_own:
                return {Reason.JUMPED_OWN} | backwards
        if backwards:
            return backwards
        return {Reason.MUST_CAPTURE} if self._generator.must_capture and self._moves.captures else set()

    def _jumps_to(self, source: int, target: int) -> Iterator[Story]:
        """Sequences of jumps over the opponent's pieces that end on `target`, allowed or not."""
        growing: list[tuple[Jump, frozenset[Reason]]] = self._leaps(Jump((), 0, self._is_king(source)), source, source)
        while growing:
            jump, codes = growing.pop()
            if jump.square == target:
                unfinished = not codes and not self._generator.may_end(self._before, jump)
                ending = codes | {Reason.MUST_FINISH_JUMP} if unfinished else codes
                yield Story(source, cell_of(target), jump.play, jump.taken, ending)
            growing += [(longer, codes | more) for longer, more in self._leaps(jump, jump.square, source)]

    def _leaps(self, jump: Jump, square: int, source: int) -> list[tuple[Jump, frozenset[Reason]]]:
        """One jump more in any direction, with the codes of what is wrong with it."""
        before = self._before
        in_the_way = (before.mine | before.theirs) & ~(1 << (source - 1))
        crowned = jump.king and not self._is_king(source)
        leaps = []
        for over, target in KING_REACH[square]:
            if target is None or in_the_way >> (target - 1) & 1:
                continue
            bit = 1 << (over - 1)
            if before.theirs & ~jump.taken & bit:
                codes = set()
                if crowned and self._generator.crowning_ends:
                    codes.add(Reason.TURN_ENDED_ON_CROWNING)
                if target > square and not jump.king:
                    codes.add(Reason.MAN_MOVED_BACKWARDS)
                step = Step(square, target, over)
                king = jump.king or target <= LAST_OF_CROWN_ROW
                leaps.append((Jump((*jump.play, step), jump.taken | bit, king), frozenset(codes)))
        return leaps
