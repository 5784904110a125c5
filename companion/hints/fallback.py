"""Which engine answers: the one asked for, and a plain one in its place when it cannot."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.hints import EngineError
from companion.hints.checkers import CheckersEngine
from companion.hints.gnubg import LEVELS, GnubgEngine
from companion.hints.plain import PlainEngine

if TYPE_CHECKING:
    from companion.hints import Engine, Ranking
    from companion.hints.cube import CubeAdvice, CubeQuestion
    from companion.model import Dice, Side
    from companion.rules.ruleset import Ruleset

ENGINES = ("auto", "gnubg", "plain")


class FallbackEngine:
    """Asks `first`; where it fails `second` answers, with a note that says why."""

    def __init__(self, first: Engine, second: Engine) -> None:
        """`second` is expected never to fail."""
        self._first = first
        self._second = second

    @property
    def name(self) -> str:
        """The name of the engine asked first; a `Ranking` names the one that answered."""
        return self._first.name

    def rank(self, position: Any, side: Side, dice: Dice | None, n: int) -> Ranking:
        """The `n` best plays by the first engine that answers."""
        try:
            return self._first.rank(position, side, dice, n)
        except EngineError as error:
            return replace(self._second.rank(position, side, dice, n), note=str(error))

    def cube(self, question: CubeQuestion) -> CubeAdvice | None:
        """What the first engine says; nothing where it fails."""
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

    "auto" is gnubg with the plain evaluation behind it, or the plain evaluation alone where gnubg is not installed;
    "gnubg" and "plain" are themselves; for checkers there is the plain search alone. `level` is how many plies gnubg
    looks ahead, or how long the search does (0, 1 or 2; None: 2).
    Raises EngineError for another name or level, and where gnubg is asked for and not installed.
    """
    if name not in ENGINES:
        raise EngineError(f"unknown engine {name!r}: expected one of {', '.join(ENGINES)}")
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
    """The level as plies."""
    if level is None:
        return LEVELS[-1]
    if str(level) not in map(str, LEVELS):
        raise EngineError(f"unknown level {level!r}: expected one of {', '.join(map(str, LEVELS))} plies")
    return int(level)
