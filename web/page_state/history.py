"""The list of recorded matches on the page, and the search in it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from companion.core import Side

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.history import RecordedMatch
    from web.texts import PageTexts

PER_PAGE = 20
MOST_LETTERS = 100
"""Longest text to search for."""
MOST_PAGES = 10**6


@dataclass(frozen=True, slots=True)
class MatchSearch:
    """A search for matches; empty texts and None match everything.

    Attributes:
        name: part of a player's name or of the sheet's.
        game: "backgammon" or "checkers".
        since, until: the first and the last day.
        page: number of the page of results, from 1.
        wrong: invalid dates, as entered.
    """

    name: str = ""
    game: str = ""
    since: date | None = None
    until: date | None = None
    page: int = 1
    wrong: tuple[str, ...] = ()

    @classmethod
    def of(cls, fields: Mapping[str, str]) -> MatchSearch:
        """The search of the fields of a form: "name", "game", "since", "until", "page"."""
        wrong: list[str] = []

        def day(key: str) -> date | None:
            try:
                return date.fromisoformat(fields[key]) if fields.get(key) else None
            except ValueError:
                wrong.append(fields[key][:MOST_LETTERS])
                return None

        page = fields.get("page", "")
        number = int(page) if page.isascii() and page.isdecimal() and len(page) < len(str(MOST_PAGES)) else 1
        name = " ".join(fields.get("name", "")[:MOST_LETTERS].split())
        return cls(name, fields.get("game", ""), day("since"), day("until"), max(number, 1), tuple(wrong))

    def finds(self, match: RecordedMatch) -> bool:
        """Whether the search finds this match."""
        played = datetime.fromtimestamp(match.began_s).astimezone().date()
        return (
            self.game in ("", match.game)
            and (self.since is None or self.since <= played)
            and (self.until is None or played <= self.until)
            and self.name.casefold() in " ".join((*match.match.names, match.sheet)).casefold()
        )

    def shown(self, found: Sequence[RecordedMatch]) -> Sequence[RecordedMatch]:
        """The matches on the search's page."""
        return found[(self.page - 1) * PER_PAGE : self.page * PER_PAGE]


def match_row(match: RecordedMatch, words: PageTexts) -> dict[str, Any]:
    """One match in words: players, game, date and result."""
    white, black = Side
    disputes = sum(game.disputes for game in match.games)
    return {
        "number": match.number,
        "players": words("matches.players", first=words.player_in_full(white), second=words.player_in_full(black)),
        "when": moment_words(match.began_s),
        "game": words(f"game.{match.game}"),
        "sheet": match.sheet,
        "terms": words.count("match.length", match.match.length) if match.match.length else words("matches.series"),
        "games": words.count("matches.games", len(match.games)),
        "disputes": words.count("matches.disputes", disputes) if disputes else "",
        "score": " : ".join(map(str, match.match.score)),
        "result": result_words(match, words),
    }


def result_words(match: RecordedMatch, words: PageTexts) -> str:
    """The winner, or that the match goes on; empty for a series between games."""
    if match.match.winner is not None:
        return words("matches.won", player=match.match.winner)
    return "" if match.over else words("matches.going_on")


def moment_words(at_s: float) -> str:
    """A time of the record in local time: "2026-11-22 20:15"."""
    return f"{datetime.fromtimestamp(at_s).astimezone():%Y-%m-%d %H:%M}"
