"""Alpha-beta search of checkers: iterative deepening, principal variations, a transposition table."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from companion.hints.checkers_bits import jumpers, stepped, steps
from companion.hints.checkers_values import values

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.hints.checkers_bits import Bits, Captures

WON = 10_000
"""Score of a won game in hundredths of a man, from which the plies to its end are subtracted."""
SURE = WON - 400
"""Scores above this are of games that are won."""
DEEPEST = 60
"""Largest depth in plies."""
LINE = 100
"""Largest number of plies of a line, captures included."""
WINDOW = 30
"""Half the width of the aspiration window around the last depth's score, in hundredths of a man."""
REDUCED_FROM, REDUCED_DEPTH = 3, 3
"""Late move reductions: moves from this number on, from this depth on, are first searched one ply less deep."""
MOST_KNOWN = 60_000
"""Positions in the transposition table; with more than this it is emptied before a search."""
LOOK_EVERY = 256
"""Positions between two calls of `go_on`."""
Move = int | tuple[int, int, int]
"""A step as the mask of both its squares, or the position after a capture."""
Known = tuple[int, int, int, Move | None]
"""Transposition table entry: depth in plies, lower and upper bound of the score, the best step or capture."""


class Stopped(Exception):
    """Raised where `go_on` returns False: the search ends."""


class Search:
    """Search under one sheet; keeps what it found from one decision of a game to the next."""

    def __init__(self, captures: Captures) -> None:
        """Start with empty tables."""
        self._captures = captures
        self._compulsory = captures.compulsory
        self._score = values().score
        self._known: tuple[dict[Bits, Known], dict[Bits, Known]] = ({}, {})
        self._history: tuple[defaultdict[int, int], defaultdict[int, int]] = (defaultdict(int), defaultdict(int))
        self._killers: list[tuple[int, int]] = []
        self._partial: tuple[int, int] | None = None
        self._until_check = LOOK_EVERY
        self._go_on: Callable[[int], bool] = lambda _: True
        self.searched = 0
        self.depth = 0

    def best(self, children: list[Bits], white: bool, go_on: Callable[[int], bool]) -> tuple[int, int]:
        """(index, score for the side that moved there) of the best of `children`; `white`: White is to move in them.

        `go_on(positions searched)` is called now and then; False ends the search.
        """
        self._forget_other_games(children, white)
        self._begin(go_on)
        order = list(range(len(children)))
        found = 0, 0
        for self.depth in range(DEEPEST):
            try:
                score = self._search_deeper(children, order, white, found[1])
            except Stopped:
                return self._partial or found
            found = order[0], score
            if abs(score) > SURE and self.depth > 4:
                break
        return found

    def others(
        self, children: list[Bits], white: bool, best: tuple[int, int], go_on: Callable[[int], bool]
    ) -> list[tuple[int, int]]:
        """(index, score) of the children other than `best`, the best first; none scores better than `best`."""
        deepest = self.depth
        self._begin(go_on)
        scores = {number: -WON for number in range(len(children)) if number != best[0]}
        for self.depth in range(deepest + 1):
            found = {}
            try:
                for number in scores:
                    found[number] = -self._value(children[number], white, self.depth, -best[1], WON, 1)
            except Stopped:
                break
            scores = dict(sorted(found.items(), key=lambda pair: -pair[1]))
        return [(number, min(score, best[1])) for number, score in scores.items()]

    def _forget_other_games(self, children: list[Bits], white: bool) -> None:
        """Clear the tables if they are from another game, so that the same question gets the same answer."""
        if not any(child in self._known[white] for child in children):
            for known, history in zip(self._known, self._history, strict=True):
                known.clear()
                history.clear()

    def _begin(self, go_on: Callable[[int], bool]) -> None:
        """Prepare a search: keep the transposition table if it is not too large, and age the history heuristic."""
        self._go_on, self._until_check, self.searched = go_on, LOOK_EVERY, 0
        self._killers = [(0, 0)] * (LINE + 1)
        self._partial = None
        for history in self._history:
            for step in history:
                history[step] >>= 3
        for known in self._known:
            if len(known) > MOST_KNOWN // 2:
                known.clear()

    def _search_deeper(self, children: list[Bits], order: list[int], white: bool, last: int) -> int:
        """Score of the best child one ply deeper; it is moved to the front of `order`."""
        low, high = (last - WINDOW, last + WINDOW) if self.depth > 2 else (-WON, WON)
        self._partial = None
        while True:
            place, score = self._search_window(children, order, white, (low, high))
            if score > low:  # otherwise all scores are only upper bounds
                order.insert(0, order.pop(place))
            if low < score < high or (low, high) == (-WON, WON):
                return score
            low, high = -WON, WON

    def _search_window(
        self, children: list[Bits], order: list[int], white: bool, window: tuple[int, int]
    ) -> tuple[int, int]:
        """(place in `order`, score) of the best child, searched in a window of scores."""
        low, high = window
        best, place = -WON - 1, 0
        for at, number in enumerate(order):
            alpha = max(best, low)
            score = alpha + 1
            if at:  # null window: is it better than the best?
                score = -self._value(children[number], white, self.depth, -alpha - 1, -alpha, 1)
            if alpha < score < high:
                score = -self._value(children[number], white, self.depth, -high, -alpha, 1)
            if score > best:
                best, place = score, at
                if low < score:
                    self._partial = number, score
                if score >= high:
                    break
        return place, best

    def _value(self, at: Bits, white: bool, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Score of a position for the side to move, `depth` plies deep; captures are searched beyond (quiescence)."""
        self._until_check -= 1
        if not self._until_check:
            self._check_time()
        able = jumpers(at, white)
        if (depth <= 0 and not able) or ply >= LINE:
            return self._score(at, white) if at[0] else ply - WON
        known, first = self._known[white].get(at), None
        if known is not None:
            deep, low, high, first = known
            if deep >= depth:
                if low >= beta or low == high:
                    return low
                if high <= alpha:
                    return high
        return self._value_of_moves(at, white, depth, alpha, beta, ply, able, first)

    def _value_of_moves(
        self, at: Bits, white: bool, depth: int, alpha: int, beta: int, ply: int, able: int, first: Move | None
    ) -> int:
        """Score from the moves; `first` is the transposition table's move, `able` are the pieces that can capture."""
        moves, best = self._moves(at, white, able, first, depth, ply), -WON - 1
        if not moves:
            return ply - WON
        if depth <= 0 and not self._compulsory:
            best = self._score(at, white)  # captures are optional
        chosen, floor, below = first, alpha, depth - (len(moves) > 1 or depth <= 0)
        for number, move in enumerate(moves):
            if best >= beta:
                break
            alpha = max(alpha, best)
            child = stepped(at, move, white) if isinstance(move, int) else move
            score = alpha + 1
            if number:  # null window: is it better than the best?
                late = number >= REDUCED_FROM and depth >= REDUCED_DEPTH and not able
                score = -self._value(child, not white, below - late, -score, -alpha, ply + 1)
                if late and score > alpha:
                    score = -self._value(child, not white, below, -alpha - 1, -alpha, ply + 1)
            if not number or alpha < score < beta:
                score = -self._value(child, not white, below, -beta, -alpha, ply + 1)
            if score > best:
                best, chosen = score, move
        if best >= beta and isinstance(chosen, int):
            self._record_cutoff(chosen, white, depth, ply)
        self._known[white][at] = (depth, best if best > floor else -WON, best if best < beta else WON, chosen)
        return best

    def _moves(self, at: Bits, white: bool, able: int, first: Move | None, depth: int, ply: int) -> list[Move]:
        """Moves in search order: `first`, captures, killer moves, then by history; at depth 0 only captures if any."""
        moves: list[Move] = []
        if able:
            moves += self._captures.after(at, white, able)
            if len(moves) > 1:
                moves.sort(key=_opponent_pieces_left)
        if not able or (depth > 0 and not self._compulsory):
            quiet = steps(at, white)
            if len(quiet) > 1:
                quiet.sort(key=self._history[white].__getitem__, reverse=True)
                for killer in self._killers[ply]:
                    if killer in quiet:
                        quiet.remove(killer)
                        quiet.insert(0, killer)
            moves += quiet
        if first in moves:
            moves.remove(first)
            moves.insert(0, first)
        return moves

    def _record_cutoff(self, step: int, white: bool, depth: int, ply: int) -> None:
        """Record a step that caused a beta cutoff, for the killer and history heuristics."""
        self._history[white][step] += depth * depth
        latest = self._killers[ply][1]
        if latest != step:
            self._killers[ply] = latest, step

    def _check_time(self) -> None:
        self.searched += LOOK_EVERY
        self._until_check = LOOK_EVERY
        if not self._go_on(self.searched):
            raise Stopped


def _opponent_pieces_left(move: Any) -> int:
    """Number of pieces that a capture leaves the other side."""
    count: int = move[0].bit_count()
    return count
