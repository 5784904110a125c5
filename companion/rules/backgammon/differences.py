"""Reading a difference between two backgammon boards as checkers' trips, with the rules that each trip breaks.

Only what stood and what stands is known. Every pairing of the points that checkers left with the points that gained
one is a possible story; each checker's trip is followed with the dice, noting every fault instead of refusing it. The
best story has the fewest kinds of fault, then the fewest faulty checkers, then the code that comes first in the list.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import permutations
from typing import TYPE_CHECKING

from companion.core import Play, Reason, Step
from companion.notation import BAR, OFF
from companion.rules.backgammon.moves import HIGHEST_BEAR_OFF_POINT
from companion.rules.backgammon.position import OPPONENT
from companion.rules.reasons import BACKGAMMON_REASONS, Fault, Trip, by_precedence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.rules.backgammon.moves import StepGenerator
    from companion.rules.backgammon.position import View


MOST_PAIRED_TRIPS = 5
"""Beyond this many checkers (a legal play moves four) only the pairing in order of points is followed."""

_ON_THE_WAY = {Reason.BLOCKED_POINT, Reason.BLOCKED_ON_THE_WAY, Reason.STACK_LIMIT}
"""What a checker can meet only where a rolled number, or a sum of rolled numbers, takes it."""


@dataclass(frozen=True, slots=True)
class DifferenceReading:
    """A story of what was done: the trips, and what was wrong with them."""

    trips: tuple[Trip, ...]
    faults: tuple[Fault, ...]

    @property
    def codes(self) -> tuple[Reason, ...]:
        """The distinct reason codes, the first in the list first.

        Where the mover made faults of their own, it is not only the opponent's checkers that moved: that comes last.
        """
        codes = by_precedence((fault.code for fault in self.faults), BACKGAMMON_REASONS)
        return codes[1:] + codes[:1] if codes[:1] == (Reason.WRONG_PLAYER_MOVED,) else codes

    @property
    def steps(self) -> Play:
        """The trips as a play, faults and all; checkers that appeared or are missing are left out."""
        whole = ((trip.source, trip.target) for trip in self.trips)
        return tuple(Step(source, target) for source, target in whole if source is not None and target is not None)

    @property
    def cost(self) -> tuple[int, int, int]:
        """How contrived the story is."""
        codes = self.codes
        return len(codes), len({fault.trip for fault in self.faults}), BACKGAMMON_REASONS.index(codes[0])


@dataclass(frozen=True, slots=True)
class Option:
    """One way to read one trip.

    Attributes:
        left: the dice that are left afterwards.
        codes: the rules broken; TOO_MANY_MOVES where a number is used that was not left.
        hits: points where a blot was hit.
    """

    left: tuple[int, ...]
    codes: frozenset[Reason] = frozenset()
    hits: frozenset[int] = frozenset()


@dataclass(slots=True)
class Situation:
    """A difference to be read: `before` and `seen` as the mover's views, the numbers rolled, the sheet's step rules."""

    before: View
    seen: Sequence[int]
    numbers: tuple[int, ...]
    generator: StepGenerator
    opposing: Sequence[int] = field(init=False)

    def __post_init__(self) -> None:
        """Keep the opponent's counts under the mover's numbers."""
        self.opposing = self.before[OPPONENT:]

    def best(self) -> DifferenceReading | None:
        """The least contrived story that has a fault in it; None where no story has."""
        faulty = (reading for reading in self.readings() if reading.faults)
        return min(faulty, key=lambda reading: reading.cost, default=None)

    def readings(self) -> Iterator[DifferenceReading]:
        """Every story of the difference."""
        for trips in self._pairings():
            yield from self._follow(trips, 0, list(self.before[:OPPONENT]), self.numbers, (), frozenset())

    def _pairings(self) -> Iterator[tuple[Trip, ...]]:
        change = [self.seen[p] - self.before[p] for p in range(OPPONENT)]
        sources: list[int | None] = [p for p in range(BAR, -1, -1) for _ in range(-change[p])]
        targets: list[int | None] = [p for p in range(BAR, -1, -1) for _ in range(change[p])]
        sources += [None] * (len(targets) - len(sources))
        targets += [None] * (len(sources) - len(targets))
        only_in_order = len(sources) > MOST_PAIRED_TRIPS
        pairings = {tuple(targets)} if only_in_order else set(permutations(targets))
        for pairing in sorted(pairings, key=str):
            trips = (Trip(source, target) for source, target in zip(sources, pairing, strict=True))
            yield tuple(sorted(trips, key=_turn_order))

    def _follow(
        self,
        trips: tuple[Trip, ...],
        number: int,
        mine: list[int],
        left: tuple[int, ...],
        faults: tuple[Fault, ...],
        hits: frozenset[int],
    ) -> Iterator[DifferenceReading]:
        if number == len(trips):
            if left:  # too many moves are played only where no rolled number is left
                faults = tuple(
                    Fault(Reason.WRONG_DISTANCE, fault.trip) if fault.code is Reason.TOO_MANY_MOVES else fault
                    for fault in faults
                )
            yield DifferenceReading(trips, faults + self._opponent_faults(trips, hits))
            return
        trip = trips[number]
        if trip.source is not None:
            mine[trip.source] -= 1
        for option in self._options(trip, mine, left):
            after = list(mine)
            if trip.target is not None:
                after[trip.target] += 1
            more = tuple(Fault(code, trip) for code in sorted(option.codes))
            yield from self._follow(trips, number + 1, after, option.left, faults + more, hits | option.hits)
        if trip.source is not None:
            mine[trip.source] += 1

    def _options(self, trip: Trip, mine: list[int], left: tuple[int, ...]) -> set[Option]:
        """The ways to read a trip; `mine` are the mover's counts without the checker that travels."""
        if trip.target is None:
            return {Option(left, frozenset({Reason.CHECKER_MISSING}))}
        if trip.source is None:
            return {Option(left, frozenset({Reason.CHECKER_EXTRA}))}
        if trip.target == BAR and self.seen[OPPONENT + trip.source]:
            return {Option(left, frozenset({Reason.WRONG_PLAYER_MOVED}))}
        before_entering = {Reason.BAR_FIRST} if mine[BAR] and trip.source != BAR else set()
        if trip.target > trip.source:
            return self._backward(trip.source, trip.target, left, before_entering)
        return self._forward(trip.source, trip.target, mine, left, before_entering)

    def _backward(self, source: int, target: int, left: tuple[int, ...], codes: set[Reason]) -> set[Option]:
        """A trip against the direction takes the die of its length, else any that is left."""
        codes = codes | {Reason.MOVED_BACKWARDS}
        hits = set()
        if target != BAR:
            codes |= {Reason.BLOCKED_POINT} if self.opposing[target] > 1 else set()
            hits = {target} if self.opposing[target] == 1 else set()
        if not left:
            return {Option(left, frozenset(codes | {Reason.TOO_MANY_MOVES}), frozenset(hits))}
        dice = {target - source} & set(left) or set(left)
        return {Option(_without(left, (die,)), frozenset(codes), frozenset(hits)) for die in dice}

    def _forward(
        self, source: int, target: int, mine: list[int], left: tuple[int, ...], codes: set[Reason]
    ) -> set[Option]:
        options = set()
        for way in self._ways(source, target):
            faults, hits = self._way_faults(source, target, way, mine)
            if source == BAR and mine[BAR] and len(way) > 1:
                faults.add(Reason.BAR_FIRST)  # it moved on while another one had not come in
            whole_steps = len(way) == 1 or not Counter(self.numbers) - Counter(way)
            met = _ON_THE_WAY if whole_steps else _ON_THE_WAY | {Reason.BAR_FIRST}
            if Counter(way) - Counter(self.numbers) and faults & met:
                continue  # not a sum that was rolled, so nothing was on the way
            if Counter(way) - Counter(left):
                faults = faults | {Reason.TOO_MANY_MOVES if whole_steps else Reason.WRONG_DISTANCE}
            options.add(Option(_without(left, way), frozenset(faults | codes), frozenset(hits)))
        if options:
            fewest = min(len(option.codes) for option in options)
            return {option for option in options if len(option.codes) <= fewest + 1}
        faults = codes | {Reason.WRONG_DISTANCE}
        if target == OFF and any(mine[HIGHEST_BEAR_OFF_POINT + 1 :]):
            faults |= {Reason.NOT_ALL_HOME}
        hits = {target} if self.opposing[target] == 1 and target != OFF else set()
        return {Option(_without(left, (die,)), frozenset(faults), frozenset(hits)) for die in set(left) or {0}}

    def _ways(self, source: int, target: int) -> list[tuple[int, ...]]:
        """Sequences of rolled numbers that lead from source to target, at most one step more than were rolled."""
        ways: list[tuple[int, ...]] = []
        open_ends: list[tuple[int, tuple[int, ...]]] = [(source, ())]
        while open_ends:
            point, way = open_ends.pop()
            for die in set(self.numbers):
                landing = point - die
                if landing == target or (target == OFF and landing < OFF):
                    ways.append((*way, die))
                elif landing > target and len(way) < len(self.numbers):
                    open_ends.append((landing, (*way, die)))
        return ways

    def _way_faults(
        self, source: int, target: int, way: tuple[int, ...], mine: list[int]
    ) -> tuple[set[Reason], set[int]]:
        """Codes of the rules that this way breaks, and where it hits."""
        faults: set[Reason] = set()
        hits: set[int] = set()
        point = source
        for die in way:
            landing = point - die
            if landing <= OFF:
                faults |= self._bear_off_faults(point, die, mine)
                break
            if self.opposing[landing] > 1:
                faults.add(Reason.BLOCKED_POINT if landing == target else Reason.BLOCKED_ON_THE_WAY)
            elif self.opposing[landing] == 1:
                hits.add(landing)
            if mine[landing] >= self.generator.full:
                faults.add(Reason.STACK_LIMIT)
            point = landing
        return faults, hits

    def _bear_off_faults(self, point: int, die: int, mine: list[int]) -> set[Reason]:
        if any(mine[HIGHEST_BEAR_OFF_POINT + 1 :]):
            return {Reason.NOT_ALL_HOME}
        if die == point:
            return set()
        if any(mine[point + 1 :]):
            return {Reason.BEAR_OFF_HIGHER_FIRST}
        return set() if self.generator.larger_bears_off else {Reason.WRONG_DISTANCE}

    def _opponent_faults(self, trips: tuple[Trip, ...], hits: frozenset[int]) -> tuple[Fault, ...]:
        """What is wrong with the opponent's checkers, the blots hit by these trips taken into account."""
        odd = [self.seen[OPPONENT + p] - self.opposing[p] for p in range(OPPONENT)]
        if not hits and not any(odd):
            return ()
        for point in hits:
            odd[point] += 1
            odd[BAR] -= 1
        for trip in trips:  # checkers that were wrongly sent from a blocked point to the bar
            if trip.target not in (None, OFF, BAR) and self.opposing[trip.target] > 1:
                _settle(odd, trip.target, BAR)
        hitters_missing = sum(trip.target is None for trip in trips)
        for point in range(1, BAR):  # blots that a checker hit which has since gone missing
            if hitters_missing and self.opposing[point] == 1 and odd[point] == -1 and odd[BAR] > 0:
                _settle(odd, point, BAR)
                hitters_missing -= 1
        codes = []
        if hits and odd[BAR] < 0:
            codes.append(Reason.HIT_CHECKER_NOT_ON_BAR)
            lying_about = min(-odd[BAR], len(hits))
            odd[BAR] += lying_about
            for point in sorted(range(OPPONENT), key=lambda p: p not in hits):
                taken = max(min(odd[point], lying_about), 0)
                odd[point] -= taken
                lying_about -= taken
        if any(odd):
            total = sum(odd)
            codes.append(
                Reason.CHECKER_MISSING
                if total < 0
                else Reason.CHECKER_EXTRA
                if total > 0
                else Reason.WRONG_PLAYER_MOVED
            )
        return tuple(Fault(code) for code in codes)


def _settle(odd: list[int], short: int, over: int) -> None:
    """Let what is over at one place make up for what is short at another."""
    moved = max(min(-odd[short], odd[over]), 0)
    odd[short] += moved
    odd[over] -= moved


def _without(left: tuple[int, ...], used: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted((Counter(left) - Counter(used)).elements(), reverse=True))


def _turn_order(trip: Trip) -> tuple[int, int]:
    """What left the bar first, then from the back, bearing off from the highest; last what appeared or is missing."""
    if trip.source == BAR:
        return 0, 0
    if trip.source is None or trip.target is None:
        return 3, 0
    return (2 if trip.target == OFF else 1), -trip.source
