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
"""Score of a won game, in hundredths of a man, less the plies to its end."""
SURE = WON - 400
"""Scores from here on are of games that are won."""
DEEPEST = 60
"""Largest depth in plies."""
LINE = 100
"""Plies after which a line is no longer followed."""
WINDOW = 30
"""Half the width of the window around the last depth's score, in hundredths of a man."""
REDUCED_FROM, REDUCED_DEPTH = 3, 3
"""Moves from this number on are searched a ply less deep first, from this depth on."""
MOST_KNOWN = 60_000
"""Positions in the transposition table; with more than this it is emptied before a search."""
LOOK_EVERY = 256
"""Positions between checks whether to go on."""
Move = int | tuple[int, int, int]
"""A step as the mask of both its squares, or the position after a capture."""
Known = tuple[int, int, int, Move | None]
"""Transposition table entry: depth in plies, lower and upper bound of the score, the best step or capture."""


class Stopped(Exception):
    """The search is to end."""


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
        self._until_look = LOOK_EVERY
        self._looks: Callable[[int], bool] = lambda _: True
        self.searched = 0
        self.depth = 0

    def best(self, children: list[Bits], white: bool, go_on: Callable[[int], bool]) -> tuple[int, int]:
        """(index, score for the side that moved there) of the best of `children`; `white`: White is to move in them.

        `go_on(positions searched)` is called now and then; False ends the search.
        """
        self._keep_this_game(children, white)
        self._begin(go_on)
        order = list(range(len(children)))
        found = 0, 0
        for self.depth in range(DEEPEST):
            try:
                score = self._deeper(children, order, white, found[1])
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

    def _keep_this_game(self, children: list[Bits], white: bool) -> None:
        """Forget what is known of other games: the same question would get different answers."""
        if not any(child in self._known[white] for child in children):
            for known, history in zip(self._known, self._history, strict=True):
                known.clear()
                history.clear()

    def _begin(self, go_on: Callable[[int], bool]) -> None:
        """Keep what is still valid, and reduce the weight of older results."""
        self._looks, self._until_look, self.searched = go_on, LOOK_EVERY, 0
        self._killers = [(0, 0)] * (LINE + 1)
        self._partial = None
        for history in self._history:
            for step in history:
                history[step] >>= 3
        for known in self._known:
            if len(known) > MOST_KNOWN // 2:
                known.clear()

    def _deeper(self, children: list[Bits], order: list[int], white: bool, last: int) -> int:
        """Score of the best child one ply deeper; it is moved to the front of `order`."""
        low, high = (last - WINDOW, last + WINDOW) if self.depth > 2 else (-WON, WON)
        self._partial = None
        while True:
            place, score = self._within(children, order, white, (low, high))
            if score > low:  # else none was compared
                order.insert(0, order.pop(place))
            if low < score < high or (low, high) == (-WON, WON):
                return score
            low, high = -WON, WON

    def _within(self, children: list[Bits], order: list[int], white: bool, window: tuple[int, int]) -> tuple[int, int]:
        """(place in `order`, score) of the best child, searched in a window of scores."""
        low, high = window
        best, place = -WON - 1, 0
        for at, number in enumerate(order):
            alpha = max(best, low)
            score = alpha + 1
            if at:  # is it better at all?
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
        """Score of a position for the side to move, `depth` plies deep; captures are always played out."""
        self._until_look -= 1
        if not self._until_look:
            self._look()
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
        return self._of_moves(at, white, depth, alpha, beta, ply, able, first)

    def _of_moves(
        self, at: Bits, white: bool, depth: int, alpha: int, beta: int, ply: int, able: int, first: Move | None
    ) -> int:
        """Score from the moves; `first` was the best before, and `able` are the pieces that can capture."""
        moves, best = self._moves(at, white, able, first, depth, ply), -WON - 1
        if not moves:
            return ply - WON
        if depth <= 0 and not self._compulsory:
            best = self._score(at, white)  # or it may not capture
        chosen, floor, below = first, alpha, depth - (len(moves) > 1 or depth <= 0)
        for number, move in enumerate(moves):
            if best >= beta:
                break
            alpha = max(alpha, best)
            child = stepped(at, move, white) if isinstance(move, int) else move
            score = alpha + 1
            if number:  # is it better at all?
                late = number >= REDUCED_FROM and depth >= REDUCED_DEPTH and not able
                score = -self._value(child, not white, below - late, -score, -alpha, ply + 1)
                if late and score > alpha:
                    score = -self._value(child, not white, below, -alpha - 1, -alpha, ply + 1)
            if not number or alpha < score < beta:
                score = -self._value(child, not white, below, -beta, -alpha, ply + 1)
            if score > best:
                best, chosen = score, move
        if best >= beta and isinstance(chosen, int):
            self._refuted(chosen, white, depth, ply)
        self._known[white][at] = (depth, best if best > floor else -WON, best if best < beta else WON, chosen)
        return best

    def _moves(self, at: Bits, white: bool, able: int, first: Move | None, depth: int, ply: int) -> list[Move]:
        """`first`, captures, what refuted others nearby or often; at depth 0 captures only, where there are any."""
        moves: list[Move] = []
        if able:
            moves += self._captures.after(at, white, able)
            if len(moves) > 1:
                moves.sort(key=_left)
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

    def _refuted(self, step: int, white: bool, depth: int, ply: int) -> None:
        """Remember a step that was too good for the other side to allow it."""
        self._history[white][step] += depth * depth
        latest = self._killers[ply][1]
        if latest != step:
            self._killers[ply] = latest, step

    def _look(self) -> None:
        self.searched += LOOK_EVERY
        self._until_look = LOOK_EVERY
        if not self._looks(self.searched):
            raise Stopped


def _left(move: Any) -> int:
    """How many pieces a capture leaves the other side."""
    count: int = move[0].bit_count()
    return count
