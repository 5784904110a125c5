"""Explains the difference between two backgammon boards as trips of checkers and the rules that they break.

Every pairing of the points that lost checkers with the points that gained one is followed with the dice; a broken rule
is noted and does not stop the trip. The best reading has the fewest different faults, then the fewest faulty
checkers, then the reason that takes precedence.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import permutations
from typing import TYPE_CHECKING

from companion.core import Play, Reason, Step
from companion.notation import BAR, OFF
from companion.rules.backgammon.opponent_differences import opponent_faults
from companion.rules.backgammon.position import HIGHEST_HOME_POINT, OPPONENT
from companion.rules.reasons import BACKGAMMON_REASONS, Fault, Trip, by_precedence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.rules.backgammon.moves import StepGenerator
    from companion.rules.backgammon.position import View


Numbers = tuple[int, ...]
"""Numbers to play, one a step."""
MOST_PAIRED_TRIPS = 5
"""Checkers; of more than this (a legal play moves four) only the pairing in order of points is followed."""

_AT_A_LANDING = {Reason.BLOCKED_POINT, Reason.BLOCKED_ON_THE_WAY, Reason.STACK_LIMIT}
"""Faults that are only given where a rolled number, or a sum of rolled numbers, leads to the landing."""


@dataclass(frozen=True, slots=True)
class DifferenceReading:
    """One explanation of a difference: the trips and their faults."""

    trips: tuple[Trip, ...]
    faults: tuple[Fault, ...]

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The distinct reasons in order of precedence; WRONG_PLAYER_MOVED goes last where the mover made faults too."""
        reasons = by_precedence((fault.reason for fault in self.faults), BACKGAMMON_REASONS)
        return reasons[1:] + reasons[:1] if reasons[:1] == (Reason.WRONG_PLAYER_MOVED,) else reasons

    @property
    def steps(self) -> Play:
        """The trips as a play, legal or not, without checkers that appeared or are missing."""
        whole = ((trip.source, trip.target) for trip in self.trips)
        return tuple(Step(source, target) for source, target in whole if source is not None and target is not None)

    @property
    def cost(self) -> tuple[int, int, list[int]]:
        """Number of different faults, number of faulty checkers, ranks of the reasons; lower is better."""
        ranks = [BACKGAMMON_REASONS.index(reason) for reason in self.reasons]
        return len(ranks), len({fault.trip for fault in self.faults}), ranks


@dataclass(frozen=True, slots=True)
class TripOption:
    """One way to explain one trip with the dice.

    Attributes:
        dice_left: the numbers left to play afterwards.
        reasons: the rules broken; TOO_MANY_MOVES where a number is used that was not left.
        hits: points where a blot is hit.
    """

    dice_left: Numbers
    reasons: frozenset[Reason] = frozenset()
    hits: frozenset[int] = frozenset()


@dataclass(slots=True)
class DifferenceExplainer:
    """Finds the readings of a difference.

    Attributes:
        before: the position before the turn, as the mover's view.
        seen: the counts on the board now, in the order of a view.
        numbers: the numbers to play.
        generator: the sheet's rules for steps.
        opposing: the opponent's counts before the turn, under the mover's point numbers.
    """

    before: View
    seen: Sequence[int]
    numbers: Numbers
    generator: StepGenerator
    opposing: Sequence[int] = field(init=False)

    def __post_init__(self) -> None:
        """Derive `opposing`."""
        self.opposing = self.before[OPPONENT:]

    def best(self) -> DifferenceReading | None:
        """The reading with a fault that costs least; None where no reading has a fault."""
        readings = (self._follow(trips, 0, list(self.before[:OPPONENT]), self.numbers) for trips in self._pairings())
        faulty = (reading for some in readings for reading in some if reading.faults)
        return min(faulty, key=lambda reading: reading.cost, default=None)

    def _pairings(self) -> Iterator[tuple[Trip, ...]]:
        """Every pairing of points left with points reached, each in the order of `_turn_order`."""
        change = [self.seen[p] - self.before[p] for p in range(OPPONENT)]
        sources: list[int | None] = [p for p in range(BAR, -1, -1) for _ in range(-change[p])]
        targets: list[int | None] = [p for p in range(BAR, -1, -1) for _ in range(change[p])]
        sources += [None] * (len(targets) - len(sources))
        targets += [None] * (len(sources) - len(targets))
        pairings = {tuple(targets)} if len(sources) > MOST_PAIRED_TRIPS else set(permutations(targets))
        for pairing in sorted(pairings, key=str):
            trips = (Trip(source, target) for source, target in zip(sources, pairing, strict=True))
            yield tuple(sorted(trips, key=_turn_order))

    def _follow(
        self,
        trips: tuple[Trip, ...],
        index: int,
        mine: list[int],
        dice_left: Numbers,
        faults: tuple[Fault, ...] = (),
        hits: frozenset[int] = frozenset(),
    ) -> Iterator[DifferenceReading]:
        """Every reading of `trips` from number `index` on.

        `mine` are the mover's counts before that trip, `faults` and `hits` those of the trips before it.
        """
        if index == len(trips):
            if dice_left:  # not every rolled number was used, so one that was used again is a wrong distance
                wrong = {Reason.TOO_MANY_MOVES: Reason.WRONG_DISTANCE}
                faults = tuple(Fault(wrong.get(fault.reason, fault.reason), fault.trip) for fault in faults)
            yield DifferenceReading(trips, faults + opponent_faults(self.opposing, self.seen[OPPONENT:], trips, hits))
            return
        trip = trips[index]
        if trip.source is not None:
            mine[trip.source] -= 1
        for option in sorted(self._options(trip, mine, dice_left), key=_option_order):
            after = list(mine)
            if trip.target is not None:
                after[trip.target] += 1
            more = tuple(Fault(reason, trip) for reason in sorted(option.reasons))
            yield from self._follow(trips, index + 1, after, option.dice_left, faults + more, hits | option.hits)
        if trip.source is not None:
            mine[trip.source] += 1

    def _options(self, trip: Trip, mine: list[int], dice_left: Numbers) -> set[TripOption]:
        """The ways to explain a trip; `mine` are the mover's counts without the moving checker."""
        if trip.target is None:
            return {TripOption(dice_left, frozenset({Reason.CHECKER_MISSING}))}
        if trip.source is None:
            return {TripOption(dice_left, frozenset({Reason.CHECKER_EXTRA}))}
        if trip.target == BAR and self.seen[OPPONENT + trip.source]:
            return {TripOption(dice_left, frozenset({Reason.WRONG_PLAYER_MOVED}))}
        reasons = {Reason.BAR_FIRST} if mine[BAR] and trip.source != BAR else set()
        if trip.target > trip.source:
            return self._backward(trip.source, trip.target, dice_left, reasons)
        return self._forward(trip.source, trip.target, mine, dice_left, reasons)

    def _backward(self, source: int, target: int, dice_left: Numbers, reasons: set[Reason]) -> set[TripOption]:
        """Options of a trip against the direction: it uses the die of its length, else any die that is left."""
        reasons = reasons | {Reason.MOVED_BACKWARDS}
        hits = set()
        if target != BAR:
            reasons |= {Reason.BLOCKED_POINT} if self.opposing[target] > 1 else set()
            hits = {target} if self.opposing[target] == 1 else set()
        if not dice_left:
            return {TripOption(dice_left, frozenset(reasons | {Reason.TOO_MANY_MOVES}), frozenset(hits))}
        dice = {target - source} & set(dice_left) or set(dice_left)
        return {TripOption(_without(dice_left, (die,)), frozenset(reasons), frozenset(hits)) for die in dice}

    def _forward(
        self, source: int, target: int, mine: list[int], dice_left: Numbers, reasons: set[Reason]
    ) -> set[TripOption]:
        """Options of a trip in the direction of play, by every sequence of rolled numbers that leads to `target`."""
        options = set()
        for way in self._ways(source, target):
            faults, hits = self._way_faults(source, target, way, mine)
            if source == BAR and mine[BAR] and len(way) > 1:
                faults.add(Reason.BAR_FIRST)  # it moved on while another one had not come in
            whole_steps = len(way) == 1 or not Counter(self.numbers) - Counter(way)
            needs_roll = _AT_A_LANDING if whole_steps else _AT_A_LANDING | {Reason.BAR_FIRST}
            if Counter(way) - Counter(self.numbers) and faults & needs_roll:
                continue  # the sum was not rolled, so no landing on the way counts
            if Counter(way) - Counter(dice_left):
                faults = faults | {Reason.TOO_MANY_MOVES if whole_steps else Reason.WRONG_DISTANCE}
            options.add(TripOption(_without(dice_left, way), frozenset(faults | reasons), frozenset(hits)))
        if options:
            fewest = min(len(option.reasons) for option in options)
            return {option for option in options if len(option.reasons) <= fewest + 1}
        faults = reasons | {Reason.WRONG_DISTANCE}
        if target == OFF and any(mine[HIGHEST_HOME_POINT + 1 :]):
            faults |= {Reason.NOT_ALL_HOME}
        hits = {target} if self.opposing[target] == 1 and target != OFF else set()
        dice = set(dice_left) or {0}  # no number is 0: nothing is taken from the dice
        return {TripOption(_without(dice_left, (die,)), frozenset(faults), frozenset(hits)) for die in dice}

    def _ways(self, source: int, target: int) -> list[Numbers]:
        """Sequences of rolled numbers that lead from source to target, at most one step more than were rolled."""
        ways: list[Numbers] = []
        open_ends: list[tuple[int, Numbers]] = [(source, ())]
        while open_ends:
            point, way = open_ends.pop()
            for die in set(self.numbers):
                landing = point - die
                if landing == target or (target == OFF and landing < OFF):
                    ways.append((*way, die))
                elif landing > target and len(way) < len(self.numbers):
                    open_ends.append((landing, (*way, die)))
        return ways

    def _way_faults(self, source: int, target: int, way: Numbers, mine: list[int]) -> tuple[set[Reason], set[int]]:
        """The rules that a sequence of numbers breaks, and the points where it hits a blot."""
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
            if mine[landing] >= self.generator.stack_limit:
                faults.add(Reason.STACK_LIMIT)
            point = landing
        return faults, hits

    def _bear_off_faults(self, point: int, die: int, mine: list[int]) -> set[Reason]:
        """The rules that bearing off from `point` with `die` breaks."""
        if any(mine[HIGHEST_HOME_POINT + 1 :]):
            return {Reason.NOT_ALL_HOME}
        if die == point:
            return set()
        if any(mine[point + 1 :]):
            return {Reason.BEAR_OFF_HIGHER_FIRST}
        return set() if self.generator.larger_bears_off else {Reason.WRONG_DISTANCE}


def _without(numbers: Numbers, used: Numbers) -> Numbers:
    return tuple(sorted((Counter(numbers) - Counter(used)).elements(), reverse=True))


def _option_order(option: TripOption) -> tuple[list[Reason], Numbers, list[int]]:
    """Sort key, so that equally good readings come in the same order in every process."""
    return sorted(option.reasons), option.dice_left, sorted(option.hits)


def _turn_order(trip: Trip) -> tuple[int, int]:
    """Sort key: from the bar, then on the board from the highest point, then bearing off, then incomplete trips."""
    if trip.source == BAR:
        return 0, 0
    if trip.source is None or trip.target is None:
        return 3, 0
    return (2 if trip.target == OFF else 1), -trip.source
