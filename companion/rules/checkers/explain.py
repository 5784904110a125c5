"""The referee's judgement of a checkers board that is known for certain."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from companion.core import CHECKERS_CELLS, Finding, Play, Reason, Side, Step, Verdict, both, either, message
from companion.notation import cell_of, format_move, square_of
from companion.rules.checkers import words as words
from companion.rules.checkers.differences import Difference, MoveReading, Story, Storyteller
from companion.rules.checkers.moves import after
from companion.rules.checkers.position import CheckersPosition, Squares, View, numbers, seen_from

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core import Board, Fact, Message
    from companion.rules.checkers.moves import MoveGenerator, Moves


@dataclass(frozen=True)
class MoverTurn:
    """`side` is to move from `position`; what may be done is worked out once for all the boards judged against it."""

    generator: MoveGenerator
    position: CheckersPosition
    side: Side

    @cached_property
    def before(self) -> View:
        """The position as the mover sees it."""
        return self.position.view(self.side)

    @cached_property
    def moves(self) -> Moves:
        """All that the mover may do, in the mover's numbers."""
        return self.generator.moves(self.before)

    @cached_property
    def results(self) -> dict[tuple[Squares, Squares], tuple[View, Play]]:
        """The legal results by what a camera sees of them: the mover's and the opponent's squares."""
        return {(view.mine, view.theirs): (view, play) for view, play in self.moves.finals.items()}

    @cached_property
    def plays(self) -> tuple[str, ...]:
        """The legal moves as PDN, captures first, in order of squares."""
        plays = sorted(
            self.moves.finals.values(), key=lambda play: (play[0].captured is None, [s.source for s in play])
        )
        return tuple(format_move(numbered(play, self.side)) for play in plays)

    @cached_property
    def opponents_results(self) -> frozenset[tuple[Squares, Squares]]:
        """What the opponent could make of the position, a jump broken off included; in the opponent's view."""
        theirs = self.position.view(self.side.opponent)
        moves = self.generator.moves(theirs)
        views = [*moves.finals, *(after(theirs, jump) for jump in moves.jumps)]
        return frozenset((view.mine, view.theirs) for view in views)


def numbered(play: Play, side: Side) -> Play:
    """A play in the mover's numbers under the board's numbers."""
    return tuple(
        Step(
            seen_from(step.source, side),
            seen_from(step.target, side),
            None if step.captured is None else seen_from(step.captured, side),
        )
        for step in play
    )


@dataclass(slots=True)
class CheckersJudgement:
    """One board to be judged against a turn: everything is seen as the mover sees it."""

    turn: MoverTurn
    board: Board
    done: bool
    mine: Squares = field(init=False, default=0)
    theirs: Squares = field(init=False, default=0)
    light: tuple[tuple[int, bool], ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        """Sort what is seen: the mover's squares, the opponent's, and what stands on light cells (cell, mover's?).

        A cell that was not seen holds what it held.
        """
        white = self.turn.side is Side.WHITE
        held = self.turn.position.board()
        light = []
        for cell, content in enumerate(self.board):
            whites, blacks = content if content is not None else (held[cell] or (0, 0))
            if not whites and not blacks:
                continue
            turned = cell if white else CHECKERS_CELLS - 1 - cell
            movers = bool(whites if white else blacks)
            number = square_of(turned)
            if number is None:
                light.append((turned, movers))
            elif movers:
                self.mine |= 1 << (number - 1)
            else:
                self.theirs |= 1 << (number - 1)
        self.light = tuple(light)

    @property
    def before(self) -> View:
        """What stood before the turn."""
        return self.turn.before

    def verdict(self) -> Verdict[CheckersPosition]:
        """Legal, not moved, unfinished, or illegal with its reason."""
        seen = (self.mine, self.theirs)
        if not self.light:
            if seen in self.turn.results:
                view, play = self.turn.results[seen]
                return self._legal(view, play)
            if seen == (self.before.mine, self.before.theirs):
                return self._unmoved()
            if not self.done and self._unfinished():
                return self._verdict(Finding.UNFINISHED, message("checkers.on_the_way"))
        return self._broken()

    def _legal(self, view: View, play: Play) -> Verdict[CheckersPosition]:
        written = format_move(numbered(play, self.turn.side))
        start, end = play[0].source, play[-1].target
        crowned = view.kings >> (end - 1) & 1 and not self.before.kings >> (start - 1) & 1
        facts: dict[str, Fact] = {"player": self.turn.side, "play": written}
        what = message("checkers.plays_crowned", **facts) if crowned else message("plays", **facts)
        verdict = self._verdict(Finding.LEGAL, what)
        position = view.position(self.turn.side, self.turn.side.opponent)
        return replace(verdict, after=position, play=written)

    def _unmoved(self) -> Verdict[CheckersPosition]:
        if not self.turn.plays:
            return replace(self._verdict(Finding.LEGAL, message("checkers.loses", player=self.turn.side)), play="")
        if self.done and self.turn.generator.must_capture and self.turn.moves.captures:
            what = message("checkers.must_capture.nothing_moved", captures=self._captures(None))
            verdict = self._verdict(Finding.ILLEGAL, what)
            return replace(verdict, reason=Reason.MUST_CAPTURE, after=self._stands(()), made="")
        return self._verdict(Finding.NOT_MOVED, self._with_plays(message("checkers.not_moved")))

    def _unfinished(self) -> bool:
        """Whether a legal move can still come: the piece is anywhere on its way or in the hand, and of what it takes
        some, all or none is taken away.
        """  # noqa: D205
        before = self.before
        removed = before.theirs & ~self.theirs
        if self.theirs & ~before.theirs:
            return False
        if not removed and not self.mine & ~before.mine and (before.mine & ~self.mine).bit_count() == 1:
            return True
        for play in self.turn.moves.finals.values():
            taken = sum(1 << (step.captured - 1) for step in play if step.captured)
            if removed & ~taken:
                continue
            others = before.mine & ~(1 << (play[0].source - 1))
            on_its_way = {others | 1 << (square - 1) for square in (play[0].source, *(step.target for step in play))}
            if self.mine == others or self.mine in on_its_way:
                return True
        return False

    def _broken(self) -> Verdict[CheckersPosition]:
        if self._opponent_moved():
            return self._illegal(MoveReading((), (Reason.WRONG_PLAYER_MOVED,)))
        storyteller = Storyteller(self.before, self.turn.moves, self.turn.generator)
        return self._illegal(storyteller.best(self._difference()))

    def _opponent_moved(self) -> bool:
        """Whether the opponent made a move, right or wrong, and the mover none."""
        if self.light:
            mine_stand = self.mine == self.before.mine and not any(movers for _, movers in self.light)
            return mine_stand and (self.before.theirs & ~self.theirs).bit_count() == len(self.light) == 1
        if self.mine == self.before.mine:
            left, came = self.before.theirs & ~self.theirs, self.theirs & ~self.before.theirs
            if left.bit_count() == came.bit_count() == 1:
                return True
        seen = View(self.mine, self.theirs, 0).position(self.turn.side, self.turn.side).view(self.turn.side.opponent)
        return (seen.mine, seen.theirs) in self.turn.opponents_results

    def _difference(self) -> Difference:
        before = self.before
        light = [cell for cell, movers in self.light if movers]
        added_light = [cell for cell, movers in self.light if not movers]
        return Difference(
            left=tuple(numbers(before.mine & ~self.mine)),
            came=tuple([cell_of(n) for n in numbers(self.mine & ~before.mine)] + light),
            removed=before.theirs & ~self.theirs,
            added=tuple([cell_of(n) for n in numbers(self.theirs & ~before.theirs)] + added_light),
        )

    # -- putting it into words

    def _illegal(self, reading: MoveReading) -> Verdict[CheckersPosition]:
        reason = reading.codes[0]
        told = next((s for s in reading.stories if reason in s.codes), next(iter(reading.stories), None))
        what = words.fault_message(reason, self._facts(reading, told))
        made = format_move(numbered(told.play, self.turn.side)) if told and len(reading.stories) == 1 else None
        return replace(
            self._verdict(Finding.ILLEGAL, self._with_plays(what)),
            reason=reason,
            also=reading.codes[1:],
            after=self._stands(reading.stories),
            made=made,
        )

    def _with_plays(self, what: Message) -> Message:
        return both(what, words.legal_here(self.turn.plays))

    def _facts(self, reading: MoveReading, told: Story | None) -> dict[str, Fact]:
        """What the braces in a sentence's text stand for."""
        difference, side = self._difference(), self.turn.side
        taken = 0
        for story in reading.stories:
            taken |= story.taken
        missing = [*numbers(difference.removed & ~taken), *difference.left[len(difference.came) :]]
        facts: dict[str, Fact] = {
            "mover": side,
            "other": side.opponent,
            "captured": self._squares(numbers(taken & ~difference.removed)),
            "removed": self._squares(missing),
            "added": self._squares([square_of(cell) for cell in (*difference.added, *difference.came)]),
            "captures": self._captures(told),
            "source": message("checkers.a_square"),
            "target": message("checkers.a_square"),
        }
        if told is not None:
            target = square_of(told.target_cell)
            facts["source"] = seen_from(told.source, side)
            facts["target"] = message("light_square") if target is None else seen_from(target, side)
        return facts

    def _squares(self, squares: list[int] | list[int | None]) -> Fact:
        """Squares as a list; None is a light square."""
        side = self.turn.side
        found = tuple(message("light_square") if n is None else seen_from(n, side) for n in squares)
        return found or message("checkers.a_square")

    def _captures(self, told: Story | None) -> Fact:
        """The captures that could be made; for a jump that stopped short, by the piece that jumped."""
        captures = self.turn.moves.captures.values()
        own = [play for play in captures if told and told.taken and play[0].source == told.source]
        found = [format_move(numbered(play, self.turn.side)) for play in own or captures]
        return either(found) if found else ""

    def _stands(self, stories: tuple[Story, ...]) -> CheckersPosition | None:
        """The position that stands there, kings where they are known; None with a piece on a light square."""
        if self.light:
            return None
        kings = self.before.kings & (self.mine & self.before.mine | self.theirs & self.before.theirs)
        for story in stories:
            target = square_of(story.target_cell)
            if target is not None and (self.before.kings >> (story.source - 1) & 1 or target <= 4):
                kings |= 1 << (target - 1)
        return View(self.mine, self.theirs, kings).position(self.turn.side, self.turn.side.opponent)

    def _verdict(self, finding: Finding, what: Message) -> Verdict[CheckersPosition]:
        after = self._stands(()) if finding in (Finding.NOT_MOVED, Finding.UNFINISHED) else None
        return Verdict(
            finding=finding,
            message=what,
            after=after,
            plays=self.turn.plays,
            cells=tuple(self._changed_cells()),
        )

    def _changed_cells(self) -> Iterator[int]:
        held = self.turn.position.board()
        for cell, content in enumerate(self.board):
            if content is not None and [n > 0 for n in content] != [n > 0 for n in held[cell] or (0, 0)]:
                yield cell
