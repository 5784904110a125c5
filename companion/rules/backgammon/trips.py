"""Trips of single checkers, and the ways in which the rolled numbers lead from a trip's source to its target."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TYPE_CHECKING

from companion.notation import BAR, OFF

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core import Reason


Numbers = tuple[int, ...]
"""Numbers to play, one a step."""


@dataclass(frozen=True, slots=True)
class Trip:
    """Where one checker went, in the mover's numbers; `source` None: it appeared, `target` None: it is missing."""

    source: int | None
    target: int | None

    @property
    def whole(self) -> bool:
        """Whether the checker is known to have gone from one place to another."""
        return self.source is not None and self.target is not None

    @property
    def distance(self) -> int:
        """Points gone towards 0; negative for a checker that went backwards, 0 for a trip that is not whole."""
        return self.source - self.target if self.source is not None and self.target is not None else 0

    @property
    def enters(self) -> bool:
        """Whether it starts on the bar."""
        return self.source == BAR


@dataclass(frozen=True, slots=True)
class Way:
    """How a checker made its trip.

    Attributes:
        trip: the trip.
        numbers: the rolled numbers that it took, in order; empty where none, and no sum of them, leads there.
        fits: whether these numbers lead there.
        stops: where it touched the board after its source; the last is the target. Empty for a trip that is not whole.
        blocked: stops before the target that the opponent holds; empty unless every way of the trip has such a stop.
    """

    trip: Trip
    numbers: Numbers = ()
    stops: tuple[int, ...] = ()
    blocked: tuple[int, ...] = ()
    fits: bool = True

    @property
    def between(self) -> tuple[int, ...]:
        """The stops before the target."""
        return self.stops[:-1]

    @property
    def launch(self) -> int:
        """Where its last step began, or where the checker appeared."""
        return self.stops[-2] if len(self.stops) > 1 else self.trip.source or 0


@dataclass(frozen=True, slots=True)
class Fault:
    """A broken rule.

    Attributes:
        reason: which rule.
        trip: the trip that broke it; None where no single checker of the mover did.
        points: the points that stand in the way, or that the fault is about.
        repeated: with WRONG_DISTANCE, the number that was played once too often; None where none was.
    """

    reason: Reason
    trip: Trip | None = None
    points: tuple[int, ...] = ()
    repeated: int | None = None


@dataclass(frozen=True, slots=True)
class WayFinder:
    """Finds the ways of trips with one roll.

    Attributes:
        numbers: the numbers to play.
        opposing: the opponent's counts before the turn, under the mover's point numbers.
        larger_bears_off: whether a number larger than a point's own may bear off from it.
    """

    numbers: Numbers
    opposing: tuple[int, ...]
    larger_bears_off: bool

    def ways(self, trip: Trip) -> tuple[Way, ...]:
        """Every way of a trip with one number or a sum of numbers; if there is none, a single way that does not fit.

        Ways over points that the opponent holds are returned only if there is no open way.
        """
        source, target = trip.source, trip.target
        if source is None or target is None:
            return (Way(trip, fits=False),)
        wrong = (Way(trip, (), (target,), fits=False),)
        found = tuple(self._ways_of_roll(trip, source, target)) if target < source else ()
        if not found:
            return wrong
        open_ways = tuple(way for way in found if not self._blocked_stops(way))
        if not open_ways:
            blocked = tuple(dict.fromkeys(self._blocked_stops(way)[0] for way in found))
            open_ways = tuple(Way(trip, way.numbers, way.stops, blocked) for way in found)
        return (*open_ways, *wrong) if target == OFF and self._has_too_small_number(source) else open_ways

    def _has_too_small_number(self, point: int) -> bool:
        """Whether some rolled number is too small to bear off from the point, so that a player may have misread it."""
        return not all(self._reaches(point, number, off=True) for number in self.numbers)

    def _ways_of_roll(self, trip: Trip, source: int, target: int) -> Iterator[Way]:
        for count in range(1, len(self.numbers) + 1):
            for chosen in sorted(set(combinations(self.numbers, count))):
                if not self._reaches(source - target, sum(chosen), off=target == OFF):
                    continue
                for order in sorted(set(permutations(chosen))):
                    stops = _stops(source, order)
                    if all(stop > OFF for stop in stops[:-1]):
                        yield Way(trip, order, (*stops[:-1], target))

    def _reaches(self, distance: int, total: int, *, off: bool) -> bool:
        return total == distance or (off and self.larger_bears_off and total > distance)

    def _blocked_stops(self, way: Way) -> list[int]:
        return [stop for stop in way.between if self.opposing[stop] > 1]


def _stops(source: int, order: Numbers) -> list[int]:
    return [source - sum(order[:count]) for count in range(1, len(order) + 1)]
