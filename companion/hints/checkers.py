"""Checkers engine: a search in a share of a second, with values fitted to played games.

Scores are in hundredths of a man, for the side to move.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from companion.core import Side
from companion.hints.checkers_bits import Captures, bits_of
from companion.hints.checkers_compiled import CompiledSearch, library
from companion.hints.checkers_search import SURE, Search
from companion.hints.engine import EngineError, RankedPlay, Ranking
from companion.rules import CheckersSheet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.core import Dice
    from companion.game import Match
    from companion.hints.cube import CubeAdvice, CubeQuestion
    from companion.rules import CheckersPosition, Ruleset

LEVELS: dict[int, tuple[int, float]] = {0: (1_000, 60.0), 1: (6_000, 60.0), 2: (200_000_000, 0.9)}
"""By level: most positions searched for a decision, and most seconds of processor time.

Levels 0 and 1 end by positions and are searched in Python, so that they give the same result on every machine; level 2
in C where that could be compiled.
"""
FOR_THE_BEST = 0.6
"""Share of the positions and seconds for finding the best move, if more moves are to be ranked."""
LOSS, COMPILED_LOSS = 0.04, 0.02
"""Mean loss for a decision in men at the best level, by scores of a plain search 14 moves deep: in Python, and in C."""
MAN = 100
"""Hundredths of a man in equities."""


class Effort:
    """How long to search: a number of positions or seconds, or until stopped."""

    def __init__(self, level: int, clock: Callable[[], float]) -> None:
        """`level` is a key of LEVELS; `clock` gives seconds."""
        self._positions, self._seconds = LEVELS[level]
        self._clock = clock
        self._began = 0.0
        self._share = 1.0
        self._stopped = False

    def begin(self, share: float) -> None:
        """Start counting for a share (0 to 1) of the effort; after `stop` it ends at once."""
        self._began, self._share = self._clock(), share

    def goes_on(self, searched: int) -> bool:
        """Whether to go on after `searched` positions."""
        within = searched < self._share * self._positions
        return within and not self._stopped and self._clock() - self._began < self._share * self._seconds

    def stop(self) -> None:
        """End at the next check, until `ready`; from any thread."""
        self._stopped = True

    def ready(self) -> None:
        """Allow searching again."""
        self._stopped = False


class CheckersEngine:
    """Ranks checkers moves by search; use from one thread.

    Jumps over own pieces, which some sheets allow, are searched only as the first move.
    """

    name = "Boardside's search"

    def __init__(
        self, rules: Ruleset[CheckersPosition], level: int = 2, clock: Callable[[], float] = time.thread_time
    ) -> None:
        """`level` is a key of LEVELS; `clock` gives seconds. Raises EngineError for rules of another game."""
        if not isinstance(rules.sheet, CheckersSheet):
            raise EngineError(f"a search for checkers, but sheet {rules.sheet.name!r} is for {rules.sheet.game}")
        self._rules = rules
        self._effort = Effort(level, clock)
        self._loss: float | None = None
        self._search: Search | CompiledSearch
        captures, compiled = Captures(rules.sheet), library() if level == max(LEVELS) else None
        if compiled is None:
            self._search = Search(captures)
            self._loss = LOSS if level == max(LEVELS) else None
        else:
            self._search = CompiledSearch(compiled, captures)
            self._loss = COMPILED_LOSS

    def rank(
        self,
        position: Any,
        side: Side,
        dice: Dice | None,
        n: int,
        match: Match | None = None,  # noqa: ARG002 - a win is a win
    ) -> Ranking:
        """The `n` best moves; equities are scores in men."""
        successors = self._rules.successors(position, side, dice)
        write = self._rules.write_play
        found = self._scores([s.after for s in successors], side, n)
        plays = (_ranked(write(successors[k].play), successors[k].after, score) for k, score in found[:n])
        return Ranking(tuple(plays), self.name, loss=self._loss)

    def weigh(
        self,
        positions: Sequence[Any],
        side: Side,
        match: Match | None = None,  # noqa: ARG002 - a win is a win
    ) -> list[RankedPlay]:
        """Scores in men of positions after a move of `side`, compared in one search."""
        scores = dict(self._scores(list(positions), side, len(positions)))
        return [_ranked("", position, scores[k]) for k, position in enumerate(positions)]

    def cube(self, question: CubeQuestion) -> CubeAdvice | None:
        """None: this engine does not estimate probabilities."""

    def stop(self) -> None:
        """End every search until `ready`, from any thread; it answers with what it has found."""
        self._effort.stop()

    def ready(self) -> None:
        """Search in full again."""
        self._effort.ready()

    def close(self) -> None:
        """End every search; nothing to release."""
        self.stop()

    def _scores(self, positions: list[CheckersPosition], side: Side, n: int) -> list[tuple[int, int]]:
        """(index, score) of the best positions after a move of `side`, the best first."""
        if not positions:
            return []
        children, white = [bits_of(position) for position in positions], side is Side.BLACK
        more = min(n, len(children)) > 1
        self._effort.begin(FOR_THE_BEST if more else 1.0)
        best = self._search.best(children, white, self._effort.goes_on)
        if not more:
            return [best]
        self._effort.begin(1 - FOR_THE_BEST)
        return [best, *self._search.others(children, white, best, self._effort.goes_on)]


def _ranked(play: str, after: CheckersPosition, score: int) -> RankedPlay:
    """The play with its score; the chance to win where the game is decided."""
    return RankedPlay(play, after, score / MAN, win=float(score > 0) if abs(score) > SURE else None)
