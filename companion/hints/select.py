"""Choice of the engine, with the plain one as fallback."""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from companion.core import quoted
from companion.hints.checkers import CheckersEngine
from companion.hints.engine import EngineError
from companion.hints.gnubg import LEVELS, GnubgEngine
from companion.hints.plain import PlainEngine

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core import Dice, Side
    from companion.hints.cube import CubeAdvice, CubeQuestion
    from companion.hints.engine import Engine, Ranking
    from companion.rules import Ruleset

LOG = logging.getLogger(__name__)
AnswerT = TypeVar("AnswerT")
REST_S = 60.0
"""Seconds for which an engine that failed is not asked."""
ENGINES = ("auto", "gnubg", "plain")


class FallbackEngine:
    """Uses `first`; where it fails, `second` answers with a note of the cause, for the next REST_S seconds at once."""

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

    def rank(self, position: Any, side: Side, dice: Dice | None, n: int) -> Ranking:
        """The `n` best plays of the first engine that answers."""
        try:
            return self._tried(lambda: self._first.rank(position, side, dice, n))
        except EngineError as error:
            return replace(self._second.rank(position, side, dice, n), note=str(error))

    def cube(self, question: CubeQuestion) -> CubeAdvice | None:
        """Advice of the first engine, or of the second. Raises EngineError where neither has any."""
        try:
            return self._tried(lambda: self._first.cube(question))
        except EngineError:
            advice = self._second.cube(question)
            if advice is None:
                raise
            return advice

    def _tried(self, ask: Callable[[], AnswerT]) -> AnswerT:
        """The first engine's answer. Raises EngineError, without asking, while it rests after a failure."""
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

    def close(self) -> None:
        """Close both."""
        self._first.close()
        self._second.close()


def choose_engine(rules: Ruleset[Any], name: str = "auto", level: str | int | None = None) -> Engine:
    """The engine of that name at that level.

    "auto" is gnubg with the plain evaluation as fallback, or the plain evaluation alone where gnubg is not installed.
    Checkers has the plain search only. `level` (0, 1 or 2; None: 2) is gnubg's plies, or the level of the search.
    Raises EngineError for another name or level, and for "gnubg" where it is not installed.
    """
    if name not in ENGINES:
        raise EngineError(f"unknown engine {quoted(name)}: expected one of {', '.join(ENGINES)}")
    plies = _plies(level)
    if rules.sheet.game == "checkers":
        if name == "gnubg":
            raise EngineError("gnubg plays backgammon only: leave --engine out for checkers")
        return CheckersEngine(rules, plies)
    plain = PlainEngine(rules)
    if name == "plain":
        return plain
    try:
        gnubg = GnubgEngine(rules, plies)
    except EngineError:
        if name == "gnubg":
            raise
        return plain
    return gnubg if name == "gnubg" else FallbackEngine(gnubg, plain)


def _plies(level: str | int | None) -> int:
    """Check a level."""
    if level is None:
        return LEVELS[-1]
    if str(level) not in map(str, LEVELS):
        raise EngineError(f"unknown level {quoted(level)}: expected one of {', '.join(map(str, LEVELS))} plies")
    return int(level)
