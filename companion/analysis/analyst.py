"""The protocol of an analyst, and the choice of one by sheet, match and installed engines."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from companion.analysis.decisions import AnalysisError
from companion.analysis.engine_analyst import EngineAnalyst
from companion.analysis.gnubg_analyst import GnubgAnalyst
from companion.hints import EngineError, choose_engine, find_gnubg, longest_match
from companion.rules import BackgammonSheet, load_sheet

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.analysis.decisions import GameAnalysis
    from companion.analysis.finished_games import FinishedGame
    from companion.game import Match
    from companion.rules import Ruleset, Sheet

    Progress = Callable[[int, int], None]

LOG = logging.getLogger(__name__)
PLIES = 2
"""Plies that gnubg looks ahead: its own default for analyses."""
QUICK, THOROUGH = 0, 1
"""Plies of gnubg if it only evaluates: for the luck of 21 rolls, and for plays."""
PLAYED_ALIKE = (
    "use_as_many_dice_as_possible",
    "larger_die_if_only_one",
    "max_checkers_per_point",
    "bear_off_with_larger_die",
    "gammon_when",
    "backgammon_when",
    "levels_count",
    "bear_off_dice",
    "opening_roll",
    "next_game_starter",
)
"""Fields of a sheet that change legal plays, scores or the luck of the first roll; gnubg knows the standard values."""


class Analyst(Protocol):
    """Analyses finished games of one match."""

    @property
    def name(self) -> str:
        """The engine's name and plies."""

    @property
    def version(self) -> str:
        """Changes whenever the same game would be analysed differently."""

    def analyse(self, game: FinishedGame, progress: Progress) -> GameAnalysis:
        """Analyse a game; `progress(done, of)` counts its actions. Raises EngineError or AnalysisError."""

    def close(self) -> None:
        """Release processes and files."""


class FallbackAnalyst:
    """Uses `first`; `second` analyses a game that `first` cannot, with a note why."""

    def __init__(self, first: Analyst, second: Analyst) -> None:
        self._first = first
        self._second = second

    @property
    def name(self) -> str:
        """The name of `first`; an analysis names the engine that made it."""
        return self._first.name

    @property
    def version(self) -> str:
        """The versions of both."""
        return f"{self._first.version}, {self._second.version}"

    def analyse(self, game: FinishedGame, progress: Progress) -> GameAnalysis:
        """Analyse a game with the first that can."""
        try:
            return self._first.analyse(game, progress)
        except (EngineError, AnalysisError) as error:
            LOG.warning(
                "%s analyses game %d in place of %s: %s", self._second.name, game.number, self._first.name, error
            )
            return replace(self._second.analyse(game, progress), note=str(error))

    def close(self) -> None:
        """Close both."""
        self._first.close()
        self._second.close()


def choose_analyst(rules: Ruleset[Any], match: Match, engine: str = "auto", plies: int = PLIES) -> Analyst:
    """The best analyst for a match under these rules.

    gnubg's own analysis under the standard rules; gnubg's evaluation of the plays of other sheets; without gnubg, or
    for "embedded" and checkers, Boardside's own. Raises EngineError for "gnubg" where it is not installed, and
    AnalysisError for a match too long for the table of match equities.
    """
    if match.length > longest_match() and rules.sheet.game == "backgammon":
        raise AnalysisError(f"a match of {match.length} points: equities are known up to {longest_match()}")
    if rules.sheet.game == "checkers" or engine == "embedded" or (engine == "auto" and find_gnubg() is None):
        return _embedded(rules)
    evaluating = EngineAnalyst(rules, choose_engine(rules, "gnubg", THOROUGH), choose_engine(rules, "gnubg", QUICK))
    last = _embedded(rules)
    if engine == "gnubg":
        return GnubgAnalyst(rules, plies) if follows_standard_rules(rules.sheet, match) else evaluating
    if follows_standard_rules(rules.sheet, match):
        return FallbackAnalyst(GnubgAnalyst(rules, plies), FallbackAnalyst(evaluating, last))
    return FallbackAnalyst(evaluating, last)


def _embedded(rules: Ruleset[Any]) -> EngineAnalyst:
    return EngineAnalyst(rules, choose_engine(rules, "embedded"), choose_engine(rules, "embedded", 0))


def follows_standard_rules(sheet: Sheet, match: Match) -> bool:
    """Whether games under the sheet are those that gnubg analyses, cube included."""
    standard = load_sheet("standard")
    if not isinstance(sheet, BackgammonSheet) or not isinstance(standard, BackgammonSheet) or not match.has_cube:
        return False
    return all(getattr(sheet, field) == getattr(standard, field) for field in PLAYED_ALIKE)
