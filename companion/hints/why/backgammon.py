"""What a play of backgammon does: hits, points, shots, primes and the race, in the mover's numbers.

The counts of one side are the first half of a `View`: 0 off, its own points 1 to 24, 25 the bar; those of the other
side are turned into the mover's numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, cast

from companion.core import Dice, message
from companion.hints.why.wording import number_suffix
from companion.notation import BAR, OFF
from companion.rules import RolledTurn, StepGenerator, stack_limit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core import Fact, Message, Side
    from companion.rules import BackgammonPosition, BackgammonSheet, Ruleset

POINTS = range(1, 25)
FACES = range(1, 7)
HELD = 2
"""Checkers that hold a point."""
OWN_HOME, THEIR_HOME = range(1, 7), range(19, 25)
SHORTEST_PRIME = 4
WORTH_TELLING = 3
"""Number of closed points in the home board from which they count as keeping checkers out: a quarter of the throws."""


def backgammon_facts(
    rules: Ruleset[BackgammonPosition], before: BackgammonPosition, after: BackgammonPosition, side: Side
) -> Iterator[Message]:
    """The facts of a play of `side`, what matters most first."""
    was, now = MoversCounts.of(before, side), MoversCounts.of(after, side)
    had_contact, contact = before.contact, after.contact
    yield from _hits(was, now)
    if contact or had_contact:
        yield from _points_made(was, now)
    if contact:
        yield from _shots(rules, after, side)
        yield from _prime(was, now)
        yield from _kept_out(rules, now)
    if had_contact:
        yield from _out_of_their_home(was, now, side)
    yield from _off(was, now)
    if contact:
        yield from _given_up(was, now)
    else:
        yield _race(after, side)


@dataclass(frozen=True)
class MoversCounts:
    """A position from the mover's side: both players' counts, by the mover's numbers."""

    mine: bytes
    theirs: bytes

    @classmethod
    def of(cls, position: BackgammonPosition, side: Side) -> MoversCounts:
        """The position as `side` counts it."""
        view = position.view(side)
        return cls(view[:26], view[26:])

    @cached_property
    def held(self) -> frozenset[int]:
        """The points that the mover holds."""
        return frozenset(point for point in POINTS if self.mine[point] >= HELD)

    def prime(self) -> range:
        """The longest run of points held in front of a checker of the opponent's; empty where there is none."""
        runs = [range(0)]
        for first in POINTS:
            last = first
            while last in self.held:
                last += 1
            runs.append(range(first, last))
        behind = [run for run in runs if self.theirs[BAR] or any(self.theirs[point] for point in range(1, run.start))]
        return max(behind, key=len, default=range(0))


def _hits(was: MoversCounts, now: MoversCounts) -> Iterator[Message]:
    if now.theirs[BAR] > was.theirs[BAR]:
        places = [point for point in POINTS if was.theirs[point] == 1 and not now.theirs[point]]
        yield message("why.hits", points=_listed(places))


def _points_made(was: MoversCounts, now: MoversCounts) -> Iterator[Message]:
    made = now.held - was.held
    anchors = sorted(made & set(THEIR_HOME), reverse=True)
    own = sorted(made - set(THEIR_HOME), reverse=True)
    if len(own) == 1:
        yield message("why.makes", point=own[0])
    elif own:
        yield message("why.makes.points", points=_listed(own))
    if anchors:
        yield message("why.anchor", point=min(anchors))


def _out_of_their_home(was: MoversCounts, now: MoversCounts, side: Side) -> Iterator[Message]:
    """Checkers that got away from behind: on the bar they were farther back still."""
    out = _in_their_home(was) - _in_their_home(now)
    if out > 0:
        yield message(f"why.out{number_suffix(out)}", number=out, opponent=side.opponent)


def _in_their_home(half: MoversCounts) -> int:
    return sum(half.mine[point] for point in THEIR_HOME) + half.mine[BAR]


def _prime(was: MoversCounts, now: MoversCounts) -> Iterator[Message]:
    prime = now.prime()
    if len(prime) >= SHORTEST_PRIME and len(prime) > len(was.prime()):
        yield message("why.prime", length=len(prime), source=prime.start, target=prime.stop - 1)


def _shots(rules: Ruleset[BackgammonPosition], after: BackgammonPosition, side: Side) -> Iterator[Message]:
    rolls, of = shots(rules, after, side)
    yield message(f"why.shots{number_suffix(rolls)}", rolls=rolls, of=of) if rolls else message("why.shots.none")


def shots(rules: Ruleset[BackgammonPosition], after: BackgammonPosition, side: Side) -> tuple[int, int]:
    """(hits, all throws): how many of the opponent's throws can hit a checker of `side`, by the rules."""
    half, other = MoversCounts.of(after, side), side.opponent
    count, generator = rules.dice_count(after, other), StepGenerator(cast("BackgammonSheet", rules.sheet))
    found = 0
    for roll in combinations_with_replacement(FACES, count):
        dice = Dice(roll)
        if _in_reach(half, dice) and RolledTurn(generator, after, other, dice).hittable:
            found += len(set(roll))
    return found, len(FACES) ** count


def _in_reach(half: MoversCounts, dice: Dice) -> bool:
    """Whether some numbers of a roll add up to the distance from an opposing checker to a blot."""
    numbers = dice.numbers
    sums = {sum(numbers[:k]) for k in range(1, len(numbers) + 1)} | set(numbers)
    blots = [point for point in POINTS if half.mine[point] == 1]
    starts = [point for point in POINTS if half.theirs[point]] + ([0] if half.theirs[BAR] else [])
    return any(blot - start in sums for blot in blots for start in starts)


def _kept_out(rules: Ruleset[BackgammonPosition], now: MoversCounts) -> Iterator[Message]:
    """How many throws leave an opposing checker on the bar."""
    if not now.theirs[BAR]:
        return
    full = stack_limit(rules.sheet)
    closed = sum(now.mine[p] >= HELD or (full is not None and now.theirs[p] >= full) for p in OWN_HOME)
    if closed >= WORTH_TELLING:
        yield message("why.kept_out", rolls=closed**2, of=len(FACES) ** 2)


def _off(was: MoversCounts, now: MoversCounts) -> Iterator[Message]:
    off = now.mine[OFF] - was.mine[OFF]
    if off > 0:
        yield message(f"why.off{number_suffix(off)}", number=off)


def _given_up(was: MoversCounts, now: MoversCounts) -> Iterator[Message]:
    given_up = sorted(was.held - now.held, reverse=True)
    if len(given_up) == 1:
        yield message("why.gives_up", point=given_up[0])
    elif given_up:
        yield message("why.gives_up.points", points=_listed(given_up))


def _race(after: BackgammonPosition, side: Side) -> Message:
    mine, theirs = after.pips(side), after.pips(side.opponent)
    if mine == theirs:
        return message("why.race.level", mine=mine)
    return message(f"why.race.{'ahead' if mine < theirs else 'behind'}", mine=mine, theirs=theirs)


def _listed(points: list[int]) -> tuple[Fact, ...]:
    return tuple(message("why.at", point=point) for point in points)
