"""Explains the difference between two checkers boards as moves of pieces and the rules that they break.

Every pairing of the squares that lost pieces with the squares that gained one is tried. The best reading has the
fewest different faults, then the reason that takes precedence.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

from companion.core import Play, Reason, Step
from companion.notation import cell_of, square_of
from companion.rules.checkers.moves import KING_REACH, Jump, MoveGenerator, Moves
from companion.rules.checkers.position import LAST_OF_CROWN_ROW, bit_of, offset
from companion.rules.reasons import CHECKERS_REASONS, by_precedence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.rules.checkers.position import Squares, View

MOST_PAIRED = 3
"""Pieces; of more that moved, only the first on each side are paired."""


@dataclass(frozen=True, slots=True)
class PieceMove:
    """How one piece moved.

    Attributes:
        source: the square that it left.
        target_cell: the cell where it stands now; a light one has no square number.
        play: the steps, empty where it stands on a light square.
        taken: the squares of the pieces that it jumped.
        reasons: the rules that the move breaks.
    """

    source: int
    target_cell: int
    play: Play
    taken: Squares = 0
    reasons: frozenset[Reason] = frozenset()


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed, in the mover's numbers.

    Attributes:
        left: squares that the mover's pieces left.
        came: cells where the mover's pieces are new.
        removed: squares that the opponent's pieces left.
        added: cells where the opponent's pieces are new.
    """

    left: tuple[int, ...]
    came: tuple[int, ...]
    removed: Squares
    added: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MoveReading:
    """One explanation of a difference: the moves of the mover's pieces, and all reasons, the main one first."""

    moves: tuple[PieceMove, ...]
    reasons: tuple[Reason, ...]

    @property
    def cost(self) -> tuple[int, int]:
        """Number of different faults, rank of the first reason; lower is better."""
        return len(self.reasons), CHECKERS_REASONS.index(self.reasons[0])


class MoveExplainer:
    """Finds the readings of a difference from `before`, with the legal `moves` of the turn."""

    def __init__(self, before: View, moves: Moves, generator: MoveGenerator) -> None:
        self._before = before
        self._moves = moves
        self._generator = generator

    def best(self, difference: Difference) -> MoveReading:
        """The reading with a fault that costs least."""
        return min((reading for reading in self._readings(difference) if reading.reasons), key=lambda r: r.cost)

    def _readings(self, difference: Difference) -> Iterator[MoveReading]:
        left, came = difference.left, difference.came
        count = min(len(left), len(came))
        if count > MOST_PAIRED:
            left, came = left[:MOST_PAIRED], came[:MOST_PAIRED]
            count = MOST_PAIRED
        for sources in permutations(left, count):
            for targets in permutations(came, count) if len(came) > len(left) else [came[:count]]:
                for moves in self._combinations(tuple(zip(sources, targets, strict=True))):
                    yield MoveReading(moves, self._reasons(moves, difference))

    def _combinations(self, pairs: tuple[tuple[int, int], ...]) -> Iterator[tuple[PieceMove, ...]]:
        """Every combination of one move for each (square left, cell reached)."""
        if not pairs:
            yield ()
            return
        for move in self._piece_moves(*pairs[0]):
            for rest in self._combinations(pairs[1:]):
                yield (move, *rest)

    def _reasons(self, moves: tuple[PieceMove, ...], difference: Difference) -> tuple[Reason, ...]:
        """The faults of the moves and of the pieces removed or added; the main reason first."""
        reasons = {reason for move in moves for reason in move.reasons}
        taken = 0
        for move in moves:
            taken |= move.taken
        if taken & ~difference.removed:
            reasons.add(Reason.CAPTURED_NOT_REMOVED)
        if difference.removed & ~taken:
            reasons.add(Reason.REMOVED_WRONGLY if moves else Reason.PIECE_MISSING)
        if len(difference.left) > len(difference.came):
            reasons.add(Reason.PIECE_MISSING)
        if len(difference.came) > len(difference.left) or difference.added:
            reasons.add(Reason.PIECE_EXTRA)
        ordered = by_precedence(reasons, CHECKERS_REASONS)
        if len(moves) > 1:
            ordered = (Reason.TWO_PIECES_MOVED, *(reason for reason in ordered if reason is not Reason.MUST_CAPTURE))
        return ordered

    def _piece_moves(self, source: int, target_cell: int) -> Iterator[PieceMove]:
        """The ways in which one piece can have gone from a square to a cell."""
        target = square_of(target_cell)
        if target is None:
            yield PieceMove(source, target_cell, (), reasons=frozenset({Reason.LIGHT_SQUARE}))
            return
        jumps = list(self._jumps_to(source, target))
        yield from jumps
        if not jumps:
            play = (Step(source, target),)
            yield PieceMove(source, target_cell, play, reasons=frozenset(self._step_reasons(source, target)))

    def _is_king(self, source: int) -> bool:
        return bool(self._before.kings & bit_of(source))

    def _step_reasons(self, source: int, target: int) -> set[Reason]:
        """The rules that a move from one dark square to another breaks if it captures nothing."""
        forward, sideways = offset(cell_of(source), cell_of(target))
        backwards = {Reason.MAN_MOVED_BACKWARDS} if forward < 0 and not self._is_king(source) else set()
        if not forward or not sideways:
            return {Reason.NOT_DIAGONAL} | backwards
        distance = abs(forward)
        if distance != abs(sideways) or distance > 2:
            return {Reason.TOO_FAR} | backwards
        if distance == 2:
            middle = square_of((cell_of(source) + cell_of(target)) // 2)
            if middle is None or not self._before.mine & bit_of(middle):
                return {Reason.NOTHING_TO_JUMP} | backwards
            if not self._generator.jumps_own:
                return {Reason.JUMPED_OWN} | backwards
        if backwards:
            return backwards
        return {Reason.MUST_CAPTURE} if self._generator.must_capture and self._moves.captures else set()

    def _jumps_to(self, source: int, target: int) -> Iterator[PieceMove]:
        """Jump sequences over the opponent's pieces that end on `target`, legal or not."""
        growing: list[tuple[Jump, frozenset[Reason]]] = self._leaps(Jump((), 0, self._is_king(source)), source, source)
        while growing:
            jump, reasons = growing.pop()
            if jump.square == target:
                unfinished = not reasons and not self._generator.may_end(self._before, jump)
                ending = reasons | {Reason.MUST_FINISH_JUMP} if unfinished else reasons
                yield PieceMove(source, cell_of(target), jump.play, jump.taken, ending)
            growing += [(longer, reasons | more) for longer, more in self._leaps(jump, jump.square, source)]

    def _leaps(self, jump: Jump, square: int, source: int) -> list[tuple[Jump, frozenset[Reason]]]:
        """The sequence continued by one jump in any direction, each with the rules that this jump breaks."""
        before = self._before
        occupied = (before.mine | before.theirs) & ~bit_of(source)
        crowned = jump.king and not self._is_king(source)
        leaps = []
        for over, target in KING_REACH[square]:
            if target is None or occupied & bit_of(target):
                continue
            if before.theirs & ~jump.taken & bit_of(over):
                reasons = set()
                if crowned and self._generator.crowning_ends:
                    reasons.add(Reason.TURN_ENDED_ON_CROWNING)
                if target > square and not jump.king:
                    reasons.add(Reason.MAN_MOVED_BACKWARDS)
                step = Step(square, target, over)
                king = jump.king or target <= LAST_OF_CROWN_ROW
                leaps.append((Jump((*jump.play, step), jump.taken | bit_of(over), king), frozenset(reasons)))
        return leaps
