"""Mistakes as people make them at a real board: made by hand from positions of every kind, with the reason to expect.

Of the referee's code it uses only the legal results of a roll, because a player who misreads a die plays by the rules
otherwise. A view is 52 counts as the mover sees them: 0 off, 1 to 24 the mover's points, 25 the bar, the opponent's
from 26 on.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.core import Dice, Side
from companion.rules import BackgammonPosition

BAR, OFF, THEIRS = 25, 0, 26


@dataclass(frozen=True)
class Mistake:
    """A turn gone wrong: what was rolled where, what stands now, and the reasons that name the mistake."""

    kind: str
    before: tuple[int, ...]
    dice: tuple[int, ...]
    now: tuple[int, ...]
    reasons: tuple[str, ...]


# --- positions ---


def any_position(rules, chance):
    """A view from a random game under the rules, or one put together: bearing off, on the bar, in contact."""
    kind = chance.choice(["played", "played", "bearing off", "bar", "contact"])
    if kind == "played":
        return played_position(rules, chance)
    mine, theirs = [0] * 26, [0] * 26
    top = 6 if kind == "bearing off" else 24
    off = chance.randint(0, 12) if kind == "bearing off" else 0
    theirs_off = chance.choice([0, 0, chance.randint(0, 10)])
    mine[OFF], theirs[OFF] = off, theirs_off
    full = rules.sheet.max_checkers_per_point or 15
    if kind == "bar":
        mine[BAR] = chance.choice([1, 1, 2, 3])
    scatter(mine, chance, 15 - off - mine[BAR], 1, top, full, theirs)
    scatter(theirs, chance, 15 - theirs_off, 1, 24, full, mine)
    return tuple(mine + theirs)


def scatter(counts, chance, many, low, high, full, other):
    """Put checkers on points that are free, now and then several at once."""
    while many:
        point = chance.randint(low, high)
        pile = min(chance.choice([1, 1, 2, 2, 3]), many, full - counts[point])
        if pile > 0 and not other[point]:
            counts[point] += pile
            many -= pile


def played_position(rules, chance):
    """Some random plays into a game."""
    position, side = rules.start(), Side.WHITE
    for _ in range(chance.randint(0, 90)):
        dice = Dice(tuple(chance.randint(1, 6) for _ in range(rules.dice_count(position, side))))
        successors = rules.successors(position, side, dice)
        after = chance.choice(successors).after if successors else position
        if rules.outcome(after) is not None:
            break
        position, side = after, side.opponent
    return tuple(position.view(side))


def results(rules, view, dice):
    """The views that legal plays of the dice lead to."""
    position = BackgammonPosition.from_view(bytes(view), Side.WHITE)
    return [tuple(s.after.view(Side.WHITE)) for s in rules.successors(position, Side.WHITE, Dice(dice))]


def roll_for(rules, chance, view):
    """A roll of as many dice as the sheet gives."""
    position = BackgammonPosition.from_view(bytes(view), Side.WHITE)
    return tuple(chance.randint(1, 6) for _ in range(rules.dice_count(position, Side.WHITE)))


# --- moving by hand ---


def moved(view, source, target, *, hit=True):
    """The view after a checker was moved by hand; a blot goes to the bar, or stays beside its hitter."""
    now = list(view)
    now[source] -= 1
    now[target] += 1
    if hit and 0 < target < BAR and now[THEIRS + target] == 1:
        now[THEIRS + target] = 0
        now[THEIRS + BAR] += 1
    return tuple(now)


def all_home(view):
    return not any(view[7:26])


def steps(rules, view, die):
    """(source, target) of every step that the sheet allows with a die."""
    full = rules.sheet.max_checkers_per_point or 15
    for source in [BAR] if view[BAR] else range(24, 0, -1):
        target = source - die
        if not view[source]:
            continue
        if target > 0 and view[THEIRS + target] < 2 and view[target] < full:
            yield source, target
        exact = target == 0
        larger = target < 0 and rules.sheet.bear_off_with_larger_die and not any(view[source + 1 : 7])
        if target <= 0 and all_home(view) and (exact or larger):
            yield source, OFF


# --- mistakes ---


def a_die_misread(rules, chance, view, dice):
    """One die was taken for another; the play is legal with what was read."""
    if len(set(dice)) == 1:
        return None
    read = chance.choice([n for n in range(1, 7) if n not in dice])
    now = chance.choice(results(rules, view, (dice[0], read)) or [None])
    return now and Mistake("misread", view, dice, now, ("wrong_distance",))


def one_die_twice(rules, chance, view, dice):
    """A number was played for both checkers."""
    if len(set(dice)) == 1:
        return None
    now, die = view, chance.choice(dice)
    for _ in range(2):
        step = chance.choice([*steps(rules, now, die)] or [None])
        if step is None:
            return None
        now = moved(now, *step)
    return Mistake("one die twice", view, dice, now, ("wrong_distance", "too_many_moves"))


def three_numbers(rules, chance, view, dice):
    """Both numbers were played and one of them again; of a double, five."""
    numbers = dice * 2 if len(set(dice)) == 1 else dice
    order = [*numbers, chance.choice(dice)]
    chance.shuffle(order)
    now = view
    for die in order:
        step = chance.choice([*steps(rules, now, die)] or [None])
        if step is None:
            return None
        now = moved(now, *step)
    return Mistake("three numbers", view, dice, now, ("too_many_moves", "wrong_distance"))


def a_blot_left(rules, chance, view, dice):
    """A legal play that hits, but the blot stays where it was, or is taken from the board."""
    hitting = [now for now in results(rules, view, dice) if now[THEIRS + BAR] > view[THEIRS + BAR]]
    if not hitting:
        return None
    now = list(chance.choice(hitting))
    hit = [p for p in range(1, 25) if view[THEIRS + p] == 1 and not now[THEIRS + p]]
    left = chance.choice(hit)
    now[THEIRS + BAR] -= 1
    if chance.random() < 0.8:
        now[THEIRS + left] += 1
    return Mistake("blot left standing", view, dice, tuple(now), ("hit_checker_not_on_bar",))


def off_with_too_small(rules, chance, view, dice):
    """A checker was borne off with a number too small for its point, the other number played rightly."""
    if not all_home(view) or len(set(dice)) == 1:
        return None
    small, other = chance.sample(dice, 2)
    sources = [p for p in range(small + 1, 7) if view[p]]
    if not sources:
        return None
    now = moved(view, chance.choice(sources), OFF)
    step = chance.choice([*steps(rules, now, other)] or [None])
    return step and Mistake("off with too small a number", view, dice, moved(now, *step), ("wrong_distance",))


def off_a_lower_point(rules, chance, view, dice):
    """A checker was borne off with a larger number while a higher point was occupied, the other number played rightly.

    Under a sheet where no larger number bears off that is no number for its point.
    """
    if not all_home(view) or len(set(dice)) == 1:
        return None
    large, other = chance.sample(dice, 2)
    lower = [p for p in range(1, large) if view[p] and any(view[p + 1 : 7])]
    if not lower:
        return None
    source = chance.choice(lower)
    now = moved(view, source, OFF)
    step = chance.choice([s for s in steps(rules, now, other) if s[0] != source] or [None])
    if step is None:
        return None
    now = moved(now, *step)
    larger = rules.sheet.bear_off_with_larger_die
    if larger and not any(now[source + 1 : 7]):
        return None  # the other checker was the only higher one and went first
    reason = "bear_off_higher_first" if larger else "wrong_distance"
    return Mistake("off a lower point", view, dice, now, (reason,))


def off_too_early(_rules, chance, view, dice):
    """A checker was borne off while others were outside."""
    home = [die for die in dice if view[die]]
    if not home or all_home(view):
        return None
    return Mistake("off too early", view, dice, moved(view, chance.choice(home), OFF), ("not_all_home", "bar_first"))


def the_bar_forgotten(_rules, chance, view, dice):
    """Another checker was moved while one waited on the bar."""
    die = chance.choice(dice)
    sources = [p for p in range(die + 1, 25) if view[p] and view[THEIRS + p - die] < 2]
    if not view[BAR] or not sources:
        return None
    source = chance.choice(sources)
    return Mistake("bar forgotten", view, dice, moved(view, source, source - die), ("bar_first",))


def on_a_held_point(_rules, chance, view, dice):
    """A checker was put on a point that the opponent holds."""
    die = chance.choice(dice)
    sources = [p for p in range(die + 1, 26) if view[p] and view[THEIRS + p - die] > 1]
    if view[BAR]:
        sources = [p for p in sources if p == BAR]
    if not sources:
        return None
    source = chance.choice(sources)
    return Mistake("held point", view, dice, moved(view, source, source - die), ("blocked_point",))


def over_a_blockade(rules, chance, view, dice):
    """A checker went the sum though every point in between was held."""
    if len(dice) < 2 or view[BAR]:
        return None
    total = sum(dice)
    sources = [
        p
        for p in range(total + 1, 25)
        if view[p] and view[THEIRS + p - total] < 2 and all(view[THEIRS + p - die] > 1 for die in dice)
    ]
    full = rules.sheet.max_checkers_per_point or 15
    sources = [p for p in sources if view[p - total] < full]
    if not sources:
        return None
    source = chance.choice(sources)
    return Mistake("over a blockade", view, dice, moved(view, source, source - total), ("blocked_on_the_way",))


def one_too_many_on_a_point(rules, chance, view, dice):
    """A checker was put on a point that was full."""
    full, die = rules.sheet.max_checkers_per_point, chance.choice(dice)
    sources = [p for p in range(die + 1, 26) if full and view[p] and view[p - die] == full]
    if view[BAR]:
        sources = [p for p in sources if p == BAR and view[BAR] == 1]
    if not sources:
        return None
    source = chance.choice(sources)
    return Mistake("full point", view, dice, moved(view, source, source - die), ("stack_limit",))


def backwards(_rules, chance, view, dice):
    """A checker went the wrong way."""
    die = chance.choice(dice)
    sources = [p for p in range(1, 25 - die) if view[p] and view[THEIRS + p + die] < 2]
    if view[BAR] or not sources:
        return None
    source = chance.choice(sources)
    return Mistake("backwards", view, dice, moved(view, source, source + die), ("moved_backwards",))


def a_checker_lost(rules, chance, view, dice):
    """A legal play, and a checker that fell from the board, or one from the box that came onto it."""
    now = list(chance.choice(results(rules, view, dice) or [view]))
    half, change = chance.choice([0, THEIRS]), chance.choice([-1, 1])
    points = [p for p in range(1, 25) if now[half + p] > 1 and now[half + p] == view[half + p]]
    if not points:
        return None
    now[half + chance.choice(points)] += change
    reason = "checker_missing" if change < 0 else "checker_extra"
    return Mistake("checker lost or found", view, dice, tuple(now), (reason,))


KINDS = (
    *(a_die_misread, one_die_twice, three_numbers, a_blot_left, off_with_too_small, off_a_lower_point, off_too_early),
    *(the_bar_forgotten, on_a_held_point, over_a_blockade, one_too_many_on_a_point, backwards, a_checker_lost),
)


def mistakes(rules, chance, many):
    """Generate `many` mistakes, all of them illegal."""
    found = 0
    while found < many:
        view = any_position(rules, chance)
        for _ in range(6):
            dice = roll_for(rules, chance, view)
            mistake = chance.choice(KINDS)(rules, chance, view, dice)
            if mistake is not None and mistake.now != view and mistake.now not in results(rules, view, dice):
                found += 1
                yield mistake
