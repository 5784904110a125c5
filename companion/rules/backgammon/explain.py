"""The verdict on a backgammon board whose contents are certain."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import accumulate
from operator import sub
from typing import TYPE_CHECKING

from companion.core import Cause, Finding, Moved, Reason, Side, Verdict, message
from companion.notation import BAR, OFF, format_play
from companion.rules.backgammon import words as words
from companion.rules.backgammon.differences import MOST_PAIRED_TRIPS, DifferenceExplainer
from companion.rules.backgammon.moves import higher_points_first, pack, unpack
from companion.rules.backgammon.position import OPPONENT, VIEW_CELLS, BackgammonPosition, View, cell_of_point
from companion.rules.backgammon.replies import explained_by_reply

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.core import Board, Message, Play
    from companion.rules.backgammon.differences import DifferenceReading
    from companion.rules.backgammon.moves import Layer, RolledTurn


@dataclass(slots=True)
class BackgammonJudgement:
    """One board judged against a turn.

    Attributes:
        turn: the roll and the position before it.
        board: the board now; None in a cell that was not seen.
        done: whether the turn is declared over.
        before, seen: the counts before the turn and now, in the order of the mover's view.
    """

    turn: RolledTurn
    board: Board
    done: bool
    before: View = field(init=False)
    seen: list[int] = field(init=False)

    def __post_init__(self) -> None:
        """Derive `before` and `seen`."""
        self.before = self.turn.before
        self.seen = self._filled(bearing_off=self.turn.may_bear_off)

    @property
    def side(self) -> Side:
        """Who is to move."""
        return self.turn.side

    def verdict(self) -> Verdict[BackgammonPosition]:
        """Legal, not moved, unfinished, or illegal with its reason."""
        state, finals = pack(self.seen), self.turn.tree.finals
        if state == pack(self.before) and not finals:
            passes = words.rolled(self.turn.dice, message("passes"))
            return self._verdict(Finding.LEGAL, passes, play="")
        if state in finals:
            play = format_play(finals[state])
            return self._verdict(Finding.LEGAL, message("plays", player=self.side, play=play), play=play)
        if state == pack(self.before):
            return self._unmoved()
        if not self.done and (unfinished := self._unfinished(state)):
            return self._verdict(Finding.UNFINISHED, unfinished)
        if state in self.turn.tree.reached:
            return self._incomplete(state)
        return self._broken()

    def _filled(self, *, bearing_off: bool) -> list[int]:
        """The counts on the board in the order of the mover's view; cells that were not seen are inferred.

        A checker that is not on the board is taken to be still on the bar if it was there, else borne off if
        `bearing_off`.
        """
        seen: list[int | None] = [0] * VIEW_CELLS
        for half, owner in ((0, self.side), (OPPONENT, self.side.opponent)):
            colour = 0 if owner is Side.WHITE else 1
            for point in range(OPPONENT):
                content = self.board[cell_of_point(point, owner if point in (BAR, OFF) else self.side)]
                seen[half + point] = None if content is None else content[colour]
        return self._inferred(seen, 0, bearing_off=bearing_off) + self._inferred(seen, OPPONENT, bearing_off=False)

    def _inferred(self, seen: list[int | None], half: int, *, bearing_off: bool) -> list[int]:
        """One player's counts from `half` of `seen` on; a point that was not seen is taken as unchanged."""
        was = self.before[half : half + OPPONENT]
        counts = seen[half : half + OPPONENT]
        unseen = [p for p in range(OPPONENT) if counts[p] is None]
        filled = [was[p] if counts[p] is None and p not in (BAR, OFF) else counts[p] or 0 for p in range(OPPONENT)]
        if not unseen:
            return filled
        if OFF in unseen:
            filled[OFF] = was[OFF]
        rest = sum(was) - sum(filled)
        if BAR in unseen:
            filled[BAR] = max(min(rest, was[BAR] if half == 0 else rest), 0)
            rest -= filled[BAR]
        if OFF in unseen and bearing_off and rest > 0:
            filled[OFF] += rest
        return filled

    def _unfinished(self, state: int) -> Message | None:
        """The message for a turn that can still become a legal play; None where it cannot."""
        leading = self.turn.leading
        if state in leading:
            return message("backgammon.so_far", made=format_play(leading[state]))
        views = [self.seen]
        if self.board[cell_of_point(OFF, self.side)] is None:
            views.append(self._filled(bearing_off=False))
        for view in views:
            leads = [lead for lead in map(unpack, leading) if self._on_the_way(view, lead)]
            if leads:
                return self._left_to_bar(view, leads) or message("backgammon.on_the_way")
        return None

    def _left_to_bar(self, seen: list[int], leads: list[View]) -> Message | None:
        """That a hit checker is not on the bar, where that alone differs from what the turn leads to; else None."""
        mine = bytes(seen[:OPPONENT])
        made = [lead for lead in leads if lead[:OPPONENT] == mine and lead[OPPONENT + BAR] > seen[OPPONENT + BAR]]
        theirs = {lead[OPPONENT:] for lead in made}
        if len(theirs) != 1:
            return None
        left = next(iter(theirs))
        hit = [point for point in range(1, BAR) if self.before[OPPONENT + point] and not left[point]]
        point = next((point for point in hit if seen[OPPONENT + point]), hit[-1])
        place = words.point_name(point)
        return message("backgammon.hit_checker_not_on_bar", other=self.side.opponent, place=place)

    def _on_the_way(self, seen: list[int], lead: View) -> bool:
        """Whether `seen` differs from `lead` only by checkers in the mover's hands and hit checkers on their way.

        Allowed differences: up to as many of the mover's checkers missing as the roll moves; a blot lifted that a legal
        play hits; a hit checker in the hand, or still on its point beside the checker that hit it.
        """
        in_hand = 0
        for point in range(OPPONENT):
            missing = lead[point] - seen[point]
            if missing < 0:
                return False
            in_hand += missing
        if in_hand > len(self.turn.dice.numbers):
            return False
        blots_lifted = hit_on_point = 0
        for point in range(BAR):
            missing = lead[OPPONENT + point] - seen[OPPONENT + point]
            if missing == 1 and point in self.turn.hittable:
                blots_lifted += 1
            elif missing == -1 and point and self.before[OPPONENT + point] == 1:
                hit_on_point += 1
            elif missing:
                return False
        hit = lead[OPPONENT + BAR] - self.before[OPPONENT + BAR]
        lacking_on_bar = lead[OPPONENT + BAR] - seen[OPPONENT + BAR]
        return -blots_lifted <= lacking_on_bar <= hit and hit_on_point <= max(lacking_on_bar, 0)

    def _unmoved(self) -> Verdict[BackgammonPosition]:
        """Nothing was played though a play exists: illegal where the turn is declared done."""
        if self.done:
            return self._illegal(message("backgammon.could_play_more.nothing"), (Reason.COULD_PLAY_MORE,), "")
        return self._verdict(Finding.NOT_MOVED, self._with_plays(message("backgammon.not_moved")))

    def _incomplete(self, state: int) -> Verdict[BackgammonPosition]:
        """Every step is legal, but more of the dice, or the larger one, must be played."""
        larger = max(self.turn.dice.values)
        made = format_play(self.turn.tree.reached[state])
        if self.turn.tree.most == 1:
            what = message("backgammon.must_play_larger_die", larger=larger, made=made)
            return self._illegal(what, (Reason.MUST_PLAY_LARGER_DIE,), made)
        return self._illegal(message("backgammon.could_play_more", made=made), (Reason.COULD_PLAY_MORE,), made)

    def _broken(self) -> Verdict[BackgammonPosition]:
        """A step breaks a rule, or the number of checkers has changed."""
        turn = self.turn
        reading = DifferenceExplainer(self.before, self.seen, turn.dice.numbers, turn.generator).best()
        if reading is None:  # has not happened in fuzzing; a verdict without a reason would be wrong
            what = self._with_plays(message("backgammon.no_rule"))
            return replace(self._verdict(Finding.UNREADABLE, what), cause=Cause.UNKNOWN)
        if len(reading.reasons) > 1 and explained_by_reply(turn, self.seen):
            return self._illegal(words.wrong_player(self.side), (Reason.WRONG_PLAYER_MOVED,), None)
        context = words.JudgedTurn(self.side, turn.dice, self.before, self.seen, turn.generator)
        illegal = self._illegal(words.reading_message(reading, context), reading.reasons, reading.made)
        return replace(illegal, moved=tuple(self._moved(reading)) if len(reading.ways) <= MOST_PAIRED_TRIPS else ())

    def _moved(self, reading: DifferenceReading) -> Iterator[Moved]:
        """Where the mover's checkers went."""
        for trip in (way.trip for way in reading.ways if way.trip.source != way.trip.target):
            source, target = (None if p is None else cell_of_point(p, self.side) for p in (trip.source, trip.target))
            reasons = tuple(dict.fromkeys(fault.reason for fault in reading.faults if fault.trip == trip))
            yield Moved(source, target, reasons, trip.distance if trip.whole else None)

    def _with_plays(self, what: Message) -> Message:
        return words.with_plays(self.turn.dice, what, self.turn.plays)

    def _illegal(self, what: Message, reasons: tuple[Reason, ...], made: str | None) -> Verdict[BackgammonPosition]:
        plays = _nearest_first(self.turn.tree.finals, self.seen)
        verdict = self._verdict(Finding.ILLEGAL, words.with_plays(self.turn.dice, what, plays), plays=plays)
        return replace(verdict, reason=reasons[0], also=reasons[1:], made=made)

    def _verdict(
        self, finding: Finding, what: Message, *, play: str | None = None, plays: tuple[str, ...] | None = None
    ) -> Verdict[BackgammonPosition]:
        return Verdict(
            finding=finding,
            message=what,
            after=self._after(),
            play=play,
            plays=self.turn.plays if plays is None else plays,
            cells=tuple(self._changed_cells()),
        )

    def _after(self) -> BackgammonPosition | None:
        """The position on the board; None where a point holds both colours."""
        if any(self.seen[p] and self.seen[OPPONENT + p] for p in range(1, BAR)):
            return None
        return BackgammonPosition.from_view(bytes(self.seen), self.side)

    def _changed_cells(self) -> Iterator[int]:
        for point in range(OPPONENT):
            if self.seen[point] != self.before[point]:
                yield cell_of_point(point, self.side)
            if self.seen[OPPONENT + point] != self.before[OPPONENT + point]:
                yield cell_of_point(point, self.side.opponent if point in (BAR, OFF) else self.side)


def _nearest_first(finals: Layer, seen: Sequence[int]) -> tuple[str, ...]:
    """The plays in standard notation, first those whose results differ from `seen` in the fewest checkers.

    Ties are broken by how many points away these checkers are, fewest first.
    """

    def key(item: tuple[int, Play]) -> tuple[int, int, list[int]]:
        view = unpack(item[0])
        elsewhere = sum(map(abs, map(sub, view, seen)))
        away = sum(map(abs, accumulate(map(sub, view[:OPPONENT], seen[:OPPONENT]))))
        return elsewhere, away, higher_points_first(item[1])

    return tuple(format_play(play) for _, play in sorted(finals.items(), key=key))
