"""Checkers engine: a plain alpha-beta search, labelled weak.

Scores are in hundredths of a man, for the side to move. Every weight was set by hand from common advice (kings,
advanced men, a guarded back row, the centre, trading when ahead), not fitted to anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core import Side
from companion.hints.checkers_bits import BitMoves, Bits, spread
from companion.hints.engine import EngineError, RankedPlay, Ranking
from companion.rules import CheckersSheet

if TYPE_CHECKING:
    from companion.core import Dice
    from companion.hints.cube import CubeAdvice, CubeQuestion
    from companion.rules import CheckersPosition, Ruleset

LEVELS = {0: 1_000, 1: 6_000, 2: 30_000}
"""Level to the largest number of positions searched for one decision: about 4, 6 and 8 plies in a middle game."""
DEEPEST = 30
"""Largest depth in plies."""
WON = 10_000
"""Score of a won game, in hundredths of a man, less the plies to its end."""
MAN, KING = 100, 135
"""Hundredths of a man, set by hand."""
AHEAD = tuple(spread(0xF << 4 * row) for row in range(8))
"""Masks of the rows as White counts them, 0 the crowning row."""
ADVANCED = {1: 9, 2: 6, 3: 4, 4: 3, 5: 1, 7: 5}
"""Bonus of a man by its row, 0 the owner's crowning row; row 7, the back row, guards against kings. Set by hand."""
CENTRE = spread(sum(1 << square - 1 for square in (10, 11, 14, 15, 18, 19, 22, 23)))
EDGE = spread(sum(1 << square - 1 for square in (4, 5, 12, 13, 20, 21, 28, 29)))
AT_CENTRE, KING_AT_EDGE, TEMPO = 3, 6, 2
"""Bonus of a piece in the centre, penalty of a king at the edge, bonus of the side to move. Set by hand."""
TRADE = 480
"""The side with more pieces gains TRADE / (all pieces), so that trading pieces pays when ahead. Set by hand."""
Known = tuple[int, int, int, Bits | None]
"""Transposition table entry: depth in plies, lower and upper bound of the score, position after the best move."""


class CheckersEngine:
    """Ranks checkers moves by search; use from one thread.

    Jumps over own pieces, which some sheets allow, are searched only as the first move.
    """

    name = "plain search (weak)"

    def __init__(self, rules: Ruleset[CheckersPosition], level: int = 2) -> None:
        """`level` is a key of LEVELS. Raises EngineError for rules of another game."""
        if not isinstance(rules.sheet, CheckersSheet):
            raise EngineError(f"a search for checkers, but sheet {rules.sheet.name!r} is for {rules.sheet.game}")
        self._rules = rules
        self._moves = BitMoves(rules.sheet)
        self._most = LEVELS[level]

    def rank(self, position: Any, side: Side, dice: Dice | None, n: int) -> Ranking:
        """The `n` best moves; equities are scores in men."""
        successors = self._rules.successors(position, side, dice)
        best = Search(self._moves, self._most).best_first([Bits.of(s.after) for s in successors], n)
        write = self._rules.write_play
        plays = (RankedPlay(write(successors[k].play), successors[k].after, score / MAN) for k, score in best)
        return Ranking(tuple(plays), self.name)

    def cube(self, question: CubeQuestion) -> CubeAdvice | None:
        """None: this engine does not estimate probabilities."""

    def close(self) -> None:
        """Nothing to release."""


class OutOfPositions(Exception):
    """The largest allowed number of positions has been searched."""


class Search:
    """Search of one decision by iterative deepening, until `most` positions have been visited."""

    def __init__(self, moves: BitMoves, most: int) -> None:
        """Start with an empty transposition table."""
        self._moves = moves
        self._left = most
        self._known: dict[Bits, Known] = {}

    def best_first(self, children: list[Bits], n: int) -> list[tuple[int, int]]:
        """(index, score for the side that moved there) of the `n` best children, from the last completed depth."""
        ranked = [(number, 0) for number in range(len(children))]
        if len(children) < 2:
            return [(number, -evaluate(children[number])) for number, _ in ranked]
        for depth in range(DEEPEST):
            found: list[tuple[int, int]] = []
            try:
                for number, _ in ranked:
                    scores = sorted((score for _, score in found), reverse=True)
                    beaten = scores[n - 1] if len(scores) >= n else -WON
                    found.append((number, -self._value(children[number], depth, -WON, -beaten)))
            except OutOfPositions:
                break
            ranked = sorted(found, key=lambda pair: -pair[1])
        return ranked[:n]

    def _value(self, at: Bits, depth: int, alpha: int, beta: int) -> int:
        """Score of a position for the side to move, `depth` plies deep; captures are always played out."""
        known = self._known.get(at)
        if known is not None and known[0] >= depth:
            _, low, high, _ = known
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high
        self._left -= 1
        if self._left < 0:
            raise OutOfPositions
        reached, best = self._reached(at, depth)
        if not reached:
            return best
        floor, chosen = max(alpha, best), None
        if best < beta:
            ordered = _ordered(reached, None if known is None else known[3]) if depth > 0 else reached
            for after in ordered:
                value = -self._value(after, depth - 1, -beta, -max(alpha, best))
                if value > best:
                    best, chosen = value, after
                    if best >= beta:
                        break
        self._known[at] = (depth, best if best > floor else -WON, best if best < beta else WON, chosen)
        return best

    def _reached(self, at: Bits, depth: int) -> tuple[list[Bits], int]:
        """(positions to search, score without moving on); at depth 0 only captures are searched."""
        captures = self._moves.captures(at)
        if captures and self._moves.must_capture:
            return captures, -WON
        if depth <= 0:
            lost = not captures and not self._moves.quiet(at)
            return captures, -WON + DEEPEST - depth if lost else evaluate(at)
        reached = captures + self._moves.quiet(at)
        return reached, -WON if reached else -WON + DEEPEST - depth


def _ordered(reached: list[Bits], first: Bits | None) -> list[Bits]:
    """Positions with the likely best first: `first`, then by evaluation."""
    if first is not None and first in reached:
        return [first, *(after for after in reached if after != first)]
    return sorted(reached, key=evaluate)


def evaluate(at: Bits) -> int:
    """Score of a quiet position for the side to move, in hundredths of a man."""
    white, black, kings, side = at
    score = 0
    men, other = white & ~kings, black & ~kings
    score += MAN * (men.bit_count() - other.bit_count())
    if kings:
        score += KING * ((white & kings).bit_count() - (black & kings).bit_count())
        score -= KING_AT_EDGE * ((white & kings & EDGE).bit_count() - (black & kings & EDGE).bit_count())
    for row, worth in ADVANCED.items():
        score += worth * ((men & AHEAD[row]).bit_count() - (other & AHEAD[7 - row]).bit_count())
    score += AT_CENTRE * ((white & CENTRE).bit_count() - (black & CENTRE).bit_count())
    pieces = white.bit_count(), black.bit_count()
    if pieces[0] != pieces[1]:
        lead = TRADE // (pieces[0] + pieces[1])
        score += lead if pieces[0] > pieces[1] else -lead
    return (score if side is Side.WHITE else -score) + TEMPO
