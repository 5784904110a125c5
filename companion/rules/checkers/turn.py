"""The turn of one side: its legal moves and their results, computed on demand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from companion.core import Play, Side, Step
from companion.notation import format_move
from companion.rules.checkers.moves import after
from companion.rules.checkers.position import CheckersPosition, Squares, View, seen_from
from companion.rules.checkers.replies import moves_with_replies

if TYPE_CHECKING:
    from companion.rules.checkers.moves import MoveGenerator, Moves
    from companion.rules.checkers.replies import MoveAndReply


@dataclass(frozen=True)
class MoverTurn:
    """`side` is to move in `position`; what follows from that is computed on demand, once."""

    generator: MoveGenerator
    position: CheckersPosition
    side: Side

    @cached_property
    def before(self) -> View:
        """The position from the mover's side."""
        return self.position.view(self.side)

    @cached_property
    def moves(self) -> Moves:
        """The mover's moves, in the mover's numbers."""
        return self.generator.moves(self.before)

    @cached_property
    def results(self) -> dict[tuple[Squares, Squares], tuple[View, Play]]:
        """The legal results by what a camera sees of them: (the mover's squares, the opponent's squares)."""
        return {(view.mine, view.theirs): (view, play) for view, play in self.moves.finals.items()}

    @cached_property
    def plays(self) -> tuple[str, ...]:
        """The legal moves as PDN, captures first, then by the squares moved from."""
        plays = sorted(
            self.moves.finals.values(), key=lambda play: (play[0].captured is None, [s.source for s in play])
        )
        return tuple(format_move(numbered(play, self.side)) for play in plays)

    def replies_leading_to(self, mine: Squares, theirs: Squares) -> tuple[MoveAndReply, ...]:
        """The legal moves with legal replies after which the pieces of both sides hold these squares."""
        return moves_with_replies(self.generator, self.moves, self.side, mine, theirs)

    @cached_property
    def opponents_results(self) -> frozenset[tuple[Squares, Squares]]:
        """What a camera sees after a move or part of a jump by the opponent, from the opponent's side."""
        theirs = self.position.view(self.side.opponent)
        moves = self.generator.moves(theirs)
        views = [*moves.finals, *(after(theirs, jump) for jump in moves.jumps)]
        return frozenset((view.mine, view.theirs) for view in views)


def numbered(play: Play, side: Side) -> Play:
    """Convert a play from the mover's square numbers to the board's."""
    return tuple(
        Step(
            seen_from(step.source, side),
            seen_from(step.target, side),
            None if step.captured is None else seen_from(step.captured, side),
        )
        for step in play
    )
