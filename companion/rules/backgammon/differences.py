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
"""Checkers (a legal play moves up to four). With more, only the pairing in order of points is examined, with one way
for each trip: a board that was cleared or set up anew has millions of pairings."""
_RANKS = {reason: rank for rank, reason in enumerate((*BACKGAMMON_REASONS[1:], Reason.WRONG_PLAYER_MOVED))}
"""Rank of each reason; WRONG_PLAYER_MOVED comes last, because moved opposing checkers explain least."""


@dataclass(frozen=True, slots=True)
class DifferenceReading:
    """One explanation of a difference: the ways of the mover's checkers, the points where they hit, and the faults."""

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
        """Finds the ways of a trip with this roll."""
        return WayFinder(self.numbers, self.rules.opposing, self.generator.larger_bears_off)

    @cached_property
    def known_ways(self) -> dict[Trip, tuple[Way, ...]]:
        """A cache of the ways of each trip: the same trip is part of many pairings."""
        return {}

    def best(self) -> DifferenceReading | None:
        """The faulty reading of lowest cost; None where no reading has a fault.

        Two kinds of readings are added: hits by numbers that were not rolled, if nothing else explains lifted blots;
        and a checker that entered, was hit and is on the bar again, if the opponent has moved.
        """
        best = self._best()
        if best is None:
            return None
        if self.lifted and Reason.WRONG_PLAYER_MOVED in best.reasons:
            best = self._best(detours=True)
        may_reenter = self.before[BAR] and self.seen[BAR] and self.rules.opponent_gained
        hit_again = self._best(hit_again=True) if may_reenter else None
        return min(filter(None, (best, hit_again)), key=lambda reading: reading.cost, default=None)

    def _best(self, *, detours: bool = False, hit_again: bool = False) -> DifferenceReading | None:
        """The same; `detours`: also with ways over lifted blots that no way of the roll touches.

        `hit_again`: only with readings in which a checker entered from the bar and is on the bar again.
        """
        pairings = list(self._pairings(unchanged=(BAR,) * hit_again))
        forward = [trips for trips in pairings if not any(map(self._goes_backwards, trips))]
        faulty = (
            reading
            for trips in forward or pairings
            for reading in self._readings(trips, detours=detours)
            if reading.faults
        )
        return min(faulty, key=lambda reading: reading.cost, default=None)

    def _goes_backwards(self, trip: Trip) -> bool:
        """Whether the mover's checker went backwards; a checker that was hit did not."""
        return trip.distance < 0 and not self.rules.was_hit(trip)

    def _pairings(self, unchanged: tuple[int, ...]) -> Iterator[tuple[Trip, ...]]:
        """Every pairing of points left with points reached, from high points to low ones.

        `unchanged`: points that one checker left and another reached, so that their counts are as before.
        """
        change = [self.seen[p] - self.before[p] for p in range(OPPONENT)]
        sources: list[int | None] = [*unchanged, *(p for p in range(BAR, -1, -1) for _ in range(-change[p]))]
        places = (*range(BAR - 1, -1, -1), BAR)  # the bar last: the checkers from low points were hit
        targets: list[int | None] = [*(p for p in places for _ in range(change[p])), *unchanged]
        sources += [None] * (len(targets) - len(sources))
        targets += [None] * (len(sources) - len(targets))
        orders = [tuple(targets)] if len(sources) > MOST_PAIRED_TRIPS else permutations(targets)
        found: dict[tuple[tuple[int, int], ...], tuple[Trip, ...]] = {}
        for order in orders:
            trips = sorted((Trip(s, t) for s, t in zip(sources, order, strict=True)), key=_from_high_to_low)
            found.setdefault(tuple(map(_from_high_to_low, trips)), tuple(trips))
        stays = Trip(BAR, BAR)
        yield from (trips for trips in found.values() if stays not in trips or self.rules.was_hit(stays))

    def _readings(self, trips: tuple[Trip, ...], *, detours: bool) -> Iterator[DifferenceReading]:
        """The readings of these trips, one for each combination of their ways; of many trips only the first."""
        opposing, now = self.rules.opposing, self.rules.opposing_now
        most = 1 if len(trips) > MOST_PAIRED_TRIPS else None
        for ways in product(*((self._ways(trip) + self._detour(trip) * detours)[:most] for trip in trips)):
            used = sum(len(way.numbers) for way in ways)
            exceeds_roll = used > len(self.numbers)
            misjudged = sum(way.trip.target == OFF and self._is_misjudged_bear_off(way) for way in ways)
            if misjudged and used + misjudged > len(self.numbers):
                continue  # no number is left that could have been thought large enough
            actual = tuple(self._with_actual_stops(way, exceeds_roll=exceeds_roll) for way in ways)
            hits = self.rules.hits(actual)
            disturbed = opponent_faults(opposing, now, trips, hits)
            yield DifferenceReading(actual, hits, self.rules.faults(actual) + disturbed)

    def _ways(self, trip: Trip) -> tuple[Way, ...]:
        if trip not in self.known_ways:
            self.known_ways[trip] = self.finder.ways(trip)
        return self.known_ways[trip]

    def _is_misjudged_bear_off(self, way: Way) -> bool:
        """Whether the trip was made with a number too small to bear off, though the roll has a way that fits."""
        return not way.fits and any(other.fits for other in self._ways(way.trip))

    def _detour(self, trip: Trip) -> tuple[Way, ...]:
        """A way over lifted blots, one of which the roll reaches but no way of the trip touches; empty without one."""
        ways = self._ways(trip)
        touched = {stop for way in ways for stop in way.stops}
        reached = {point for point in self._lifted_below(trip) if (trip.source or 0) - point in self.rules.sums}
        if reached <= touched or not any(way.fits for way in ways):
            return ()
        return (Way(trip, (), ways[0].stops[-1:], fits=False),)

    @cached_property
    def lifted(self) -> list[int]:
        """The points from which blots went to the bar and where no checker of the mover is now."""
        blots = lifted_blots(self.rules.opposing, self.rules.opposing_now)
        return [point for point in reversed(blots) if not self.seen[point]]

    def _lifted_below(self, trip: Trip) -> list[int]:
        """Those of `lifted` that lie between the ends of a trip."""
        return [point for point in self.lifted if (trip.target or OFF) < point < (trip.source or 0)]

    def _with_actual_stops(self, way: Way, *, exceeds_roll: bool) -> Way:
        """The way with the stops that the board shows; `exceeds_roll`: the trips need more numbers than were rolled.

        If the numbers do not explain the trip, only lifted blots show where the checker touched the board.
        """
        if not way.trip.whole or (way.fits and not exceeds_roll):
            return way
        stops = [stop for stop in way.between if not self.rules.opposing_now[stop]]
        if not way.fits:
            stops = self._lifted_below(way.trip)
        return replace(way, stops=(*sorted(stops, reverse=True), way.stops[-1]))


def _from_high_to_low(trip: Trip) -> tuple[int, int]:
    """Sort key; checkers that are missing or appeared come last."""
    missing = 1
    return (
        missing if trip.source is None else -trip.source,
        missing if trip.target is None else -trip.target,
    )
