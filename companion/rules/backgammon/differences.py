"""Explains the difference between two backgammon boards as trips of checkers and the rules that they break.

A reading pairs the points that lost checkers with the points that gained one: no other explanation moves fewer
checkers. Readings with a checker that went backwards count only if there are no others. The best reading breaks the
fewest different rules, then with the fewest checkers, then the rule that takes precedence.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations, product
from typing import TYPE_CHECKING

from companion.core import Reason
from companion.notation import BAR, OFF, format_trips
from companion.rules.backgammon.broken_rules import rule_book
from companion.rules.backgammon.opponent_differences import lifted_blots, opponent_faults
from companion.rules.backgammon.position import OPPONENT
from companion.rules.backgammon.trips import Trip, Way, WayFinder
from companion.rules.reasons import BACKGAMMON_REASONS, by_precedence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.rules.backgammon.broken_rules import RuleBook
    from companion.rules.backgammon.moves import StepGenerator
    from companion.rules.backgammon.position import View
    from companion.rules.backgammon.trips import Fault, Numbers

MOST_PAIRED_TRIPS = 5
"""Checkers; of more than this (a legal play moves four) only the pairing in order of points is followed, and one way of
each: a board that was cleared or set up again has millions."""
_RANKS = {reason: rank for rank, reason in enumerate((*BACKGAMMON_REASONS[1:], Reason.WRONG_PLAYER_MOVED))}
"""Rank of each reason; WRONG_PLAYER_MOVED comes last, because moved opposing checkers explain least."""


@dataclass(frozen=True, slots=True)
class DifferenceReading:
    """One explanation of a difference: the ways that checkers went, where they hit, and the faults."""

    ways: tuple[Way, ...]
    hits: frozenset[int]
    faults: tuple[Fault, ...]

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The distinct reasons in order of precedence; WRONG_PLAYER_MOVED goes last where the mover made faults too."""
        reasons = by_precedence((fault.reason for fault in self.faults), BACKGAMMON_REASONS)
        return reasons[1:] + reasons[:1] if reasons[:1] == (Reason.WRONG_PLAYER_MOVED,) else reasons

    @property
    def first(self) -> Fault:
        """The fault that gives the verdict its reason."""
        return next(fault for fault in self.faults if fault.reason is self.reasons[0])

    @property
    def made(self) -> str:
        """The trips in standard notation, legal or not, without checkers that appeared or are missing."""
        still_to_hit = set(self.hits)
        trips = []
        for way in sorted(self.ways, key=lambda way: not way.fits):
            if way.trip.source not in (None, way.trip.target) and way.trip.target is not None:
                stops = [(stop, stop in still_to_hit) for stop in way.stops]
                still_to_hit -= set(way.stops)
                trips.append(((way.trip.source, False), *stops))
        return format_trips(trips)

    @property
    def cost(self) -> tuple[int, int, bool, list[int], int, int, tuple[tuple[int, ...], ...]]:
        """Different rules broken, checkers that broke them, ranks of the reasons; lower is better.

        A reading that needs more numbers than were rolled costs more than one that does not. Ties are broken by the
        fewest hits, then by the longest trips: checkers do not overtake each other.
        """
        reasons = self.reasons
        ranks = [_RANKS[reason] for reason in reasons]
        faulty = len({fault.trip for fault in self.faults})
        lengths = sum(way.trip.distance**2 for way in self.ways)
        stops = tuple(way.stops for way in self.ways)
        return len(ranks), faulty, Reason.TOO_MANY_MOVES in reasons, ranks, len(self.hits), lengths, stops


@dataclass(frozen=True)
class DifferenceExplainer:
    """Finds the readings of a difference.

    Attributes:
        before: the position before the turn, as the mover's view.
        seen: the counts on the board now, in the order of a view.
        numbers: the numbers to play.
        generator: the sheet's rules for steps.
    """

    before: View
    seen: Sequence[int]
    numbers: Numbers
    generator: StepGenerator

    @cached_property
    def rules(self) -> RuleBook:
        """The rules that the readings are checked against."""
        return rule_book(self.before, self.seen, self.numbers, self.generator)

    @cached_property
    def finder(self) -> WayFinder:
        """What finds the ways of a trip."""
        return WayFinder(self.numbers, self.rules.opposing, self.generator.larger_bears_off)

    @cached_property
    def known_ways(self) -> dict[Trip, tuple[Way, ...]]:
        """A cache of the ways of each trip: the same trip is part of many pairings."""
        return {}

    def best(self) -> DifferenceReading | None:
        """The reading with a fault that costs least; None where no reading has a fault.

        Two more things are considered: where nothing else explains lifted blots, a hit by numbers that were not rolled,
        and where the opponent has moved, that a checker came in from the bar and stands on it again.
        """
        best = self._best()
        if best is None:
            return None
        if self.lifted and Reason.WRONG_PLAYER_MOVED in best.reasons:
            best = self._best(aside=True)
        waits = self.before[BAR] and self.seen[BAR] and self.rules.opponent_came
        came_in = self._best(hit_back=True) if waits else None
        return min(filter(None, (best, came_in)), key=lambda reading: reading.cost, default=None)

    def _best(self, *, aside: bool = False, hit_back: bool = False) -> DifferenceReading | None:
        """The same; `aside`: also with ways over lifted blots that no way of the roll touches.

        `hit_back`: with a checker that came in from the bar and stands on it again.
        """
        pairings = list(self._pairings(again=(BAR,) * hit_back))
        forward = [trips for trips in pairings if not any(map(self._backwards, trips))]
        faulty = (
            reading for trips in forward or pairings for reading in self._readings(trips, aside=aside) if reading.faults
        )
        return min(faulty, key=lambda reading: reading.cost, default=None)

    def _backwards(self, trip: Trip) -> bool:
        """Whether its owner moved a checker backwards; a hit checker on the bar does not count."""
        return trip.distance < 0 and not self.rules.was_hit(trip)

    def _pairings(self, again: tuple[int, ...]) -> Iterator[tuple[Trip, ...]]:
        """Every pairing of points left with points reached, from high points to low ones.

        `again`: points left and reached, so that they have as many checkers as before.
        """
        change = [self.seen[p] - self.before[p] for p in range(OPPONENT)]
        sources: list[int | None] = [*again, *(p for p in range(BAR, -1, -1) for _ in range(-change[p]))]
        places = (*range(BAR - 1, -1, -1), BAR)  # on the bar rather those from low points: they were hit
        targets: list[int | None] = [*(p for p in places for _ in range(change[p])), *again]
        sources += [None] * (len(targets) - len(sources))
        targets += [None] * (len(sources) - len(targets))
        orders = [tuple(targets)] if len(sources) > MOST_PAIRED_TRIPS else permutations(targets)
        found: dict[tuple[tuple[int, int], ...], tuple[Trip, ...]] = {}
        for order in orders:
            trips = sorted((Trip(s, t) for s, t in zip(sources, order, strict=True)), key=_from_high_to_low)
            found.setdefault(tuple(map(_from_high_to_low, trips)), tuple(trips))
        stays = Trip(BAR, BAR)
        yield from (trips for trips in found.values() if stays not in trips or self.rules.was_hit(stays))

    def _readings(self, trips: tuple[Trip, ...], *, aside: bool) -> Iterator[DifferenceReading]:
        """Every reading of these trips, by all the ways that the roll allows; of many trips only the first."""
        opposing, now = self.rules.opposing, self.rules.opposing_now
        most = 1 if len(trips) > MOST_PAIRED_TRIPS else None
        for ways in product(*((self._ways(trip) + self._aside(trip) * aside)[:most] for trip in trips)):
            used = sum(len(way.numbers) for way in ways)
            beyond = used > len(self.numbers)
            misjudged = sum(way.trip.target == OFF and self._misjudged(way) for way in ways)
            if misjudged and used + misjudged > len(self.numbers):
                continue  # no number is left that could have been thought large enough
            gone = tuple(self._as_it_went(way, beyond=beyond) for way in ways)
            hits = self.rules.hits(gone)
            disturbed = opponent_faults(opposing, now, trips, hits)
            yield DifferenceReading(gone, hits, self.rules.faults(gone) + disturbed)

    def _ways(self, trip: Trip) -> tuple[Way, ...]:
        if trip not in self.known_ways:
            self.known_ways[trip] = self.finder.ways(trip)
        return self.known_ways[trip]

    def _misjudged(self, way: Way) -> bool:
        """Whether it does not fit, though the roll has ways of its trip: by a number that is too small to bear off."""
        return not way.fits and any(other.fits for other in self._ways(way.trip))

    def _aside(self, trip: Trip) -> tuple[Way, ...]:
        """A way over lifted blots that rolled numbers reach, where the roll leads to its target, but not over all."""
        ways = self._ways(trip)
        touched = {stop for way in ways for stop in way.stops}
        reached = {point for point in self._lifted_below(trip) if (trip.source or 0) - point in self.rules.sums}
        if reached <= touched or not any(way.fits for way in ways):
            return ()
        return (Way(trip, (), ways[0].stops[-1:], fits=False),)

    @cached_property
    def lifted(self) -> list[int]:
        """The points from which blots went to the bar, if no checker of the mover is there now."""
        blots = lifted_blots(self.rules.opposing, self.rules.opposing_now)
        return [point for point in reversed(blots) if not self.seen[point]]

    def _lifted_below(self, trip: Trip) -> list[int]:
        """Those of `lifted` that lie between the ends of a trip."""
        return [point for point in self.lifted if (trip.target or OFF) < point < (trip.source or 0)]

    def _as_it_went(self, way: Way, *, beyond: bool) -> Way:
        """The way with the stops that it must have made; `beyond`: the trips need more numbers than were rolled.

        If the numbers do not explain the trip, only the lifted blots show where the checker touched the board: a
        misread die hits them, too.
        """
        if not way.trip.whole or (way.fits and not beyond):
            return way
        stops = [stop for stop in way.between if not self.rules.opposing_now[stop]]
        if not way.fits:
            stops = self._lifted_below(way.trip)
        return replace(way, stops=(*sorted(stops, reverse=True), way.stops[-1]))


def _from_high_to_low(trip: Trip) -> tuple[int, int]:
    """Sort key; what is missing or appeared comes last."""
    missing = 1
    return (
        missing if trip.source is None else -trip.source,
        missing if trip.target is None else -trip.target,
    )
