"""Which rules the mover's trips break if they are made in the order that breaks the fewest.

That order: missing checkers are removed, checkers on the bar enter, checkers move on the board, checkers are borne off
(high points first), and checkers that appeared from nowhere are added.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from companion.core import Reason
from companion.notation import BAR, OFF
from companion.rules.backgammon.position import HIGHEST_HOME_POINT, OPPONENT
from companion.rules.backgammon.trips import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from companion.rules.backgammon.moves import StepGenerator
    from companion.rules.backgammon.trips import Numbers, Trip, Way

Ways = tuple["Way", ...]


@dataclass(frozen=True, slots=True)
class RuleBook:
    """What trips are checked against.

    Attributes:
        mine, opposing: the counts before the turn, under the mover's point numbers; 0 off, 25 the bar.
        opposing_now: the opponent's counts now.
        numbers: the numbers to play.
        generator: the sheet's rules for steps.
    """

    mine: tuple[int, ...]
    opposing: tuple[int, ...]
    opposing_now: tuple[int, ...]
    numbers: Numbers
    generator: StepGenerator

    def faults(self, ways: Ways) -> tuple[Fault, ...]:
        """Every rule that the ways break together, apart from those about the opponent's checkers."""
        found = [fault for way in ways for fault in self._faults_of_way(way)]
        found += self._bar_faults(ways)
        found += self._stack_faults(ways)
        found += self._bearing_off_faults(ways)
        found += self._number_faults(ways)
        return tuple(found)

    def _faults_of_way(self, way: Way) -> Iterator[Fault]:
        """The rules that a single way breaks by itself."""
        trip = way.trip
        if trip.target is None:
            yield Fault(Reason.CHECKER_MISSING, trip)
        elif trip.source is None:
            yield Fault(Reason.CHECKER_EXTRA, trip)
        elif self.was_hit(trip):
            yield Fault(Reason.WRONG_PLAYER_MOVED, trip)
        elif trip.distance < 0:
            yield Fault(Reason.MOVED_BACKWARDS, trip)
        elif not way.fits:
            yield Fault(Reason.WRONG_DISTANCE, trip, way.between if trip.distance in self.sums else ())
        else:
            if way.blocked:
                yield Fault(Reason.BLOCKED_ON_THE_WAY, trip, way.blocked)
            if trip.target != OFF and self.opposing[trip.target] > 1:
                yield Fault(Reason.BLOCKED_POINT, trip, (trip.target,))

    def was_hit(self, trip: Trip) -> bool:
        """Whether the opponent may have hit the checker: it is on the bar, and the opponent gained a checker elsewhere.

        For a checker that began on the bar, only gains on points that the roll reaches from there, and off, count.
        """
        if trip.target != BAR or not trip.source:
            return False
        furthest = max(BAR - sum(self.numbers), 1)
        places = (OFF, *range(furthest, BAR)) if trip.enters else range(BAR)
        return self._gained_checkers(places)

    @property
    def opponent_gained(self) -> bool:
        """Whether the opponent has more checkers on some point, or off, than before the turn."""
        return self._gained_checkers(range(BAR))

    def _gained_checkers(self, places: Iterable[int]) -> bool:
        return any(self.opposing_now[place] > self.opposing[place] for place in places)

    @property
    def sums(self) -> set[int]:
        """Every distance that the roll gives."""
        return {sum(some) for count in range(1, len(self.numbers) + 1) for some in combinations(self.numbers, count)}

    def _number_faults(self, ways: Ways) -> Iterator[Fault]:
        """A fault if more numbers were used than rolled, or one number twice and another not at all."""
        used = Counter(number for way in ways for number in way.numbers)
        excess = used - Counter(self.numbers)
        if used.total() > len(self.numbers):
            if all(way.fits or self.was_hit(way.trip) for way in ways if way.trip.whole):
                yield Fault(Reason.TOO_MANY_MOVES)
        elif excess:
            last = next(way for way in reversed(ways) if set(way.numbers) & set(excess))
            yield Fault(Reason.WRONG_DISTANCE, last.trip, repeated=next(iter(excess)))

    def _bar_faults(self, ways: Ways) -> Iterator[Fault]:
        """Faults of checkers that moved, or went on after entering, while another stayed on the bar."""
        if self.mine[BAR] <= sum(way.trip.source == BAR for way in ways):
            return
        for way in ways:
            if way.trip.whole and way.trip.target != BAR and (not way.trip.enters or len(way.numbers) > 1):
                yield Fault(Reason.BAR_FIRST, way.trip)

    def _stack_faults(self, ways: Ways) -> Iterator[Fault]:
        """Faults of checkers that land on a full point, also in passing.

        Passing a full point between two moves is no fault, because a checker there may have left first. It is one for a
        checker that enters or is borne off, if no checker of that point could have left first.
        """
        full = self.generator.stack_limit
        over: dict[Trip, int] = {}
        for entering in (True, False):
            for point, landing in _landings(ways, entering=entering).items():
                beyond = self.mine[point] + len(landing) - full
                over |= {way.trip: point for way in landing[-beyond:]} if beyond > 0 else {}
        left = Counter(way.trip.source for way in ways)
        for way in ways:
            last_steps_off = way.trip.target == OFF and way.fits and len(way.numbers) > 1
            if last_steps_off and self.mine[way.launch] - left[way.launch] >= full:
                over[way.trip] = way.launch
        return (Fault(Reason.STACK_LIMIT, trip, (point,)) for trip, point in over.items())

    def _bearing_off_faults(self, ways: Ways) -> Iterator[Fault]:
        """Faults of checkers borne off too early, or with a larger number while a higher point was occupied."""
        off = (way for way in ways if way.trip.target == OFF and way.trip.whole)
        leaving = sorted(off, key=lambda way: -way.launch)
        if not leaving:
            return
        standing = self._before_bearing_off(ways)
        for way in leaving:
            standing[way.launch] -= 1
            outside = _highest(standing, BAR, HIGHEST_HOME_POINT)
            higher = _highest(standing, HIGHEST_HOME_POINT, way.launch)
            if outside:
                yield Fault(Reason.NOT_ALL_HOME, way.trip, (outside,))
            elif way.fits and way.numbers[-1] > way.launch and higher:
                yield Fault(Reason.BEAR_OFF_HIGHER_FIRST, way.trip, (higher, *way.between))

    def _before_bearing_off(self, ways: Ways) -> list[int]:
        """The mover's counts after all moves other than bearing off, without checkers that were hit afterwards."""
        standing = list(self.mine)
        for way in ways:
            if way.trip.source is not None:
                standing[way.trip.source] -= 1
                if way.trip.target == OFF:
                    standing[way.launch] += 1
                elif way.trip.target is not None and not self.was_hit(way.trip):
                    standing[way.trip.target] += 1
        return standing

    def hits(self, ways: Ways) -> frozenset[int]:
        """The points where these ways hit a blot."""
        return frozenset(
            stop
            for way in ways
            if way.trip.whole
            for stop in way.stops
            if OFF < stop < BAR and self.opposing[stop] == 1
        )


def rule_book(before: Sequence[int], seen: Sequence[int], numbers: Numbers, generator: StepGenerator) -> RuleBook:
    """The rule book of a turn; `before` and `seen` are counts in the order of the mover's view."""
    mine, opposing, now = before[:OPPONENT], before[OPPONENT:], seen[OPPONENT:]
    return RuleBook(tuple(mine), tuple(opposing), tuple(now), numbers, generator)


def _landings(ways: Ways, *, entering: bool) -> dict[int, list[Way]]:
    """By point: the ways that enter there by a rolled number, or (not `entering`) all ways that end there."""
    landings: dict[int, list[Way]] = {}
    for way in ways:
        if way.trip.whole and ((way.fits and way.trip.enters) or not entering):
            point = way.stops[0 if entering else -1]
            if point != OFF:
                landings.setdefault(point, []).append(way)
    return landings


def _highest(counts: Sequence[int], top: int, below: int) -> int:
    """The highest occupied point from `top` down to the one above `below`; 0 where none is."""
    return next((point for point in range(top, below, -1) if counts[point]), 0)
