"""The analyses of a table's matches for the page: stored ones, and the progress of others.

Nothing is analysed during a game. Nothing is shown about an unfinished match, or while hints are off.
"""

from __future__ import annotations

import logging
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.analysis.background import AnalysisProgress, BackgroundAnalysis, Standing
from companion.analysis.match_to_analyse import RecordedMatches, kept_analysis
from companion.analysis.store import AnalysisStore
from companion.analysis.totals import totals
from companion.analysis.wording import WEAK
from companion.core import BoardsideError, message
from companion.game import Phase

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.analysis.decisions import MatchAnalysis
    from companion.analysis.match_to_analyse import MatchToAnalyse
    from companion.core import Fact, Message
    from companion.interface import Snapshot

LOG = logging.getLogger(__name__)
LAST = 0
"""In place of the number of the last match, which is known only after the record was read."""
BETWEEN_GAMES = (Phase.WAITING, Phase.OPENING, Phase.OVER)
"""Phases between games: the processor is free, and an analysis helps no player."""


@dataclass(frozen=True, slots=True)
class MatchStanding:
    """The analysis of one match: `found` if all its games are analysed, else None; `says`: its progress."""

    match: MatchToAnalyse
    found: MatchAnalysis | None
    says: Message
    standing: Standing


class AnalysedMatches:
    """Analyses of the matches of a state directory. Thread-safe; `run` needs a thread of its own."""

    def __init__(
        self, state: Path, show: Callable[[tuple[Message, ...]], None], *, engine: str = "auto", hints: bool = True
    ) -> None:
        """`show` is called with the lines for the result card; `hints` False: nothing is analysed."""
        self._store = AnalysisStore(state)
        self._matches = RecordedMatches(state)
        self._show = show
        self._engine = engine
        self._hints = hints
        self._idle = False
        self._over: object = None
        analyse = (sys.executable, "-m", "companion", "analyse", "--progress")
        command = (*analyse, "--engine", engine, "--state", str(state))
        self._background = BackgroundAnalysis(command, lambda: self._idle, self._changed)

    def see(self, snapshot: Snapshot) -> None:
        """Process a snapshot: a game stops analyses; the end of a match, or of a game of a series, requests one."""
        between_games = snapshot.phase in BETWEEN_GAMES
        self._idle = self._hints and between_games
        self._background.look_again()
        ended = (snapshot.ended, snapshot.score) if between_games and snapshot.ended else None
        match = snapshot.match
        over = match is not None and (not match.length or match.winner is not None)
        if self._hints and over and ended is not None and ended != self._over:
            self._background.ask(LAST)
        self._over = ended

    def ask(self, number: int) -> None:
        """Analyse the match that begins with entry `number`. Raises AnalysisError if there is none."""
        if self._hints and not self._matches.match(number).open:
            self._background.ask(number)

    def standing(self, number: int | None) -> MatchStanding:
        """The analysis or its progress for the match of entry `number` (None: the last). Raises AnalysisError."""
        match = self._matches.match(number)
        if not self._hints or match.open:
            says = message("analysis.open") if self._hints else message("analysis.off")
            return MatchStanding(match, None, says, Standing.NOT_ASKED)
        found = kept_analysis(match, self._store, self._engine)
        if match.games and len(found.games) == len(match.games):
            return MatchStanding(match, found, message("analysis.ready"), Standing.DONE)
        progress = self._background.progress(number or LAST)
        if progress.standing is Standing.NOT_ASKED and match.is_last:
            progress = self._background.progress(LAST)
        return MatchStanding(match, None, _words(progress), progress.standing)

    def run(self) -> None:
        """Analyse in the background until `stop`."""
        self._background.run()

    def stop(self) -> None:
        """End the background analysis."""
        self._background.stop()

    def _changed(self, number: int, progress: AnalysisProgress) -> None:
        """Show the progress or the result of the last game's analysis."""
        if number != LAST:
            return
        lines: tuple[Message, ...] = (_words(progress),)
        if progress.standing is Standing.DONE:
            try:
                match = self._matches.match()
                over = not match.open  # open: the next match has begun meanwhile
                lines = card(kept_analysis(match, self._store, self._engine)) if over else ()
            except (BoardsideError, OSError) as error:
                LOG.warning("The analysis cannot be shown: %s", error)
                lines = ()
        self._show(lines)


def card(found: MatchAnalysis) -> tuple[Message, ...]:
    """A line on the last game for each player who made a decision: rating, error rate and luck."""
    lines = []
    for side, sums in totals(found.games[-1:], men=found.in_men).items():
        if sums.error_rate is None:
            continue
        facts: dict[str, Fact] = {"player": side, "rate": round(sums.error_rate)}
        luck = message(f"analysis.luck.{sums.luck_class}")
        if found.in_men:
            lines.append(message("analysis.card.men", **facts))
        elif WEAK in found.games[-1].engine:
            lines.append(message("analysis.card.weak", luck=luck, **facts))
        else:
            lines.append(message("analysis.card", rating=message(f"analysis.rating.{sums.rating}"), luck=luck, **facts))
    return tuple(lines)


def _words(progress: AnalysisProgress) -> Message:
    match progress.standing:
        case Standing.WAITS:
            return message("analysis.waits")
        case Standing.RUNS:
            p = progress
            return message("analysis.progress", game=p.game, games=p.games, done=p.done, of=p.of)
        case Standing.FAILED:
            return message("analysis.failed", why=progress.why)
        case _:
            return message("analysis.none")
