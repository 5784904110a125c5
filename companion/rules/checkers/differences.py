"""Explains the difference between two checkers boards as moves of pieces and the rules that they break.

Every pairing of the squares that lost pieces with the squares that gained one is tried. The best reading has the
fewest different faults, then the reason that takes precedence. Opposing pieces that left squares and are on new ones
count as moved, not as removed and added.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

from companion.core import Play, Reason, Step
from companion.notation import cell_of, square_of
from companion.rules.checkers.moves import KING_REACH, Jump, MoveGenerator, Moves, taken_by
from companion.rules.checkers.position import LAST_OF_CROWN_ROW, bit_of, numbers, offset
from companion.rules.reasons import CHECKERS_REASONS, by_precedence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.rules.checkers.position import Squares, View

BOOKKEEPING = CHECKERS_REASONS[CHECKERS_REASONS.index(Reason.CAPTURED_NOT_REMOVED) :]
"""Reasons about pieces that did not move, or their number; explanations by moves take precedence."""
MOST_PAIRED = 3
"""Pieces; of more that moved, only the first on each side are paired."""


@dataclass(frozen=True, slots=True)
class PieceMove:
    """How one piece moved.

    Attributes:
        source: the square that it left.
        target_cell: the cell where it is now; a light one has no square number.
        play: the steps; empty where it is on a light square.
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

    def missing(self, moves: tuple[PieceMove, ...]) -> tuple[int, ...]:
        """Squares that the mover's pieces left and that no move began on."""
        sources = {move.source for move in moves}
        return tuple(square for square in self.left if square not in sources)

    def surplus(self, moves: tuple[PieceMove, ...]) -> tuple[int, ...]:
        """Cells where pieces of the mover's are new and where no move ended."""
        targets = {move.target_cell for move in moves if move.source in self.left}
        return tuple(cell for cell in self.came if cell not in targets)

    def stray(self, moves: tuple[PieceMove, ...]) -> tuple[int, ...]:
        """Squares that the opponent's pieces left and where no move took one."""
        taken = 0
        for move in moves:
            taken |= move.taken
        return tuple(numbers(self.removed & ~taken))


@dataclass(frozen=True, slots=True)
class MoveReading:
    """One explanation of a difference: the moves of the mover's pieces, and all reasons, the main one first."""

    moves: tuple[PieceMove, ...]
    reasons: tuple[Reason, ...]

    @property
    def is_of_one_piece(self) -> bool:
        """Whether one move of one of the mover's pieces, which breaks one rule, explains the whole difference."""
        not_by_moves = {*BOOKKEEPING, Reason.WRONG_PLAYER_MOVED}
        return len(self.moves) == len(self.reasons) == 1 and not_by_moves.isdisjoint(self.reasons)

    @property
    def is_bookkeeping(self) -> bool:
        """Whether the moves are legal and only captured pieces were left, or other pieces are missing."""
        return {*BOOKKEEPING} - {Reason.TWO_PIECES_MOVED, Reason.PIECE_EXTRA} >= set(self.reasons)

    @property
    def cost(self) -> tuple[int, int]:
        """Number of different faults, rank of the first reason; lower is better."""
        return len(self.reasons), CHECKERS_REASONS.index(self.reasons[0])


class MoveExplainer:
    """Finds the readings of a difference from `before`, with the legal `moves` of the turn."""

    def __init__(self, before: View, difference: Difference, moves: Moves, generator: MoveGenerator) -> None:
        self._before = before
        self._difference = difference
        self._moves = moves
        self._generator = generator
        self._ways: dict[tuple[int, int], tuple[PieceMove, ...]] = {}

    def best(self) -> MoveReading:
        """The reading with a fault that costs least."""
        return min((reading for reading in self._readings() if reading.reasons), key=lambda r: r.cost)

    def _readings(self) -> Iterator[MoveReading]:
        left, came = self._difference.left, self._difference.came
        count = min(len(left), len(came))
        if count > MOST_PAIRED:
            left, came = left[:MOST_PAIRED], came[:MOST_PAIRED]
            count = MOST_PAIRED
        for sources in permutations(left, count):
            for targets in permutations(came, count) if len(came) > len(left) else [came[:count]]:
                for moves in self._combinations(tuple(zip(sources, targets, strict=True))):
                    yield MoveReading(moves, self._reasons(moves))
        for play in self._moves.captures.values():
            source, target_cell = play[0].source, cell_of(play[-1].target)
            taken = taken_by(play)
            refilled = len(came) > len(left) and target_cell in came  # another piece is on the square where it began
            returned = not (left or came) and cell_of(source) == target_cell and taken & self._difference.removed
            if refilled or returned:
                move = PieceMove(source, target_cell, play, taken)
                yield MoveReading((move,), self._reasons((move,)))

    def _combinations(self, pairs: tuple[tuple[int, int], ...]) -> Iterator[tuple[PieceMove, ...]]:
        """Every combination of one move for each (square left, cell reached)."""
        if not pairs:
            yield ()
            return
        if pairs[0] not in self._ways:  # a cache: with many moved pieces, each pair is in thousands of combinations
            self._ways[pairs[0]] = tuple(self._piece_moves(*pairs[0]))
        for move in self._ways[pairs[0]]:
            for rest in self._combinations(pairs[1:]):
                yield (move, *rest)

    def _reasons(self, moves: tuple[PieceMove, ...]) -> tuple[Reason, ...]:
        """The faults of the moves and of the pieces removed or added; the main reason first."""
        difference = self._difference
        reasons = {reason for move in moves for reason in move.reasons}
        taken = 0
        for move in moves:
            taken |= move.taken
        if taken & ~difference.removed:
            reasons.add(Reason.CAPTURED_NOT_REMOVED)
        stray, missing = difference.stray(moves), difference.missing(moves)
        if stray and difference.added:
            reasons.add(Reason.WRONG_PLAYER_MOVED)
        if len(stray) > len(difference.added):
            reasons.add(Reason.REMOVED_WRONGLY if moves else Reason.PIECE_MISSING)
        if missing and _may_have_captured(missing, stray, difference.added, moved=bool(moves)):
            return (Reason.WRONG_PLAYER_MOVED,)  # it is not known which piece was captured, and so not which moved
        if missing:
            reasons.add(Reason.PIECE_MISSING)
        if difference.surplus(moves) or len(difference.added) > len(stray):
            reasons.add(Reason.PIECE_EXTRA)
        ordered = by_precedence(reasons, CHECKERS_REASONS)
        if len(moves) > 1:
            first = reasons & {Reason.WRONG_PLAYER_MOVED}
            others = (reason for reason in ordered if reason is not Reason.MUST_CAPTURE and reason not in first)
            ordered = (*first, Reason.TWO_PIECES_MOVED, *others)
        return ordered

    def _piece_moves(self, source: int, target_cell: int) -> Iterator[PieceMove]:
        """The ways in which one piece can have gone from a square to a cell."""
        target = square_of(target_cell)
        if target is None:
            yield PieceMove(source, target_cell, (), reasons=frozenset({Reason.LIGHT_SQUARE}))
            return
        jumps = list(self._jumps_to(source, target))
        yield from jumps
        if not any(self._is_a_jump(jump) for jump in jumps):
            play = (Step(source, target),)
            yield PieceMove(source, target_cell, play, reasons=frozenset(self._step_reasons(source, target)))

    def _is_a_jump(self, move: PieceMove) -> bool:
        """Whether the move can only be a jump: straight over one piece, legal, or with a piece taken away."""
        in_order = move.reasons <= {Reason.MUST_FINISH_JUMP}
        return len(move.play) == 1 or in_order or bool(move.taken & self._difference.removed)

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
        before, start = self._before, bit_of(source)
        landed_on = sum(bit_of(n) for n in map(square_of, self._difference.came) if n) & self._difference.removed
        occupied = (before.mine | before.theirs & ~landed_on) & ~start
        passed = {source, *(step.target for step in jump.play)}
        crowned = jump.king and not self._is_king(source)
        leaps = []
        for over, target in KING_REACH[square]:
            if target is None or occupied & bit_of(target):
                continue
            takes = before.theirs & ~jump.taken & bit_of(over)
            over_own = self._generator.jumps_own and before.mine & ~start & bit_of(over) and target not in passed
            if takes or (over_own and (jump.king or target < square)):
                reasons = set()
                if crowned and self._generator.crowning_ends:
                    reasons.add(Reason.TURN_ENDED_ON_CROWNING)
                if target > square and not jump.king:
                    reasons.add(Reason.MAN_MOVED_BACKWARDS)
                step = Step(square, target, over if takes else None)
                king = jump.king or target <= LAST_OF_CROWN_ROW
                leaps.append((Jump((*jump.play, step), jump.taken | takes, king), frozenset(reasons)))
        return leaps


def _may_have_captured(missing: tuple[int, ...], left: tuple[int, ...], came: tuple[int, ...], *, moved: bool) -> bool:
    """Whether an opposing piece may have jumped from a square of `left` to a cell of `came` and captured `missing`.

    If the mover's move was made by another piece (`moved`), a single jump must pass over the missing one; else the
    missing piece may have moved first.
    """
    for source in left:
        for cell in came:
            forward, sideways = offset(cell_of(source), cell)
            if forward % 2 or sideways % 2:
                continue
            if abs(forward) != 2 or abs(sideways) != 2 or not moved:
                return True
            if missing == (square_of((cell_of(source) + cell) // 2),):
                return True
    return False
