"""Choice of the engine, with the embedded one as fallback."""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from companion.core import quoted
from companion.hints.checkers import CheckersEngine
from companion.hints.engine import EngineError
from companion.hints.gnubg import LEVELS, GnubgEngine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.core import Dice, Side
    from companion.game import Match
    from companion.hints.cube import CubeAdvice, CubeQuestion
    from companion.hints.engine import Engine, RankedPlay, Ranking
    from companion.rules import Ruleset

LOG = logging.getLogger(__name__)
AnswerT = TypeVar("AnswerT")
REST_S = 60.0
"""Seconds for which an engine that failed is not asked."""
ENGINES = ("auto", "gnubg", "embedded")
FORMER_ENGINES = {"plain": "embedded"}
"""Names that scripts may still use, and what they mean."""
_WEAKER = {"backgammon": 0, "checkers": 1}
"""By game: level of the embedded engine for the opponent's levels below the best. In checkers level 0 always loses to
the best level, so that no noise gives even steps. Both are limited by work, not by time, so that decisions are the same
on every machine."""


class FallbackEngine:
    """Uses `first`; after a failure `second` answers, with a note of the cause, for REST_S seconds."""

    def __init__(self, first: Engine, second: Engine, clock: Callable[[], float] = time.monotonic) -> None:
        """`second` must not fail; `clock` gives seconds."""
        self._first = first
        self._second = second
        self._clock = clock
        self._failed: tuple[EngineError, float] | None = None

    @property
    def name(self) -> str:
        """Name of the first engine; a `Ranking` names the one that answered."""
        return self._first.name

    def rank(self, position: Any, side: Side, dice: Dice | None, n: int, match: Match | None = None) -> Ranking:
        """The `n` best plays of the first engine that answers."""
        try:
            return self._ask_first(lambda: self._first.rank(position, side, dice, n, match))
        except EngineError as error:
            return replace(self._second.rank(position, side, dice, n, match), note=str(error))

    def weigh(self, positions: Sequence[Any], side: Side, match: Match | None = None) -> list[RankedPlay]:
        """Evaluations of the first engine that answers."""
        try:
            return self._ask_first(lambda: self._first.weigh(positions, side, match))
        except EngineError:
            return self._second.weigh(positions, side, match)

    def cube(self, question: CubeQuestion) -> CubeAdvice | None:
        """Advice of the first engine, or of the second. Raises EngineError where neither has any."""
        try:
            return self._ask_first(lambda: self._first.cube(question))
        except EngineError:
            advice = self._second.cube(question)
            if advice is None:
                raise
            return advice

    def _ask_first(self, ask: Callable[[], AnswerT]) -> AnswerT:
        """The first engine's answer. Raises EngineError if it fails, and then for REST_S seconds without asking it."""
        if self._failed is not None and self._clock() < self._failed[1]:
            raise self._failed[0]
        try:
            answer = ask()
        except EngineError as error:
            LOG.warning("%s answers in place of %s: %s", self._second.name, self._first.name, error)
            self._failed = error, self._clock() + REST_S
            raise
        self._failed = None
        return answer

    def stop(self) -> None:
        """Stop both."""
        self._first.stop()
        self._second.stop()

    def ready(self) -> None:
        """Let both search in full again."""
        self._first.ready()
        self._second.ready()

    def close(self) -> None:
        """Close both."""
        self._first.close()
        self._second.close()


def choose_engine(rules: Ruleset[Any], name: str = "auto", level: str | int | None = None) -> Engine:
    """The engine of that name at that level.

    "auto" is gnubg with the embedded engine as fallback, or the embedded engine alone where gnubg is not installed;
    checkers has the embedded one only. `level` (0, 1 or 2; None: 2) is gnubg's plies, or the level of the search, or
    the rolls that the networks look ahead.
    Raises EngineError for another name or level, and for "gnubg" where it is not installed.
    """
    name = FORMER_ENGINES.get(name, name)
    if name not in ENGINES:
        raise EngineError(f"unknown engine {quoted(name)}: expected one of {', '.join(ENGINES)}")
    plies = _plies(level)
    if rules.sheet.game == "checkers":
        if name == "gnubg":
            raise EngineError("gnubg plays backgammon only: leave --engine out for checkers")
        return CheckersEngine(rules, plies)
    from companion.hints.network import NetworkEngine  # needs NumPy: imported on use

    embedded = NetworkEngine(rules, plies)
    if name == "embedded":
        return embedded
    try:
        gnubg = GnubgEngine(rules, plies)
    except EngineError:
        if name == "gnubg":
            raise
        return embedded
    return gnubg if name == "gnubg" else FallbackEngine(gnubg, embedded)


def choose_weaker_engine(rules: Ruleset[Any]) -> Engine:
    """The embedded engine that plays the opponent's levels below the best (see `companion.hints.decisions`)."""
    return choose_engine(rules, "embedded", _WEAKER[rules.sheet.game])


def _plies(level: str | int | None) -> int:
    """Check a level."""
    if level is None:
        return LEVELS[-1]
    if str(level) not in map(str, LEVELS):
        raise EngineError(f"unknown level {quoted(level)}: expected one of {', '.join(map(str, LEVELS))} plies")
    return int(level)
