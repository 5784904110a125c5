"""The players' actions at the table, each recorded before it takes effect; no cameras, buttons or threads.

Every method makes events. An action that is not possible now raises Refusal and changes nothing.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Generic

from companion.core import PositionT, Refusal, Side, message
from companion.dice import DiceRoller
from companion.game import (
    EVENING,
    Beavered,
    Corrected,
    Doubled,
    Drawn,
    Ended,
    Event,
    FalseMove,
    Game,
    MatchBegan,
    OpeningDrawn,
    Passed,
    Played,
    Started,
    Taken,
    beginning_of,
    evolve,
    game_score,
    replay,
)
from companion.record import EventJson, RecordJournal
from companion.rules import draws_opening, has_cube, openings, starter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from companion.dice import DiceSource
    from companion.game import Match
    from companion.record import Journal, KeptPictures
    from companion.rules import Ruleset


class GameController(Generic[PositionT]):
    """The games of one evening; `game` is the present state."""

    def __init__(
        self,
        rules: Ruleset[PositionT],
        dice: DiceSource,
        record: Journal | None,
        clock: Callable[[], float],
        events: Sequence[Event[PositionT]] = (),
        terms: Match | None = None,
        pictures: KeptPictures | None = None,
    ) -> None:
        """Resume the game that `events` lead to.

        `record` None: nothing is kept; `clock` gives seconds since 1970 for it. `terms` is the match or series that
        the players want (its score does not matter); None: the present one continues. `pictures` keeps those that turns
        are judged by; None: none are kept.
        """
        self.game: Game[PositionT] = replay(events)
        self._rules = rules
        self.roller: DiceRoller[PositionT] = DiceRoller(rules, dice, lambda: self.game, self.happens)
        self._terms = terms
        self._pictures = pictures
        if self._pictures is not None and self.game.number == 1 and not self.game.history:
            self._pictures.match_begins()
        self.journal: RecordJournal[PositionT] = RecordJournal(record, EventJson(rules.to_json, rules.from_json), clock)

    @property
    def names(self) -> tuple[str, ...]:
        """What the players asked to be called in the match or series, White's in its first game first."""
        return (self._terms.names if self._terms is not None else ()) or self.game.match.names

    @property
    def rolls(self) -> bool:
        """Whether the game is played with dice."""
        return self.roller.rolls

    def start(self, agreed: Side | None = None, tapped_s: float = 0.0) -> None:
        """A game begins from the starting position; `agreed` begins if the sheet leaves that to the players.

        `tapped_s`: the time of the tap on Roll, if the first moves are drawn by lot. Raises Refusal if they cannot be.
        """
        self._begin_match()
        sheet = self._rules.sheet
        begins = starter(sheet, previous_winner=self.game.last_winner, agreed=agreed)
        lot = None if begins is None or not draws_opening(sheet) else self._lot(openings(begins), tapped_s)
        started = self._started(self._rules.start(), begins)
        self.happens(started, *(() if lot is None else self._opening(lot, started)))

    def _lot(self, listed: Sequence[str], tapped_s: float) -> OpeningDrawn:
        """The opening of the next game; in a match it is played twice, so that either player begins it once.

        A second game that nobody won or drew is played again, with the same opening.
        """
        before = self.game.ballot
        if self.game.match.next_game().colours_changed and before in listed:
            return OpeningDrawn(before, listed.index(before) + 1, len(listed))
        return self.roller.draw(listed, tapped_s)

    def _opening(self, lot: OpeningDrawn, started: Started[PositionT]) -> Iterator[Event[PositionT]]:
        """The events after `started`: the lot and its moves, which the players make on the board afterwards."""
        yield lot
        position, side = started.position, started.on_roll
        for move in lot.opening.split():
            successor = None if side is None else self._rules.find_play(position, side, None, move)
            if side is None or successor is None:
                return
            yield Played(side, move, successor.after)
            position, side = successor.after, side.opponent

    def accept(self, play: str, after: PositionT, condoned: str | None = None, picture: bytes | None = None) -> None:
        """Record the play of the side on roll for good; `condoned` is the reason code if it was illegal.

        `picture` is what it was judged by (JPEG).
        """
        if self.game.on_roll is not None:
            self.judged(Played(self.game.on_roll, play, after, condoned), picture=picture)

    def judged(self, *events: Event[PositionT], picture: bytes | None) -> None:
        """Record events, all or none; plays and false moves name the picture (JPEG) by which they were judged."""
        self.happens(*(self._pictured(event, picture) for event in events))

    def _pictured(self, event: Event[PositionT], picture: bytes | None) -> Event[PositionT]:
        if self._pictures is None or not isinstance(event, Played | FalseMove):
            return event
        return replace(event, picture=self._pictures.keep(picture))

    def double(self, side: Side, *, early: bool = False) -> None:
        """`side`, about to roll, offers the cube; `early`: the other player's turn is not finished yet."""
        self.happens(Doubled(side, early))

    def answer_double(self, *, takes: bool) -> None:
        """The player who was asked takes the cube, or passes and loses the game. Raises MatchError."""
        side = self.game.match.asked
        self.happens(Taken(side) if takes else Passed(side))

    def beaver(self) -> None:
        """The player who was asked doubles back at once and keeps the cube. Raises MatchError."""
        self.happens(Beavered(self.game.match.asked))

    def claim_draw(self) -> None:
        """A player claims a draw by what has happened in the game."""
        claim = self.draw_claim()
        if claim is None:
            raise Refusal(message("ending.no_claim") if self._rules.has_draws else message("ending.no_draws"))
        self.happens(Drawn(claim))

    def draw_claim(self, after: PositionT | None = None) -> str | None:
        """The draw that a player may claim if `after` counts too; None if there is none."""
        return self._rules.draw_claim(self.game.past if after is None else (*self.game.past, after))

    def end_if_over(self) -> bool:
        """Score the game if one side has won it; returns whether it has."""
        outcome = None
        if self.game.running and self.game.position is not None:
            outcome = self._rules.outcome(self.game.position)
        if outcome is not None:
            score = game_score(self.game.match, self._rules, outcome)
            self.happens(Ended(outcome.winner, score.points, score.kind))
        return outcome is not None

    def leave(self) -> None:
        """End the game unfinished: nobody scores."""
        self.happens(Ended(None, 0, "unfinished"))

    def set_up(self, position: PositionT, on_roll: Side | None) -> None:
        """The players state the position on the board: the game continues from it, or one begins with it."""
        if self.game.running:
            self.happens(Corrected(*self._rules.with_turn(position, on_roll)))
        else:
            self._begin_match()
            self.happens(self._started(position, on_roll))

    def _begin_match(self) -> None:
        """Begin the wanted match unless it has begun already; after a match that is over, begin the next.

        No match continues under another sheet: the record counts points by sheet.
        """
        played = self.game.match
        over = played.winner is not None or self.game.sheet not in ("", self._rules.sheet.name)
        wanted = self._terms or (EVENING if over else None)
        if wanted is None:
            return
        wanted = replace(wanted, names=wanted.names or played.names)
        if over or beginning_of(wanted) != beginning_of(_counted_alike(played, wanted)):
            self.happens(beginning_of(wanted))

    def _started(self, position: PositionT, on_roll: Side | None) -> Started[PositionT]:
        rules, sheet = self._rules, self._rules.sheet
        position, on_roll = rules.with_turn(position, on_roll)
        return Started(sheet.game, sheet.name, position, on_roll, cube=has_cube(sheet), rolls=self.rolls)

    def happens(self, *events: Event[PositionT], pictures: tuple[bytes, ...] = ()) -> None:
        """Write `events`, all or none, and their pictures (JPEG) to the record, then apply them to the game.

        Raises OutOfTurnError or RecordError with nothing changed.
        """
        game = reduce(evolve, events, self.game)
        self.journal.keep(events, pictures)
        first = isinstance(events[0], MatchBegan) or (isinstance(events[0], Started) and not self.game.number)
        if first and self._pictures is not None:
            self._pictures.match_begins()
        self.game = game


def _counted_alike(played: Match, wanted: Match) -> Match:
    """The match under way, with games scored as in `wanted`: a match keeps its terms, which are not compared."""
    return replace(
        played,
        win_points=wanted.win_points,
        draw_points=wanted.draw_points,
        change_colours=wanted.change_colours,
    )
