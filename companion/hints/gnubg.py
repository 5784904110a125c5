"""GNU Backgammon engine: a child process that evaluates the positions after each legal play.

The plays come from the ruleset, so that no hint breaks the sheet's rules. gnubg only evaluates each resulting position
for the player who then rolls. Equities are without a cube; what an outcome counts is the sheet's and the match's.
"""

from __future__ import annotations

import os
import shutil
import threading
from typing import TYPE_CHECKING, Any

from companion.hints.cube import advise
from companion.hints.engine import EngineError, RankedPlay, Ranking
from companion.hints.gnubg_process import TIMEOUT_S, GnubgProcess
from companion.hints.scoring import equity_of, worths_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Dice, Side
    from companion.game import Match
    from companion.hints.cube import Chances, CubeAdvice, CubeQuestion
    from companion.hints.scoring import Worths
    from companion.rules import BackgammonPosition, Ruleset, Successor

DEBIAN_PATH = "/usr/games/gnubg"
"""Debian's path; the directory is often missing from a service's PATH."""
LEVELS = (0, 1, 2)
"""Plies looked ahead."""
CANDIDATES, CANDIDATE_MARGIN = 8, 0.16
"""Plays evaluated at the engine's level: the best 8 within 0.16 points at 0 plies (gnubg's "normal" move filter)."""


def find_gnubg() -> str | None:
    """Path of gnubg; None where it is not installed."""
    return shutil.which("gnubg") or (DEBIAN_PATH if os.access(DEBIAN_PATH, os.X_OK) else None)


def required_gnubg() -> str:
    """Path of gnubg. Raises EngineError where it is not installed."""
    found = find_gnubg()
    if found is None:
        raise EngineError("gnubg is not installed: `sudo apt install gnubg`, or choose --engine embedded")
    return found


class GnubgEngine:
    """Ranks plays by gnubg's evaluation of the positions after them."""

    name = "GNU Backgammon"

    def __init__(
        self,
        rules: Ruleset[BackgammonPosition],
        plies: int = 2,
        program: str | None = None,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        """`plies` is one of LEVELS; `program` defaults to this machine's gnubg. Raises EngineError if there is none."""
        self._rules = rules
        self._plies = plies
        self._program = program or required_gnubg()
        self._timeout_s = timeout_s
        self._process: GnubgProcess | None = None
        self._closed = threading.Event()

    def rank(self, position: Any, side: Side, dice: Dice | None, n: int, match: Match | None = None) -> Ranking:
        """The `n` best plays at the engine's level. Raises EngineError where gnubg failed twice; then it is ended."""
        successors = self._rules.successors(position, side, dice)
        if not successors:
            return Ranking(engine=self.name)
        worths = worths_of(self._rules, side, match)
        ranked = self._rank_at(successors, side, 0, worths)
        if self._plies:
            best = ranked[0][1].equity
            near = sum(play.equity > best - CANDIDATE_MARGIN for _, play in ranked[:CANDIDATES])
            ranked = self._rank_at([successor for successor, _ in ranked[: max(n, near)]], side, self._plies, worths)
        return Ranking(tuple(play for _, play in ranked[:n]), self.name)

    def weigh(self, positions: Sequence[Any], side: Side, match: Match | None = None) -> list[RankedPlay]:
        """Evaluations at the engine's level after a play of `side`. Raises EngineError as `rank` does."""
        chances = self._chances(positions, side.opponent, self._plies)
        worths = worths_of(self._rules, side, match)
        return [_ranked_play("", position, theirs, worths) for position, theirs in zip(positions, chances, strict=True)]

    def cube(self, question: CubeQuestion) -> CubeAdvice | None:
        """Advice on the cube from gnubg's probabilities at the engine's level. Raises EngineError as `rank` does."""
        (chances,) = self._chances([question.position], question.side, self._plies)
        return advise(chances, question.position, question.side, question.match)

    def _chances(self, positions: Sequence[BackgammonPosition], on_roll: Side, plies: int) -> list[Chances]:
        """Outcome probabilities of `on_roll` at each position; if gnubg fails, a new process is tried once."""
        boards = [_board(position, on_roll) for position in positions]
        try:
            return self._evaluate(boards, plies)
        except EngineError:
            self._end_process()
        try:
            return self._evaluate(boards, plies)
        except EngineError:
            self._end_process()
            raise

    def _evaluate(self, boards: Sequence[Any], plies: int) -> list[Chances]:
        if self._closed.is_set():
            raise EngineError("the engine is closed")
        process = self._process
        if process is None:
            self._process = process = GnubgProcess(self._program, self._timeout_s)
        if self._closed.is_set():  # `close` was called while the process started, and did not close it
            process.close()
        return process.evaluate(boards, plies)

    def _rank_at(
        self, successors: Sequence[Successor[BackgammonPosition]], side: Side, plies: int, worths: Worths
    ) -> list[tuple[Successor[BackgammonPosition], RankedPlay]]:
        """Successors with their evaluations at `plies`, best for `side` first."""
        chances = self._chances([s.after for s in successors], side.opponent, plies)
        write = self._rules.write_play
        pairs = [(s, _ranked_play(write(s.play), s.after, c, worths)) for s, c in zip(successors, chances, strict=True)]
        return sorted(pairs, key=lambda pair: -pair[1].equity)

    def _end_process(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.close()

    def stop(self) -> None:
        """Nothing: gnubg cannot be interrupted."""

    def ready(self) -> None:
        """Nothing, as for `stop`."""

    def close(self) -> None:
        """End gnubg for good; a question that waits for an answer fails."""
        self._closed.set()
        self._end_process()


def _ranked_play(play: str, after: BackgammonPosition, theirs: Chances, worths: Worths) -> RankedPlay:
    """A play from the opponent's chances after it."""
    lose, lose_gammon, lose_backgammon, gammon, backgammon = theirs
    chances = 1.0 - lose, gammon, backgammon, lose_gammon, lose_backgammon
    return RankedPlay(play, after, equity_of(chances, worths), *chances)


def _board(position: BackgammonPosition, on_roll: Side) -> list[list[int]]:
    """Counts as gnubg takes them: 25 for the opponent, then for the player on roll; own 1 point first, the bar last."""
    opponent, own = position.view(on_roll.opponent), position.view(on_roll)
    return [list(opponent[1:26]), list(own[1:26])]
