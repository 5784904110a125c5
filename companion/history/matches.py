"""Summaries of the matches and series of a record, from its outline: rolls and plays are not read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.core import BoardsideError
from companion.game import (
    EVENING,
    Beavered,
    Disputed,
    Doubled,
    Drawn,
    Ended,
    Match,
    MatchBegan,
    OpeningRolled,
    Passed,
    Resigned,
    Started,
    Taken,
    TakenBack,
    ended_by,
    game_begun,
    match_after,
    match_begun,
)
from companion.record import WITHOUT_POSITIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game import Event
    from companion.record import Entry

OUTLINE = tuple(
    kind.__name__
    for kind in (
        *(MatchBegan, Started, OpeningRolled, Doubled, Beavered, Taken, Passed),
        *(Resigned, Drawn, Ended, TakenBack, Disputed),
    )
)
"""The events with players, stakes and results."""


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """One game of a recorded match.

    Attributes:
        entry: number of its first event in the record.
        score: (White's, Black's) points before it.
        ended: how it ended; None where it is not over.
        disputes: how often the referee was called.
    """

    entry: int
    score: tuple[int, int]
    ended: Ended | None = None
    disputes: int = 0


@dataclass(frozen=True, slots=True)
class RecordedMatch:
    """A match or series of a record.

    Attributes:
        number: number of its first event in the record, which identifies it.
        last: number of the last event that may belong to it; None: it may go on.
        began_s: when it began, in seconds since 1970.
        game, sheet: what was played, by which sheet.
        match: its terms, players and score after the last game.
        games: its games, in order.
    """

    number: int
    last: int | None
    began_s: float
    game: str
    sheet: str
    match: Match
    games: tuple[RecordedGame, ...]

    @property
    def over(self) -> bool:
        """Whether the match has a winner, or a series has no game under way."""
        if self.match.length:
            return self.match.winner is not None
        return not self.games or self.games[-1].ended is not None


def summary(outline: Sequence[Entry], last: int | None) -> tuple[RecordedMatch, ...]:
    """The match of these events; empty if no game begins in them."""
    started = next((entry for entry in outline if entry.event.get("event") == Started.__name__), None)
    if started is None:
        return ()
    tally = _Tally()
    for entry in outline:
        tally.take(entry)
    first = outline[0]
    return (
        RecordedMatch(
            number=first.number,
            last=last,
            began_s=first.at_s,
            game=str(started.event.get("game")),
            sheet=str(started.event.get("sheet")),
            match=tally.match,
            games=tuple(tally.games),
        ),
    )


class _Tally:
    """Counts games and points; a damaged or unknown event is skipped, and the review reports it."""

    def __init__(self) -> None:
        self.match = EVENING
        self.games: list[RecordedGame] = []
        self._before_end = EVENING

    def take(self, entry: Entry) -> None:
        """Count one event."""
        try:
            self._count(WITHOUT_POSITIONS.decode(entry.event), entry)
        except BoardsideError:
            return

    def _count(self, event: Event[Any], entry: Entry) -> None:
        match event:
            case MatchBegan():
                self.match = match_begun(event)
            case Started():
                self.match = game_begun(self.match, event)
                self.games.append(RecordedGame(entry.number, self.match.score))
            case Disputed() if self.games:
                self.games[-1] = replace(self.games[-1], disputes=self.games[-1].disputes + 1)
            case Passed() | Resigned() | Drawn() | Ended() if self.games:
                self.games[-1] = replace(self.games[-1], ended=ended_by(self.match, event))
                self._before_end, self.match = self.match, match_after(self.match, event)
            case TakenBack() if event.end and self.games:
                self.games[-1] = replace(self.games[-1], ended=None)
                self.match = self._before_end
            case _:
                self._turn_cube(event)

    def _turn_cube(self, event: Event[Any]) -> None:
        match event:
            case OpeningRolled():
                self.match = self.match.tied() if event.white == event.black else self.match
            case Doubled():
                self.match = self.match if event.early else self.match.doubled(event.side)
            case Beavered():
                self.match = self.match.beaver()
            case Taken():
                self.match = self.match.taken()
