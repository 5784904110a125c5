"""Everyday mistakes under every sheet: the referee names the mistake, and never gives a reason that is not true.

When a reason is true is written here from the rules' text, not from the referee's code: over all pairings of the
points that lost a checker with those that gained one.
"""

from __future__ import annotations

import random
from itertools import combinations, permutations

import pytest
from natural_mistakes import BAR, OFF, THEIRS, mistakes, results, steps
from sweeps import sampled

from companion.core import Dice, Side
from companion.rules import BackgammonPosition, load_sheet, rules_named, shipped_sheets
from companion.rules.backgammon.position import cell_of_point

BACKGAMMON = [name for name in shipped_sheets() if load_sheet(name).game == "backgammon"]


def judged(rules, mistake, side):
    """The verdict on a mistake made by `side`."""
    cells = [[0, 0] for _ in range(28)]
    for point in range(BAR + 1):
        for half, owner in ((0, side), (THEIRS, side.opponent)):
            cell = cell_of_point(point, owner if point in (OFF, BAR) else side)
            cells[cell][0 if owner is Side.WHITE else 1] += mistake.now[half + point]
    before = BackgammonPosition.from_view(bytes(mistake.before), side)
    return rules.explain(before, side, Dice(mistake.dice), tuple(map(tuple, cells)), done=True)


# --- when a reason is true ---


def numbers_of(dice):
    return dice * 2 if len(dice) == 2 and dice[0] == dice[1] else dice


def changes(mistake):
    """The points that the mover's checkers left and reached, each as often as it did."""
    change = [now - then for now, then in zip(mistake.now[:THEIRS], mistake.before[:THEIRS], strict=True)]
    left = [p for p in range(26) for _ in range(-change[p])]
    return left, [p for p in range(26) for _ in range(change[p])]


def pairings(mistake):
    """Every pairing of points left and reached; what is missing or appeared stays without a partner."""
    left, reached = changes(mistake)
    if len(left) >= len(reached):
        return {tuple(zip(order, reached, strict=True)) for order in permutations(left, len(reached))}
    return {tuple(zip(left, order, strict=True)) for order in permutations(reached, len(left))}


def orders(mistake):
    """Every order of one or more of the rolled numbers."""
    numbers = numbers_of(mistake.dice)
    chosen = (some for many in range(1, len(numbers) + 1) for some in combinations(numbers, many))
    return {order for some in chosen for order in permutations(some)}


def stops(source, order):
    return [source - sum(order[: many + 1]) for many in range(len(order))]


def rolled_ways(rules, mistake, source, target):
    """The stops of every way that the roll gives from source to target, blocked or not."""
    for order in orders(mistake):
        way = stops(source, order)
        beyond = target == OFF and way[-1] < OFF and rules.sheet.bear_off_with_larger_die
        if all(stop > OFF for stop in way[:-1]) and (way[-1] == target or beyond):
            yield [*way[:-1], target]


def held(mistake, point):
    return point > OFF and mistake.before[THEIRS + point] > 1


def is_bar_first(_rules, mistake):
    left, _ = changes(mistake)
    return mistake.now[BAR] > 0 and mistake.before[BAR] > 0 and bool(left)


def is_backwards(_rules, mistake):
    return all(any(source < target for source, target in pairs) for pairs in pairings(mistake))


def is_not_all_home(_rules, mistake):
    return mistake.now[OFF] > mistake.before[OFF] and any(mistake.now[7:26])


def is_higher_first(rules, mistake):
    left, _ = changes(mistake)
    launches = [(s - first, die) for s in left for first in (0, *mistake.dice) for die in mistake.dice]
    higher = any(0 < p < die and any(mistake.now[p + 1 : 7]) for p, die in launches)
    return rules.sheet.bear_off_with_larger_die and mistake.now[OFF] > mistake.before[OFF] and higher


def is_beyond_the_limit(rules, mistake):
    full = rules.sheet.max_checkers_per_point
    left, reached = changes(mistake)
    closed = BAR in left and any(mistake.before[BAR - die] >= full for die in mistake.dice)
    closed |= OFF in reached and any(mistake.before[s - die] >= full for s in left for die in mistake.dice if s > die)
    return full > 0 and (closed or any(count > full for count in mistake.now[1:BAR]))


def is_blocked_point(rules, mistake):
    left, reached = changes(mistake)
    return any(held(mistake, t) and any([*rolled_ways(rules, mistake, s, t)]) for s in left for t in reached)


def is_blocked_on_the_way(rules, mistake):
    left, reached = changes(mistake)
    ways = [[*rolled_ways(rules, mistake, s, t)] for s in left for t in reached if s > t]
    return any(some and all(any(held(mistake, p) for p in way[:-1]) for way in some) for some in ways)


def is_wrong_distance(rules, mistake):
    """No pairing fits the roll with each number used once, or a checker was borne off or hit as no number does."""
    return (
        not any(fits(rules, mistake, pairs, numbers_of(mistake.dice)) for pairs in pairings(mistake))
        or mistake.now[OFF] > mistake.before[OFF]
        or hit_aside(rules, mistake)
    )


def hit_aside(rules, mistake):
    """Whether a blot is on the bar that a checker passed, and that no way of the roll touches."""
    left, reached = changes(mistake)
    trips = [(source, target) for source in left for target in reached if source > target]
    touched = {stop for trip in trips for way in rolled_ways(rules, mistake, *trip) for stop in way}
    hit = [p for p in range(1, BAR) if mistake.before[THEIRS + p] == 1 and not mistake.now[THEIRS + p]]
    enough = mistake.now[THEIRS + BAR] - mistake.before[THEIRS + BAR] >= len(hit)
    return enough and any(p not in touched and any(low < p < high for high, low in trips) for p in hit)


def fits(rules, mistake, pairs, numbers):
    """Whether the trips can share the numbers out between them, whatever stands in their way."""
    if not pairs:
        return True
    (source, target), *others = pairs
    for many in range(1, len(numbers) + 1):
        for order in set(permutations(numbers, many)):
            way = stops(source, order)
            beyond = target == OFF and way[-1] < OFF and rules.sheet.bear_off_with_larger_die
            if all(stop > OFF for stop in way[:-1]) and (way[-1] == target or beyond):
                rest = list(numbers)
                for number in order:
                    rest.remove(number)
                if fits(rules, mistake, others, tuple(rest)):
                    return True
    return False


def is_too_many(rules, mistake):
    """In some pairing each trip fits the roll, and in none do all together."""
    numbers = numbers_of(mistake.dice)
    alone = any(all(fits(rules, mistake, [pair], numbers) for pair in pairs) for pairs in pairings(mistake))
    return alone and not any(fits(rules, mistake, pairs, numbers) for pairs in pairings(mistake) if len(pairs) > 1)


def is_not_on_bar(_rules, mistake):
    left, reached = changes(mistake)
    low, high = min(reached, default=25), max(left, default=0)
    in_reach = [p for p in range(1, BAR) if mistake.before[THEIRS + p] == 1 and low <= p < high]
    return mistake.now[THEIRS + BAR] - mistake.before[THEIRS + BAR] < len(in_reach)


def total_changed(sign):
    def is_miscounted(_rules, mistake):
        halves = (slice(0, THEIRS), slice(THEIRS, None))
        return any((sum(mistake.now[half]) - sum(mistake.before[half])) * sign > 0 for half in halves)

    return is_miscounted


def is_disturbed(_rules, mistake):
    return mistake.now[THEIRS:] != mistake.before[THEIRS:]


def is_part_of_a_play(rules, mistake):
    """The steps of the sheet lead there, with fewer dice than can be played."""
    legal = results(rules, mistake.before, mistake.dice)
    return mistake.now not in legal and (mistake.now == mistake.before or mistake.now in by_steps(rules, mistake))


def by_steps(rules, mistake):
    """Every view that the sheet's steps lead to."""
    views = set()
    for order in orders(mistake):
        layer = {mistake.before}
        for die in order:
            layer = {_stepped(view, *step) for view in layer for step in steps(rules, view, die)}
            views |= layer
    return views


def _stepped(view, source, target):
    now = list(view)
    now[source] -= 1
    now[target] += 1
    if OFF < target < BAR and now[THEIRS + target] == 1:
        now[THEIRS + target] = 0
        now[THEIRS + BAR] += 1
    return tuple(now)


TRUE_WHEN = {
    "wrong_player_moved": is_disturbed,
    "bar_first": is_bar_first,
    "moved_backwards": is_backwards,
    "not_all_home": is_not_all_home,
    "bear_off_higher_first": is_higher_first,
    "stack_limit": is_beyond_the_limit,
    "blocked_point": is_blocked_point,
    "blocked_on_the_way": is_blocked_on_the_way,
    "must_play_larger_die": is_part_of_a_play,
    "could_play_more": is_part_of_a_play,
    "too_many_moves": is_too_many,
    "wrong_distance": is_wrong_distance,
    "hit_checker_not_on_bar": is_not_on_bar,
    "checker_missing": total_changed(-1),
    "checker_extra": total_changed(1),
}


# --- the tests ---


def check_mistakes(name, seed, many):
    """Judge that many mistakes; how many got the true reason of another explanation, just as short."""
    rules, chance = rules_named(name), random.Random(f"{name} {seed}")
    otherwise = 0
    for mistake in mistakes(rules, chance, many):
        verdict = judged(rules, mistake, chance.choice([*Side]))
        assert verdict.finding == "illegal", (mistake, verdict)
        for reason in (verdict.reason, *verdict.also):
            assert TRUE_WHEN[reason](rules, mistake), (reason, verdict.reason, verdict.also, verdict.made, mistake)
        otherwise += verdict.reason not in mistake.reasons
    return otherwise


@pytest.mark.parametrize("name", sampled(BACKGAMMON, ("standard", "encyclopedia")))
def test_no_untrue_reason_is_given_for_a_common_mistake(name):
    assert check_mistakes(name, 1, 40) <= 4


@pytest.mark.slow
@pytest.mark.parametrize("name", BACKGAMMON)
@pytest.mark.parametrize("seed", range(2, 12))
def test_no_untrue_reason_is_given_for_thousands_of_mistakes(name, seed):
    assert check_mistakes(name, seed, 200) <= 14
