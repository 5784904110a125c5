"""Choice of the engine, with the plain one as fallback."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.core import quoted
from companion.hints.checkers import CheckersEngine
from companion.hints.engine import EngineError
from companion.hints.gnubg import LEVELS, GnubgEngine
from companion.hints.plain import PlainEngine

if TYPE_CHECKING:
    from companion.core import Dice, Side
    from companion.hints.cube import CubeAdvice, CubeQuestion
    from companion.hints.engine import Engine, Ranking
    from companion.rules import Ruleset

ENGINES = ("auto", "gnubg", "plain")


class FallbackEngine:
    """Uses `first`; where it fails, `second` answers with a note of the cause."""

    def __init__(self, first: Engine, second: Engine) -> None:
        """`second` must not fail."""
        self._first = first
        self._second = second

    @property
    def name(self) -> str:
        """Name of the first engine; a `Ranking` names the one that answered."""
        return self._first.name

    def rank(self, position: Any, side: Side, dice: Dice | None, n: int) -> Ranking:
        """The `n` best plays of the first engine that answers."""
        try:
            return self._first.rank(position, side, dice, n)
        except EngineError as error:
            return replace(self._second.rank(position, side, dice, n), note=str(error))

    def cube(self, question: CubeQuestion) -> CubeAdvice | None:
        """Advice of the first engine; where it fails, of the second."""
        try:
            return self._first.cube(question)
        except EngineError:
            return self._second.cube(question)

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
