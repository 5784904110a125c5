"""The verdict on a checkers board whose contents are certain."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from companion.core import CHECKERS_CELLS, Finding, Moved, Reason, Side, Verdict, both, either, message
from companion.notation import cell_of, format_move, square_of
from companion.rules.checkers.differences import MOST_PAIRED, Difference, MoveExplainer, MoveReading, PieceMove
from companion.rules.checkers.moves import taken_by
from companion.rules.checkers.position import (
    LAST_OF_CROWN_ROW,
    CheckersPosition,
    Squares,
    View,
    bit_of,
    numbers,
    seen_from,
)
from companion.rules.checkers.turn import MoverTurn, numbered
from companion.rules.reasons import CHECKERS_REASONS, by_precedence, legal_plays

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core import Board, Fact, Message, Play
    from companion.rules.checkers.replies import MoveAndReply

MOST_MOVES_NAMED = 6
"""Legal moves named in a message; for further ones only their number is given."""


@dataclass(slots=True)
class CheckersJudgement:
    """One board judged against a turn.

    Attributes:
        turn: the position before, and who moves.
        board: the board now; a cell that is None is taken as unchanged.
        done: whether the turn is declared over.
        mine, theirs: the mover's and the opponent's squares now, in the mover's numbers.
        light: pieces on light cells: (cell in the mover's numbers, whether it is the mover's).
    """

    turn: MoverTurn
    board: Board
    done: bool
    mine: Squares = field(init=False, default=0)
    theirs: Squares = field(init=False, default=0)
    light: tuple[tuple[int, bool], ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        """Derive `mine`, `theirs` and `light`."""
        white = self.turn.side is Side.WHITE
        held = self.turn.position.board()
        light = []
        for cell, content in enumerate(self.board):
            whites, blacks = content if content is not None else (held[cell] or (0, 0))
            if not whites and not blacks:
                continue
            turned = self._turned(cell)
            is_movers = bool(whites if white else blacks)
            number = square_of(turned)
            if number is None:
                light.append((turned, is_movers))
            elif is_movers:
                self.mine |= bit_of(number)
            else:
                self.theirs |= bit_of(number)
        self.light = tuple(light)

    @property
    def before(self) -> View:
        """The position before the turn, from the mover's side."""
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
            if not self.done and (unfinished := self._unfinished()):
                return self._verdict(Finding.UNFINISHED, unfinished)
        return self._broken()

    def _legal(self, view: View, play: Play) -> Verdict[CheckersPosition]:
        written = format_move(numbered(play, self.turn.side))
        start, end = play[0].source, play[-1].target
        crowned = view.kings & bit_of(end) and not self.before.kings & bit_of(start)
        facts: dict[str, Fact] = {"player": self.turn.side, "play": written}
        crowning = message("checkers.plays_crowned", **facts, square=seen_from(end, self.turn.side))
        what = crowning if crowned else message("plays", **facts)
        verdict = self._verdict(Finding.LEGAL, what)
        position = view.position(self.turn.side, self.turn.side.opponent)
        return replace(verdict, after=position, play=written)

    def _unmoved(self) -> Verdict[CheckersPosition]:
        if not self.turn.plays:
            return replace(self._verdict(Finding.LEGAL, message("checkers.loses", player=self.turn.side)), play="")
        if self.done and self.turn.generator.must_capture and self.turn.moves.captures:
            what = message("checkers.must_capture.nothing_moved", captures=self._captures(None))
            verdict = self._verdict(Finding.ILLEGAL, what)
            return replace(verdict, reason=Reason.MUST_CAPTURE, after=self._position_on_board(()), made="")
        return self._verdict(Finding.NOT_MOVED, self._with_plays(message("checkers.not_moved")))

    def _unfinished(self) -> Message | None:
        """The message for a move that can still become legal; None where it cannot.

        The piece may be in the hand or on any square of its way, and any of the pieces that it captures may be removed.
        If it has certainly arrived, the message says which captured pieces still stand.
        """
        before = self.before
        removed = before.theirs & ~self.theirs
        if self.theirs & ~before.theirs:
            return None
        if not removed and not self.mine & ~before.mine and (before.mine & ~self.mine).bit_count() == 1:
            return message("checkers.on_the_way")
        left, on_its_way = set(), False
        for play in self.turn.moves.finals.values():
            taken = taken_by(play)
            if removed & ~taken:
                continue
            others = before.mine & ~bit_of(play[0].source)
            stops = {others | bit_of(square) for square in (play[0].source, *(step.target for step in play[:-1]))}
            if self.mine == others | bit_of(play[-1].target):
                left.add(taken & ~removed)
            on_its_way = on_its_way or self.mine == others or self.mine in stops
        if len(left) == 1 and not on_its_way:
            return message("checkers.captured_not_removed", captured=self._squares(list(numbers(left.pop()))))
        return message("checkers.on_the_way") if left or on_its_way else None

    def _broken(self) -> Verdict[CheckersPosition]:
        """A move breaks a rule, or the number of pieces has changed."""
        if self._opponent_moved():
            return self._illegal(MoveReading((), (Reason.WRONG_PLAYER_MOVED,)))
        explainer = MoveExplainer(self.before, self._difference(), self.turn.moves, self.turn.generator)
        best = explainer.best()
        found = () if self.light else self.turn.replies_leading_to(self.mine, self.theirs)
        return self._both_moved(found, best) if found and not best.is_of_one_piece else self._illegal(best)

    def _both_moved(self, found: tuple[MoveAndReply, ...], rival: MoveReading) -> Verdict[CheckersPosition]:
        """The verdict that the opponent replied too early; `rival` explains the board by moves of the mover alone."""
        mover, other = self.turn.side, self.turn.side.opponent
        what = message("checkers.wrong_player_moved.too", other=other)
        verdict = replace(self._verdict(Finding.ILLEGAL, what), reason=Reason.WRONG_PLAYER_MOVED)
        if len(found) == 1:
            made, reply = format_move(numbered(found[0].move, mover)), format_move(numbered(found[0].reply, other))
            moves = (
                message("checkers.replied.move", player=mover, play=made),
                message("checkers.replied.move", player=other, play=reply),
            )
            what = message("checkers.replied", other=other, moves=message("list", facts=moves))
            after = found[0].after.position(other, mover)
            verdict = replace(verdict, message=what, after=after, made=made, reply=reply)
        if len(rival.moves) == 1 and rival.is_bookkeeping:
            or_else = message("checkers.may_also_be", reason=message(f"reason.{rival.reasons[0]}"))
            verdict = replace(verdict, message=both(verdict.message, or_else), also=rival.reasons)
        if verdict.reply is None:
            return replace(verdict, message=self._with_plays(verdict.message))
        return replace(verdict, message=both(verdict.message, message("checkers.replied.now", play=verdict.reply)))

    def _opponent_moved(self) -> bool:
        """Whether the opponent made a move, legal or not, and the mover none."""
        if self.light:
            unmoved = self.mine == self.before.mine and not any(is_movers for _, is_movers in self.light)
            return unmoved and (self.before.theirs & ~self.theirs).bit_count() == len(self.light) == 1
        if self.mine == self.before.mine:
            left, came = self.before.theirs & ~self.theirs, self.theirs & ~self.before.theirs
            if left.bit_count() == came.bit_count() == 1:
                return True
        seen = View(self.mine, self.theirs, 0).position(self.turn.side, self.turn.side).view(self.turn.side.opponent)
        return (seen.mine, seen.theirs) in self.turn.opponents_results

    def _difference(self) -> Difference:
        before = self.before
        light = [cell for cell, is_movers in self.light if is_movers]
        added_light = [cell for cell, is_movers in self.light if not is_movers]
        return Difference(
            left=tuple(numbers(before.mine & ~self.mine)),
            came=tuple([cell_of(n) for n in numbers(self.mine & ~before.mine)] + light),
            removed=before.theirs & ~self.theirs,
            added=tuple([cell_of(n) for n in numbers(self.theirs & ~before.theirs)] + added_light),
        )

    def _illegal(self, reading: MoveReading) -> Verdict[CheckersPosition]:
        reason = reading.reasons[0]
        faulty = next((move for move in reading.moves if reason in move.reasons), next(iter(reading.moves), None))
        too = ".too" if reason is Reason.WRONG_PLAYER_MOVED and reading.moves else ""
        what = message(f"checkers.{reason}{too}", **self._facts(reading, faulty))
        made = format_move(numbered(faulty.play, self.turn.side)) if faulty and len(reading.moves) == 1 else None
        few = len(self._difference().left) <= MOST_PAIRED
        return replace(
            self._verdict(Finding.ILLEGAL, self._with_plays(what)),
            reason=reason,
            also=reading.reasons[1:],
            after=self._position_on_board(reading.moves),
            made=made,
            moved=tuple(map(self._moved, reading.moves)) if few else (),
        )

    def _moved(self, move: PieceMove) -> Moved:
        """Where a piece went, by the camera's cells."""
        source, target = self._turned(cell_of(move.source)), self._turned(move.target_cell)
        return Moved(source, target, by_precedence(move.reasons, CHECKERS_REASONS))

    def _turned(self, cell: int) -> int:
        """A cell from the camera's numbers to the mover's, or back."""
        return cell if self.turn.side is Side.WHITE else CHECKERS_CELLS - 1 - cell

    def _with_plays(self, what: Message) -> Message:
        return both(what, legal_plays(self.turn.plays, MOST_MOVES_NAMED, none=message("checkers.no_legal_move")))

    def _facts(self, reading: MoveReading, faulty: PieceMove | None) -> dict[str, Fact]:
        """The facts of the message about a reading; `faulty` is the move that it is about."""
        difference, side = self._difference(), self.turn.side
        taken = 0
        for move in reading.moves:
            taken |= move.taken
        missing = [*difference.stray(reading.moves), *difference.missing(reading.moves)]
        surplus = (*difference.added, *difference.surplus(reading.moves))
        facts: dict[str, Fact] = {
            "mover": side,
            "other": side.opponent,
            "captured": self._squares(list(numbers(taken & ~difference.removed))),
            "removed": self._squares(missing),
            "added": self._squares([square_of(cell) for cell in surplus]),
            "captures": self._captures(faulty),
            "source": message("checkers.a_square"),
            "target": message("checkers.a_square"),
        }
        if faulty is not None:
            target = square_of(faulty.target_cell)
            facts["source"] = seen_from(faulty.source, side)
            facts["target"] = message("light_square") if target is None else seen_from(target, side)
        return facts

    def _squares(self, squares: list[int] | list[int | None]) -> Fact:
        """Square numbers as a fact; None is a light square."""
        side = self.turn.side
        found = tuple(message("light_square") if n is None else seen_from(n, side) for n in squares)
        return found or message("checkers.a_square")

    def _captures(self, faulty: PieceMove | None) -> Fact:
        """The legal captures; after a jump that stopped short, those of the same piece if there are any."""
        captures = self.turn.moves.captures.values()
        own = [play for play in captures if faulty and faulty.taken and play[0].source == faulty.source]
        found = [format_move(numbered(play, self.turn.side)) for play in own or captures]
        return either(found) if found else ""

    def _position_on_board(self, moves: tuple[PieceMove, ...]) -> CheckersPosition | None:
        """The position on the board, with kings as they follow from `moves`; None if a piece is on a light square."""
        if self.light:
            return None
        kings = self.before.kings & (self.mine & self.before.mine | self.theirs & self.before.theirs)
        for move in moves:
            target = square_of(move.target_cell)
            if target is not None and (self.before.kings & bit_of(move.source) or target <= LAST_OF_CROWN_ROW):
                kings |= bit_of(target)
        return View(self.mine, self.theirs, kings).position(self.turn.side, self.turn.side.opponent)

    def _verdict(self, finding: Finding, what: Message) -> Verdict[CheckersPosition]:
        after = self._position_on_board(()) if finding in (Finding.NOT_MOVED, Finding.UNFINISHED) else None
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
