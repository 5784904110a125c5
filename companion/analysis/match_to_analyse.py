"""One match of a record with its finished games, and its analysis, stored or new."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.analysis.analyst import PLIES, choose_analyst
from companion.analysis.decisions import AnalysisError, GameAnalysis, MatchAnalysis
from companion.analysis.finished_games import FinishedGame, finished_games
from companion.record import ChapterList, RecordReader, events_in, record_in, sheets_in
from companion.rules import Ruleset, laid_of_tiles, names_on_record, rules_on_record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from companion.analysis.store import AnalysisStore
    from companion.core import Names
    from companion.game import Match
    from companion.record import Entry

    Progress = Callable[[int, int, int, int], None]


@dataclass(frozen=True, slots=True)
class MatchToAnalyse:
    """A match or series: its number in the record (from 1), rules, state and finished games.

    `names` are those of White and Black in the first game; `open`: the match goes on, and nothing about its play may be
    shown; `is_last`: no other match has begun since.
    """

    number: int
    rules: Ruleset[Any]
    match: Match
    games: tuple[FinishedGame, ...]
    names: Names
    open: bool
    is_last: bool = False

    @property
    def tiles(self) -> bool:
        """Whether the board is laid of tiles."""
        return laid_of_tiles(self.rules.sheet)


def recorded_match(state: Path, number: int | None = None, *, entry: int | None = None) -> MatchToAnalyse:
    """Match `number` of the record in a state directory, or the one of entry `entry`; with neither the last.

    A table may be using the record. Raises AnalysisError if the record has no such match, and errors of the record and
    its sheets.
    """
    matches = RecordedMatches(state)
    return matches.match(entry) if number is None else matches.numbered(number)


class RecordedMatches:
    """The matches of the record in a state directory. Thread-safe."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self._reader = RecordReader(record_in(state))
        self._chapters = ChapterList(self._reader)
        self._remembered: tuple[object, MatchToAnalyse] | None = None

    def match(self, entry: int | None = None) -> MatchToAnalyse:
        """The match of entry `entry`; None: the last. Raises as `recorded_match` does.

        The last answer is cached until the record grows, because a page asks every two seconds.
        """
        _refuse_without_record(self._state)
        asked, remembered = (entry, self._reader.last()), self._remembered
        if remembered is None or remembered[0] != asked:
            remembered = self._remembered = asked, self._read(entry)
        return remembered[1]

    def numbered(self, number: int) -> MatchToAnalyse:
        """Match `number`, from 1. Raises as `recorded_match` does."""
        _refuse_without_record(self._state)
        found = self._chapters.numbered(number)
        if found is None:
            raise AnalysisError(f"match {number}: the record holds {len(self._chapters)}, counted from 1")
        return _match(*found, self._state)

    def _read(self, entry: int | None) -> MatchToAnalyse:
        found = self._chapters.of_entry(entry)
        if found is None and entry is None:
            raise AnalysisError("the record holds no game yet: play one, or name another record with --state")
        if found is None:
            raise AnalysisError(f"no match of the record has the event {entry}")
        return _match(*found, self._state)


def analysed(
    recorded: MatchToAnalyse,
    store: AnalysisStore,
    engine: str = "auto",
    plies: int = PLIES,
    progress: Progress | None = None,
    not_kept: Callable[[OSError], None] | None = None,
) -> MatchAnalysis:
    """The analysis of a match's finished games; missing parts are made and stored.

    `progress(game, games, done, of)` counts games from 1 and the actions of one; `not_kept` is called with the error if
    a game cannot be stored. Raises AnalysisError for a match that is not over, EngineError, and without `not_kept`
    OSError.
    """
    refuse_open(recorded)
    analyst = choose_analyst(recorded.rules, recorded.match, engine, plies)
    try:
        games: list[GameAnalysis] = []
        for game in recorded.games:
            found = store.load(game, analyst.version)
            if found is None:
                report = (lambda *_: None) if progress is None else partial(progress, game.number, len(recorded.games))
                found = analyst.analyse(game, report)
                try:
                    store.save(game, analyst.version, found)
                except OSError as error:
                    if not_kept is None:
                        raise
                    not_kept(error)
            games.append(found)
    finally:
        analyst.close()
    return MatchAnalysis(recorded.rules.sheet.game, recorded.match.length, tuple(games))


def kept_analysis(recorded: MatchToAnalyse, store: AnalysisStore, engine: str = "auto") -> MatchAnalysis:
    """The stored part of a match's analysis: all of its finished games, some or none.

    Raises AnalysisError for a match that is not over, and EngineError.
    """
    refuse_open(recorded)
    analyst = choose_analyst(recorded.rules, recorded.match, engine)
    try:
        games = (store.load(game, analyst.version) for game in recorded.games)
        return MatchAnalysis(recorded.rules.sheet.game, recorded.match.length, tuple(filter(None, games)))
    finally:
        analyst.close()


def refuse_open(recorded: MatchToAnalyse) -> None:
    """Raise AnalysisError for a match that is not over."""
    if recorded.open:
        raise AnalysisError(f"match {recorded.number} is not over: it can be analysed when it is")


def _refuse_without_record(state: Path) -> None:
    """Raise AnalysisError if there is no record."""
    path = record_in(state)
    if not path.exists():
        raise AnalysisError(f"there is no record {str(path)!r}: name the directory with --state")


def _match(number: int, chapter: Sequence[Entry], is_last: bool, state: Path) -> MatchToAnalyse:
    rules, events = events_in(chapter, partial(rules_on_record, folder=sheets_in(state)))
    match, games = finished_games(chapter, events)
    goes_on = is_last and bool(match.length) and match.winner is None
    return MatchToAnalyse(
        number, rules, match, tuple(games), names_on_record(rules.sheet, match.names), goes_on, is_last
    )
